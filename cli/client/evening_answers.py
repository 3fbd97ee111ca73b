"""We are asked how the evening in our room stands, and for the files of its matches. PROTOCOL.md: "The room"."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from cli.client.evening import evening_of, tally
from cli.news import Finished
from p2p.budgets import Buckets, Rate
from p2p.node import Node
from p2p.room.tally import FilePart, ToldStanding, ToldTally
from protocol.room.statements import FILE_PART_BYTES, MAX_FILE_BYTES, MAX_TOLD

PARTS = 8
"""How many parts of a file follow one question."""
PART_S = 10.0
"""How long a part of a file may take."""
MAX_QUEUED_BYTES = 1 << 18
ASKED = Rate(0.2, 6)
FILES = Rate(3, 12)
"""How often one member is told the tally, and sent parts of files."""


class EveningAnswers:
    """Answers each member, one question at a time."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._answering: dict[bytes, asyncio.Task[None]] = {}
        self._asks: Buckets[bytes] = Buckets(ASKED)
        self._files: Buckets[bytes] = Buckets(FILES)

    def close(self) -> None:
        """Stop answering."""
        for task in self._answering.values():
            task.cancel()

    def asked(self, key: bytes) -> None:
        """Somebody asks how the evening stands."""
        if not self._asks.spend(key, 1, asyncio.get_running_loop().time()):
            self._answer_to(key, partial(self._tell, key))

    def file_asked(self, key: bytes, match: bytes, offset: int) -> None:
        """Somebody asks for a match's file."""
        if not self._files.spend(key, 1, asyncio.get_running_loop().time()):
            self._answer_to(key, partial(self._send, key, match, offset))

    def _answer_to(self, key: bytes, answer: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Answer, unless we are answering already."""
        if key in self._answering:
            return
        task = asyncio.create_task(answer())
        self._answering[key] = task
        task.add_done_callback(lambda _done: self._answering.pop(key, None))

    async def _tell(self, key: bytes) -> None:
        room = self._node.waiting_room.room
        if room is None:
            return
        found = await asyncio.to_thread(evening_of, self._node.home.path, time.time(), room.id.hex())
        self._node.waiting_room.evening.tell_tally(told_of(found), key)

    async def _send(self, key: bytes, match: bytes, offset: int) -> None:
        """Send the next parts of a file, no faster than they are read."""
        size, data = 0, b""
        if (path := self._path_of(match)) is not None:
            size, data = await asyncio.to_thread(_read, path, offset)
        pieces = range(0, len(data), FILE_PART_BYTES) if data else range(1)
        for at in pieces:
            link = self._node.mesh.links.get(key)
            part = FilePart(match, offset + at, size, data[at : at + FILE_PART_BYTES])
            if link is None or not self._node.waiting_room.evening.send_file(part, key):
                return
            if link.queued > MAX_QUEUED_BYTES and not await link.drained(PART_S):
                return

    def _path_of(self, match: bytes) -> Path | None:
        """Return the file of a match that was played in this room and is over."""
        room = self._node.waiting_room.room
        with contextlib.suppress(KeyError):
            found = self._node.journal.match(match)
            if room is not None and found.status == "finished" and found.meta.get("room") == room.id.hex():
                usual = self._node.home.transcripts / f"{match.hex()[:16]}.fairdeal"
                return Path(found.meta.get("transcript") or usual)
        return None


def told_of(matches: Iterable[Finished]) -> ToldTally:
    """Return what we tell of these matches: of the last ones whose files lie here."""
    found = [each for each in matches if each.status == "finished" and each.path][:MAX_TOLD]
    standings = tuple(ToldStanding(each.name, each.bot, each.played, each.won) for each in tally(found)[:MAX_TOLD])
    return ToldTally(tuple((each.id, int(each.ended)) for each in found), standings)


def _read(path: Path, offset: int) -> tuple[int, bytes]:
    """Return the size of a file, and its next parts; nothing if it cannot be sent. Blocks."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if 0 < size <= MAX_FILE_BYTES and offset < size:
            file.seek(offset)
            return size, file.read(PARTS * FILE_PART_BYTES)
    return 0, b""
