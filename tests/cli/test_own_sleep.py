"""Whoever wakes from sleep reads that, and not that all the others were away."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from cli.client.own_sleep import JUST_NOW_S, LATE_S, OwnSleep
from cli.client.table_news import TableNews
from cli.news import Away, Back, News, WasAsleep
from p2p.driver import Driver
from p2p.mesh import Route


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
    record = SimpleNamespace(seed=b"s", is_over=False, present=range(3))
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
