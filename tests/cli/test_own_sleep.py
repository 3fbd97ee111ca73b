"""Whoever wakes from sleep reads that, and not that all the others were away."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.own_sleep import JUST_NOW_S, LATE_S, OwnSleep
from cli.client.table_news import TableNews
from cli.news import Away, Back, News, Paused, WasAsleep
from p2p.driver import Driver
from p2p.routes import Route
from protocol.table.waits import OVERDUE_S
from tests.cli.test_live import Seated


class Wall:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def watching() -> tuple[Wall, OwnSleep]:
    wall = Wall()
    sleep = OwnSleep(wall)
    for _look in range(3):
        sleep.look()
        wall.now += 1
    return wall, sleep


def test_a_look_that_comes_late_was_slept_through() -> None:
    wall, sleep = watching()
    assert sleep.slept_s() == 0
    wall.now += 300
    assert sleep.slept_s() > 290, "asked before the next look"
    for _look in range(round(JUST_NOW_S) + 2):
        sleep.look()
        wall.now += 1
    assert sleep.slept_s() == 0, "that is long ago"


def test_a_busy_machine_is_not_asleep_and_who_does_not_watch_knows_nothing() -> None:
    wall, sleep = watching()
    wall.now += LATE_S - 1
    assert sleep.slept_s() == 0
    idle = OwnSleep(wall)
    wall.now += 300
    assert idle.slept_s() == 0


def heard(sleep: OwnSleep, *routes: tuple[int, Route]) -> list[News]:
    ledger = SimpleNamespace(departures=SimpleNamespace(goodbyes={}))
    record = SimpleNamespace(seed=b"s", is_over=False, present=range(3), ledger=ledger)
    found = TableNews(lambda: 0.0, asyncio.Event(), sleep)
    table = SimpleNamespace(record=record, seat=0, view=dict)
    found.driver = cast(Driver, SimpleNamespace(table=table))
    found._linked = {1, 2}
    found._is_ours = lambda seat: False  # type: ignore[method-assign]
    found._put_clock = lambda driver: None  # type: ignore[method-assign]
    for seat, route in routes:
        found.route_changed(seat, route)
    told: list[Any] = []
    while not found.queue.empty():
        told.append(found.queue.get_nowait())
    return told


def test_links_that_were_lost_in_our_sleep_are_told_once_as_that() -> None:
    wall, sleep = watching()
    out_and_in = ((1, Route.NONE), (2, Route.NONE), (1, Route.DIRECT))
    assert heard(sleep, *out_and_in) == [Away(1), Away(2), Back(1)]
    wall.now += 120
    slept, *rest = heard(sleep, *out_and_in)
    assert isinstance(slept, WasAsleep) and slept.slept_s > 110
    assert rest == [Away(1, False, True), Away(2, False, True), Back(1, False, True)]


@pytest.mark.usefixtures("toy")
def test_whom_our_sleeping_computer_seemed_to_miss_is_told_after_our_sleep() -> None:
    """A program that was stopped finds first that everybody is late, and then that their links are gone."""
    tables = Seated()
    tables.until_playing()
    wall, sleep = watching()
    seat = tables.seats[0]
    seat._table._sleep = sleep
    tables.lose()
    tables.hear(0, object)
    wall.now += 300
    tables.spend(OVERDUE_S + 1)
    told = [piece for piece in tables.hear(0, object) if isinstance(piece, WasAsleep | Paused)]
    assert [type(piece) for piece in told[:2]] == [WasAsleep, Paused]
    assert len([piece for piece in told if isinstance(piece, WasAsleep)]) == 1


@pytest.mark.usefixtures("toy")
def test_that_we_slept_is_told_at_once_also_if_no_link_was_lost() -> None:
    tables = Seated()
    tables.until_playing()
    wall, sleep = watching()
    tables.seats[0]._table._sleep = sleep
    tables.hear(0, object)
    wall.now += 300
    assert sleep.look() and not sleep.look()
    tables.seats[0].woke()
    tables.seats[0].woke()
    (told,) = tables.hear(0, object)
    assert isinstance(told, WasAsleep)
