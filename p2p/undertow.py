"""Count what comes under TLS: bytes that bring no data cost processor time all the same, and no frame counts them.

A peer may change its keys as often as it likes, or send tickets, and the TLS library works all of it off in one go. An honest
peer does so never, or once. (PROTOCOL.md, "Limits".)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from p2p.budgets import Rate

SLICE_BYTES = 8 << 10
"""How much is handed on at a time, and counted."""
READ_BYTES = 16 << 10
"""How much is read at a time."""
HELD_BYTES = 64 << 10
"""With more than this undecrypted, while nobody reads, nothing more is taken from the system. A record has up to 16 KiB."""
FRAME_COUNTS = 48
"""A frame that is read pays for so many bytes besides its own: it may stand in a record of its own, of 22 bytes more."""
RECORD_SHARE = 32
"""Data pays for itself and this part of it, as records may be short. More would let long messages pay for changed keys."""
SMALL_COUNTS = 5
"""A byte of data that nobody has read yet may pay for so many more, in the smallest frames, as long as all lend it together."""
LENT = Rate(32 << 10, 1 << 20)
"""Bytes that those who call us are lent so."""
MAX_IDLE_BYTES = 48 << 10
"""How many bytes may arrive before data pays for them. What a record holds is known at its end."""


class Toll:
    """What a connection that we made costs others: nothing."""

    def lend(self, size: int) -> int:
        """Return how much of so many bytes it is lent."""
        return size

    def wasted(self) -> None:
        """It ends because too much came that is no data."""


class Undertow(asyncio.BufferedProtocol):
    """Stands between a socket's transport and the TLS behind it, and ends the connection if too much comes that is no data.

    `reads()`: whether TLS decrypts what comes; else it only keeps it. `toll`: what the connection costs those beside it.
    """

    def __init__(self, transport: asyncio.Transport, tls: Any, reads: Callable[[], bool], toll: Toll) -> None:
        self._transport, self._tls, self._reads, self._toll = transport, tls, reads, toll
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._idle = 0

    def brought(self, size: int) -> None:
        """How much data has come."""
        self._pay(size + size // RECORD_SHARE)
        if self._idle > MAX_IDLE_BYTES // 2:  # as long as what comes is read, frames pay
            self._pay(self._toll.lend(min(self._idle, SMALL_COUNTS * size)))

    def read(self) -> None:
        """A frame was read."""
        self._pay(FRAME_COUNTS)

    def _pay(self, size: int) -> None:
        self._idle = max(0, self._idle - size)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        for start in range(0, nbytes, SLICE_BYTES):
            part = self._buffer[start : min(nbytes, start + SLICE_BYTES)]
            self._idle += len(part)
            self._hand_on(part)
            if self._idle > MAX_IDLE_BYTES and self._reads():
                self._transport.abort()
                self._toll.wasted()
                return

    def _hand_on(self, part: memoryview) -> None:
        while part and not self._transport.is_closing():
            room = self._tls.get_buffer(len(part))
            size = min(len(room), len(part))
            room[:size] = part[:size]
            self._tls.buffer_updated(size)
            part = part[size:]

    def eof_received(self) -> bool | None:
        found: bool | None = self._tls.eof_received()
        return found

    def connection_lost(self, exc: Exception | None) -> None:
        self._tls.connection_lost(exc)

    def pause_writing(self) -> None:
        self._tls.pause_writing()

    def resume_writing(self) -> None:
        self._tls.resume_writing()


def counted(transport: Any, toll: Toll) -> Undertow | None:
    """Count what comes under an open TLS transport from now on. None if asyncio hides what carries it."""
    tls: Any = getattr(transport, "_ssl_protocol", None)
    raw: Any = getattr(tls, "_transport", None)
    if not isinstance(raw, asyncio.Transport) or not isinstance(tls, asyncio.BufferedProtocol):
        return None
    undertow = Undertow(raw, tls, lambda: not transport.is_closing() and transport.is_reading(), toll)
    raw.set_protocol(undertow)
    transport.set_read_buffer_limits(high=HELD_BYTES)
    return undertow


def under(transport: Any) -> Undertow | None:
    """Return what counts below a link's transport. None if nothing does: a phone's link is no TLS of ours."""
    get_protocol = getattr(transport, "get_protocol", None)
    return None if get_protocol is None else getattr(get_protocol(), "undertow", None)
