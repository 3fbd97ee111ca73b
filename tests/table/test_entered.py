"""Who gave which card in Tichu's exchange: each seat knows it of its own hand, though re-masking has mixed all places."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from protocol.cards import Card
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import Point
from protocol.dealing.shares import open_card
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as
from protocol.table import hand
from protocol.table.record import Phase
from tests.table.waiting import Waiting

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_cards_of_an_exchange_are_known_by_their_givers(seed: int) -> None:
    tables = Waiting(game="tichu", options={"target": 0}, seed=seed)
    tables.start()
    tables.think = True
    decode = tables.game.decode
    given: dict[int, list[str]] = {}
    while len(given) < 4 or tables.clients[0].table.view().phase == "give" or not tables.is_quiet():
        if not tables.turn():
            tables.now += 1
        for seat, client in enumerate(tables.clients):
            if not client.table.can_move or client.table.record.phase is not Phase.PLAYING:
                continue
            phase = client.table.view().phase
            if phase == "grand" and not seen_as(TichuView, client.table.view()).decided[seat]:
                tables.take(seat, client.table.act(decode({"do": "grand", "call": False}), tables.now))
            elif phase == "give" and seat not in given:
                client.table.take_entered()  # what came with the deal
                given[seat] = list(client.table.cards[3 * seat : 3 * seat + 3])
                tables.take(seat, client.table.act(decode({"do": "give", "cards": given[seat]}), tables.now))
    for seat, client in enumerate(tables.clients):
        # The next seat's first, which it gave to the one before it; then the partner's, then that of the seat before.
        mine = [given[(seat + step) % 4][3 - step] for step in (1, 2, 3)]
        had = [card for card in client.table.cards_as_they_came if card not in mine]
        assert list(client.table.cards_as_they_came) == [*had, *mine]
        assert list(client.table.take_entered()) == mine
        assert client.table.take_entered() == (), "asked for once"


def test_only_the_card_that_is_drawn_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that its player held are known, though all are masked anew."""
    tables = Waiting(game="crazy-eights", seats=2, options={"hand": 5, "draw": "one", "target": 500}, seed=1)
    tables.until_thinking()
    seat = tables.clients[0].table.game.awaited(tables.clients[0].table.record.state)[0]
    table = tables.clients[tables.at_seat(seat)].table
    had, opened = table.cards, 0

    def counted(card: MaskedCard, shares: Iterable[Point]) -> Card:
        nonlocal opened
        opened += 1
        return open_card(card, shares)

    monkeypatch.setattr(hand, "open_card", counted)
    draw = next(move for move in table.legal() if tables.game.encode(move)["do"] == "draw")
    tables.take(tables.at_seat(seat), table.act(draw, tables.now))
    while not tables.is_quiet():
        tables.turn()
    (new,) = table.take_entered()
    assert sorted(table.cards) == sorted((*had, new))
    assert opened == 1


def test_what_is_known_of_an_order_stays_as_small_as_the_hand() -> None:
    """In a round where cards are drawn again and again, and each draw re-masks the hand."""
    tables = Waiting(game="crazy-eights", seats=2, options={"hand": 5, "draw": "one", "target": 500}, seed=1)
    tables.until_thinking()
    for _ in range(12):
        seat = tables.clients[0].table.game.awaited(tables.clients[0].table.record.state)[0]
        table = tables.clients[tables.at_seat(seat)].table
        had = table.cards_as_they_came
        moves = [tables.game.encode(move) for move in table.legal()]
        move = next(move for kind in ("draw", "pass", "play") for move in moves if move["do"] == kind)
        tables.take(tables.at_seat(seat), table.act(tables.game.decode(move), tables.now))
        while not tables.is_quiet():
            tables.turn()
        kept = [card for card in had if card in table.cards]
        assert list(table.cards_as_they_came)[: len(kept)] == kept, "what was there comes first"
    for client in tables.clients:
        known = (client.table.hand._came, client.table.hand.faces_known)
        assert len(client.table.cards) > 5
        assert all(len(each) <= 2 * len(client.table.cards) for each in known), [len(each) for each in known]
