"""A guest link's connection on the machine that serves the page: messages of a WebSocket, each of which costs little."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from p2p.budgets import Bucket, Rate
from p2p.frames import LENGTH_BYTES
from p2p.guests.challenge import MAX_BYTES, malformed
from p2p.guests.streams import ROOM_BYTES
from p2p.guests.wire import SLICE_BYTES, STRANGER_SLICE_BYTES, Wire

MAX_PARTS = 256
"""Browsers may send a long message in parts."""
CONTROL_FRAMES = Rate(1, 16)
"""Pings and pongs: a page can send none, and few browsers do by themselves."""


class SocketCarrier:
    """See `p2p.guests.streams.Carrier`. `receive` raises BadMessage for what no page of ours sends."""

    def __init__(self, wire: Wire, protocol: ServerProtocol, own_host: str) -> None:
        self._wire, self._protocol = wire, protocol
        self.own_host = own_host
        self._clock = asyncio.get_running_loop().time
        self._controls = Bucket(CONTROL_FRAMES, self._clock())
        self._parts: list[bytes] = []
        self._messages: deque[bytes] = deque()
        self._unfinished_bytes = 0
        self._most: Callable[[], int] = lambda: MAX_BYTES
        self._is_link = False

    def becomes_link(self, most: Callable[[], int]) -> None:
        """From now on each message is one frame of a link, whose body has at most so many bytes."""
        self._is_link, self._most = True, most

    async def receive(self) -> bytes:
        while not self._messages:
            data = await self._wire.read(SLICE_BYTES if self._is_link else STRANGER_SLICE_BYTES)
            if not data:
                raise OSError("closed")
            self._feed(data)
        message = self._messages.popleft()
        if not message or (self._is_link and int.from_bytes(message[:LENGTH_BYTES]) + LENGTH_BYTES != len(message)):
            raise malformed()
        return message

    def _feed(self, data: bytes) -> None:
        self._unfinished_bytes += len(data)
        self._protocol.receive_data(data)
        frames = [event for event in self._protocol.events_received() if isinstance(event, Frame)]
        for frame in frames:
            self._take(frame)
        self._flush()
        if self._protocol.state is not State.OPEN:
            self.close()
        elif self._unfinished_bytes > self._most() + LENGTH_BYTES + SLICE_BYTES:
            raise malformed()

    def _take(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT:
                raise malformed()
            case Opcode.PING | Opcode.PONG:
                if self._controls.spend(1, self._clock()):
                    raise malformed()
            case Opcode.BINARY | Opcode.CONT:
                if (not frame.data and not frame.fin) or len(self._parts) >= MAX_PARTS:
                    raise malformed()
                self._parts.append(bytes(frame.data))
                if frame.fin:
                    self._messages.append(b"".join(self._parts))
                    self._parts.clear()
                    self._unfinished_bytes = 0

    def send(self, data: bytes) -> None:
        if self._protocol.state is State.OPEN:
            self._protocol.send_binary(data)
            self._flush()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self._wire.write(data)

    @property
    def queued(self) -> int:
        return self._wire.queued

    def close(self) -> None:
        if self.queued > ROOM_BYTES:
            self._wire.abort()
            return
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(1000)
            self._flush()
        self._wire.end()
