"""Four people at a Tichu table whose cards a test lays out: scenarios read like a rule book's examples."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from protocol.cards import Card
from protocol.errors import IllegalMove
from protocol.games.local import LocalTable
from protocol.games.tichu import Tichu
from protocol.games.tichu.moves import CallTichu, Collect, Move, Pass, PlayCombination


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(name) for name in text.split())


class Person:
    """One seat: what it does, and what it cannot do."""

    def __init__(self, table: Sitting, seat: int) -> None:
        self.table, self.seat = table, seat

    def does(self, move: Move) -> None:
        self.table.local.play(self.seat, move)

    def plays(self, text: str, wish: str | None = None, phoenix: str | None = None) -> None:
        self.does(PlayCombination(cards(text), wish, phoenix))

    def passes(self) -> None:
        self.does(Pass())

    def collects(self, to: int | None = None) -> None:
        self.does(Collect(to))

    def calls(self) -> None:
        self.does(CallTichu())

    def cannot(self, move: Move, because: str) -> None:
        """The move is refused with these words, and nothing has changed."""
        before = self.table.local.state, self.table.local.hands
        with pytest.raises(IllegalMove) as caught:
            self.does(move)
        assert because in str(caught.value)
        assert (self.table.local.state, self.table.local.hands) == before

    def cannot_play(self, text: str, because: str, wish: str | None = None, phoenix: str | None = None) -> None:
        self.cannot(PlayCombination(cards(text), wish, phoenix), because)

    def breaches(self, move: Move) -> None:
        """The public accepts the move, the hand forbids it, and it is not offered."""
        local = self.table.local
        local.game.apply(local.state, self.seat, move)
        assert move not in list(local.legal(self.seat))
        self.cannot(move, "the wish is")


class Sitting:
    """A table from the first lead on: four hands as text, and whoever leads."""

    def __init__(self, *hands: str, lead: int = 0, out: Sequence[int] = (), **options: Any) -> None:
        self.game = Tichu(4, options)
        held = [cards(hand) for hand in hands]
        state = self.game.lead_state(lead, held, out)
        self.local = LocalTable.resume(self.game, Random(1), state, held, ())
        self.people = tuple(Person(self, seat) for seat in range(4))

    def __iter__(self) -> Any:
        return iter(self.people)

    @property
    def view(self) -> dict[str, Any]:
        """The view of the round as it is, or of the one that has just ended."""
        return self.local.view() if self.local.last_round is None else self.local.last_round.view
