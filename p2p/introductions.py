"""Find out who of those that announce a running match has a seat in it.

Anyone may announce anything, also another table's id. The id of a match is the hash of its roster, so a roster that has this id
says whose match it is: who proves a key of it, in a handshake, has a seat there. PROTOCOL.md: "Discovery".
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import Any

from p2p.announcements import Sighting
from p2p.errors import LinkLost, LinkRefused
from p2p.mesh import Mesh
from p2p.ports import native_ports
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES, Identity
from protocol.table.roster import PROTOCOL_VERSION, decode_roster

AT_ONCE = 4
"""So many are called at a time."""
AGAIN_S = {False: 30.0, None: 3.0}
"""Who did not prove it is asked again after so long; who could not be reached, sooner."""
MOST = 64
"""So many answers are remembered, and so many calls wait; the oldest give way."""
KEY_DIGITS = 2 * KEY_BYTES

Name = tuple[str, str, str]
"""Session name, id and key of an announcement."""


def name_of(seen: Sighting) -> Name:
    """Return what an announcement claims: whatever it changes has to be proved anew."""
    return seen.name, seen.properties.get("id", ""), seen.properties.get("key", "")


def has_seat(key: bytes, fields: Mapping[str, Any], id: str) -> bool:
    """Whether a key that was proved has a seat in the match of this id, by the roster that its hello shows."""
    data = fields.get("roster")
    if not isinstance(data, bytes):
        return False
    try:
        roster = decode_roster(data)
    except BadMessage:
        return False
    return roster.table_id.hex() == id and any(member.key == key for member in roster.members)


class Introductions:
    """Calls those who announce running matches, and remembers who has a seat there. Each is called as by a stranger, under a key
    made for it."""

    def __init__(self) -> None:
        self._answers: dict[Name, tuple[bool | None, float]] = {}
        """Whether it was proved (None: nobody could be reached), and when that was found."""
        self._calls: dict[Name, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(AT_ONCE)

    def look(self, sightings: Iterable[Sighting]) -> None:
        """Call those who announce a running match and were not called yet, or not for long."""
        now = asyncio.get_running_loop().time()
        for seen in sightings:
            name = name_of(seen)
            is_proved, since = self._answers.get(name, (None, now - AGAIN_S[None]))
            is_due = is_proved is not True and now >= since + AGAIN_S[is_proved]
            if is_due and name not in self._calls and len(self._calls) < MOST and is_claim(seen):
                self._calls[name] = asyncio.create_task(self._call(name, seen), name="introduction")

    def proved(self, seen: Sighting) -> bool | None:
        """Return whether who announces this has a seat there; None while it is not known."""
        if not is_claim(seen):
            return False
        answer = self._answers.get(name_of(seen))
        return None if answer is None else answer[0]

    async def settled(self) -> None:
        """Wait until all who were called have answered, or could not be reached."""
        await asyncio.gather(*self._calls.values(), return_exceptions=True)

    async def _call(self, name: Name, seen: Sighting) -> None:
        is_proved: bool | None = None
        try:
            async with self._places:
                is_proved = await introduced(seen)
        finally:
            self._calls.pop(name, None)
            self._answers.pop(name, None)
            while len(self._answers) >= MOST:
                del self._answers[next(iter(self._answers))]
            self._answers[name] = is_proved, asyncio.get_running_loop().time()

    async def close(self) -> None:
        """Stop all calls. Safe to call twice."""
        tasks = list(self._calls.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def is_claim(seen: Sighting) -> bool:
    """Whether an announcement names a running match and a key."""
    start = seen.properties.get("key", "")
    return seen.properties.get("state") in ("playing", "paused") and len(start) == KEY_DIGITS


async def introduced(seen: Sighting) -> bool | None:
    """Call who announces this; return whether they prove to have a seat in the match of this id; None if nobody answers, or
    has no time for us now."""
    fields: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "look"}
    mesh = Mesh(native_ports().links(Identity(os.urandom(32)).secret_seed), fields, lambda *_: None, lambda _: None)
    try:
        key = await mesh.call(seen.addresses)
        link = mesh.links.get(key)
        is_announced = key.hex() == seen.properties["key"]
        return link is not None and is_announced and has_seat(key, link.hello.fields, seen.properties.get("id", ""))
    except (LinkLost, LinkRefused):
        return None
    finally:
        await mesh.close()
