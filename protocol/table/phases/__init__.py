"""The phases of a match: the data of each, the messages that it allows, what its seats owe, and its next step."""
