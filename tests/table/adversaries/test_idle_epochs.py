"""Whoever dislikes its hand calls again and again for epochs that change nobody: the round is played on all the same."""

from __future__ import annotations

import pytest

from protocol.table.epochs import Plan
from tests.adversaries.declared import By, attack
from tests.table.parting import OVERDUE_S, Parting
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy")

CALLER = 1


def call(tables: Parting) -> None:
    """It asks the others to begin the next epoch together, for no reason."""
    table = tables.clients[CALLER].table
    record = table.record
    promise = table.leaving._made(table.seat, record.epoch + 1, Plan(record.present))
    table.signer.say(promise)
    tables.take(CALLER, table.wake(tables.now))


@attack(
    By.PLAYER,
    "A player who dislikes the hand calls again and again for going on as before, so that the round is void.",
    "After the first time: whoever calls again is missed, as if it had gone, and the others play the round on without it.",
)
def test_calling_again_makes_no_round_void() -> None:
    tables = Parting(seed=5, seats=4, recovery="on", rounds=1, options={"hand": 6, "draw": "one", "target": 500})
    tables.until_playing(5)
    tables.think = True
    call(tables)
    tables.spend(1)
    assert [client.table.record.epoch for client in tables.clients] == [1] * 4
    call(tables)
    tables.think = False
    tables.spend(OVERDUE_S + LEAVE_AFTER_S + 5)
    assert [client.table.record.epoch for client in tables.clients] == [1] * 4
    for index in (0, 2, 3):
        tables.wish(index)
    tables.play(40_000)
    for index in (0, 2, 3):
        assert [began.void for began in tables.began(index) if began.void is not None] == []
    tables.gone.add(CALLER)
    tables.assert_played_on(CALLER)
