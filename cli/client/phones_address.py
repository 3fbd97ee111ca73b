"""Where phones may sit down at a table, as a computer there says: for the code on a screen that the whole room sees."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from cli.phones.invitation import read
from p2p.errors import LinkLost
from p2p.frames import PHONES
from p2p.interfaces import Address
from p2p.looking import hello_of
from protocol.identity import Identity

MOST = 8
"""How many of a table's addresses are asked at a time."""
PLACE = re.compile(r"http://(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]{2,39}\]):\d{1,5}/", re.ASCII)


async def phones_address(identity: Identity, addresses: Sequence[Address]) -> str:
    """Return the address, or an empty text where no phones are let in, or nobody answers."""
    found = await asyncio.gather(*(_asked(identity, address) for address in addresses[:MOST]))
    return next(filter(None, found), "")


async def _asked(identity: Identity, address: Address) -> str:
    try:
        key, fields = await hello_of(identity, [address])
    except (LinkLost, TimeoutError):
        return ""
    told = fields.get(PHONES)
    return told if isinstance(told, str) and leads_to(told, key) else ""


def leads_to(told: str, key: bytes) -> bool:
    """Return whether this is the address of a phones' page of the computer with this key: nobody can lead a room elsewhere."""
    place, _mark, fragment = told.partition("#")
    try:
        return PLACE.fullmatch(place) is not None and key.startswith(read(fragment)[1])
    except ValueError:
        return False
