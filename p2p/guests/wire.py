"""A connection's bytes on the machine that serves phones: little is held of what comes, and of what goes."""

from __future__ import annotations

import asyncio
import socket
from typing import cast

SLICE_BYTES = 4 << 10
"""How much is read at a time: hundreds of the smallest WebSocket frames, which take a few milliseconds."""
STRANGER_SLICE_BYTES = 512
"""The same for unknown peers: dozens of the smallest frames."""
HELD_BYTES = 16 << 10
"""With more than this unread, nothing more is taken from the system."""
SENDING_BYTES = 64 << 10
"""With more than this unsent, a writer is not drained."""
SYSTEM_BYTES = 256 << 10
"""How much the system may hold of what we send."""
LINGER_S = 1.0


class Wire(asyncio.Protocol):
    """One connection. Read and drain it from one task each."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self.is_lost = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._held = bytearray()
        self._has_come, self._can_go = asyncio.Event(), asyncio.Event()
        self._can_go.set()
        self._is_over = self._is_ended = self._peer_has_ended = False

    async def read(self, most: int = SLICE_BYTES) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        while not self._held and not self._is_over:
            self._has_come.clear()
            await self._has_come.wait()
        found = bytes(self._held[:most])
        del self._held[:most]
        if not self._is_over and len(self._held) <= HELD_BYTES:
            self._transport.resume_reading()
        return found

    def write(self, data: bytes | memoryview) -> None:
        """Queue bytes. Does nothing once the connection is over."""
        if not self._is_ended and not self._transport.is_closing():
            self._transport.write(data)

    @property
    def queued(self) -> int:
        """Bytes that wait to be sent."""
        return self._transport.get_write_buffer_size()

    async def drained(self) -> None:
        """Wait until there is room to send more, or the connection is lost."""
        await self._can_go.wait()

    async def sent(self) -> None:
        """Wait until the system has all that was written, or the connection is lost."""
        self._transport.set_write_buffer_limits(high=0)
        await self._can_go.wait()

    def end(self) -> None:
        """Read nothing more; close once everything is sent, if the peer takes it. Safe to call twice."""
        if self._is_ended:
            return
        self._is_ended = True
        self._finish()
        if self._transport.is_closing():
            return
        self._loop.call_later(LINGER_S, self._transport.abort)
        if self._peer_has_ended:
            self._transport.close()
            return
        # Closing at once while bytes of the peer are unread could discard what it was sent.
        self._transport.resume_reading()
        try:
            self._transport.write_eof()
        except OSError:  # the peer has reset it
            self._transport.abort()

    def abort(self) -> None:
        """Close it at once."""
        self._is_ended = True
        self._finish()
        self._transport.abort()

    def _finish(self) -> None:
        self._is_over = True
        self._held.clear()
        self._has_come.set()

    # --- asyncio's ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=SENDING_BYTES)

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        self._held += data
        self._has_come.set()
        if len(self._held) > HELD_BYTES:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        self._is_over = self._peer_has_ended = True
        self._has_come.set()
        return not self._is_ended

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish()
        self._can_go.set()
        self.is_lost.set()

    def pause_writing(self) -> None:
        self._can_go.clear()

    def resume_writing(self) -> None:
        self._can_go.set()


async def wire_of(sock: socket.socket) -> Wire:
    """Take over an accepted socket; it is closed if that fails. Raises OSError."""
    wire: Wire | None = None
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)
        _, wire = await asyncio.get_running_loop().connect_accepted_socket(Wire, sock)
    finally:
        if wire is None:
            sock.close()
    return wire
