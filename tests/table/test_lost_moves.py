"""Several move at once and one entry is committed a height: whoever came second needs not choose again, unless it means another
thing now."""

from __future__ import annotations

import pytest

from protocol.table.events import Moved, MoveLost
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from tests.table.matches import assert_nobody_accused
from tests.table.tables import Link, Tables

pytestmark = pytest.mark.usefixtures("toy")


def dealt(game: str, seats: int, link: Link | None = None, **options: object) -> Tables:
    table = TableOptions(pause=0, grace=0, rounds=1)
    tables = Tables(game, seats, dict(options), 4, link, table, bots=False)
    tables.start()
    tables.run(lambda: tables.is_quiet() and all(c.table.record.phase is Phase.PLAYING for c in tables.clients))
    return tables


def moves(tables: Tables) -> list[tuple[int, object]]:
    return [(event.seat, event.move["do"]) for event in tables.clients[0].events if isinstance(event, Moved)]


def test_all_answer_at_once_and_each_answer_counts() -> None:
    tables = dealt("tichu", 4, Link(delay=0.05))
    for index, client in enumerate(tables.clients):
        no = next(
            move for move in client.table.legal() if client.table.game.encode(move) == {"do": "grand", "call": False}
        )
        tables.take(index, client.table.act(no, tables.now))
    tables.run(
        lambda: all(c.table.record.height == 6 and c.table.record.phase is Phase.PLAYING for c in tables.clients)
    )
    assert sorted(moves(tables)) == [(seat, "grand") for seat in range(4)]
    assert not [event for client in tables.clients for event in client.events if isinstance(event, MoveLost)]
    assert_nobody_accused(tables)


def test_a_move_that_came_second_and_means_another_thing_is_told_to_be_lost() -> None:
    """A word is called as another plays: what it was called on is gone."""
    tables = dealt("tichu", 4)
    for index, client in enumerate(tables.clients):
        no = next(
            move for move in client.table.legal() if client.table.game.encode(move) == {"do": "grand", "call": False}
        )
        tables.take(index, client.table.act(no, tables.now))
    while tables.game.view(tables.clients[0].table.record.state)["phase"] != "show" or not tables.is_quiet():
        if tables.game.view(tables.clients[0].table.record.state)["phase"] == "give":
            tables.move_someone()
        tables.turn()
    holder = next(i for i, client in enumerate(tables.clients) if "Mah" in client.table.cards)
    caller = next(
        i
        for i, client in enumerate(tables.clients)
        if i != holder and any(tables.game.encode(each)["do"] == "tichu" for each in client.table.legal())
    )
    tables.clients[caller].events.clear()
    for index, do in ((holder, "show"), (caller, "tichu")):
        table = tables.clients[index].table
        move = next(each for each in table.legal() if table.game.encode(each)["do"] == do)
        tables.take(index, table.act(move, tables.now))
    tables.run(lambda: tables.is_quiet() and not any(client.table.choice.intent for client in tables.clients))
    told = [event for event in tables.clients[caller].events if isinstance(event, MoveLost | Moved)]
    own = [event for event in told if isinstance(event, MoveLost) or event.seat == caller]
    assert len(own) == 1, "it counted, or its player was told that it did not"
    assert_nobody_accused(tables)
