"""The link layer's wire format: frames, the hello, and the heartbeat timer.

A frame is a length (4 bytes, big-endian), one byte for its kind, and a payload; the length counts kind and payload. No
sockets here, and nothing about tables: messages are bytes. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from enum import Enum, IntEnum, auto

from protocol import wire
from protocol.errors import BadMessage
from protocol.values import dataclass

LINK_VERSION = 1
LENGTH_BYTES = 4
MAX_BODY_BYTES = 1 << 20
MAX_MESSAGE_BYTES = MAX_BODY_BYTES - 128  # leaves room for the kind and the two keys of a relayed message
MAX_OPENING_BYTES = 4096
MAX_REASON_BYTES = 100
MAX_FIELDS = 32
MAX_LIST = 64
RUN_BYTES = 8
PHONES = "phones"
"""The field of a hello that says at which address phones may sit down."""

pack, unpack = wire.pack_any, wire.unpack_any
"""What links say is not signed, so its encoding need not be canonical."""

Scalar = None | bool | int | str | bytes
Value = Scalar | list[Scalar]


class FrameKind(IntEnum):
    """The kinds of frames. HELLO and WELCOME open a link, BYE ends it, BEAT is a heartbeat."""

    HELLO = 1
    WELCOME = 2
    BYE = 3
    BEAT = 4
    DATA = 5
    PASS_ON = 6
    PASSED_ON = 7


def encode_frame(kind: FrameKind, payload: bytes = b"") -> bytes:
    length = 1 + len(payload)
    if length > MAX_BODY_BYTES:
        raise ValueError(f"a frame of {length} bytes is too long")
    return length.to_bytes(LENGTH_BYTES, "big") + bytes((kind,)) + payload


async def read_frame(reader: asyncio.StreamReader, limit: int) -> tuple[FrameKind, bytes]:
    """Read the next frame, of at most `limit` bytes.

    Raises BadMessage before reading a longer one, and asyncio's own exceptions at the end of the stream.
    """
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if not 1 <= length <= limit:
        raise BadMessage("a frame is {length} bytes long; the limit is {limit}", length=length, limit=limit)
    body = await reader.readexactly(length)
    try:
        return FrameKind(body[0]), body[1:]
    except ValueError as fault:
        raise BadMessage("a frame of unknown kind {kind}", kind=body[0]) from fault


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of each side: the process (`run`, random), its port (0: does not listen), the owner's fields."""

    run: bytes
    port: int
    fields: Mapping[str, Value]
    version: int = LINK_VERSION

    def encode(self) -> bytes:
        data = pack([self.version, self.run, self.port, dict(self.fields)])
        if len(data) >= MAX_OPENING_BYTES:
            raise ValueError(f"a hello of {len(data)} bytes is too long")
        Hello.decode(data)  # never send what we would refuse
        return data

    @classmethod
    def decode(cls, data: bytes) -> Hello:
        """Decode a hello; of another link version only the version, so that it can be answered. Raises BadMessage."""
        match unpack(data):
            case [int() as version, *_] if version != LINK_VERSION:
                return cls(b"", 0, {}, version)
            case [int() as version, bytes() as run, int() as port, dict() as fields] if (
                not isinstance(version, bool) and len(run) == RUN_BYTES and is_port(port) and is_small(fields)
            ):
                return cls(run, port, fields, version)
        raise BadMessage("a malformed hello message")


def is_port(port: int) -> bool:
    return not isinstance(port, bool) and 0 <= port < 1 << 16


def is_small(fields: Mapping[object, object]) -> bool:
    """Return whether an owner's fields are text keys with scalars or short lists of scalars."""
    scalars = (type(None), bool, int, str, bytes)
    return len(fields) <= MAX_FIELDS and all(
        isinstance(key, str)
        and (
            isinstance(value, scalars)
            or (isinstance(value, list) and len(value) <= MAX_LIST and all(isinstance(v, scalars) for v in value))
        )
        for key, value in fields.items()
    )


@dataclass(frozen=True, slots=True)
class Timing:
    """Timeouts of links, in seconds."""

    heartbeat_s: float = 2.0  # between heartbeats
    timeout_s: float = 6.0  # without receiving anything
    opening_s: float = 5.0  # for TLS and the opening exchange
    dial_s: float = 3.0  # for one address to answer
    linger_s: float = 1.0  # for a goodbye to arrive


class PulseAction(Enum):
    """What a check of the pulse calls for."""

    NOTHING = auto()
    BEAT = auto()
    GONE = auto()


class Pulse:
    """Decides when to send a heartbeat and when the peer is gone. Times are seconds of one monotonic clock."""

    def __init__(self, timing: Timing, now: float) -> None:
        self._timing = timing
        self._received_at = self._checked_at = now
        self._heartbeat_at = now

    def received(self, now: float) -> None:
        self._received_at = now

    def check(self, now: float) -> PulseAction:
        """Return what to do now. Call it at `deadline`."""
        # A late check means that this process was suspended: what the peer sent meanwhile has not been read yet.
        if now - self._checked_at > self._timing.heartbeat_s + self._timing.timeout_s / 2:
            self._received_at = now
        self._checked_at = now
        if now - self._received_at >= self._timing.timeout_s:
            return PulseAction.GONE
        if now >= self._heartbeat_at:
            self._heartbeat_at = now + self._timing.heartbeat_s
            return PulseAction.BEAT
        return PulseAction.NOTHING

    @property
    def deadline(self) -> float:
        return min(self._heartbeat_at, self._received_at + self._timing.timeout_s)
