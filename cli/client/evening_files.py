"""The files of matches that others played in our room: fetched from a member, checked, and kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable

from cli.client.evening_answers import PART_S, PARTS
from cli.client.outcome import result_of_match
from cli.client.results import FETCHED
from cli.news import EVENING_ENDS_H
from p2p.home import Home, make_private_folder, writing
from p2p.node import Node
from p2p.room.tally import FilePart
from p2p.saved import Journals
from protocol.errors import FairdealError
from protocol.room.statements import FILE_PART_BYTES
from protocol.table.record import Phase, Record
from protocol.table.verify import followed
from protocol.values import dataclass

HOST_EVERY_S, MEMBER_EVERY_S = 0.4, 3.5
"""How often parts are asked for: whoever is no host of ours is read more slowly."""
MAX_ALL_BYTES = 64 << 20
"""How much is fetched in one stay in a room."""
CHECK_S = 120.0
"""How long checking one file may take."""


class ProvesNothing(FairdealError):
    """A file is not the match that it should be, or checking it takes too long."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that proves a match, played to its end."""

    data: bytes
    record: Record

    def is_signed_by(self, key: bytes) -> bool:
        """Whether this is somebody who has played in the match."""
        signers = {self.record.key(seat) for seat in range(self.record.size)}
        return key in signers | {each.member.key for each in self.record.replaced}


class FetchedFiles:
    """Fetches files, one at a time."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._wanted: tuple[bytes, bytes] | None = None
        """From whom, and which match."""
        self._parts: asyncio.Queue[FilePart] = asyncio.Queue(2 * PARTS)
        self._fetched = 0

    def enter(self) -> None:
        """We are in another room: bytes are counted anew."""
        self._fetched = 0

    async def fetch(self, of: bytes, match: bytes) -> bytes | None:
        """Return the file of a match, as this member has it; None if it does not come, or is too long."""
        room, data, size = self._node.waiting_room.room, bytearray(), 0
        every_s = HOST_EVERY_S if room is not None and room.host == of else MEMBER_EVERY_S
        self._wanted, self._parts = (of, match), asyncio.Queue(2 * PARTS)
        try:
            while not size or len(data) < size:
                self._node.waiting_room.evening.ask_file(match, len(data), of)
                until = len(data) + PARTS * FILE_PART_BYTES
                while len(data) < min(size or until, until):
                    async with asyncio.timeout(PART_S):
                        part = await self._parts.get()
                    if part.offset != len(data):
                        continue
                    if not part.data or len(data) + len(part.data) > part.size or size not in (0, part.size):
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
        if (key, part.match) == self._wanted:
            with contextlib.suppress(asyncio.QueueFull):
                self._parts.put_nowait(part)


def keep(home: Home, journal: Journals, file: CheckedFile, ended: int, room: bytes) -> None:
    """Keep a match that was played in this room, with its file. Blocks. Raises DiskFull or HomeUnwritable."""
    record, when = file.record, _plausible(ended)
    path = home.transcripts / f"{record.table.hex()[:16]}.fairdeal"
    if not path.exists():
        make_private_folder(path.parent)
        part = path.with_suffix(".part")
        with writing(path):
            part.write_bytes(file.data)
            part.chmod(0o600)
            part.replace(path)
    with journal.lock:
        meta = {"room": room.hex()}
        journal.begin_match(record.table, record.roster.encode(), role=FETCHED, created=when, seats={}, meta=meta)
        journal.finish(record.table, result_of_match(record, ""), at=when)
        journal.commit()


def checked(data: bytes, match: bytes, is_given_up: Callable[[], bool] = lambda: False) -> CheckedFile:
    """Follow a file to the end of its match, unless that is given up meanwhile. Blocks. Raises ProvesNothing, or what `followed`
    raises."""
    deadline = time.monotonic() + CHECK_S

    def progress(_done: int, _total: int) -> None:
        if time.monotonic() > deadline or is_given_up():
            raise ProvesNothing("checking it takes too long")

    found = followed(data, os.urandom, progress)
    if not found.report.over or found.record.table != match or found.record.phase is not Phase.OVER:
        raise ProvesNothing("it is not that match, played to its end")
    return CheckedFile(data, found.record)


def _plausible(ended: int) -> float:
    """Return when a match can have ended: this evening, and not later than now."""
    now = time.time()
    return min(max(float(ended), now - EVENING_ENDS_H * 3600), now)
