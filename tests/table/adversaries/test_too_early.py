"""Whoever could hear a secret too early would gain by it: the parts of a round key before all have signed the deck, or the parts
that open a missing player's key before the others have really gone on. Honest seats say neither, whatever they are sent."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import RecoveryOpen, RecoveryShares, Without
from protocol.signed import Page, Signed, decode, decode_signed
from tests.adversaries.declared import By, attack
from tests.table.parting import Parting
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

ON: dict[str, Any] = {"recovery": "on"}


class Heard:
    """Everything that the clients of a table send, with the sender's record when it does."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.shares, self.opened = tables, 0, 0
        tables.tamper = self._hear

    def _hear(self, sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        for each in map(decode_signed, found.messages) if isinstance(found, Page) else (found,):
            if each.seat == self.tables.clients[sender].table.seat:
                self._check(sender, each)
        return data

    def _check(self, sender: int, signed: Signed) -> None:
        record, message = self.tables.clients[sender].table.record, signed.message
        if isinstance(message, RecoveryShares):
            self.shares += 1
            assert record.round is not None and record.round.number >= message.round, "the deck is not signed by all"
        if isinstance(message, RecoveryOpen):
            self.opened += 1
            assert record.epoch >= signed.epoch > 0
            assert message.of not in record.present


@attack(
    By.PLAYER,
    "A player waits for the others’ shares of the round keys, which open a missing hand, and stacks the "
    "deck accordingly.",
    "It does not work: these shares are sent only after everybody has signed the shuffled deck.",
)
def test_parts_of_keys_are_sent_when_all_have_signed_the_deck() -> None:
    table = Parting(game="crazy-eights", seats=4, options={"hand": 3, "draw": "one", "target": 500}, seed=3, **ON)
    heard = Heard(table)
    table.until_playing(3)
    assert heard.shares >= 4


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player promises to play on without somebody, so that the others open that hand, and then does not play on.",
    "It does not work: a hand is opened only after everyone who stays has signed that the match continues"
    " without its player.",
)
def test_a_hand_is_opened_only_when_the_match_has_gone_on() -> None:
    table = Parting(game="crazy-eights", seats=4, options={"hand": 4, "draw": "one", "target": 500}, seed=3, **ON)
    heard = Heard(table)
    silent = 2

    def keep_back(sender: int, to: int, data: bytes) -> bytes | None:
        heard._hear(sender, to, data)
        if sender != silent or is_dealt_with:
            return data
        found = decode(data)
        parts = [decode_signed(each) for each in found.messages] if isinstance(found, Page) else [found]
        return None if any(isinstance(each.message, Without) for each in parts) else data

    is_dealt_with = False
    table.tamper = keep_back
    table.until_playing(5)
    table.leave(1)
    for _ in range(1000):
        table.turn()
    assert {client.table.record.epoch for at, client in enumerate(table.clients) if at not in (1, silent)} == {0}
    assert not heard.opened, "one of them had not gone on"
    is_dealt_with = True
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.run(lambda: bool(heard.opened))
