"""The bots of this machine: nodes of their own, with homes within their keeper's, in a thread with an event loop of its own.

A bot is a peer like any other: it shuffles, proves and signs, and talks to its keeper through a link. So nothing is shared
with the person's own node but the machine, and what seven bots do while a deal is computed keeps no key waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from p2p.driver import Driver
from p2p.home import Home
from p2p.interfaces import Address
from p2p.mesh import Way
from p2p.node import Node, Settings
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.table.events import Event
from protocol.table.seating import Room

T = TypeVar("T")
SWITCH_S = 0.001
"""How long one thread keeps the interpreter while another wants it: a key must not wait for several turns of 5 ms."""
JOIN_THREAD_S = 5.0
"""A thread that has not ended by then ends with the process."""


class Quiet:
    """The owner of a bot's node: nobody looks."""

    def on_room(self, room: Room) -> None:
        pass

    def on_said(self, key: bytes, text: str) -> None:
        pass

    def on_refused(self, reason: FairdealError) -> None:
        pass

    def on_table(self, driver: Driver) -> None:
        pass

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        pass

    def on_way(self, seat: Seat, way: Way) -> None:
        pass


class Bots:
    """All bots that one client keeps. Every method may be called from the client's event loop, and from there only."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float, workers: Workers) -> None:
        self.names: list[str] = []
        self._home, self._keeper, self._hosts, self._pace_s, self._workers = home, keeper, hosts, pace_s, workers
        self._nodes: list[Node] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __len__(self) -> int:
        return len(self.names)

    # --- what the client asks ---

    async def seat(self, name: str, host: Sequence[Address], expect: bytes) -> None:
        """One more bot sits down in the waiting room of the host found there. Raises LinkLost and what a home raises."""
        self.names.append(name)
        await self._there(self._seat(name, host, expect))

    async def resume(self, names: Sequence[str], match: bytes) -> None:
        """These bots take the seats again that they had in this match; one that knows nothing of it stays out."""
        for name in names:
            self.names.append(name)
            await self._there(self._resume(name, match))

    async def introduce(self, key: bytes, port: int) -> dict[bytes, int]:
        """Tell the bots where their keeper and each other listen; returns the port of each by its key."""
        return await self._there(self._introduce({key: port})) if self.names else {}

    async def finished(self) -> None:
        """Until no bot has anything more to say at its table."""
        if self.names:
            await self._there(self._finished())

    async def finish(self, at: float, status: str, result: Callable[[Driver], dict[str, Any]]) -> None:
        """The match is over: each bot keeps its result and forgets its records."""
        if self.names:
            await self._there(self._finish(at, status, result))

    async def close(self) -> None:
        """Away with all of them; their seats are kept. Safe to call twice."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        try:
            await self._there(self._close())
        finally:
            self._loop = self._thread = None
            loop.call_soon_threadsafe(loop.stop)
            await asyncio.to_thread(thread.join, JOIN_THREAD_S)

    # --- in the bots' own thread ---

    async def _there(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            sys.setswitchinterval(SWITCH_S)
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=_run, args=(self._loop,), name="bots", daemon=True)
            self._thread.start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _open(self, name: str) -> Node:
        home = self._home.bot(name.casefold().replace(" ", "-"))
        settings = Settings(name, bot=True, keeper=self._keeper, pace_s=self._pace_s, hosts=self._hosts)
        try:
            node = Node(home, settings, Quiet(), self._workers)
        except BaseException:
            home.close()
            raise
        self._nodes.append(node)
        await node.open()
        return node

    async def _seat(self, name: str, host: Sequence[Address], expect: bytes) -> None:
        node = await self._open(name)
        await node.join(host, expect=expect)

    async def _resume(self, name: str, match: bytes) -> None:
        node = await self._open(name)
        found = next((each for each in node.journal.unfinished() if each.id == match), None)
        if found is not None:
            node.resume(found)

    async def _introduce(self, ports: dict[bytes, int]) -> dict[bytes, int]:
        own = {node.identity.public: node.mesh.port for node in self._nodes}
        for node in self._nodes:
            for key, port in {**ports, **own}.items():
                if key != node.identity.public:
                    node.mesh.add_addresses(key, [("127.0.0.1", port)])
        return own

    async def _finished(self) -> None:
        await asyncio.gather(*(node.driver.finished.wait() for node in self._nodes if node.driver is not None))

    async def _finish(self, at: float, status: str, result: Callable[[Driver], dict[str, Any]]) -> None:
        for node in self._nodes:
            if node.driver is not None:
                node.driver.finish(at, result(node.driver), status)

    async def _close(self) -> None:
        while self._nodes:
            node = self._nodes.pop()
            with contextlib.suppress(FairdealError):
                await node.close()
            node.home.close()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
