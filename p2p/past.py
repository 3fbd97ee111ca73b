"""Answer for matches that are over: a player who was away at the end asks, and gets all that follows the height they have.

That is the end of the transcript, while the file is there, and the tombstone: the page that tells how the match ended.
PROTOCOL.md, "Between rounds and at the end".
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from p2p.errors import LinkLost
from p2p.frames import Value
from p2p.home import Home, is_locked
from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.ports import native_ports
from p2p.reading import read_journal
from p2p.saved import MAX_TOMBSTONES, Journals
from p2p.transcripts import read_transcript
from protocol.errors import BadMessage, FairdealError
from protocol.messages import Ask, Message, Without
from protocol.signed import Page, decode, decode_signed, pages_of
from protocol.table.roster import PROTOCOL_VERSION
from protocol.values import dataclass
from protocol.wire import unpack

ANSWER_EVERY_S = 1.0
MAX_ASKERS = 256
"""How many are remembered, to limit how often each is answered."""
MAX_ANSWER_BYTES = 4 << 20
"""Limit for what one request is answered with. Who lacks more asks again."""
QUIET_S = 1.0
"""A peer that asks nothing for so long knows how the match ended."""
MAX_TELLING_S = 10.0
MAX_QUEUED_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class PastMessages:
    """What a request is answered with: see `pages`, which reads the file."""

    tombstone: bytes
    transcript: Path
    height: int
    epoch: int

    def pages(self) -> list[bytes]:
        """Return the pages. Blocks: call it off the event loop."""
        messages: list[bytes] = []
        with contextlib.suppress(FairdealError):  # the player may have moved the file away
            messages = since(read_transcript(self.transcript)[0], self.height, self.epoch)
        last = decode(self.tombstone)
        return pages_of((*messages, *(last.messages if isinstance(last, Page) else ())))


def since(transcript: Sequence[bytes], height: int, epoch: int) -> list[bytes]:
    """Return the messages of a file from a height on, and from the end of an epoch on: at most MAX_ANSWER_BYTES of them.

    Raises BadMessage for a file that holds anything else.
    """
    messages = [decode_signed(data).message for data in transcript[1:]]
    starts = (index for index, message in enumerate(messages) if (_height_of(message) or 0) >= height)
    later = (index for index, each in enumerate(messages) if isinstance(each, Without) and each.number > epoch)
    start = min(next(starts, len(messages)), next(later, len(messages)))
    while start > 0 and _height_of(messages[start - 1]) is None:  # what belongs to no height comes before it
        start -= 1
    return list(_limited(transcript[1 + start :]))


def _height_of(message: Message) -> int | None:
    """Return the height at which a message stands in a file, if it says so."""
    return None if isinstance(message, Without) else getattr(message, "height", None)


def _limited(messages: Sequence[bytes]) -> Iterator[bytes]:
    size = 0
    for data in messages:
        size += len(data)
        if size > MAX_ANSWER_BYTES:
            return
        yield data


class Past:
    """The matches of one home that are over. `transcripts`: where their files are, unless the journal says otherwise."""

    def __init__(self, journal: Journals, transcripts: Path) -> None:
        self._journal, self._transcripts = journal, transcripts
        self._answered: OrderedDict[bytes, float] = OrderedDict()
        """When each key was answered last."""
        self._keys: frozenset[bytes] = frozenset()
        self._looked_at = -ANSWER_EVERY_S

    def knows(self, key: bytes, now: float) -> bool:
        """Whether this key sat in a match of which we can tell how it ended. Such a client may think that it goes on."""
        if now - self._looked_at >= ANSWER_EVERY_S:
            self._looked_at = now
            self._keys = frozenset[bytes]().union(
                *(_keys_of(roster) | newcomers for roster, newcomers in self._journal.tombstone_rosters())
            )
        return key in self._keys

    def answer(self, author: bytes, data: bytes, now: float) -> PastMessages | None:
        """Return the answer to a request of this key about a match that is over, if it is one and sat there."""
        if now - self._answered.get(author, -ANSWER_EVERY_S) < ANSWER_EVERY_S:
            return None
        try:
            asked = decode(data)
        except BadMessage:
            return None
        if isinstance(asked, Page) or not isinstance(asked.message, Ask):
            return None
        found = self._journal.tombstone(asked.table)
        if found is None or author not in _keys_of(found.roster) | found.newcomers:
            return None
        self._answered[author] = now
        self._answered.move_to_end(author)
        while len(self._answered) > MAX_ASKERS:
            self._answered.popitem(last=False)
        path = found.transcript or self._transcripts / f"{asked.table.hex()[:16]}.fairdeal"
        return PastMessages(found.page, path, asked.message.height, asked.epoch)


async def send_answer(mesh: Mesh, to: bytes, answer: PastMessages) -> None:
    """Send an answer, no faster than it is read."""
    for page in await asyncio.to_thread(answer.pages):
        link = mesh.links.get(to)
        if not mesh.send(to, page):
            return
        if link is not None and link.queued > MAX_QUEUED_BYTES and not await link.drained(MAX_TELLING_S):
            return


@lru_cache(2 * MAX_TOMBSTONES)
def _keys_of(roster: bytes) -> frozenset[bytes]:
    """Return who is in a roster of ours. It was checked when its match began: a stranger can make us look through all of them."""
    try:
        return frozenset(member["key"] for member in unpack(roster)["members"])
    except (BadMessage, LookupError, TypeError):  # a match of an older version
        return frozenset()


async def tell_end(home: Home, match: bytes, addresses: Sequence[Address]) -> bool:
    """Tell a peer for whom this match, which is over here, still runs how it ended; return whether it was told.

    For a client without a table. Does nothing if another process uses the home: that one is asked, and answers.
    """
    if is_locked(home.path) or not home.has_identity:
        return False
    journal = read_journal(home.journal)
    try:
        found = journal.tombstone(match)
        return found is not None and await _Telling(home, journal).tell(
            _keys_of(found.roster) | found.newcomers, found.page, addresses
        )
    finally:
        journal.close()


class _Telling:
    """One call to tell how a match ended, and to answer what is asked then."""

    def __init__(self, home: Home, journal: Journals) -> None:
        self._past = Past(journal, home.transcripts)
        self._has_asked = asyncio.Event()
        fields: dict[str, Value] = {"v": PROTOCOL_VERSION, "want": "look"}
        self._mesh = Mesh(native_ports().links(home.seed()), fields, self._answer, lambda _: None)

    async def tell(self, keys: frozenset[bytes], page: bytes, addresses: Sequence[Address]) -> bool:
        """Call, and send one of these keys this page. Return whether one of them answered."""
        is_told = False
        try:
            async with asyncio.timeout(MAX_TELLING_S):
                key = await self._mesh.call(addresses)
                is_told = key in keys and self._mesh.send(key, page)
                while is_told and key in self._mesh.links and await self._is_asked():
                    pass
        except (LinkLost, TimeoutError):
            pass
        finally:
            await self._mesh.close()
        return is_told

    async def _is_asked(self) -> bool:
        self._has_asked.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                await self._has_asked.wait()
        return self._has_asked.is_set()

    def _answer(self, author: bytes, data: bytes) -> asyncio.Task[None] | None:
        found = self._past.answer(author, data, asyncio.get_running_loop().time())
        if found is None:
            return None
        self._has_asked.set()
        return asyncio.create_task(send_answer(self._mesh, author, found))
