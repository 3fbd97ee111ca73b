"""A table for scenarios of the shedding games: known cards, short sentences.

table = sit("mau-mau", hands=[["7h", "Ks"], ["8c", "Ad"]], up="9h", stock=["Tc"], sevens=True)
table.plays(0, "7h")
table.cannot_play(1, "8c", because="the penalty is 2 cards")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from protocol.cards import Card
from protocol.errors import IllegalMove
from protocol.games import load
from protocol.games.local import open_view
from protocol.games.playthrough import ScriptedDealer
from protocol.games.playthrough_file import RoundCards
from protocol.games.shedding import CALL, DRAW, PASS, Move, PlayCards


class Sitting:
    """A round on known cards, where everybody's hand may be looked at."""

    def __init__(self, name: str, cards: RoundCards, options: dict[str, object]) -> None:
        seats = len(cards.hands)
        self.game = load(name, seats, options)
        self.dealer = ScriptedDealer(self.game, cards)
        sizes = [len(hand) for hand in cards.hands]
        start = self.game.start_with(seats - 1, None, sizes, len(self.dealer.stock))
        self.state = self.dealer.carry_out(start)

    def makes(self, seat: int, move: Move) -> None:
        self.game.check(self.state, seat, self.dealer.hands[seat], move)
        self.state = self.dealer.move(self.state, seat, move)

    def plays(self, seat: int, card: str, suit: str | None = None, *, call: bool = False) -> None:
        self.makes(seat, PlayCards((Card(card),), suit=suit, call=call))

    def draws(self, seat: int) -> None:
        self.makes(seat, DRAW)

    def passes(self, seat: int) -> None:
        self.makes(seat, PASS)

    def calls(self, seat: int) -> None:
        self.makes(seat, CALL)

    def cannot_make(self, seat: int, move: Move, because: str) -> None:
        with pytest.raises(IllegalMove) as refusal:
            self.game.check(self.state, seat, self.dealer.hands[seat], move)
        assert because in str(refusal.value)

    def cannot_play(self, seat: int, card: str, suit: str | None = None, *, call: bool = False, because: str) -> None:
        self.cannot_make(seat, PlayCards((Card(card),), suit=suit, call=call), because)

    def cannot_draw(self, seat: int, because: str) -> None:
        self.cannot_make(seat, DRAW, because)

    def cannot_pass(self, seat: int, because: str) -> None:
        self.cannot_make(seat, PASS, because)

    def hand(self, seat: int) -> list[str]:
        return sorted(self.dealer.hands[seat])

    def __getitem__(self, key: str) -> Any:
        """What the view says, with all hands open."""
        return open_view(self.game, self.state, self.dealer.hands)[key]


def sit(name: str, hands: Sequence[Sequence[str]], up: str, stock: Sequence[str] = (), **options: object) -> Sitting:
    """The last seat deals, so that seat 0 begins."""
    dealt = tuple(tuple(map(Card, hand)) for hand in hands)
    return Sitting(name, RoundCards(None, dealt, Card(up), tuple(map(Card, stock))), options)
