"""Bots' minds, a file a family of games. A bot knows the public state and its own hand, nothing else."""
