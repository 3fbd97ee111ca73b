"""A trick that is won waits for a bomb: all seats know who takes it and how long that waits at the least."""

from __future__ import annotations

import pytest

from protocol.table.events import Moved
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

GRACE_S = 2.0


def tichu(bots: bool) -> Tables:
    options = TableOptions(pause=0, grace=int(GRACE_S * 1000), rounds=1)
    return Tables("tichu", 4, {"target": 0}, 4, table=options, bots=bots)


def until_won(tables: Tables) -> int:
    """Play until a trick waits to be taken; by whom."""
    tables.start()
    for _ in range(400_000):
        record = tables.clients[0].table.record
        is_settled = tables.is_quiet() and all(c.table.record.phase is Phase.PLAYING for c in tables.clients)
        if is_settled and tables.game.view(record.state)["phase"] == "collect":
            return int(tables.game.view(record.state)["turn"])
        tables.move_someone()
        tables.turn()
    raise AssertionError(tables.where())


def test_all_know_who_takes_the_trick_and_when_at_the_earliest() -> None:
    tables = tichu(bots=False)
    winner = until_won(tables)
    assert [client.table.closing for client in tables.clients] == [(winner, GRACE_S)] * 4
    height, began = tables.clients[0].table.record.height, tables.now
    tables.clients[0].events.clear()
    tables.move_someone()
    tables.run(lambda: all(client.table.record.height > height for client in tables.clients))
    moved = next(event for event in tables.clients[0].events if isinstance(event, Moved))
    assert (moved.seat, moved.move["do"]) == (winner, "collect")
    assert tables.now >= began + GRACE_S
    assert all(client.table.closing is None for client in tables.clients)


@pytest.mark.slow
def test_nothing_waits_where_all_are_bots() -> None:
    tables = tichu(bots=True)
    until_won(tables)
    assert [client.table.closing for client in tables.clients] == [None] * 4
