"""Work for later stops while a move is under way, and people's work does not."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from p2p import gate
from p2p.gate import Gate
from p2p.workers import Workers
from protocol.dealing.giving_way import gives_way
from protocol.dealing.group import G, Scalar
from protocol.table.events import SendsTooMuch
from protocol.table.step import Step
from protocol.table.work import Job, Pace, Result, Urgency
from tests.p2p.aio import run
from tests.p2p.test_node import party

ENOUGH = 300
"""Multiplications in which another thread that did not wait would get somewhere."""


def multiply(count: int) -> None:
    for number in range(count):
        Scalar(number + 2) * G


class Multiplying:
    """Multiplies, and stands still once, until the test has let it go on."""

    def __init__(self, stop_after: int) -> None:
        self.stop_after = stop_after
        self.done = 0
        self.stopped, self.may_go_on = threading.Event(), threading.Event()

    def __call__(self) -> None:
        for number in range(ENOUGH):
            if number == self.stop_after:
                self.stopped.set()
                self.may_go_on.wait(60)
            Scalar(number + 2) * G
            self.done += 1


def submit(workers: Workers, function: Any, urgency: Urgency) -> asyncio.Future[Result]:
    future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    workers.submit(Job(("any",), function, 99, urgency), lambda _job, result: future.set_result(result))
    return future


@pytest.mark.parametrize("stop_after", [0, 7])
def test_work_for_later_stops_between_two_multiplications(monkeypatch: pytest.MonkeyPatch, stop_after: int) -> None:
    monkeypatch.setattr(gate, "HELD_S", 600.0)

    async def deed() -> None:
        workers, later = Workers(), Multiplying(stop_after)
        try:
            result = submit(workers, later, Urgency.LATER)
            await asyncio.to_thread(later.stopped.wait, 60)
            workers.keep("a move", Pace.STILL)
            later.may_go_on.set()
            for urgency in (Urgency.NOW, Urgency.SOON):
                assert (await submit(workers, lambda: multiply(ENOUGH), urgency)).crash is None
            assert later.done == stop_after
            workers.keep("a move", Pace.FULL)
            assert (await result).crash is None
            assert later.done == ENOUGH
        finally:
            workers.keep("a move", Pace.FULL)
            workers.close()

    run(deed())


def test_what_follows_from_work_for_later_gives_way_to_nobody() -> None:
    """The event loop calls it, and what comes after it, and must not stand still in the middle of a move."""

    async def deed() -> None:
        loop, workers, found = asyncio.get_running_loop(), Workers(), list[bool]()
        seen = asyncio.Event()

        def look() -> None:
            found.append(gives_way())
            seen.set()

        async def take_up() -> None:
            look()
            loop.call_later(0, look)

        def done(_job: Job, result: Result) -> None:
            assert result.value is True, "the job itself does"
            look()
            tasks.append(loop.create_task(take_up()))

        tasks: list[asyncio.Task[None]] = []
        workers.submit(Job(("any",), gives_way, 99, Urgency.LATER), done)
        while len(found) < 3:
            seen.clear()
            await seen.wait()
        for urgency in (Urgency.NOW, Urgency.SOON):
            assert (await submit(workers, gives_way, urgency)).value is False
        workers.close()
        assert found == [False, False, False]

    run(deed())


def test_whoever_is_away_does_not_keep_the_next_round_from_being_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "HELD_S", 0.2)

    async def deed() -> None:
        workers = Workers()
        workers.keep("a move that never ends", Pace.STILL)
        assert (await submit(workers, lambda: multiply(2), Urgency.LATER)).crash is None
        workers.close()

    run(deed())


def test_a_gate_is_closed_while_anybody_holds_it_but_not_for_ever() -> None:
    now = 100.0
    at = Gate(lambda: now)
    assert at.closed_s == 0.0
    at.keep("Lena", Pace.STILL)
    now += 0.2
    assert at.closed_s == pytest.approx(gate.HELD_S - 0.2)
    at.keep("Lena", Pace.STILL)
    assert at.closed_s == pytest.approx(gate.HELD_S - 0.2), "it is the same move"
    at.keep("Mia", Pace.STILL)
    at.keep("Lena", Pace.EASY)
    assert at.closed_s == pytest.approx(gate.HELD_S - 0.2), "moves that overlap without end would keep it closed"
    now += gate.HELD_S
    assert at.closed_s == 0.0
    at.keep("Mia", Pace.EASY)
    at.keep("Mia", Pace.STILL)
    assert at.closed_s == pytest.approx(gate.HELD_S), "another move"
    at.keep("Mia", Pace.EASY)
    assert at.closed_s == 0.0


def test_while_a_round_is_played_work_for_later_takes_a_tenth_of_the_time() -> None:
    now, rested = 100.0, list[float]()

    def work(seconds: float) -> float:
        """So long, by a multiplication each tenth of a millisecond. Returns how long it rested."""
        nonlocal now
        rested.clear()
        for _ in range(round(seconds * 10_000)):
            now += 0.0001
            at.wait()
        return sum(rested)

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        rested.append(seconds)

    at = Gate(lambda: now, sleep)
    at.wait()
    at.keep("Lena", Pace.EASY)
    assert work(0.1) == pytest.approx(0.9, rel=0.05)
    assert max(rested) < 0.02
    at.keep("Mia", Pace.FULL)
    assert work(0.1) > 0.8, "Lena's round is still played"
    at.keep("Lena", Pace.FULL)
    assert work(0.1) == 0.0, "people wait for it"
    at.keep("Lena", Pace.EASY)
    now += 60.0  # it did not get the processor
    at.wait()
    assert sum(rested) <= gate.LONGEST_REST_S
    at.keep("Lena", Pace.STILL)
    now += gate.HELD_S
    assert work(0.1) > 0.8, "that move takes long, but the round is played"


class Noting(Workers):
    """Notes who holds."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[object, list[Pace]] = {}

    def keep(self, holder: Any, pace: Pace) -> None:
        self.held.setdefault(holder, []).append(pace)
        super().keep(holder, pace)


@pytest.fixture
def noting(monkeypatch: pytest.MonkeyPatch, verified_once: None, toy_programs: None) -> Noting:
    """The workers of a party."""
    found = Noting()
    monkeypatch.setattr("tests.p2p.test_node.Workers", lambda: found)
    return found


@pytest.mark.sockets
def test_each_client_holds_while_a_move_is_under_way_and_never_after_it_is_gone(noting: Noting, tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            drivers = {friends.driver(number) for number in range(len(friends.nodes))}
        assert set(noting.held) == drivers
        for heard in noting.held.values():
            assert set(Pace) == set(heard)
            assert heard[-1] is Pace.FULL

    run(deed())


@pytest.mark.sockets
def test_a_client_that_stops_in_the_middle_of_a_step_holds_no_more(
    noting: Noting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            driver = friends.driver(0)
            monkeypatch.setattr(type(driver.table.turn), "pace", Pace.STILL)
            driver._on_events = lambda _events: driver.close()
            driver.feed(lambda _now: Step(events=(SendsTooMuch(1),)))
            assert driver.is_closed
            assert noting.held[driver][-1] is Pace.FULL

    run(deed())
