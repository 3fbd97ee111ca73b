"""A room that is filled from one computer, over real links, or by somebody who was removed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from cli.bench.floods import Target, new_identity
from p2p.frames import FrameKind
from p2p.links import Link
from p2p.node import Node
from p2p.room import hosting
from p2p.troubles import Trouble, Troubles
from protocol.identity import Identity
from protocol.room.statements import state
from protocol.room.values import MAX_MEMBERS
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import COUNTER, sit_body
from tests.adversaries.strangers.flooding import FRIEND, HOME, STRANGER
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = pytest.mark.sockets
needs_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"
)


async def sitting(node: Node, source: str, ready: bool = False, identity: Identity | None = None) -> Link:
    """A client at this address sits down in the room."""
    identity = identity or new_identity()
    link = await Target(HOME, node.mesh.port, source).link(identity, "look")
    refused: list[bytes] = []
    link.start(lambda _link, kind, data: refused.append(data) if kind is FrameKind.DATA else None)
    room = node.waiting_room.room
    assert room is not None
    body = sit_body(node, name="Guest", keeper=identity.public, ready=ready)
    link.send(state(identity, room.id, node.identity.public, next(COUNTER), "sit", **body))
    await until(lambda: refused)
    return link


async def part(*links: Link) -> None:
    for link in links:
        link.close()
    await asyncio.gather(*(link.wait_closed() for link in links))


def from_host(node: Node, host: str) -> int:
    room = node.waiting_room.room
    assert room is not None
    return sum(node.mesh.host_of(guest.key) == host for guest in room.members)


@attack(
    By.ROOM,
    "One computer takes all places in a room under many names.",
    "When the room is full and somebody arrives from another computer: the last of the first computer’s "
    "guests who is not ready loses the place.",
    "that computer, by its address",
)
@needs_addresses
@pytest.mark.slow
def test_a_room_that_one_computer_has_filled_has_places_for_others(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            mia = friends["Mia"]
            troubles: list[Trouble] = []
            mia.mesh._troubles = Troubles(troubles.append)
            links = [await sitting(mia, STRANGER) for _ in range(MAX_MEMBERS + 2)]
            assert from_host(mia, STRANGER) == MAX_MEMBERS - 1  # one does not make room for another from there
            assert not troubles
            someone = new_identity()
            friend = await sitting(mia, FRIEND, True, someone)
            assert from_host(mia, FRIEND) == 1 and from_host(mia, STRANGER) == MAX_MEMBERS - 2
            assert Trouble(STRANGER, "full") in troubles
            more = [await sitting(mia, FRIEND) for _ in range(12)]
            room = friends.room("Mia")
            assert len(room.members) == MAX_MEMBERS and room.guest(someone.public) is not None, "who is ready stays"
            assert room.guest(friends.key("Mia")) is not None
            assert abs(from_host(mia, FRIEND) - from_host(mia, STRANGER)) <= 3
            await part(*links, friend, *more)

    run(deed())


@attack(
    By.ROOM,
    "Somebody who was removed from the room comes straight back under another key.",
    "At once, by the host: nobody new from that computer is admitted for a minute, and each time for twice as long.",
)
@needs_addresses
def test_who_was_removed_does_not_come_back_under_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "REMOVED_S", 3.0)

    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            mia = friends["Mia"]
            links = [await sitting(mia, STRANGER), await sitting(mia, STRANGER)]
            first = next(guest.key for guest in friends.room("Mia").members if guest.name == "Guest")
            mia.waiting_room.refuse(first)
            links.append(await sitting(mia, STRANGER))
            assert from_host(mia, STRANGER) == 1
            links.append(await sitting(mia, FRIEND))
            assert from_host(mia, FRIEND) == 1
            await asyncio.sleep(3.1)
            links.append(await sitting(mia, STRANGER))
            assert from_host(mia, STRANGER) == 2
            await part(*links)

    run(deed())
