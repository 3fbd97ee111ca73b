"""Until the seats are drawn everybody has a place in the roster: who was away there is away in the seat that it got."""

from __future__ import annotations

import pytest

from protocol.errors import IllegalMove
from protocol.table.roster import TableOptions
from tests.table.tables import Link, Tables

pytestmark = pytest.mark.usefixtures("toy")
LOTS = TableOptions(lots=True, pause=0, grace=0)


@pytest.mark.parametrize("seed", range(5))
def test_who_was_lost_before_the_draw_is_missed_in_its_seat(seed: int) -> None:
    tables = Tables("crazy-eights", 5, {"target": 0}, seed=seed, link=Link(delay=0.1), table=LOTS)
    tables.start()
    place = 4
    for index in range(4):
        tables.take(index, tables.clients[index].table.lost(place, tables.now))
        assert tables.clients[index].table.record.seed is None
    tables.run(lambda: all(client.table.record.seed is not None for client in tables.clients), 20_000)
    seat = tables.clients[place].table.seat
    for index in range(4):
        table = tables.clients[index].table
        assert table.waits.away == {seat}
        tables.take(index, table.connected(seat, tables.now))
        assert not table.waits.away


def test_nobody_votes_to_go_on_without_itself_when_the_seats_are_drawn() -> None:
    """The vote was about a place in the roster, and another seat has its number now (simulator, seed 50832)."""
    tables = Tables("crazy-eights", 5, {"target": 0}, seed=1, link=Link(delay=0.1), table=LOTS)
    tables.tamper = lambda sender, to, data: None if sender == 4 and tables.now < 1040 else data
    tables.start()
    tables.run(lambda: tables.now >= 1039, 20_000)
    waiting = tables.clients[0].table
    assert waiting.waits.awaiting == {4} and waiting.record.seed is None
    tables.run(lambda: all(client.table.record.seed is not None for client in tables.clients), 20_000)
    assert tables.clients[4].table.seat != 4
    for index, client in enumerate(tables.clients):
        assert not client.table.waits.awaiting
        with pytest.raises(IllegalMove, match="nobody is missing"):
            tables.take(index, client.table.wish_on(True, tables.now))
