"""How the evening stands in our room: what we have played and checked, or what somebody says until we have checked it.

Who comes later asks those who were there, and fetches the file of each match from them. A match counts once its file is proven
here, and somebody else than who sent it has signed it, and says that it was played here this evening: who invents a match can
sign for everybody in it but for those who are in the room, and a true file may be of another evening. Until then it is shown as
what somebody says, and it is never kept. PROTOCOL.md: "The room".
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Collection

from cli.clean import clean_name
from cli.client.evening import evening_of, tonight
from cli.client.evening_answers import EveningAnswers
from cli.client.evening_files import FetchedFiles, checked, keep
from cli.log import LOG
from cli.news import PlayerStanding, Tonight
from p2p.budgets import LINES, Bucket
from p2p.node import Node
from p2p.room.tally import FilePart, ToldStanding, ToldTally
from p2p.routes import Route
from protocol.errors import FairdealError
from protocol.room.values import Guest, Room
from protocol.values import dataclass

ASK_AFTER_S = (0.5, 6.0)
"""When those in the room are asked after we came, or after a match that we did not play: they check its file first."""
ANSWER_S = 5.0
"""How long we wait for an answer."""
MOST_ASKED = 3
"""How many are asked, the host first, until one tells of a match."""
IN_VAIN_S = 120.0
"""How long we check, in one stay in a room, files that then prove nothing or count for nothing: anybody can invent matches."""


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
        self._asked: dict[bytes, asyncio.Future[ToldTally]] = {}
        self._asking: asyncio.Task[None] | None = None
        self._looks = Bucket(LINES, 0.0)
        """How often we ask: a host may show a match that begins and ends as often as it likes."""
        self._answers, self._files = EveningAnswers(node), FetchedFiles(node)
        self._disproved: set[bytes] = set()
        """The matches whose files prove nothing."""
        self._in_vain_s = 0.0

    def close(self) -> None:
        """Stop asking and answering."""
        self._answers.close()
        if self._asking is not None:
            self._asking.cancel()

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
            self._room, self._claim = room.id, None
            self._files.enter()
            self._disproved.clear()
            self._in_vain_s = 0.0
        if is_new or (was_playing and not room.is_playing and not self._knows(room.match)):
            if self._asking is not None:
                self._asking.cancel()
            now = asyncio.get_running_loop().time()
            wait_s = self._looks.debt_s(now)
            if not wait_s:
                self._looks.spend(1, now)
            self._asking = asyncio.create_task(self._ask(wait_s))

    def _knows(self, match: bytes) -> bool:
        """Whether our journal has this match, however it ended for us."""
        with contextlib.suppress(KeyError):
            self._node.journal.match(match)
            return True
        return False

    async def _ask(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
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
        return (await self._told_by_all({guest.key})).get(guest.key)

    async def _told_by_all(self, keys: Collection[bytes]) -> dict[bytes, ToldTally]:
        """Ask them all how the evening stands; return what those say who answer."""
        self._asked = {key: asyncio.get_running_loop().create_future() for key in keys}
        for key in keys:
            self._node.waiting_room.evening.ask_tally(key)
        try:
            if keys:
                await asyncio.wait(self._asked.values(), timeout=ANSWER_S)
            return {key: answer.result() for key, answer in self._asked.items() if answer.done()}
        finally:
            self._asked = {}

    def told(self, key: bytes, tally: ToldTally) -> None:
        """Somebody tells how the evening stands: what we did not ask for is not heard."""
        if (answer := self._asked.get(key)) is not None and not answer.done():
            answer.set_result(tally)

    # --- we fetch what they told, and check it ---

    async def _fetch_all(self, claim: Claim) -> None:
        """Fetch the matches that we lack. Who sends a file that proves nothing is not believed any more."""
        said = {
            key: dict(told.matches) for key, told in (await self._told_by_all(self._others_here(claim.key))).items()
        }
        for match, _ in claim.tally.matches:
            room = self._node.waiting_room.room
            if room is None or self._knows(match) or match in self._disproved or self._in_vain_s > IN_VAIN_S:
                continue
            data = await self._files.fetch(claim.key, match)
            if data is None:
                continue
            stop, began = threading.Event(), time.monotonic()
            try:
                file = await asyncio.to_thread(checked, data, match, stop.is_set)
            except FairdealError as fault:
                self._in_vain_s += time.monotonic() - began
                LOG.warning("a match that %s told proves nothing: %s", claim.name, fault)
                self._disproved.add(match)
                self._claim = None
                self.on_change()
                return
            finally:
                stop.set()  # if we were cancelled, as when the program ends: it would wait for the thread
            signers = [key for key, matches in said.items() if match in matches and file.is_signed_by(key)]
            if not signers:
                self._in_vain_s += time.monotonic() - began
            else:
                ended = said[signers[0]][match]
                try:
                    await asyncio.to_thread(keep, self._node.home, self._node.journal, file, ended, room.id)
                except FairdealError as fault:
                    LOG.warning("a match that %s told cannot be kept: %s", claim.name, fault)
                    return
                self.on_change()

    def received(self, key: bytes, part: FilePart) -> None:
        """A part of a file comes."""
        self._files.received(key, part)

    def _others_here(self, teller: bytes) -> set[bytes]:
        """Return which people are here beside who tells: a whole match can be invented, but not what they have signed; and an old
        one can be shown again, but not what they say of this evening."""
        room, mesh = self._node.waiting_room.room, self._node.mesh
        others = {g.key for g in room.members if g.is_person} - {teller, self._node.identity.public} if room else set()
        return {key for key in others if mesh.route(key) is not Route.NONE}

    # --- we are asked ---

    def asked(self, key: bytes) -> None:
        """Somebody asks how the evening stands."""
        self._answers.asked(key)

    def file_asked(self, key: bytes, match: bytes, offset: int) -> None:
        """Somebody asks for a match's file."""
        self._answers.file_asked(key, match, offset)


def _standing(told: ToldStanding) -> PlayerStanding:
    return PlayerStanding("", clean_name(told.name), told.bot, told.played, told.won)
