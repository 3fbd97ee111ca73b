"""The driver of a table on a page's event loop: two tables, joined without links, deal and play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p import bot_driver
from p2p.browser.jobs import PageJobs
from p2p.charges import Charges
from p2p.driver import Driver
from p2p.mesh import Mesh
from p2p.routes import Route
from p2p.saved import JournalRecord, Journals
from p2p.transcripts import open_transcript, read_transcript
from protocol.errors import BadMessage
from protocol.table.answers import Answers
from protocol.table.events import Moved
from protocol.table.table import Table
from tests.p2p.aio import until
from tests.phones.page_loop import PageLoop
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")
MOVES = 4
"""So many are seen at the two tables together before we believe that it goes on."""
FAR_S = 10.0


class Air:
    """Carries letters between the drivers of one page loop."""

    def __init__(self) -> None:
        self.drivers: dict[bytes, Driver] = {}
        self._tasks: list[asyncio.Future[None]] = []

    def mesh(self, key: bytes) -> Mesh:
        charges = Charges(lambda _key: None)
        found = SimpleNamespace(key=key, links={}, charges=charges, route=lambda _key: Route.DIRECT)
        found.send = lambda to, data: asyncio.get_running_loop().call_soon(self._arrived, to, key, data)
        return cast(Mesh, found)

    def _arrived(self, to: bytes, author: bytes, data: bytes) -> None:
        if (waiting := self.drivers[to].receive(author, data)) is not None:
            self._tasks.append(asyncio.ensure_future(cast("Coroutine[Any, Any, None]", waiting)))


def on_a_page(deed: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run it on a page's loop. What fails in a callback fails the test."""
    loop = PageLoop()
    failed: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _loop, context: failed.append(context))
    try:
        loop.run_until_complete(deed())
    finally:
        loop.close()
    assert not failed


async def no_flush() -> None:
    """A store that keeps at once."""


def test_a_match_is_dealt_and_played(tmp_path: Path) -> None:
    on_a_page(lambda: played(tmp_path))


async def played(folder: Path) -> None:
    moved: list[Moved] = []
    async with two_drivers(folder, moved):
        await until(lambda: len(moved) >= MOVES, 60)


def test_a_deadline_that_moves_with_each_step_leaves_no_timers_behind(tmp_path: Path) -> None:
    """A page holds each timer until it would have been due, also one that was cancelled."""
    on_a_page(lambda: timers_counted(tmp_path))


async def timers_counted(folder: Path) -> None:
    moved: list[Moved] = []
    async with two_drivers(folder, moved):
        await until(lambda: len(moved) >= MOVES, 60)
        before, began = timers(), asyncio.get_running_loop().time()
        await until(lambda: len(moved) >= 5 * MOVES, 60)
        passed_s = asyncio.get_running_loop().time() - began
        # A driver leaves one behind when it asks again, every two seconds, and when the deadline comes nearer, as where the next
        # round is prepared: not with each of these sixteen moves.
        assert timers() - before <= MOVES + passed_s


def test_a_match_is_in_memory_once(tmp_path: Path) -> None:
    """What the journal keeps, and what the file will hold, are the messages that the table itself holds."""
    on_a_page(lambda: bytes_counted(tmp_path))


async def bytes_counted(folder: Path) -> None:
    moved: list[Moved] = []
    kept: list[JournalRecord] = []
    async with two_drivers(folder, moved, kept) as drivers:
        await until(lambda: len(moved) >= 5 * MOVES, 60)
        held = [message for driver in drivers for message in driver.table.record.transcript]
        both = [record.data for record in kept if record.data in set(held)]
        assert len(both) > 5 * MOVES
        assert {id(data) for data in both} <= {id(message) for message in held}, "copied"
        assert [driver.transcript_path.stat().st_size for driver in drivers] == [0, 0]
    for driver in drivers:
        written = driver.table.record.transcript[: driver.saved]
        assert read_transcript(driver.transcript_path) == (written, 0)


def timers() -> int:
    """How many the page holds for times that are far away: those of a driver's steps are due within two minutes."""
    loop = cast(PageLoop, asyncio.get_running_loop())
    return sum(timer.when() > loop.time() + FAR_S for timer in loop._scheduled)  # type: ignore[attr-defined]


@asynccontextmanager
async def two_drivers(
    folder: Path, moved: list[Moved], kept: list[JournalRecord] | None = None
) -> AsyncIterator[list[Driver]]:
    """Two tables that are played by bots; each move is noted at both, and what the journals are given in `kept`."""
    air, store = Air(), cast(Any, SimpleNamespace(flush=no_flush))
    notes = [] if kept is None else kept
    journal = cast(
        Journals,
        SimpleNamespace(
            append=lambda _match, *records: notes.extend(records),
            commit=lambda: None,
            lock=nullcontext(),
            waits_for_disk=False,
        ),
    )
    for place, client in enumerate(Tables("crazy-eights", 2).clients):
        path = folder / f"{place}.fairdeal"
        air.drivers[client.identity.public] = Driver(
            client.table,
            journal,
            air.mesh(client.identity.public),
            open_transcript(path, is_late=True),
            PageJobs(store),
            lambda events: moved.extend(each for each in events if isinstance(each, Moved)),
        )
    drivers = list(air.drivers.values())
    for driver in drivers:
        driver.start()
    bots = [asyncio.ensure_future(bot_driver.play(driver, driver._workers)) for driver in drivers]
    try:
        yield drivers
    finally:
        assert [driver.fault for driver in drivers] == [None, None]
        for bot in bots:
            bot.cancel()
        for driver in drivers:
            driver.close()


@pytest.mark.parametrize("is_behind", [True, False])
def test_who_shows_us_what_we_missed_is_held_back_and_not_cut_off(tmp_path: Path, is_behind: bool) -> None:
    """Who was away is shown everything, by several and more than once: on a phone that is a lot of work in vain."""
    on_a_page(lambda: shown_too_much(tmp_path, is_behind))


async def shown_too_much(folder: Path, is_behind: bool) -> None:
    barred: list[bytes] = []
    charges = Charges(barred.append)

    def receive(*_: object) -> None:
        charges.direct._spent.spend(b"peer", 1.0, asyncio.get_running_loop().time())  # that long it took
        raise BadMessage("known")

    record = SimpleNamespace(table=b"t" * 16, seat_of=lambda _key: 1)
    table = SimpleNamespace(
        useful=0, is_behind=is_behind, record=record, receive=receive, ahead=SimpleNamespace(), answers=Answers()
    )
    journal = cast(Journals, SimpleNamespace())
    mesh = cast(Mesh, SimpleNamespace(charges=charges))
    path = open_transcript(folder / "t")
    driver = Driver(
        cast(Table, table), journal, mesh, path, cast(Any, SimpleNamespace(save=None)), lambda _events: None
    )
    for _ in range(9):
        if (waiting := driver.receive(b"peer", b"page")) is not None:
            cast("Coroutine[Any, Any, None]", waiting).close()  # its link would be read on later
    path.close()
    assert waiting is not None or not is_behind, "its link is read no faster"
    assert bool(barred) is not is_behind
