"""The driver of a table on a page's event loop: two tables, joined without links, deal and play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p import bot_driver
from p2p.browser.jobs import PageJobs
from p2p.driver import Driver
from p2p.mesh import Mesh, Route
from p2p.saved import Journals
from p2p.transcripts import open_transcript
from protocol.table.events import Moved
from tests.p2p.aio import until
from tests.phones.page_loop import PageLoop
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")
MOVES = 4
"""So many are seen at the two tables together before we believe that it goes on."""


class Air:
    """Carries letters between the drivers of one page loop."""

    def __init__(self) -> None:
        self.drivers: dict[bytes, Driver] = {}
        self._tasks: list[asyncio.Future[None]] = []

    def mesh(self, key: bytes) -> Mesh:
        costs = SimpleNamespace(charge=lambda _author, _spent_s: 0.0)
        found = SimpleNamespace(key=key, links={}, charges=costs, route=lambda _key: Route.DIRECT)
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
    air, store = Air(), cast(Any, SimpleNamespace(flush=no_flush))
    journal = cast(
        Journals,
        SimpleNamespace(append=lambda *_: None, commit=lambda: None, lock=nullcontext(), waits_for_disk=False),
    )
    for place, client in enumerate(Tables("crazy-eights", 2).clients):
        path = folder / f"{place}.fairdeal"
        air.drivers[client.identity.public] = Driver(
            client.table,
            journal,
            air.mesh(client.identity.public),
            open_transcript(path, []),
            PageJobs(store),
            lambda events: moved.extend(each for each in events if isinstance(each, Moved)),
        )
    drivers = list(air.drivers.values())
    for driver in drivers:
        driver.start()
    bots = [asyncio.ensure_future(bot_driver.play(driver, driver._workers)) for driver in drivers]
    await until(lambda: len(moved) >= MOVES or any(driver.fault for driver in drivers), 60)
    assert [driver.fault for driver in drivers] == [None, None]
    for bot in bots:
        bot.cancel()
    for driver in drivers:
        driver.close()
