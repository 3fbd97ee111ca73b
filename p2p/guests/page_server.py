"""The server of the phones' page: files and a WebSocket on one port. What strangers cost it has limits.

PROTOCOL.md: "Limits".
"""

from __future__ import annotations

import asyncio
import http
import logging
import socket
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import field
from typing import Any

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from p2p.budgets import Rate
from p2p.frames import MAX_BODY_BYTES
from p2p.guests.websocket import SocketCarrier
from p2p.guests.wire import LINGER_S, SENDING_BYTES, STRANGER_SLICE_BYTES, Wire, wire_of
from p2p.links import host_of
from p2p.reception import Reception
from p2p.waiting_line import Limits
from protocol.values import dataclass

MAX_REQUEST_BYTES = 16 << 10
"""Browsers ask in a few hundred bytes, with cookies of other pages of this computer in some thousands."""
OPEN_S = 5.0
"""How long a connection has to say what it wants."""
SLICE_S = 10.0
"""How long a phone has to take SENDING_BYTES more of a file."""
FILE_S = 300.0
PATIENT_S = 30.0
"""A file that is sent for longer gives way if many wait: a phone with a bad Wi-Fi needs that for the largest one."""
PAGE = Limits(
    waiting=64,
    waiting_per_host=48,
    openings=96,
    openings_per_host=48,
    host_rate=Rate(20, 300),
    all_rate=Rate(60, 600),
    overdue_s=2.0,
)
"""A page takes some thirty requests, each on a connection of its own, and ten phones may come through one router."""
QUIET = logging.getLogger("p2p.guests.sockets")
QUIET.propagate = False
QUIET.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class PageResponse:
    """What is answered to a request."""

    status: http.HTTPStatus
    kind: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def head(self) -> bytes:
        fields = {"Content-Type": self.kind, "Content-Length": str(len(self.body)), "Connection": "close"}
        return Response(self.status.value, self.status.phrase, Headers({**fields, **self.headers}), b"").serialize()


BAD = PageResponse(http.HTTPStatus.BAD_REQUEST, "text/plain", b"not a request\n")

Reply = Callable[[Request], PageResponse | None]
"""Answers a request; None lets it open the socket."""
OnSocket = Callable[[SocketCarrier, str, str, Callable[[], None]], Awaitable[None]]
"""Called with a socket, its host, `Host` as its page says it, and what to call when its phone is known to be no stranger."""


class PageServer(Reception):
    """Serves one page."""

    def __init__(self, sockets: list[socket.socket], reply: Reply, on_socket: OnSocket, limits: Limits = PAGE) -> None:
        self._reply, self._on_socket = reply, on_socket
        self._wires: set[Wire] = set()
        super().__init__(sockets, limits)

    async def _open(self, sock: socket.socket, host: str) -> None:
        wire: Wire | None = None
        try:
            peer, here = host_of(sock.getpeername()), host_of(sock.getsockname())
            wire = await wire_of(sock)
            self._wires = {each for each in self._wires if not each.is_lost.is_set()} | {wire}
            protocol = ServerProtocol(max_size=MAX_BODY_BYTES + 16, logger=QUIET)
            request = await in_time(read_request(wire, protocol))
            answer = BAD if request is None else self._reply(request)
            if answer is None and request is not None:
                if not accepts(wire, protocol, request):
                    return
                carrier, wire = SocketCarrier(wire, protocol, here), None
                await self._on_socket(carrier, peer, request.headers["Host"], self._counts_no_more)
            elif answer is not None:
                self._holds(PATIENT_S)
                await send(wire, answer)
        except (OSError, TimeoutError):
            pass  # failed attempts of strangers are not reported
        except asyncio.CancelledError:
            if wire is not None:
                wire.abort()
            raise
        finally:
            if wire is not None:
                wire.end()

    async def close(self) -> None:
        """End everything, also open sockets; what they were sent last still arrives, if they take it."""
        await super().close()
        for wire in self._wires:
            wire.end()
        lost = [asyncio.ensure_future(wire.is_lost.wait()) for wire in self._wires]
        if lost:
            await asyncio.wait(lost, timeout=2 * LINGER_S)
        for each in lost:
            each.cancel()


async def in_time(reading: Coroutine[Any, Any, Request | None]) -> Request | None:
    """Return the request. Raises TimeoutError after OPEN_S, unless it has come while we were busy with something else: then that
    is not the caller's fault, who may ask only once."""
    task = asyncio.ensure_future(reading)
    try:
        done, _ = await asyncio.wait((task,), timeout=OPEN_S)
        if not done:
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()


async def read_request(wire: Wire, protocol: ServerProtocol) -> Request | None:
    """Return the request, None if it is none, or too long. Raises OSError at the end of the connection."""
    read = 0
    while read < MAX_REQUEST_BYTES:
        data = await wire.read(STRANGER_SLICE_BYTES)
        read += len(data)
        if not data:
            raise OSError("closed")
        protocol.receive_data(data)
        events = protocol.events_received()
        if protocol.handshake_exc is not None or protocol.parser_exc is not None or len(events) > 1:
            return None
        if events:
            return events[0] if isinstance(events[0], Request) else None
    return None


def accepts(wire: Wire, protocol: ServerProtocol, request: Request) -> bool:
    """Open the WebSocket, or say why not."""
    protocol.send_response(protocol.accept(request))
    for data in protocol.data_to_send():
        wire.write(data)
    return protocol.state is State.OPEN


async def send(wire: Wire, answer: PageResponse) -> None:
    """Send an answer slice by slice, as fast as the peer takes it. Raises TimeoutError."""
    async with asyncio.timeout(FILE_S):
        wire.write(answer.head())
        for start in range(0, len(answer.body), SENDING_BYTES):
            wire.write(memoryview(answer.body)[start : start + SENDING_BYTES])
            async with asyncio.timeout(SLICE_S):
                await wire.drained()
        async with asyncio.timeout(SLICE_S):
            await wire.sent()
