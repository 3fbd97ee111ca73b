"""Rounds of Macau Wars on known cards, told in the game's words. Anna acts first, then Ben, Cleo and Dora."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from protocol.cards import Card
from protocol.errors import IllegalMove
from protocol.games.local import acting
from protocol.games.macau_wars import MacauWars
from protocol.games.macau_wars.state import MacauState
from protocol.games.playthrough import ScriptedDealer
from protocol.games.playthrough_file import RoundCards
from protocol.games.shedding import CALL, DRAW, PASS, Move, PlayCards


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(name) for name in text.split())


class Player:
    """One of those at the table."""

    def __init__(self, table: Sitting, seat: int) -> None:
        self._table, self.seat = table, seat

    @property
    def hand(self) -> list[str]:
        return sorted(self._table.dealer.hands[self.seat])

    @property
    def size(self) -> int:
        size = self._table.state.hand_sizes[self.seat]
        assert size == len(self.hand)
        return size

    @property
    def is_in_turn(self) -> bool:
        return self._table.state.turn == self.seat

    @property
    def points(self) -> int | None:
        points = self._table.state.points
        return None if points is None else points[self.seat]

    def _play(self, text: str, calls: str | None, names: Player | None, stands_for: str, says: bool) -> PlayCards:
        played = cards(text)
        suit = calls if calls is not None and calls in "cdhs" else None
        rank = calls if suit is None else None
        return PlayCards(played, suit, rank, cards(stands_for), None if names is None else names.seat, says)

    def plays(
        self,
        text: str,
        *,
        calls: str | None = None,
        names: Player | None = None,
        stands_for: str = "",
        says: bool = False,
    ) -> None:
        self._table.make(self.seat, self._play(text, calls, names, stands_for, says))

    def cannot_play(
        self,
        text: str,
        *,
        because: str,
        calls: str | None = None,
        names: Player | None = None,
        stands_for: str = "",
        says: bool = False,
    ) -> None:
        self._table.refuse(self.seat, self._play(text, calls, names, stands_for, says), because)

    def draws(self) -> None:
        self._table.make(self.seat, DRAW)

    def passes(self) -> None:
        self._table.make(self.seat, PASS)

    def calls_macau(self) -> None:
        self._table.make(self.seat, CALL)

    def cannot_draw(self, *, because: str) -> None:
        self._table.refuse(self.seat, DRAW, because)

    def cannot_pass(self, *, because: str) -> None:
        self._table.refuse(self.seat, PASS, because)

    def cannot_call(self) -> None:
        self._table.refuse(self.seat, CALL, "too early")


class Sitting:
    """A round on known cards."""

    def __init__(self, top: str, hands: Sequence[str], stock: str = "", **options: object) -> None:
        count = len(hands)
        self.game = MacauWars(count, options)
        held = tuple(cards(hand) for hand in reversed(hands))
        self.dealer = ScriptedDealer(self.game, RoundCards(hands=held, stock=cards(stock), up=Card(top), dealer=0))
        outcome = self.game.start_with(0, None, [len(hand) for hand in held], len(self.dealer.stock))
        self.state: MacauState = self.dealer.carry_out(outcome)
        self.players = [Player(self, count - 1 - place) for place in range(count)]

    def make(self, seat: int, move: Move) -> None:
        self.game.check(self.state, seat, self.dealer.hands[seat], move)
        self.state = self.dealer.move(self.state, seat, move)

    def refuse(self, seat: int, move: Move, because: str) -> None:
        with pytest.raises(IllegalMove) as caught:
            self.game.check(self.state, seat, self.dealer.hands[seat], move)
        assert because in str(caught.value)
        with pytest.raises(IllegalMove):
            self.game.apply(self.state, seat, move)

    @property
    def view(self) -> dict[str, Any]:
        return self.game.view(self.state)

    @property
    def acting(self) -> tuple[int, ...]:
        return acting(self.game, self.state, self.dealer.hands)
