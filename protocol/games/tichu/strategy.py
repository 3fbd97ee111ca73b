"""A bot that plays Tichu for its team, from the public state and its own hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from protocol.cards import Card, Seat
from protocol.games.tichu.game import Tichu
from protocol.games.tichu.moves import Move
from protocol.games.tichu.state import Round


class TeamPlayer:
    """Plays the default move for now."""

    def __init__(self, game: Tichu) -> None:
        self.game = game

    def choose(self, state: Round, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        return self.game.default(state, seat, hand)
