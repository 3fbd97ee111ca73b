"""A network that falls apart leaves branches of one room; they become one room again when it heals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from p2p import dialing
from p2p.errors import LinkLost
from p2p.node import Node
from protocol.room.statements import decode_room, encode_room, state
from protocol.room.succession import hosted_by
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Party, party

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("toy_programs")]

Groups = list[list[str]]


class Air:
    """Who reaches whom. `groups`: names; nobody reaches another group. It is there before anybody calls: a call that is under way
    when the network falls apart reaches nobody."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.friends: Party | None = None
        self._groups: Groups = []
        dial = dialing.dial

        async def dial_near(addresses: Any, credentials: Any, *more: Any, **named: Any) -> Any:
            reached = [each for each in addresses if self._is_near(credentials.public, each[1])]
            if not reached:
                raise LinkLost("nobody there", reason="unreachable")
            link = await dial(reached, credentials, *more, **named)
            if not any(self._is_near(credentials.public, each[1]) for each in reached):  # parted meanwhile
                link.abort("lost")
                raise LinkLost("nobody there any more", reason="unreachable")
            return link

        monkeypatch.setattr("p2p.tcp.dial", dial_near)

    def _is_near(self, key: bytes, port: int) -> bool:
        if self.friends is None or not self._groups:
            return True
        names = {node.identity.public: name for name, node in self.friends.nodes.items()}
        return port in [self.friends[name].mesh.port for name in self.group_of(names.get(key, ""))]

    def group_of(self, name: str) -> list[str]:
        return next((group for group in self._groups if name in group), [])

    def part(self, *groups: Sequence[str]) -> None:
        """Only those of one group reach each other from now on."""
        assert self.friends is not None
        self._groups = [list(group) for group in groups]
        for name, node in self.friends.nodes.items():
            near = {self.friends.key(other) for other in self.group_of(name)}
            for link in [link for link in node.mesh._all_links if link.peer not in near]:
                link.abort("lost")


@asynccontextmanager
async def kitchen(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> AsyncIterator[tuple[Party, Air]]:
    """A room whose members are given up soon, though not so soon that a busy machine gives up who is there."""
    monkeypatch.setattr("p2p.room.taking_over.GONE_S", 1.0)
    monkeypatch.setattr("p2p.room.hosting.GONE_S", 1.0)
    air = Air(monkeypatch)
    async with party(folder, *names, most=6) as friends:
        air.friends = friends
        yield friends, air


def hosts(friends: Party, *names: str) -> list[str]:
    return [friends.host_of(name) for name in names]


async def one_room(friends: Party, host: str) -> None:
    names = list(friends.nodes)
    await until(lambda: hosts(friends, *names) == [host] * len(names))
    await friends.meet(*names)
    assert len({friends.room(name).id for name in names}) == 1


@pytest.mark.slow
def test_two_branches_of_a_room_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch that has changed its host holds; who hosted the other one is a member again, and brings its members."""

    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Lena", "Paul") as (friends, air):
            air.part(("Mia", "Jonas"), ("Lena", "Paul"))
            await until(lambda: hosts(friends, "Lena", "Paul") == ["Lena", "Lena"])
            await until(lambda: friends.names("Jonas") == ["Mia", "Jonas"])
            air.part(tuple(friends.nodes))
            await one_room(friends, "Lena")
            assert not friends["Mia"].waiting_room.is_host
            friends["Jonas"].waiting_room.say("together again")
            await until(lambda: friends.owners["Lena"].said == ["together again"])

    run(deed())


def test_who_came_into_the_branch_that_ends_follows_it_into_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Lena", "Nora") as (friends, air):
            friends["Nora"].waiting_room.leave()
            friends["Nora"].mesh.drop(friends.key("Lena"), "bye")
            await until(lambda: friends.names("Lena") == ["Mia", "Jonas", "Lena"])
            air.part(("Mia", "Nora"), ("Jonas", "Lena"))
            await until(lambda: hosts(friends, "Jonas", "Lena") == ["Jonas", "Jonas"])
            await until(lambda: friends.names("Mia") == ["Mia"])
            await friends.come("Nora")
            known = friends["Jonas"].waiting_room.room
            assert known is not None and known.guest(friends.key("Nora")) is None
            air.part(tuple(friends.nodes))
            await one_room(friends, "Jonas")

    run(deed())


@pytest.mark.slow
def test_branches_in_which_two_hosted_at_once_meet_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are in the same term: the member who came first hosts."""

    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Lena") as (friends, air):
            air.part(("Mia",), ("Jonas",), ("Lena",))
            await until(lambda: hosts(friends, "Jonas", "Lena") == ["Jonas", "Lena"])
            assert {friends.room("Jonas").term, friends.room("Lena").term} == {1}
            await until(lambda: friends.names("Jonas") == ["Jonas"])
            air.part(tuple(friends.nodes))
            await one_room(friends, "Jonas")

    run(deed())


def test_a_host_that_was_cut_off_is_a_member_when_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Lena") as (friends, air):
            air.part(("Mia",), ("Jonas", "Lena"))
            await until(lambda: hosts(friends, "Jonas", "Lena") == ["Jonas", "Jonas"])
            assert friends["Mia"].waiting_room.is_host
            air.part(tuple(friends.nodes))
            await one_room(friends, "Jonas")

    run(deed())


def claimed(friends: Party, claimant: Node, to: bytes) -> bytes:
    """A word of somebody who says that the room is theirs now."""
    room = friends.room("Jonas")
    guest = claimant.waiting_room.entry.guest()
    room = hosted_by(room.with_guest(guest), claimant.identity.public, (room.host,))
    return state(claimant.identity, room.id, to, 1, "room", room=encode_room(room))


def never_met(node: Node, other: Node) -> None:
    """As if the other had never been in the room."""
    place = node.waiting_room._place
    place.known = tuple(key for key in place.known if key != other.identity.public)


def test_a_stranger_cannot_take_a_room_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room's id is announced to everybody. Only who has been in the room can be its host."""

    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Eve") as (friends, _air):
            eve, jonas = friends["Eve"], friends["Jonas"]
            for each in (jonas, friends["Mia"]):
                never_met(each, eve)
                each.waiting_room.receive(eve.identity.public, claimed(friends, eve, each.identity.public))
            assert hosts(friends, "Mia", "Jonas") == ["Mia", "Mia"]

    run(deed())


def test_only_our_host_leads_us_into_another_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with kitchen(tmp_path, monkeypatch, "Mia", "Jonas", "Eve") as (friends, _air):
            eve, mia, jonas = friends["Eve"], friends["Mia"], friends["Jonas"].waiting_room
            never_met(friends["Jonas"], eve)
            word = claimed(friends, eve, mia.identity.public)  # as it was said to the one who leads us there
            where = {"host": "127.0.0.1", "port": eve.mesh.port, "word": word}
            room, to = friends.room("Jonas").id, friends.key("Jonas")
            jonas.receive(eve.identity.public, state(eve.identity, room, to, 2, "moved", **where))
            assert friends.host_of("Jonas") == "Mia"
            own = encode_room(decode_room(room, encode_room(friends.room("Mia"))))
            stale = state(mia.identity, room, to, 2, "room", room=own)
            jonas.receive(mia.identity.public, state(mia.identity, room, to, 3, "moved", **(where | {"word": stale})))
            assert friends.host_of("Jonas") == "Mia", "no higher term"
            jonas.receive(mia.identity.public, state(mia.identity, room, to, 4, "moved", **where))
            assert friends.host_of("Jonas") == "Eve"

    run(deed())
