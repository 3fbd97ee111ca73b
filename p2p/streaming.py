"""Send a table's transcript to those who watch it: from the start, and as it grows, as fast as each watcher reads; and beside it
who keeps the table waiting, and what players say with one key.

PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from p2p import absence, reactions
from p2p.absence import absence_at
from p2p.budgets import Buckets, Rate, gives_way
from p2p.driver import Driver
from p2p.heartbeats import MAX_WATCHERS
from p2p.links import Link
from p2p.mesh import Mesh

PREFIX = b"t"
"""The first byte of a message that carries a piece of a transcript to a watcher."""
STALLED_S = 60.0
"""A watcher that reads almost nothing for so long leaves its place to others."""
LAST_S = 5.0
"""How long a watcher may take for what is left when the match is over, and once more to read what is already on its way."""
LOOK_S = 1.0
"""How often it is looked who keeps the table waiting."""
MAX_QUEUED_BYTES = 1 << 18
SLICE_BYTES = 16 << 10
"""After so much others have their turn: whoever reads fast could else be sent a whole match at once."""
MESSAGE_BYTES = 512
"""How much each message counts on top of its bytes."""
SHOWN = Rate(1 << 20, 4 << 20)
"""Bytes a second that those on one computer are sent: they may ask for the whole match again and again."""


class WatcherStream:
    """One watcher's stream. `task` ends with it."""

    def __init__(
        self,
        driver: Driver,
        link: Link,
        asleep: Callable[[], Collection[bytes]],
        spend: Callable[[int], float] = lambda _size: 0.0,
    ) -> None:
        """`asleep` returns the keys at whose pages nobody looks. `spend` counts bytes that are sent, and returns the seconds to
        wait before more is."""
        self._table, self._asleep, self._spend = driver.table, asleep, spend
        self._before = ((PREFIX, each) for each in driver.table.record.transcript[: driver.saved])
        """What is shown first: the match so far."""
        self._pieces: asyncio.Queue[tuple[bytes, bytes] | None] = asyncio.Queue()
        """Messages, each with its first byte."""
        self._absent = b""
        """Who keeps the table waiting, as it was told last."""
        self.look()
        driver.watchers.add(self._show)  # not in the task: more may be saved before it starts
        driver.reacted.add(self._react)
        self.task = asyncio.create_task(self._run(driver, link))
        self.task.add_done_callback(lambda _: self._forget(driver))
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Tell who keeps the table waiting, if that has changed."""
        now = absence_at(self._table, self._asleep()).encode()
        if now != self._absent:
            self._absent = now
            self._pieces.put_nowait((absence.PREFIX, now))

    def _show(self, message: bytes) -> None:
        self._pieces.put_nowait((PREFIX, message))

    def _react(self, signed: bytes) -> None:
        self._pieces.put_nowait((reactions.PREFIX, signed))

    def _forget(self, driver: Driver) -> None:
        driver.watchers.discard(self._show)
        driver.reacted.discard(self._react)

    def finish(self) -> None:
        """Send what is left, within LAST_S, and end."""
        if self._timer is None:
            self._pieces.put_nowait(None)
            self._timer = asyncio.get_running_loop().call_later(LAST_S, self.task.cancel)

    async def _run(self, driver: Driver, link: Link) -> None:
        reason, within_s, unspent = "over", None, 0
        try:
            while (piece := next(self._before, None) or await self._pieces.get()) is not None:
                message = b"".join(piece)
                if not link.send(message):
                    return
                unspent += MESSAGE_BYTES + len(message)
                if unspent > SLICE_BYTES:
                    await asyncio.sleep(self._spend(unspent))
                    unspent = 0
                if link.queued > MAX_QUEUED_BYTES and not await link.drained(STALLED_S):
                    reason = "slow"
                    return
            within_s = LAST_S
        finally:
            if self._timer is not None:
                self._timer.cancel()
            link.close(reason, within_s=within_s)


class Watchers:
    """Those who watch our table. Of more than MAX_WATCHERS, one of the computer that holds the most places gives way."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._streams: dict[bytes, WatcherStream] = {}
        self._shown: Buckets[str] = Buckets(SHOWN)
        self._timer: asyncio.TimerHandle | None = None

    def __contains__(self, key: bytes) -> bool:
        return key in self._streams

    @property
    def are_closed(self) -> bool:
        """Whether a stranger cannot watch, whatever its computer."""
        return len(self._streams) >= MAX_WATCHERS and gives_way(self._hosts(), "") is None

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The streams that are not at their end."""
        return [stream.task for stream in self._streams.values()]

    def admit(self, key: bytes, driver: Driver | None) -> None:
        """Begin a stream to this key, or refuse it if all places are held."""
        link = self._mesh.links.get(key)
        if driver is None or link is None or key in self._streams:
            return
        if len(self._streams) >= MAX_WATCHERS:
            loser = gives_way(self._hosts(), link.host)
            # From its own computer nobody gives way, or that could start stream after stream.
            if loser is None or self._mesh.links[loser].host == link.host:
                self._mesh.drop(key, "full")
                return
            self._mesh.drop(loser, "full")
        host, loop = link.host, asyncio.get_running_loop()
        self._streams[key] = WatcherStream(
            driver, link, lambda: self._mesh.asleep, lambda size: self._shown.spend(host, size, loop.time())
        )
        self._mesh.set_watcher_count(len(self._streams))
        if self._timer is None:
            self._timer = loop.call_later(LOOK_S, self._look)

    def _look(self) -> None:
        """Tell everybody who keeps the table waiting, where that has changed, as long as anybody watches."""
        self._timer = None
        for stream in self._streams.values():
            stream.look()
        if self._streams:
            self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def gone(self, key: bytes) -> None:
        """End the stream to a key whose link is lost."""
        stream = self._streams.pop(key, None)
        if stream is not None:
            stream.task.cancel()
            self._mesh.set_watcher_count(len(self._streams))

    def end(self, driver: Driver | None) -> None:
        """Send what is left of a match that is over; in the middle of one, end at once."""
        is_over = driver is not None and driver.table.is_over
        for stream in self._streams.values():
            if is_over:
                stream.finish()
            else:
                stream.task.cancel()

    def _hosts(self) -> list[tuple[bytes, str]]:
        """Return the watchers and their computers, the longest present first."""
        return [(key, self._mesh.links[key].host) for key in self._streams if key in self._mesh.links]
