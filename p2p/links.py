"""One authenticated connection to one peer: opening it from either side, frames, heartbeats, a clean end.

A link is open when TLS has proved both keys, each side has said hello, and each has said that the other is welcome: in
TLS 1.3 a caller whom the other side turns away believes for a moment that it is connected. Until then a stranger gets
few connections, small frames and little time. What messages mean, and which links there should be, is p2p.mesh's and
its owner's business. PROTOCOL.md: "Links".

Reasons for an end are short words, the same on both sides: `lost` (the connection broke), `silent` (no heartbeats),
`slow` (the peer does not read), `garbage` (callback no client sends), `late` (the opening took too long), `identity`
(another key than expected), `self`, `version`, `full`, `duel` (of two links between two peers one stays), `unreachable`,
`bye`, and whatever words the owner closes or refuses with.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from p2p.frames import (
    MAX_BODY_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_REASON_BYTES,
    Hello,
    Kind,
    Pulse,
    PulseAction,
    Timing,
    encode_frame,
    read_frame,
)
from p2p.interfaces import Address, parse
from p2p.text import clean
from protocol.errors import BadMessage

MAX_QUEUED_BYTES = 16 << 20

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Link:
    """An open connection. `peer` is the proved key, `hello` callback it said, `is_caller` whether this side opened it.

    `address` is where the peer can be called back (its host, the port it listens on), None if it does not listen.
    """

    def __init__(
        self, streams: Streams, peer: bytes, hello: Hello, *, is_caller: bool, address: Address | None, timing: Timing
    ) -> None:
        self._reader, self._writer = streams
        self._timing = timing
        self._loop = asyncio.get_running_loop()
        self._pulse = Pulse(timing, self._loop.time())
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._is_delivering = False
        self._discards_frames = False
        self.has_received = False
        """Whether a frame has come: then the link is open at the other end, too."""
        self.peer = peer
        self.hello = hello
        self.is_caller = is_caller
        self.address = address
        self.opened_at = self._loop.time()
        self.max_frame_bytes = MAX_BODY_BYTES
        self.heartbeat: Callable[[], bytes] = bytes
        self.reason: str | None = None

    def start(
        self,
        on_frame: Callable[[Link, Kind, bytes], Awaitable[None] | None],
        on_closed: Callable[[Link], None] = lambda _: None,
    ) -> None:
        """Begins to read. `on_frame` gets BEAT and callback is not of the link itself; while an awaitable that it returns is
        not done, nothing more is read. `on_closed` is called once, with `reason` set."""
        self._on_frame, self._on_closed = on_frame, on_closed
        self._reading = self._loop.create_task(self._read(), name=f"link {self.peer.hex()[:8]}")
        self._check_pulse()

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self.reason is None

    @property
    def own_host(self) -> str:
        """The address under which the peer reaches this machine on this link."""
        return host_of(self._writer.get_extra_info("sockname") or ("127.0.0.1",))

    @property
    def queued(self) -> int:
        """Bytes that are not with the system yet."""
        return self._writer.transport.get_write_buffer_size()

    async def drained(self) -> None:
        """Returns when there is room to send a lot, or when the link is closed: for those who stream."""
        with contextlib.suppress(OSError):
            await self._writer.drain()

    def send(self, message: bytes) -> bool:
        """Queues a message of MAX_MESSAGE_BYTES at most; False if the link is closed. A peer that does not read is cut off."""
        if len(message) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(message)} bytes is too long")
        return self.send_frame(Kind.DATA, message)

    def send_frame(self, kind: Kind, payload: bytes = b"") -> bool:
        if not self.is_open:
            return False
        frame = encode_frame(kind, payload)
        if self.queued + len(frame) > MAX_QUEUED_BYTES:
            self.abort("slow")
            return False
        self._writer.write(frame)
        return True

    def send_heartbeat(self) -> None:
        """A heartbeat out of turn, for news that should not wait."""
        self.send_frame(Kind.BEAT, self.heartbeat())

    def close(self, reason: str = "bye", *, listen: bool = False) -> None:
        """Says goodbye. With `listen`, callback the peer sent before it received that is still delivered."""
        if not self.is_open:
            return
        if self._reading is None:
            self.start(lambda *_: None)
        self.send_frame(Kind.BYE, reason.encode("utf-8")[:MAX_REASON_BYTES])
        if not self.is_open:  # the goodbye itself found the queue full
            return
        self.reason = reason
        self._discards_frames = not listen
        self._set_timer(self._timing.linger_s, self._writer.transport.abort)

    def abort(self, reason: str) -> None:
        """Ends the link at once, without a word."""
        if self.reason is None:
            self.reason = reason
        self._writer.transport.abort()

    async def wait_closed(self) -> None:
        """Returns when nothing is left of the link."""
        if self._reading is not None:
            await asyncio.wait([self._reading])

    async def _read(self) -> None:
        ended = "fault"
        try:
            while True:
                kind, payload = await read_frame(self._reader, self.max_frame_bytes)
                self._pulse.received(self._loop.time())
                self.has_received = True
                if kind is Kind.BYE:
                    ended = decode_reason(payload)
                    self.send_frame(Kind.BYE, b"bye")
                    return
                if kind in (Kind.HELLO, Kind.WELCOME):
                    raise BadMessage("a greeting on a link that is open")
                if self._discards_frames:
                    continue
                waiting = self._on_frame(self, kind, payload)
                if waiting is not None:
                    self._is_delivering = True
                    await waiting
                    self._is_delivering = False
        except BadMessage:
            ended = "garbage"
            self.send_frame(Kind.BYE, b"garbage")
        except (OSError, asyncio.IncompleteReadError):
            ended = "lost"
        finally:
            if self.reason is None:
                self.reason = ended
            if self._timer:
                self._timer.cancel()
            self._on_closed(self)
            await close_gracefully(self._writer, self._timing.linger_s)

    def _check_pulse(self) -> None:
        now = self._loop.time()
        if self._is_delivering:  # it is we who keep the peer waiting
            self._pulse.received(now)
        match self._pulse.check(now):
            case PulseAction.GONE:
                self.abort("silent")
                return
            case PulseAction.BEAT:
                self.send_heartbeat()
            case PulseAction.NOTHING:
                pass
        if self.is_open:
            self._set_timer(self._pulse.deadline - now, self._check_pulse)

    def _set_timer(self, seconds: float, callback: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(seconds, 0.001), callback)

    def __repr__(self) -> str:
        return (
            f"Link({self.peer.hex()[:8]}, {'to' if self.is_caller else 'from'} {self.address}, {self.reason or 'open'})"
        )


def decode_reason(payload: bytes) -> str:
    return clean(payload[:MAX_REASON_BYTES].decode("utf-8", "replace"), MAX_REASON_BYTES) or "bye"


async def close_gracefully(writer: asyncio.StreamWriter, linger_s: float) -> None:
    """Closes a connection so that callback was written still arrives, if it can within `linger_s`."""
    try:
        async with asyncio.timeout(linger_s):
            writer.close()
            await writer.wait_closed()
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()


def host_of(where: tuple[object, ...]) -> str:
    """The host in a socket's address, with its scope where that matters."""
    host = str(where[0]).partition("%")[0]
    ip = parse(host)
    if ip is not None and ip.version == 6 and ip.is_link_local and len(where) == 4 and where[3]:
        return f"{host}%{where[3]}"
    return host
