"""One authenticated connection to one peer: frames, heartbeats, and an orderly end. Opened by p2p.handshake.

What messages mean, and which links should exist, is decided by p2p.mesh and its owner. PROTOCOL.md: "Links".

Reasons for an end are short words, the same on both sides: `lost` (the connection broke), `silent` (no heartbeats),
`slow` (the peer does not read), `garbage` (invalid data), `late` (the opening took too long), `identity` (not the
expected key), `self`, `version`, `full`, `duel` (one of two links between the same peers), `unreachable`, `bye`,
`flood` (far more than its budget), `idle` (a looker that wanted nothing for long), `uninvited` (a message from somebody
who has no say here), and any word that the owner closes or refuses with.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from p2p.frames import (
    MAX_BODY_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_REASON_BYTES,
    FrameKind,
    Hello,
    Pulse,
    PulseAction,
    Timing,
    encode_frame,
    read_frame,
)
from p2p.interfaces import Address, parse
from p2p.text import clean
from p2p.undertow import under
from protocol.errors import BadMessage, FairdealError

MAX_QUEUED_BYTES = 16 << 20
MAX_UNSEATED_QUEUED_BYTES = 3 << 20
"""How much may wait for a peer who has no seat and was not called by us: there may be many who read nothing."""
TURN_S = 0.002
"""A link that has frames to deliver lets others have their turn after this time."""
WAITED_S = 0.0005
"""Who gets the next frame only after so long has waited for it; what has arrived already is there sooner."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Link:
    """An open connection. `peer` is the proved key, `host` its computer, `is_caller` whether this side opened it.

    `address` is where the peer can be called back (its host and the port it listens on), None if it does not listen.
    """

    def __init__(
        self,
        streams: Streams,
        peer: bytes,
        hello: Hello,
        *,
        is_caller: bool,
        host: str,
        address: Address | None,
        timing: Timing,
    ) -> None:
        self._reader, self._writer = streams
        self._undertow = under(self._writer.transport)
        self._timing = timing
        self._loop = asyncio.get_running_loop()
        self._pulse = Pulse(timing, self._loop.time())
        self._timer: asyncio.TimerHandle | None = None
        self._probing: asyncio.TimerHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._is_delivering = False
        self._discards_frames = False
        self._is_cut = False
        self._received = 0
        """Frames received."""
        self.has_received = False
        """Whether a frame has arrived, which proves that the link is open at the other end, too."""
        self.peer = peer
        self.hello = hello
        self.is_caller = is_caller
        self.host = host
        self.address = address
        self.opened_at = self._loop.time()
        self.max_frame_bytes = MAX_BODY_BYTES
        self.is_seated: Callable[[], bool] = lambda: True
        """Whether as much may wait for the peer as for who has a seat."""
        self.heartbeat: Callable[[], bytes] = bytes
        self.meter: Callable[[Link, FrameKind, int], float | None] = lambda _link, _kind, _size: 0.0
        """Called with each frame's kind and size; returns the seconds to wait before it is handled, None to cut the link."""
        self.reason: str | None = None

    def start(
        self,
        on_frame: Callable[[Link, FrameKind, bytes], Awaitable[None] | None],
        on_closed: Callable[[Link], None] = lambda _: None,
    ) -> None:
        """Start reading.

        `on_frame` receives heartbeats and all frames that are not the link's own; while an awaitable that it returned
        is not done, nothing more is read. `on_closed` is called once, with `reason` set.
        """
        self._on_frame, self._on_closed = on_frame, on_closed
        self._reading = self._loop.create_task(self._read(), name=f"link {self.peer.hex()[:8]}")
        self._check_pulse()

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self.reason is None

    @property
    def own_host(self) -> str:
        """The address at which the peer reaches this computer on this link."""
        return host_of(self._writer.get_extra_info("sockname") or ("127.0.0.1",))

    @property
    def queued(self) -> int:
        """Bytes not yet handed to the system."""
        return self._writer.transport.get_write_buffer_size()

    async def drained(self, limit_s: float | None = None) -> bool:
        """Wait until there is room to send a lot, or the link is closed; return False after `limit_s`. For streaming."""
        with contextlib.suppress(OSError):
            try:
                async with asyncio.timeout(limit_s):
                    await self._writer.drain()
            except TimeoutError:
                return False
        return True

    def send(self, message: bytes) -> bool:
        """Queue a message of at most MAX_MESSAGE_BYTES; return False if the link is closed, or now cut off as too slow."""
        if len(message) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(message)} bytes is too long")
        return self.send_frame(FrameKind.DATA, message)

    def send_frame(self, kind: FrameKind, payload: bytes = b"") -> bool:
        if not self.is_open:
            return False
        frame = encode_frame(kind, payload)
        size = self.queued + len(frame)
        if size > MAX_QUEUED_BYTES or (size > MAX_UNSEATED_QUEUED_BYTES and not self.is_seated()):
            self.abort("slow")
            return False
        self._writer.write(frame)
        return True

    def send_heartbeat(self) -> None:
        """Send a heartbeat now, for news that should not wait."""
        self.send_frame(FrameKind.BEAT, self.heartbeat())

    def probe(self, within_s: float) -> None:
        """Give the link up unless something arrives within so long; the peer has been asked for a word."""
        if self._probing is not None:
            self._probing.cancel()
        received, due = self._received, self._loop.time() + within_s

        def check() -> None:
            if not self.is_open or self._received != received or self._is_delivering:
                return
            # If this process stood still, an answer may lie there unread.
            stood_still = self._loop.time() - due > within_s / 2
            if stood_still:
                self.probe(within_s)
            else:
                self.abort("silent")

        self._probing = self._loop.call_later(within_s, check)

    def close(self, reason: str = "bye", *, listen: bool = False, within_s: float | None = None) -> None:
        """Say goodbye. With `listen`, frames that the peer sent before it received the goodbye are still delivered.

        The peer has `within_s` (the timing's `linger_s` without it) to read what was sent to it before.
        """
        if not self.is_open:
            return
        if self._reading is None:
            self.start(lambda *_: None)
        self.send_frame(FrameKind.BYE, reason.encode("utf-8")[:MAX_REASON_BYTES])
        if not self.is_open:  # the queue was full, so the link was aborted
            return
        self.reason = reason
        self._discards_frames = not listen
        self._set_timer(self._timing.linger_s if within_s is None else within_s, self._writer.transport.abort)

    def cut(self, reason: str) -> None:
        """Say goodbye and read nothing more. Call it from `on_frame` or `meter`, for a peer that does what no honest one does."""
        self.close(reason)
        self._is_cut = True

    def abort(self, reason: str) -> None:
        """Close the connection at once, without a goodbye."""
        if self.reason is None:
            self.reason = reason
        self._writer.transport.abort()

    async def wait_closed(self) -> None:
        """Wait until the connection is fully closed."""
        if self._reading is not None:
            await asyncio.wait([self._reading])

    async def _read(self) -> None:
        ended = "fault"
        handled_at = turn_began = self._loop.time()
        try:
            while True:
                kind, payload = await read_frame(self._reader, self.max_frame_bytes)
                now = self._loop.time()
                if now - handled_at > WAITED_S:  # others had their turn meanwhile
                    turn_began = now
                self._pulse.received(now)
                if self._undertow is not None:
                    self._undertow.read()
                self._received += 1
                self.has_received = True
                wait_s = 0.0 if self._discards_frames else self.meter(self, kind, len(payload))
                if wait_s is None:
                    ended = "flood"
                    self.send_frame(FrameKind.BYE, b"flood")
                    return
                if wait_s or now - turn_began > TURN_S:  # frames may all be here already: let others have their turn
                    await self._hold(wait_s)
                    turn_began = self._loop.time()
                if kind is FrameKind.BYE:
                    ended = decode_reason(payload)
                    self.send_frame(FrameKind.BYE, b"bye")
                    return
                if kind in (FrameKind.HELLO, FrameKind.WELCOME):
                    raise BadMessage("a second hello on an open connection")
                if self._discards_frames:
                    continue
                waiting = self._on_frame(self, kind, payload)
                if waiting is not None:
                    self._is_delivering = True
                    await waiting
                    self._is_delivering = False
                if self._is_cut:
                    return
                handled_at = self._loop.time()
        except FairdealError:
            # Most often BadMessage: whatever a peer's message leads to is the end of its link at most.
            ended = "garbage"
            self.send_frame(FrameKind.BYE, b"garbage")
        except (OSError, asyncio.IncompleteReadError):
            ended = "lost"
        finally:
            if self.reason is None:
                self.reason = ended
            for timer in (self._timer, self._probing):
                if timer is not None:
                    timer.cancel()
            self._on_closed(self)
            await close_gracefully(self._writer, self._timing.linger_s)

    async def _hold(self, seconds: float) -> None:
        """Wait without reading, so that the peer's system holds it back; it is not silent for that."""
        self._is_delivering = True
        await asyncio.sleep(seconds)
        self._is_delivering = False

    def _check_pulse(self) -> None:
        now = self._loop.time()
        if self._is_delivering:  # we are the ones who are slow
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
    """Close a connection so that what was written still arrives, if it can within `linger_s`."""
    try:
        async with asyncio.timeout(linger_s):
            writer.close()
            await writer.wait_closed()
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()


def host_of(where: tuple[object, ...]) -> str:
    """Return the host of a socket address, with its scope if link-local."""
    host = str(where[0]).partition("%")[0]
    ip = parse(host)
    if ip is not None and ip.version == 6 and ip.is_link_local and len(where) == 4 and where[3]:
        return f"{host}%{where[3]}"
    return host
