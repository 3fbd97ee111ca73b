"""The easy bot of any game: often it does not think and makes the move of a seat that nobody plays, the lowest card that fits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.cards import Card, Seat
from protocol.games.game import EASY, AnyGame, Strategy

CARELESS = 0.5
"""The chance that it does not think about a move."""


class Careless:
    """Plays like `strategy`, but often without thinking. It never calls or bombs unless it thinks."""

    def __init__(self, game: AnyGame, strategy: Strategy) -> None:
        self._game, self._strategy = game, strategy

    def choose(self, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        if seat in self._game.awaited(state) and rng.random() < CARELESS:
            move = self._game.default(state, seat, hand)
            if move is not None:
                return move
        return self._strategy.choose(state, seat, hand, rng)


def careless_or(game: AnyGame, normal: Strategy, level: str) -> Strategy:
    """Return the easy bot at that level, else the normal one."""
    return Careless(game, normal) if level == EASY else normal
