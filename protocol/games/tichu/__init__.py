"""Tichu: see `game`."""

from protocol.games.tichu.game import Tichu

__all__ = ["Tichu"]
