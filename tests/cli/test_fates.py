"""What the box about a missing player says will become of the round is what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cli.client.fates import expected_fate, fate_of
from cli.news import Fate
from protocol.table.record import Phase
from tests.simulator.toy import toy_group
from tests.table.endings import confirmed_by_one
from tests.table.parting import Parting

ON: dict[str, Any] = {"recovery": "on", "options": {"hand": 8, "target": 500}}


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with toy_group():
        yield


def assert_comes_true(table: Parting, seat: int, expected: Fate) -> None:
    """All who stay expect this of a seat's leaving now, and it is what happens."""
    assert {expected_fate(client.table.record, {seat}) for client in table.up()} == {expected}
    table.leave(seat)
    epoch = len(table.gone)
    table.run(lambda: all(client.table.record.epoch == epoch for client in table.up()))
    for index, client in enumerate(table.clients):
        if index not in table.gone:
            assert fate_of(client.table.record, table.began(index)[-1]) is expected


def while_opening(table: Parting) -> None:
    table.start()
    table.run(lambda: all(client.table.record.phase is Phase.SETTLING for client in table.clients))


def when_dealt(table: Parting) -> None:
    table.start()
    table.run(lambda: all(client.table.record.phase is Phase.PLAYING for client in table.clients))


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        (while_opening, Fate.VOID),
        (when_dealt, Fate.VOID),
        (lambda table: table.until_playing(3), Fate.PLAYED),
    ],
    ids=["opening", "dealt", "first move"],
)
def test_a_round_is_played_on_from_its_first_move(until: Callable[[Parting], None], expected: Fate) -> None:
    table = Parting(**ON)
    until(table)
    assert_comes_true(table, 1, expected)


def test_after_one_key_was_opened_the_next_departure_is_played_on_too() -> None:
    table = Parting(seats=5, **ON)
    table.until_playing(5)
    assert_comes_true(table, 1, Fate.PLAYED)
    table.until_height(table.clients[0].table.record.height + 2)
    assert_comes_true(table, 3, Fate.PLAYED)


def test_two_at_once_make_the_round_void() -> None:
    table = Parting(seats=5, **ON)
    table.until_playing(5)
    assert expected_fate(table.clients[0].table.record, {1, 3}) is Fate.VOID


@pytest.mark.slow
def test_nothing_is_dealt_any_more_where_the_end_is_only_confirmed() -> None:
    table = confirmed_by_one()
    assert fate_of(table.clients[0].table.record, table.began(0)[-1]) is Fate.END
    table.vanish(2)
    table.until_awaited(2)
    assert {expected_fate(table.clients[index].table.record, {2}) for index in (0, 1)} == {Fate.END}
    table.wish_all(0, 1)
    table.run(lambda: all(table.clients[index].table.is_over for index in (0, 1)))
    assert fate_of(table.clients[0].table.record, table.began(0)[-1]) is Fate.END
