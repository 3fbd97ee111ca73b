"""Looks on at a table: takes the transcript that one of its seats sends, as it grows, and checks it like a file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import Any

from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.mesh import Change, Mesh, Way
from p2p.node import WATCHED
from p2p.tls import Credentials
from protocol.identity import Identity
from protocol.table.roster import PROTOCOL_VERSION
from protocol.table.verify import Follower, Snapshot, Unreadable


class Watcher:
    """One onlooker. `scenes` are the table's moments in order; None ends them, and `reason` says why."""

    def __init__(self, identity: Identity) -> None:
        fields: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "watch"}
        self.mesh = Mesh(Credentials.of(identity.secret_seed), fields, self._take, self._changed)
        self.follower: Follower | None = None
        self.scenes: asyncio.Queue[Snapshot | None] = asyncio.Queue()
        self.reason: Exception | None = None
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    async def watch(self, addresses: Iterable[Address]) -> None:
        """Begin. Raises LinkLost, also where the table lets nobody (more) watch."""
        self._reader = asyncio.create_task(self._read())
        await self.mesh.call(addresses)

    def _take(self, _author: bytes, data: bytes) -> None:
        if data.startswith(WATCHED):
            self._frames.put_nowait(data[len(WATCHED) :])

    def _changed(self, change: Change) -> None:
        if change.way is Way.NONE:
            self.reason = self.reason or LinkLost("the table is gone ({reason})", reason=change.reason or "lost")
            self._frames.put_nowait(None)

    async def _read(self) -> None:
        """Check what came off the event loop, a message at a time."""
        while (frame := await self._frames.get()) is not None:
            try:
                if self.follower is None:
                    self.follower = Follower(frame, os.urandom)
                    continue
                found = await asyncio.to_thread(self.follower.feed, frame)
            except Unreadable as reason:
                self.reason = reason
                break
            for scene in found:
                self.scenes.put_nowait(scene)
            if self.follower.report.failed is not None:
                failed = self.follower.report.failed
                self.reason = Unreadable("what this seat showed is not in order: {what}", what=failed.what)
                break
        self.scenes.put_nowait(None)

    async def close(self) -> None:
        """Look away."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await self.mesh.close()
