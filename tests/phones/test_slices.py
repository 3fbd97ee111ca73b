"""A page has one thread for everything: what takes long is done in slices, and taps are heard between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.client.ending import finish
from cli.client.returning import resume
from cli.client.system import System
from p2p import gate
from p2p.browser import jobs as browser_jobs
from p2p.browser.jobs import PageJobs
from protocol.steps import Steps
from protocol.table.record import Record
from protocol.table.verify import Follower
from protocol.table.work import Job, Pace, Urgency
from tests.cli.test_tabling import at_table, opened


class Kept:
    """A browser's database, for a test: everything is durable at once."""

    async def flush(self) -> None:
        """Nothing is left to do."""


@pytest.fixture(autouse=True)
def _one_step_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_jobs, "SLICE_S", 0.0)


def page_jobs() -> PageJobs:
    return PageJobs(Kept())  # type: ignore[arg-type]


class Turns:
    """Counts the turns of the event loop."""

    number = 0

    async def count(self) -> None:
        while True:
            self.number += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def counted() -> AsyncIterator[Turns]:
    turns = Turns()
    task = asyncio.create_task(turns.count())
    try:
        yield turns
    finally:
        task.cancel()


def noting(monkeypatch: pytest.MonkeyPatch, of: type[Any], method: str, note: Callable[[], None]) -> None:
    """Have a method called as before, and noted."""
    before = getattr(of, method)

    def called(self: Any, *args: Any) -> Any:
        note()
        return before(self, *args)

    monkeypatch.setattr(of, method, called)


def test_the_event_loop_has_its_turn_between_steps() -> None:
    async def run() -> None:
        async with counted() as turns:
            found: list[int] = []

            def steps() -> Steps[None, str]:
                for _ in range(5):
                    found.append(turns.number)
                    yield
                return "all"

            assert await page_jobs().run_steps(steps()) == "all"
            assert len(set(found)) == 5

    asyncio.run(run())


def test_what_a_step_raises_is_raised_where_it_is_waited_for() -> None:
    def steps() -> Steps[None, None]:
        yield
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(page_jobs().run_steps(steps()))


@pytest.mark.sockets
@pytest.mark.slow
@pytest.mark.usefixtures("toy_programs")
def test_a_match_is_checked_and_taken_up_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of many rounds takes a phone half a minute: a page that hears nothing for so long was thought to hang."""

    async def run() -> None:
        system = System(page_jobs)
        async with counted() as turns, at_table(tmp_path, system):
            pass
        async with counted() as turns, opened(tmp_path, system) as client:
            match = client.node.resumable()
            assert match is not None
            received: list[int] = []

            def note() -> None:
                if client.node.driver is None:  # afterwards what comes is taken
                    received.append(turns.number)

            noting(monkeypatch, Record, "receive", note)
            await resume(client, match)
            assert len(received) > 10 and len(set(received)) == len(received)
            await client.wait_until_dealt()
            await client.seat.leave(True)
            fed: list[int] = []
            noting(monkeypatch, Follower, "feed", lambda: fed.append(turns.number))
            await finish(client)
            assert len(fed) > 10 and len(set(fed)) == len(fed)

    asyncio.run(run())


async def many_turns() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def waiting(jobs: PageJobs, found: list[Urgency], urgency: Urgency) -> None:
    jobs.submit(Job(("any",), lambda: None, 99, urgency), lambda job, _result: found.append(job.urgency))


@pytest.mark.parametrize("held_s", [600.0, 0.01])
def test_the_next_round_is_prepared_while_no_move_is_under_way(monkeypatch: pytest.MonkeyPatch, held_s: float) -> None:
    """But somebody may be away, in the middle of a move."""
    monkeypatch.setattr(gate, "HELD_S", held_s)

    async def run() -> None:
        jobs, found = page_jobs(), list[Urgency]()
        jobs.keep("a move", Pace.STILL)
        for urgency in (Urgency.LATER, Urgency.SOON, Urgency.NOW):
            waiting(jobs, found, urgency)
        await jobs.run(lambda: None)
        assert found[0] is Urgency.NOW, "people wait for it"
        if held_s > 1:
            await many_turns()
            assert found == [Urgency.NOW, Urgency.SOON]
            waiting(jobs, found, Urgency.NOW)
            await many_turns()
            assert found == [Urgency.NOW, Urgency.SOON, Urgency.NOW]
            jobs.keep("a move", Pace.EASY)
        async with asyncio.timeout(60):
            while Urgency.LATER not in found:
                await asyncio.sleep(0)
        assert found[-1] is Urgency.LATER

    asyncio.run(run())


@pytest.mark.parametrize("urgency", Urgency)
def test_a_page_that_is_left_drops_what_has_not_begun(urgency: Urgency) -> None:
    async def run() -> None:
        jobs, found = page_jobs(), list[Urgency]()
        waiting(jobs, found, urgency)
        await asyncio.sleep(0)  # it looks for work, and lets others have their turn first
        jobs.close()
        assert jobs._task is not None
        await jobs._task
        assert found == []
        waiting(jobs, found, urgency)
        await many_turns()
        assert found == [urgency], "there is another table"

    asyncio.run(run())
