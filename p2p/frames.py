"""What travels on a link: frames, the opening exchange, and the pulse that tells a silent peer from a living one.

A frame is 4 bytes of length (big-endian), one byte that says its kind, and a payload; the length counts kind and payload.
No sockets here, and nothing about tables: messages are bytes. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, auto

from protocol import wire
from protocol.errors import BadMessage

LINK_VERSION = 1
LENGTH_BYTES = 4
MAX_BODY_BYTES = 1 << 20
MAX_MESSAGE_BYTES = MAX_BODY_BYTES - 128  # room for the kind, and for the two keys of a message that is passed on
MAX_OPENING_BYTES = 4096
MAX_REASON_BYTES = 100
MAX_FIELDS = 32
MAX_LIST = 64
RUN_BYTES = 8

pack, unpack = wire.pack_any, wire.unpack_any
"""What links say is not signed, so its encoding need not be canonical."""

Scalar = None | bool | int | str | bytes
Value = Scalar | list[Scalar]


class Kind(IntEnum):
    """What a frame is. HELLO and WELCOME open a link, BYE ends it; a heartbeat is BEAT."""

    HELLO = 1
    WELCOME = 2
    BYE = 3
    BEAT = 4
    DATA = 5
    PASS_ON = 6
    PASSED_ON = 7


def encode_frame(kind: Kind, payload: bytes = b"") -> bytes:
    length = 1 + len(payload)
    if length > MAX_BODY_BYTES:
        raise ValueError(f"a frame of {length} bytes is too long")
    return length.to_bytes(LENGTH_BYTES, "big") + bytes((kind,)) + payload


async def read_frame(reader: asyncio.StreamReader, limit: int) -> tuple[Kind, bytes]:
    """The next frame, of `limit` bytes at most. BadMessage before a longer one is read; asyncio's own faults at the end."""
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if not 1 <= length <= limit:
        raise BadMessage("a frame of {length} bytes, where {limit} is the most", length=length, limit=limit)
    body = await reader.readexactly(length)
    try:
        return Kind(body[0]), body[1:]
    except ValueError as fault:
        raise BadMessage("a frame of the unknown kind {kind}", kind=body[0]) from fault


@dataclass(frozen=True, slots=True)
class Hello:
    """What each side says first: the process (`run`, random), the port it listens on (0: none), and the owner's fields."""

    run: bytes
    port: int
    fields: Mapping[str, Value]
    version: int = LINK_VERSION

    def encode(self) -> bytes:
        data = pack([self.version, self.run, self.port, dict(self.fields)])
        if len(data) >= MAX_OPENING_BYTES:
            raise ValueError(f"a hello of {len(data)} bytes is too long")
        Hello.decode(data)  # what we would refuse, we do not say
        return data

    @classmethod
    def decode(cls, data: bytes) -> Hello:
        """Raises BadMessage, but for the version: a hello of another version is answered, so only that much is read."""
        match unpack(data):
            case [int() as version, *_] if version != LINK_VERSION:
                return cls(b"", 0, {}, version)
            case [int() as version, bytes() as run, int() as port, dict() as fields] if (
                not isinstance(version, bool) and len(run) == RUN_BYTES and is_port(port) and is_small(fields)
            ):
                return cls(run, port, fields, version)
        raise BadMessage("a malformed hello")


def is_port(port: int) -> bool:
    return not isinstance(port, bool) and 0 <= port < 1 << 16


def is_small(fields: Mapping[object, object]) -> bool:
    """Whether an owner's fields are text keys with scalars or short lists of scalars."""
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
    """How long links wait, in seconds."""

    beat_s: float = 2.0  # between heartbeats
    gone_s: float = 6.0  # without a sign of life
    opening_s: float = 5.0  # for TLS and the opening exchange
    dial_s: float = 3.0  # for one address to answer
    linger_s: float = 1.0  # for a goodbye to arrive


class Sign(Enum):
    """What a look at the pulse demands."""

    NOTHING = auto()
    BEAT = auto()
    GONE = auto()


class Pulse:
    """When to send a heartbeat, and when the other side is gone. Times are seconds of one monotonic clock."""

    def __init__(self, timing: Timing, now: float) -> None:
        self._timing = timing
        self._heard = self._looked = now
        self._beat = now

    def heard(self, now: float) -> None:
        self._heard = now

    def look(self, now: float) -> Sign:
        """To be called at `deadline`."""
        # A look that comes late means that this process stood still: what the peer said meanwhile is not read yet.
        if now - self._looked > self._timing.beat_s + self._timing.gone_s / 2:
            self._heard = now
        self._looked = now
        if now - self._heard >= self._timing.gone_s:
            return Sign.GONE
        if now >= self._beat:
            self._beat = now + self._timing.beat_s
            return Sign.BEAT
        return Sign.NOTHING

    @property
    def deadline(self) -> float:
        return min(self._beat, self._heard + self._timing.gone_s)
