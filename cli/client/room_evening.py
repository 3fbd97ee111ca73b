"""How the evening stands in our room: what we have played and checked, or what somebody says until we have checked it.

Who comes later asks those who were there, and fetches the file of each match from them. A match counts once its file is proven
here, and somebody else than who sent it has signed it: who invents a match can sign for everybody in it but for those who are
in the room. Until then it is shown as what somebody says, and it is never kept. PROTOCOL.md: "The room".
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from cli.clean import clean_name
from cli.client.evening import evening_of, tonight
from cli.client.evening_answers import PART_S, PARTS, EveningAnswers
from cli.client.outcome import result_of_match
from cli.client.results import FETCHED
from cli.log import LOG
from cli.news import EVENING_ENDS_H, PlayerStanding, Tonight
from p2p.home import make_private_folder, writing
from p2p.mesh import Route
from p2p.node import Node
from p2p.room.tally import FilePart, ToldStanding, ToldTally
from protocol.errors import FairdealError
from protocol.room.statements import FILE_PART_BYTES
from protocol.room.values import Guest, Room
from protocol.table.record import Phase
from protocol.table.verify import Follower, followed

ASK_AFTER_S = (0.5, 6.0)
"""When those in the room are asked after we came, or after a match that we did not play: they check its file first."""
ANSWER_S = 5.0
"""How long we wait for an answer to a question."""
MOST_ASKED = 3
"""So many are asked, the host first, until one tells of a match."""
HOST_EVERY_S, MEMBER_EVERY_S = 0.4, 3.5
"""How often parts are asked for: whoever is no host of ours is read more slowly."""
MAX_ALL_BYTES = 64 << 20
"""How much is fetched in one stay in a room."""
CHECK_S = 120.0
"""How long checking one file may take."""


class ProvesNothing(Exception):
    """A file is not the match that it should be, or checking it takes too long."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody in the room says of the evening."""

    key: bytes
    name: str
    tally: ToldTally


class RoomEvening:
    """The evening in our room. `on_change`: called when it stands differently."""

    def __init__(self, node: Node, *, fetches: bool = True) -> None:
        """`fetches`: whether files are fetched and checked here."""
        self.on_change: Callable[[], None] = lambda: None
        self._node, self._fetches = node, fetches
        self._room = b""
        self._was_playing = False
        self._claim: Claim | None = None
        self._asked: bytes | None = None
        self._answer: asyncio.Future[ToldTally] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._answers = EveningAnswers(node)
        self._wanted: bytes | None = None
        self._parts: asyncio.Queue[FilePart] = asyncio.Queue(2 * PARTS)
        self._fetched = 0
        self._disproved: set[bytes] = set()
        """The matches whose files prove nothing."""

    def close(self) -> None:
        """Stop asking and answering."""
        if self._asking is not None:
            self._asking.cancel()
        self._answers.close()

    async def tonight(self) -> Tonight:
        """Return how the evening stands."""
        room, claim = self._node.waiting_room.room, self._claim
        if room is None:
            return Tonight()
        own = await asyncio.to_thread(evening_of, self._node.home.path, time.time(), room.id.hex())
        found, known = tonight(own), {each.id for each in own}
        if claim is None or all(match in known for match, _ in claim.tally.matches):
            return found
        return Tonight(tuple(map(_standing, claim.tally.standings)), found.aside, claim.name)

    # --- we ask ---

    def look(self, room: Room) -> None:
        """The room has changed: when we come, and after a match that we did not play, we ask how the evening stands."""
        was_playing, self._was_playing = self._was_playing, room.is_playing
        is_new = room.id != self._room
        if is_new:
            self._room, self._claim, self._fetched = room.id, None, 0
            self._disproved.clear()
        if is_new or (was_playing and not room.is_playing and not self._knows(room.match)):
            if self._asking is not None:
                self._asking.cancel()
            self._asking = asyncio.create_task(self._ask())

    def _knows(self, match: bytes) -> bool:
        """Whether our journal has this match, however it ended for us."""
        with contextlib.suppress(KeyError):
            self._node.journal.match(match)
            return True
        return False

    async def _ask(self) -> None:
        for wait_s in ASK_AFTER_S:
            await asyncio.sleep(wait_s)
            for guest in self._who_was_here()[:MOST_ASKED]:
                told = await self._told_by(guest)
                if told is None or not told.matches or any(match in self._disproved for match, _ in told.matches):
                    continue
                self._claim = Claim(guest.key, clean_name(guest.name), told)
                self.on_change()
                if self._fetches:
                    await self._fetch_all(self._claim)
                break

    def _who_was_here(self) -> list[Guest]:
        """Return whom we can ask: the host, then those who came before us."""
        waiting_room, own = self._node.waiting_room, self._node.identity.public
        room = waiting_room.room
        me = room.guest(own) if room is not None else None
        if room is None or me is None:
            return []
        found = [g for g in room.members if g.key == room.host or (g.arrived < me.arrived and not g.is_kept)]
        found = [g for g in found if g.key != own and self._node.mesh.route(g.key) is not Route.NONE]
        return sorted(found, key=lambda g: g.key != room.host)

    async def _told_by(self, guest: Guest) -> ToldTally | None:
        """Ask somebody how the evening stands; None: no answer."""
        self._asked, self._answer = guest.key, asyncio.get_running_loop().create_future()
        self._node.waiting_room.evening.ask_tally(guest.key)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self._answer
        except TimeoutError:
            return None
        finally:
            self._asked = None

    def told(self, key: bytes, tally: ToldTally) -> None:
        """Somebody tells how the evening stands: what we did not ask for is not heard."""
        if key == self._asked and self._answer is not None and not self._answer.done():
            self._answer.set_result(tally)

    # --- we fetch what they told, and check it ---

    async def _fetch_all(self, claim: Claim) -> None:
        """Fetch the matches that we lack. Who sends a file that proves nothing is not believed any more."""
        for match, ended in dict(claim.tally.matches).items():
            room = self._node.waiting_room.room
            if room is None or self._knows(match) or match in self._disproved:
                continue
            data = await self._fetch(claim.key, match)
            if data is None:
                continue
            try:
                found = await asyncio.to_thread(_checked, data, match)
            except (FairdealError, ProvesNothing) as fault:
                LOG.warning("a match that %s told proves nothing: %s", claim.name, fault)
                self._disproved.add(match)
                self._claim = None
                self.on_change()
                return
            if self._is_vouched_for(found, claim.key):
                await asyncio.to_thread(self._keep, match, found, data, _plausible(ended), room.id)
                self.on_change()

    def _is_vouched_for(self, found: Follower, teller: bytes) -> bool:
        """Whether somebody signed this match who is here, and is not who sent it: a whole match can be invented, but not that."""
        room, record = self._node.waiting_room.room, found.record
        others = {g.key for g in room.members if g.is_person and g.key != teller} if room is not None else set()
        signers = {record.key(seat) for seat in range(record.size)} | {each.member.key for each in record.replaced}
        return not others.isdisjoint(signers)

    def _keep(self, match: bytes, found: Follower, data: bytes, ended: float, room: bytes) -> None:
        """Keep a match that is proven, with its file. Blocks."""
        path, roster = self._node.home.transcripts / f"{match.hex()[:16]}.fairdeal", found.record.roster
        if not path.exists():
            make_private_folder(path.parent)
            part = path.with_suffix(".part")
            with writing(path):
                part.write_bytes(data)
                part.chmod(0o600)
                part.replace(path)
        journal, result = self._node.journal, result_of_match(found.record, "")
        with journal.lock:
            journal.begin_match(
                match, roster.encode(), role=FETCHED, created=ended, seats={}, meta={"room": room.hex()}
            )
            journal.finish(match, result, at=ended)
            journal.commit()

    async def _fetch(self, of: bytes, match: bytes) -> bytes | None:
        """Return the file of a match, as this member has it; None if it does not come, or is too long."""
        room, data, size = self._node.waiting_room.room, bytearray(), 1
        every_s = HOST_EVERY_S if room is not None and room.host == of else MEMBER_EVERY_S
        self._wanted = match
        try:
            while len(data) < size:
                self._node.waiting_room.evening.ask_file(match, len(data), of)
                until = len(data) + PARTS * FILE_PART_BYTES
                while len(data) < min(size, until):
                    async with asyncio.timeout(PART_S):
                        part = await self._parts.get()
                    if (part.match, part.offset) != (match, len(data)):
                        continue
                    if not part.data or len(data) + len(part.data) > part.size or size not in (1, part.size):
                        return None
                    size = part.size
                    self._fetched += len(part.data)
                    if self._fetched > MAX_ALL_BYTES:
                        return None
                    data += part.data
                await asyncio.sleep(every_s)
        except TimeoutError:
            return None
        finally:
            self._wanted = None
        return bytes(data)

    def received(self, key: bytes, part: FilePart) -> None:
        """A part of a file comes: what we did not ask for is not taken."""
        if self._claim is not None and key == self._claim.key and part.match == self._wanted:
            with contextlib.suppress(asyncio.QueueFull):
                self._parts.put_nowait(part)

    # --- we are asked ---

    def asked(self, key: bytes) -> None:
        """Somebody asks how the evening stands."""
        self._answers.asked(key)

    def file_asked(self, key: bytes, match: bytes, offset: int) -> None:
        """Somebody asks for a match's file."""
        self._answers.file_asked(key, match, offset)


def _standing(told: ToldStanding) -> PlayerStanding:
    return PlayerStanding("", clean_name(told.name), told.bot, told.played, told.won)


def _plausible(ended: int) -> float:
    """Return when a match can have ended: this evening, and not later than now."""
    now = time.time()
    return min(max(float(ended), now - EVENING_ENDS_H * 3600), now)


def _checked(data: bytes, match: bytes) -> Follower:
    """Follow a file to the end of its match. Blocks. Raises FairdealError or ProvesNothing."""
    deadline = time.monotonic() + CHECK_S

    def progress(_done: int, _total: int) -> None:
        if time.monotonic() > deadline:
            raise ProvesNothing("checking it takes too long")

    found = followed(data, os.urandom, progress)
    if not found.report.over or found.record.table != match or found.record.phase is not Phase.OVER:
        raise ProvesNothing("it is not that match, played to its end")
    return found
