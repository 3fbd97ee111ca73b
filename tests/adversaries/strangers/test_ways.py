"""Whoever answers for a room may say where its host is: nobody has others called by that, over real links."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.room.entrance import find_host
from p2p.tcp import TcpLinks
from protocol.room.refusals import RoomRefusal
from protocol.table.roster import PROTOCOL_VERSION
from tests.adversaries.declared import By, attack
from tests.p2p.aio import LOOPBACK, people, run

pytestmark = pytest.mark.sockets


async def called(at: list[Any], monkeypatch: pytest.MonkeyPatch, teller: str = "") -> list[Address]:
    """The addresses that somebody calls whom a member of a room sends there. `teller`: where the member seems to be."""
    one, other = people(2)
    member = Mesh(TcpLinks(one), {}, lambda *_: None, lambda _: None, on_stranger=lambda *_: None)
    await member.listen(hosts=LOOPBACK)
    member.fields = {"v": PROTOCOL_VERSION, "room": bytes(16), "host": False, "at": at, "at_key": other.public}
    mesh, found = Mesh(TcpLinks(other), {}, lambda *_: None, lambda _: None), list[Address]()
    call = mesh.call

    async def noted(addresses: Any, expect: bytes | None = None) -> bytes:
        if expect is not None:
            found.extend(addresses)
            raise LinkLost("nobody is there", reason="unreachable")
        key = await call(addresses)
        if teller:
            monkeypatch.setattr(mesh.links[key], "host", teller)
        return key

    monkeypatch.setattr(mesh, "call", noted)
    try:
        with pytest.raises((LinkLost, RoomRefusal)):
            await find_host(mesh, [("127.0.0.1", member.port)])
    finally:
        await mesh.close()
        await member.close()
    return found


@attack(
    By.STRANGER,
    "Somebody who is asked for a room sends everybody on to another person’s address.",
    "Nobody needs to notice: only addresses that this computer can know are called.",
)
@pytest.mark.parametrize("at", [["8.8.8.8", 7007], ["192.168.1.1", 80], ["224.0.0.1", 7007], ["example.org", 7007]])
def test_nobody_is_sent_on_to_anywhere(at: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(called(at, monkeypatch)) == []


def test_whoever_is_beside_the_host_sends_others_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(called(["127.0.0.1", 4711], monkeypatch)) == [("127.0.0.1", 4711)]
    assert run(called(["127.0.0.1", 4711], monkeypatch, "192.168.1.7")) == [("192.168.1.7", 4711)]
    assert run(called(["192.168.1.23", 4711], monkeypatch, "192.168.1.7")) == [("192.168.1.23", 4711)]
