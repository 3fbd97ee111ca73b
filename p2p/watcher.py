"""Watch a table: receive the transcript that one of its seats streams, and verify it like a file.

If that seat is gone, or sends nothing any more, another one's stream is taken: it is the same match from its start, and what we
have read of it is passed over. PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from p2p import absence, reactions
from p2p.absence import Absence, decode_absence
from p2p.budgets import TALK, Buckets
from p2p.errors import LinkLost, LinkRefused
from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.ports import Ports, native_ports
from p2p.reactions import accepted, decode_reaction
from p2p.routes import Route, RouteChange
from p2p.streaming import PREFIX
from p2p.transcripts import read_cut
from protocol.cards import Seat
from protocol.errors import BadMessage, FairdealError, GameFailed
from protocol.identity import Identity
from protocol.messages import Without
from protocol.signed import Signed, decode_signed
from protocol.table.roster import PROTOCOL_VERSION
from protocol.table.verify import Follower, Snapshot, Unreadable

MAX_WAITING = 512
"""Messages that wait to be checked; with more the table's link is not read, so that it cannot fill our memory."""
LOOK_S = 15.0
"""How long another seat is looked for, unless the owner has more patience."""
NOTICED_S = 3.0
"""Another seat that is found sooner is no news."""
RETRY_S = 1.0
SILENT_S = 60.0
"""A seat that sends nothing for so long may have been left out: another one is asked. The next one is awaited twice as long."""

READ: Mapping[bytes, Callable[[bytes], bytes | Absence | Signed]] = {
    PREFIX: lambda rest: rest,
    absence.PREFIX: decode_absence,
    reactions.PREFIX: decode_reaction,
}
"""What a seat sends to a watcher, by its first byte, and how it is read."""


class Stale(Exception):
    """A seat streams a match that others have played on without it."""


class Watcher:
    """One watcher. `scenes` delivers the table's moments in order; None ends them, and `reason` says why.

    `absence`: who keeps the table waiting, by the word of the seat that shows it to us, which `on_absence` is called for; None:
    it has not said so yet. `on_reaction` receives the seats that say something with one key, and the emotes' names.
    """

    def __init__(self, identity: Identity, ports: Ports | None = None, look_s: float = LOOK_S) -> None:
        """`ports`: what links the watcher; None: this computer's network. `look_s`: how long another seat is looked for."""
        fields: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "watch"}
        self.mesh = Mesh(
            (ports or native_ports()).links(identity.secret_seed), fields, self._on_message, self._on_route
        )
        self._look_s = look_s
        self.follower: Follower | None = None
        self.title = ""
        """The name of the table, as a seat tells it: the transcript does not contain it."""
        self.scenes: asyncio.Queue[Snapshot | None] = asyncio.Queue()
        self.reason: Exception | None = None
        self.absence: Absence | None = None
        self.on_absence: Callable[[], None] = lambda: None
        self.on_reaction: Callable[[Seat, str], None] = lambda _seat, _name: None
        self._talk: Buckets[Seat] = Buckets(TALK)
        self._frames: asyncio.Queue[bytes | Absence | Signed | None] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None
        self._has_ended = False
        self._id = ""
        self._has_room = asyncio.Event()
        self._addresses: deque[Address] = deque()
        """Where seats listen, those that were asked last at the end."""
        self._lost: FairdealError | None = None
        """Why the last stream ended."""
        self._looking_since: float | None = None
        self._seat = b""
        """Whose stream is read; empty while another one is looked for."""
        self._again_at: int | None = None
        """How many messages of a restarted stream we know already; None once it goes beyond them."""
        self._silent_s = SILENT_S

    async def watch(self, addresses: Iterable[Address], id: str = "") -> None:
        """Start watching. Raises LinkLost, also if the table accepts no (more) watchers.

        `id`: the match that it has to be (hexadecimal); empty: any.
        """
        self._id = id
        self._addresses.extend(addresses)
        self._reader = asyncio.create_task(self._read())
        self._seat = await self._call(self._addresses)

    async def _call(self, addresses: Iterable[Address]) -> bytes:
        """Link to the first seat that answers; return its key. Raises LinkLost."""
        seat = await self.mesh.call(addresses)
        if (link := self.mesh.links.get(seat)) is not None:
            self.title = str(link.hello.fields.get("table") or self.title)
        return seat

    def _on_message(self, _author: bytes, data: bytes) -> Awaitable[None] | None:
        kind, rest = data[:1], data[1:]
        if self._has_ended or (read := READ.get(kind)) is None:
            return None
        try:
            self._frames.put_nowait(read(rest))
        except BadMessage:
            return None  # it is only shown
        return self._wait_for_room() if self._frames.qsize() > MAX_WAITING else None

    async def _wait_for_room(self) -> None:
        while self._frames.qsize() > MAX_WAITING and not self._has_ended:
            self._has_room.clear()
            await self._has_room.wait()

    def _on_route(self, change: RouteChange) -> None:
        if change.route is Route.NONE and change.key == self._seat:
            self._lost = LinkLost("the connection to the table has ended ({reason})", reason=change.reason or "lost")
            self._frames.put_nowait(None)

    async def _read(self) -> None:
        """Verify each message in a worker thread and queue its scenes, from one seat after another."""
        while True:
            try:
                await self._read_stream()
            except Stale:
                self._lost = LinkLost("the connection to the table has ended ({reason})", reason="stale")
            except FairdealError as reason:
                self.reason = reason
                break
            except Exception as error:  # a bug of ours or of the game must not leave the player waiting
                self.reason = GameFailed(self.follower.game.name if self.follower else "?", error)
                break
            if self._is_complete or not await self._take_another():
                self.reason = self._lost
                break
        self._end()
        self.scenes.put_nowait(None)

    @property
    def is_looking(self) -> bool:
        """Whether nobody has shown the table to us for a while, and another seat is looked for, or the same one again."""
        return self._looking_since is not None and time.monotonic() >= self._looking_since + NOTICED_S

    @property
    def _is_complete(self) -> bool:
        """Whether nothing more can come: the match has ended, or was never seen."""
        return self.follower is None or self.follower.record.is_over

    async def _read_stream(self) -> None:
        """Read one seat's stream until its link ends, or nothing comes for too long. Raises Stale, and what is wrong with it."""
        while True:
            limit = self._silent_s if len(self._addresses) > 1 and not self._is_complete else None
            try:
                async with asyncio.timeout(limit):
                    frame = await self._next_frame()
            except TimeoutError:
                self._silent_s *= 2
                self._lost = LinkLost("the connection to the table has ended ({reason})", reason="silent")
                return
            if frame is None:
                return
            self._has_room.set()
            if self.follower is None:
                self.follower = self._follow(frame)
                continue
            if self._again_at is not None and await self._is_known(self.follower, frame):
                continue
            if (cut := read_cut(frame)) is not None:
                await asyncio.to_thread(self.follower.cut, cut.count)
                continue
            for scene in await asyncio.to_thread(self.follower.feed, frame):
                self.scenes.put_nowait(scene)
            if (failed := self.follower.report.failed) is not None:
                raise Unreadable("the messages from this table are not valid: {what}", what=failed.what)

    async def _next_frame(self) -> bytes | None:
        """Return what comes next of the transcript; tell what comes beside it, in its place among the moments."""
        while isinstance(frame := await self._frames.get(), (Absence, Signed)):
            self._has_room.set()
            if isinstance(frame, Absence):
                self.absence = frame
                self.on_absence()
            elif self.follower is not None:
                name = accepted(frame, self.follower.record, self._talk, time.monotonic())
                if name is not None:
                    self.on_reaction(frame.seat, name)
        return frame

    async def _is_known(self, follower: Follower, frame: bytes) -> bool:
        """Return whether a message of a stream that begins anew is one that we have; forget ours from where it is another one.

        Raises Stale if that is of an epoch that others have left behind.
        """
        at, known = self._again_at or 0, follower.frames
        if (cut := read_cut(frame)) is not None:
            self._again_at = min(at, cut.count)
            return True
        if at < len(known) and known[at] == frame:
            self._again_at = at + 1
            return True
        self._again_at = None
        if at == 0:
            raise LinkLost("someone else answers at that address", reason="identity")
        if at < len(known):
            if _epoch_of(frame) < follower.record.epoch:
                raise Stale
            await asyncio.to_thread(follower.cut, at)
        return False

    async def _take_another(self) -> bool:
        """Link to another seat of this match; return whether there is one."""
        before, self._seat = self._seat, b""
        self.mesh.drop(before, "bye")
        # Who keeps the table waiting stays as it was told until the next seat says it: nobody is back because we look elsewhere.
        while not self._frames.empty():
            self._frames.get_nowait()
        self._has_room.set()
        loop = asyncio.get_running_loop()
        began, self._looking_since = loop.time(), time.monotonic()
        while loop.time() < began + self._look_s and not self._has_ended:
            for _address in range(len(self._addresses)):
                self._addresses.rotate(-1)
                if await self._link_to(self._addresses[0], before):
                    return True
            before = b""  # the same one, if there is no other
            await asyncio.sleep(RETRY_S)
        return False

    async def _link_to(self, address: Address, before: bytes) -> bool:
        """Link to the seat that listens here, unless it is the one that we had; return whether we did."""
        self._again_at = 0
        try:
            seat = await self._call([address])
        except (LinkLost, TimeoutError, OSError) as lost:
            if isinstance(lost, LinkRefused) and lost.reason == "closed":
                self._look_s = min(self._look_s, LOOK_S)  # nobody plays there any more
            return False
        if seat == before:
            self.mesh.drop(seat, "bye")
            return False
        self._seat = seat
        if seat not in self.mesh.links:  # it is gone already
            self._seat = b""
            return False
        self._looking_since = None
        return True

    def _follow(self, first: bytes) -> Follower:
        """Return what follows the match of this roster. Raises LinkLost if it is another than was to be watched."""
        follower = Follower(first, os.urandom)
        if self._id and follower.record.table.hex() != self._id:
            raise LinkLost("someone else answers at that address", reason="identity")
        return follower

    def _end(self) -> None:
        self._has_ended = True
        self._has_room.set()

    async def close(self) -> None:
        """Stop watching."""
        self._end()
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await self.mesh.close()


def _epoch_of(frame: bytes) -> int:
    """Return the epoch to which a message belongs, or that it begins; 0 for what is none."""
    try:
        signed = decode_signed(frame)
    except BadMessage:
        return 0
    return signed.message.number if isinstance(signed.message, Without) else signed.epoch
