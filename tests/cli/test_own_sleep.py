"""Whoever wakes from sleep reads that, and not that all the others were away."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.own_sleep import JUST_NOW_S, LATE_S, OwnSleep
from cli.client.table_news import WAKING_S, TableNews
from cli.news import Away, Back, CatchingUp, Moved, News, Paused, RoundEnded, WasAsleep
from p2p.driver import Driver
from p2p.routes import Route
from protocol.errors import IllegalMove
from protocol.table.step import Step
from protocol.table.waits import OVERDUE_S
from tests.cli.test_live import Seated
from tests.table.test_catching_up import Napping


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
    return _drained(found)


@pytest.mark.parametrize(
    ("is_bot", "told"), [(True, [Away(1, is_ours=True), Back(1, is_ours=True)]), (False, [Away(1), Back(1)])]
)
def test_a_phone_that_plays_through_our_computer_is_missed_like_anybody(is_bot: bool, told: list[News]) -> None:
    """Of our own bots more is told: why they have stopped."""
    member = SimpleNamespace(bot=is_bot, keeper=b"0")
    ledger = SimpleNamespace(departures=SimpleNamespace(goodbyes={}))
    record = SimpleNamespace(seed=b"s", is_over=False, present=range(2), ledger=ledger)
    record.member, record.key = lambda _seat: member, lambda seat: b"01"[seat : seat + 1]
    found = TableNews(lambda: 0.0, asyncio.Event(), OwnSleep())
    found.driver = cast(Driver, SimpleNamespace(table=SimpleNamespace(record=record, seat=0)))
    found._linked = {1}
    found._put_clock = lambda driver: None  # type: ignore[method-assign]
    found.route_changed(1, Route.NONE)
    found.route_changed(1, Route.DIRECT)
    assert _drained(found) == told


def _drained(told: TableNews) -> list[Any]:
    return [told.queue.get_nowait() for _piece in range(told.queue.qsize())]


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


@pytest.mark.usefixtures("toy")
def test_a_tap_on_what_the_screen_showed_before_is_no_move() -> None:
    """It may come before anything else is noticed, and before the others say what happened meanwhile."""
    tables = Seated()
    mover = tables.until_thinking()
    seat, table = tables.seats[mover], tables.clients[mover].table
    wall, sleep = watching()
    seat.sleep = seat._table._sleep = sleep
    move = table.legal()[0]
    wall.now += 300
    for _tap in range(2):
        with pytest.raises(IllegalMove, match="wait a moment"):
            asyncio.run(seat.play(move))
    assert table.choice.intent is None
    tables.now += WAKING_S
    asyncio.run(seat.play(move))
    tables.think = False
    tables.run(lambda: bool(tables.hear(mover, Moved)))


@pytest.mark.usefixtures("toy")
def test_how_far_we_have_come_is_told_where_catching_up_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Seated()
    tables.until_playing()
    seat = tables.seats[0]
    done = iter((0.1, 0.2, 0.4, 0.5, None, 0.1))
    monkeypatch.setattr(seat.live.table, "caught_up", lambda _now: next(done))
    for _look in range(6):
        tables.seats[0].on_events(tables.driver(0), ())
        tables.now += 1.5
    assert [piece.done for piece in tables.hear(0, CatchingUp)] == [0.4, 0.5]


class Watched(Napping):
    """What somebody is told who slept while the others played on."""

    def __init__(self, sleeper: int) -> None:
        super().__init__()
        self.table_news = TableNews(lambda: self.now, asyncio.Event(), OwnSleep())
        self._sleeper = sleeper

    def take(self, index: int, step: Step) -> None:
        super().take(index, step)
        if hasattr(self, "table_news") and index == self._sleeper:
            self.table_news.receive(cast(Driver, SimpleNamespace(table=self.clients[index].table)), step.events)


@pytest.mark.slow
@pytest.mark.usefixtures("toy", "hasty_bots")
def test_the_rounds_that_ended_meanwhile_are_told_as_past() -> None:
    tables = Watched(1)
    tables.until_height(8)
    while not tables.clients[1].table.record.rounds_closed:
        tables.move_someone()
        tables.turn()
    tables.sleep_for_rounds(1, 3)
    tables.wake(1)
    tables.run(tables.is_caught_up)
    ends = [piece.is_past for piece in _drained(tables.table_news) if isinstance(piece, RoundEnded)]
    assert ends == [False, True, True]
