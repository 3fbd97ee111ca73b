"""Macau Wars: see `game` for the rules as one would tell them, and the files beside it for their parts."""

from protocol.games.macau_wars.game import MacauWars

__all__ = ["MacauWars"]
