"""On the way to where another epoch begins a seat certifies no more than what leads there."""

from __future__ import annotations

import pytest

from protocol.table.changes import Changes
from protocol.table.record import Phase
from tests.table.waiting import Waiting

pytestmark = pytest.mark.usefixtures("toy")


def test_votes_that_came_while_nothing_was_certified_count_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that heard of a cheat without the proof only checks; when the proof is there it goes on (simulator, seed 50267)."""
    tables = Waiting(seats=3, seed=2)
    tables.until_thinking()
    mover = tables.at_seat(tables.clients[0].table.game.awaited(tables.clients[0].table.record.state)[0])
    late, other = (index for index in range(3) if index != mover)
    record = tables.clients[late].table.record
    height, held = record.height, list[bytes]()

    def hold(sender: int, to: int, data: bytes) -> bytes | None:
        if (sender, to) == (other, late):
            held.append(data)
            return None
        return data

    tables.tamper = hold
    tables.think = False
    tables.move_someone()
    tables.think = True
    while not tables.is_quiet():
        tables.turn()
    assert [record.from_seat(seat, "vote", height) is None for seat in map(tables.seat_of, (mover, late, other))] == [
        False,
        False,
        True,
    ]
    record.ledger.departures.promised = 1
    monkeypatch.setattr(Changes, "_has_other_accusers", lambda _: True)
    record.may_change = True
    tables.take(late, tables.clients[late].table.wake(tables.now))
    assert record.is_following and not record.ledger.may_certify(height)
    for data in held:
        tables.take(late, tables.clients[late].table.receive(tables.seat_of(other), data, tables.now))
    assert record.height == height and record.phase is Phase.PLAYING, "nothing is certified yet"
    monkeypatch.setattr(Changes, "_has_other_accusers", lambda _: False)
    monkeypatch.setattr(Changes, "_has_ended_elsewhere", lambda _: True)
    record.may_change = True
    tables.take(late, tables.clients[late].table.wake(tables.now))
    assert (record.height, record.phase) != (height, Phase.PLAYING)
