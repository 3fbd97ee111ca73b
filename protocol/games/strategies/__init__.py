"""The bots, a file for each family of games. A bot knows only the public state and its own hand."""
