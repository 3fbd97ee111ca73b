"""A guest link's connection on the machine that serves the page."""

from __future__ import annotations

import asyncio
from collections import deque

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed


class SocketCarrier:
    """See `p2p.guests.streams.Carrier`. `run` sends what is queued."""

    def __init__(self, connection: ServerConnection, own_host: str) -> None:
        self._connection = connection
        self.own_host = own_host
        self._queue: deque[bytes] = deque()
        self._there = asyncio.Event()
        self._is_closed = False
        self.queued = 0

    async def receive(self) -> bytes:
        try:
            data = await self._connection.recv()
        except ConnectionClosed as fault:
            raise OSError("closed") from fault
        if not isinstance(data, bytes):
            raise OSError("a text, where only bytes are sent")
        return data

    def send(self, data: bytes) -> None:
        if self._is_closed:
            return
        self._queue.append(data)
        self.queued += len(data)
        self._there.set()

    def close(self) -> None:
        self._is_closed = True
        self._queue.clear()
        self.queued = 0
        self._there.set()

    async def run(self) -> None:
        """Send until the connection is closed."""
        try:
            while not self._is_closed:
                while self._queue:
                    await self._connection.send(data := self._queue.popleft())
                    self.queued -= len(data)
                self._there.clear()
                if not self._queue and not self._is_closed:
                    await self._there.wait()
        except ConnectionClosed:
            pass
        finally:
            self.close()
            await self._connection.close()
