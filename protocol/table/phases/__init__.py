"""The phases of a match: for each its data, the messages it allows, what its seats owe, and its next step."""
