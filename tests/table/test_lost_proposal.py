"""A move reaches one player, whose vote reaches all; then both are gone with the computer that both run on."""

from __future__ import annotations

import pytest

from tests.table.parting import OVERDUE_S, Parting
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy")

KEEPERS = (0, 1, 2, 3, 0, 0)
GONE = (0, 4, 5)


@pytest.mark.slow
def test_those_who_hold_a_vote_but_not_the_move_await_who_owes_it_and_go_on() -> None:
    table = Parting(seed=5, seats=6, keepers=KEEPERS, rounds=1, options={"hand": 3})
    table.until_playing(3)
    record = table.clients[5].table.record
    while record.game.awaited(record.state) != (5,):
        table.move_someone()
        table.turn()
    height = record.height

    def only_to_the_other_bot(sender: int, to: int, data: bytes) -> bytes | None:
        is_vote = sender == 4 and b"vote" in data[:60]
        return data if sender not in GONE or to == 4 or is_vote else None

    table.tamper = only_to_the_other_bot
    while not all(4 in votes(table, index, height) for index in (1, 2, 3)):
        table.move_someone()
        table.turn()
    for index in GONE:
        table.vanish(index)
    table.spend(LEAVE_AFTER_S + 2 * OVERDUE_S)
    assert all(table.clients[index].table.waits.missing() <= set(GONE) for index in (1, 2, 3))
    for index in (1, 2, 3):
        table.wish(index)
    table.spend(OVERDUE_S)
    assert all(table.clients[index].table.record.present == (1, 2, 3) for index in (1, 2, 3))


def votes(table: Parting, index: int, height: int) -> set[int]:
    """Who has voted at this height, as this client knows it."""
    return {
        seat for seat, epoch, slot in table.clients[index].table.record.ledger.store.said if slot == ("vote", height)
    }
