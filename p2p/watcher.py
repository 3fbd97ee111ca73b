"""Watch a table: receive the transcript that one of its seats streams, and verify it like a file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any

from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.mesh import Mesh, Route, RouteChange
from p2p.ports import Ports, native_ports
from p2p.streaming import PREFIX
from p2p.transcripts import read_cut
from protocol.errors import FairdealError, GameFailed
from protocol.identity import Identity
from protocol.table.roster import PROTOCOL_VERSION
from protocol.table.verify import Follower, Snapshot, Unreadable

MAX_WAITING = 512
"""Messages that wait to be checked; with more the table's link is not read, so that it cannot fill our memory."""


class Watcher:
    """One watcher. `scenes` delivers the table's moments in order; None ends them, and `reason` says why."""

    def __init__(self, identity: Identity, ports: Ports | None = None) -> None:
        """`ports`: what links the watcher; None: this computer's network."""
        fields: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "watch"}
        self.mesh = Mesh(
            (ports or native_ports()).links(identity.secret_seed), fields, self._on_message, self._on_route
        )
        self.follower: Follower | None = None
        self.scenes: asyncio.Queue[Snapshot | None] = asyncio.Queue()
        self.reason: Exception | None = None
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None
        self._has_ended = False
        self._id = ""
        self._has_room = asyncio.Event()

    async def watch(self, addresses: Iterable[Address], id: str = "") -> None:
        """Start watching. Raises LinkLost, also if the table accepts no (more) watchers.

        `id`: the match that it has to be (hexadecimal); empty: any.
        """
        self._id = id
        self._reader = asyncio.create_task(self._read())
        await self.mesh.call(addresses)

    def _on_message(self, _author: bytes, data: bytes) -> Awaitable[None] | None:
        if not data.startswith(PREFIX) or self._has_ended:
            return None
        self._frames.put_nowait(data[len(PREFIX) :])
        return self._wait_for_room() if self._frames.qsize() > MAX_WAITING else None

    async def _wait_for_room(self) -> None:
        while self._frames.qsize() > MAX_WAITING and not self._has_ended:
            self._has_room.clear()
            await self._has_room.wait()

    def _on_route(self, change: RouteChange) -> None:
        if change.route is Route.NONE:
            self.reason = self.reason or LinkLost(
                "the connection to the table has ended ({reason})", reason=change.reason or "lost"
            )
            self._frames.put_nowait(None)

    async def _read(self) -> None:
        """Verify each message in a worker thread and queue its scenes."""
        while (frame := await self._frames.get()) is not None:
            self._has_room.set()
            try:
                if self.follower is None:
                    self.follower = self._follow(frame)
                    continue
                if (cut := read_cut(frame)) is not None:
                    await asyncio.to_thread(self.follower.cut, cut.count)
                    continue
                found = await asyncio.to_thread(self.follower.feed, frame)
            except FairdealError as reason:
                self.reason = reason
                break
            except Exception as error:  # a bug of ours or of the game must not leave the player waiting
                self.reason = GameFailed(self.follower.game.name if self.follower else "?", error)
                break
            for scene in found:
                self.scenes.put_nowait(scene)
            if self.follower.report.failed is not None:
                failed = self.follower.report.failed
                self.reason = Unreadable("the messages from this table are not valid: {what}", what=failed.what)
                break
        self._end()
        self.scenes.put_nowait(None)

    def _follow(self, first: bytes) -> Follower:
        """Return what follows the match of this roster. Raises LinkLost if it is another than was to be watched."""
        follower = Follower(first, os.urandom)
        if self._id and follower.record.table.hex() != self._id:
            raise LinkLost("someone else answers at that address", reason="identity")
        return follower

    def _end(self) -> None:
        self._has_ended = True
        self._has_room.set()

    async def close(self) -> None:
        """Stop watching."""
        self._end()
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await self.mesh.close()
