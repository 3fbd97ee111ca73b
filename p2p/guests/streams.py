"""Frames over messages: what a link needs of a stream, over a connection that carries messages (a WebSocket)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, cast

from p2p.links import Streams

ROOM_BYTES = 1 << 18
"""With more than this waiting to be sent, a writer is not drained."""


class Carrier(Protocol):
    """A connection that carries messages of bytes."""

    async def receive(self) -> bytes:
        """Return the next message. Raises OSError when the connection is closed."""

    def send(self, data: bytes) -> None:
        """Queue a message. Does nothing once the connection is closed."""

    @property
    def queued(self) -> int:
        """Bytes that wait to be sent."""

    def close(self) -> None:
        """Close it at once. Safe to call twice."""

    @property
    def own_host(self) -> str:
        """Our address on this connection."""


class _Reader:
    """Reads a number of bytes, whatever messages they came in. Nothing is received before it is asked for."""

    def __init__(self, receive: Callable[[], Awaitable[bytes]]) -> None:
        self._receive = receive
        self._held = bytearray()

    async def readexactly(self, count: int) -> bytes:
        while len(self._held) < count:
            try:
                self._held += await self._receive()
            except OSError as fault:
                raise asyncio.IncompleteReadError(bytes(self._held), count) from fault
        found = bytes(self._held[:count])
        del self._held[:count]
        return found

    async def read(self, count: int) -> bytes:
        if not self._held:
            try:
                self._held += await self._receive()
            except OSError:
                return b""
        found = bytes(self._held[:count])
        del self._held[:count]
        return found


class _Transport:
    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier

    def get_write_buffer_size(self) -> int:
        return self._carrier.queued

    def abort(self) -> None:
        self._carrier.close()


class _Writer:
    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self.transport = _Transport(carrier)
        self.write = carrier.send

    def get_extra_info(self, name: str) -> object:
        return (self._carrier.own_host, 0) if name == "sockname" else None

    async def drain(self) -> None:
        while self._carrier.queued > ROOM_BYTES:
            await asyncio.sleep(0.05)

    def close(self) -> None:
        """Closing waits until everything is sent: see `wait_closed`."""

    async def wait_closed(self) -> None:
        while self._carrier.queued:
            await asyncio.sleep(0.01)
        self._carrier.close()


def streams_over(carrier: Carrier) -> Streams:
    """Return a reader and a writer with everything that `p2p.links` and `p2p.opening` use of asyncio's."""
    return cast(Streams, (_Reader(carrier.receive), _Writer(carrier)))
