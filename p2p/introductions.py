"""Find out who of those that announce a running match has a seat in it.

Anyone may announce anything, also another table's id. The id of a match is the hash of its roster, so a roster that has this id
says whose match it is: who proves a key of it, in a handshake, has a seat there. PROTOCOL.md: "Discovery".
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from p2p.announcements import Sighting
from p2p.errors import LinkLost, LinkRefused
from p2p.frames import RUN_BYTES, Hello, Timing
from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.ports import native_ports
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES, Identity
from protocol.table.roster import PROTOCOL_VERSION, decode_roster

AT_ONCE = 4
"""How many are called at a time."""
AGAIN_S = {False: 30.0, None: 3.0}
"""How long until a computer that did not prove it is asked again; one that could not be reached is asked sooner."""
MOST = 64
"""How many answers are remembered, and how many calls wait; the oldest give way."""
KEY_DIGITS = re.compile(f"[0-9a-f]{{{2 * KEY_BYTES}}}")
LOOKS: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "look"}
"""The fields of a hello of somebody who wants nothing."""
ANSWERS = {"version": True, "identity": False, "self": False, "garbage": False}
"""What a call that failed shows of the key: it is proved before anything else is said."""

Name = tuple[str, str, str, tuple[Address, ...]]
"""Session name, id, key and addresses of an announcement."""


def name_of(seen: Sighting) -> Name:
    """Return what an announcement claims: whatever it changes has to be proved anew."""
    return seen.name, seen.properties.get("id", ""), seen.properties.get("key", ""), seen.addresses


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
    return (
        seen.properties.get("state") in ("playing", "paused") and read_key(seen.properties.get("key", "")) is not None
    )


def read_key(digits: str) -> bytes | None:
    """Decode an announced key; None if it is none."""
    return bytes.fromhex(digits) if KEY_DIGITS.fullmatch(digits) else None


async def proves(key: bytes, addresses: Iterable[Address]) -> bool | None:
    """Call all these addresses; return whether this key is proved at one of them, None if it may be and nobody there has said."""
    links, hello = native_ports().links(Identity(os.urandom(32)).secret_seed), Hello(os.urandom(RUN_BYTES), 0, LOOKS)

    async def call(address: Address) -> bool | None:
        try:
            link = await links.dial([address], hello, expect=key, timing=Timing())
        except LinkRefused:
            return True
        except LinkLost as lost:
            return ANSWERS.get(lost.reason)
        link.close()
        await link.wait_closed()
        return True

    found = await asyncio.gather(*map(call, addresses))
    return True if True in found else None if None in found else False


async def introduced(seen: Sighting) -> bool | None:
    """Call who announces this; return whether they prove to have a seat in the match of this id; None if nobody answers, or
    has no time for us now."""
    mesh = Mesh(native_ports().links(Identity(os.urandom(32)).secret_seed), LOOKS, lambda *_: None, lambda _: None)
    try:
        key = await mesh.call(seen.addresses, read_key(seen.properties["key"]))
        link = mesh.links.get(key)
        return link is not None and has_seat(key, link.hello.fields, seen.properties.get("id", ""))
    except (LinkLost, LinkRefused) as lost:
        return False if lost.reason == "identity" else None
    finally:
        await mesh.close()
