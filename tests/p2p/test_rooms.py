"""Rooms with real links: people come and go, hosts too, and one match follows the other."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.node import Node, Owner
from p2p.presence import announcement_of
from p2p.room import hosting
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.errors import FairdealError
from protocol.games.catalogue import load
from protocol.room.refusals import RoomRefusal
from protocol.room.values import Room
from protocol.table import warming
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from tests.adversaries.declared import By, attack
from tests.p2p.aio import LOOPBACK, run, until

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("verified_once", "toy_programs")]


@dataclass
class Noted(Owner):
    """Notes what a room tells."""

    refusals: list[str] = field(default_factory=list)
    not_done: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    torn: list[tuple[frozenset[bytes], bool, int]] = field(default_factory=list)
    lost: int = 0

    def on_refused(self, reason: FairdealError) -> None:
        self.refusals.append(str(reason))

    def on_not_done(self, reason: RoomRefusal) -> None:
        self.not_done.append(reason.code)

    def on_seat_lost(self, driver: Driver) -> None:
        self.lost += 1

    def on_said(self, key: bytes, text: str) -> None:
        self.said.append(text)

    def on_torn(self, silent: Collection[bytes], revealed: bool, count: int) -> None:
        self.torn.append((frozenset(silent), revealed, count))


@dataclass
class Party:
    """Clients of people; the first one opens the room."""

    nodes: dict[str, Node]
    owners: dict[str, Noted]

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    def room(self, name: str) -> Room:
        room = self.nodes[name].waiting_room.room
        assert room is not None
        return room

    def names(self, name: str) -> list[str]:
        """Who is in the room, as this client sees it."""
        room = self.nodes[name].waiting_room.room
        return [guest.name for guest in room.members] if room is not None else []

    def ready(self, name: str) -> list[str]:
        """Who is ready, as this client sees it."""
        room = self.nodes[name].waiting_room.room
        return [guest.name for guest in room.members if guest.ready] if room is not None else []

    def host_of(self, name: str) -> str:
        room = self.nodes[name].waiting_room.room
        host = room.guest(room.host) if room is not None else None
        return host.name if host is not None else ""

    def key(self, name: str) -> bytes:
        return self.nodes[name].identity.public

    async def close(self, name: str) -> None:
        await self.nodes[name].close()

    async def restart(self, name: str) -> None:
        """Its program ends, and is started again."""
        before = self.nodes[name]
        await before.close("")
        node = self.nodes[name] = Node(before.home, before.settings, before.owner, before.workers)
        await node.open()

    async def come(self, *names: str) -> None:
        """Join the room of the first, one after another."""
        first = next(iter(self.nodes))
        for name in names:
            await self.nodes[name].waiting_room.join([("127.0.0.1", self.nodes[first].mesh.port)])
            await until(lambda name=name: name in self.names(name))  # type: ignore[misc]

    async def meet(self, *names: str) -> None:
        """All of them see each other and are linked."""
        await until(lambda: all(set(self.names(name)) == set(names) for name in names))
        keys = {self.key(name) for name in names}
        await until(lambda: all(keys - {self.key(n)} <= self.nodes[n].mesh.links.keys() for n in names))


@asynccontextmanager
async def party(
    folder: Path,
    *names: str,
    later: Sequence[str] = (),
    most: int = 4,
    bots: bool = False,
    game: str = "crazy-eights",
    **table: Any,
) -> AsyncIterator[Party]:
    """`later`: clients that are not in the room yet."""
    async with AsyncExitStack() as stack:
        workers = Workers()
        stack.callback(workers.close)
        found = Party({}, {})
        for each in (*names, *later):
            home = stack.enter_context(open_home(folder / each))
            owner = found.owners[each] = Noted()
            settings = NodeSettings(each, bot=bots, hosts=LOOPBACK, auto_ready=bots)
            node = found.nodes[each] = Node(home, settings, owner, workers)
            await node.open()
            stack.push_async_callback(found.close, each)
        options = {"hand": 3, "draw": "one", "target": 500} if game == "crazy-eights" else {}
        played = TableOptions(**({"pause": 0, "grace": 0, "rounds": 1} | table))
        plan = TablePlan(load(game, most, options), "Kitchen", played)
        found.nodes[names[0]].waiting_room.open(plan)
        await found.come(*names[1:])
        await found.meet(*names)
        yield found


def test_the_match_starts_when_all_who_are_there_are_ready(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            for name in ("Jonas", "Lena"):
                friends[name].waiting_room.ready()
            await until(lambda: sum(guest.ready for guest in friends.room("Mia").members) == 2)
            assert friends["Mia"].driver is None
            friends["Mia"].waiting_room.ready()
            for node in friends.nodes.values():
                await until(lambda node=node: node.driver is not None)  # type: ignore[misc]
            driver = friends["Lena"].driver
            assert driver is not None and driver.table.record.size == 3
            await until(lambda: driver.table.record.phase is not Phase.SEALING)

    run(deed())


def test_what_a_deal_needs_is_made_while_people_gather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, as soon as somebody is in a room, and not in the event loop."""
    made: list[int] = []
    monkeypatch.setattr(warming, "warm_up", lambda: made.append(threading.get_ident()))

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", later=["Lena"]) as friends:
            await until(lambda: len(made) == 2)
            await friends.come("Lena")
            await until(lambda: len(made) == 3)

    run(deed())
    assert threading.get_ident() not in made


def test_the_host_starts_with_those_who_are_ready_and_the_rest_stay_in_the_room(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            host = friends["Mia"].waiting_room
            host.ready()
            with pytest.raises(RoomRefusal, match="2 players"):
                host.start()
            friends["Jonas"].waiting_room.ready()
            await until(lambda: sum(guest.ready for guest in host.room.members) == 2 if host.room else False)
            host.start()
            await until(lambda: sum(g.playing for g in friends.room("Lena").members) == 2)
            assert friends["Lena"].driver is None
            waited = {guest.name: guest.waited for guest in friends.room("Lena").members}
            assert waited == {"Mia": 0, "Jonas": 0, "Lena": 1}
            with pytest.raises(RoomRefusal, match="still running"):
                host.start()

    run(deed())


def test_choosing_what_is_chosen_already_takes_nobodys_ready_away(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            host = friends["Mia"].waiting_room
            friends["Jonas"].waiting_room.ready()

            def ready() -> int:
                return sum(guest.ready for guest in friends.room("Mia").members)

            await until(lambda: ready() == 1)
            room = friends.room("Mia")
            most = len(room.seating)
            host.choose(TablePlan(load(room.game, most, room.options), "Another name", room.table))
            assert ready() == 1 and friends.room("Mia").title == "Another name"
            host.choose(TablePlan(load("mau-mau", most), "Another name", room.table))
            assert ready() == 0

    run(deed())


@pytest.mark.parametrize("leaves", [False, True], ids=["it hands the room over", "it leaves"])
def test_whoever_hosts_next_is_not_ready_for_another_game_than_it_said(tmp_path: Path, leaves: bool) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            mia = friends["Mia"].waiting_room
            for name in ("Mia", "Jonas"):
                friends[name].waiting_room.ready()
            await until(lambda: friends.ready("Mia") == ["Mia", "Jonas"])
            mia.choose(TablePlan(load("mau-mau", 4), "Kitchen", friends.room("Mia").table))
            await until(lambda: friends.room("Jonas").game == "mau-mau")
            friends["Lena"].waiting_room.ready()
            await until(lambda: friends.ready("Jonas") == ["Lena"])
            if leaves:
                mia.leave()
            else:
                mia.hand_over(friends.key("Jonas"))
            await until(lambda: friends.host_of("Lena") == "Jonas")
            assert friends.ready("Lena") == ["Lena"] and not friends.room("Jonas").sealing
            assert not mia.entry.is_ready and not friends["Jonas"].waiting_room.entry.is_ready

    run(deed())


@pytest.mark.slow
def test_two_matches_in_one_room(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", most=2, bots=True) as friends:
            hashes = []
            for _ in range(2):
                for node in friends.nodes.values():
                    await until(lambda node=node: node.driver is not None)  # type: ignore[misc]
                drivers = [node.driver for node in friends.nodes.values() if node.driver is not None]
                for driver in drivers:
                    await driver.finished.wait()
                hashes.append({driver.table.record.previous for driver in drivers})
                room = friends.room("Jonas").id
                for node, driver in zip(friends.nodes.values(), drivers, strict=True):
                    driver.finish(1.0, {}, "finished")
                    node.release(True)
            assert [len(each) for each in hashes] == [1, 1] and hashes[0] != hashes[1]
            assert friends.room("Mia").id == room

    run(deed())


def test_when_the_host_leaves_whoever_has_been_there_longest_hosts(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            await friends["Mia"].close()
            await until(lambda: [friends.host_of(name) for name in ("Jonas", "Lena")] == ["Jonas", "Jonas"])
            await until(lambda: friends.names("Lena") == ["Jonas", "Lena"])
            assert friends.room("Lena").term == 1
            friends["Lena"].waiting_room.say("still here")
            await until(lambda: friends.owners["Jonas"].said == ["still here"])

    run(deed())


def test_a_host_that_dies_is_followed_after_a_while_and_is_a_member_when_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.room.taking_over.GONE_S", 0.3)

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            mia = friends["Mia"]
            monkeypatch.setattr(mia.waiting_room, "leave", lambda: None)
            for link in list(mia.mesh.links.values()):
                link.abort("lost")
            await mia.mesh.close("lost")
            await until(lambda: [friends.host_of(name) for name in ("Jonas", "Lena")] == ["Jonas", "Jonas"])

    run(deed())


async def vanish(node: Node) -> None:
    """Its process is killed: nobody hears a goodbye."""
    node.waiting_room._place.timers.close()
    for link in list(node.mesh.links.values()):
        link.abort("lost")
    await node.mesh.close("lost")


async def until_all_play(friends: Party, *names: str) -> None:
    for name in names:
        friends[name].waiting_room.ready()
    await until(lambda: all(friends[name].driver is not None for name in names))


@pytest.mark.slow
def test_a_guest_that_dies_in_the_room_comes_back_and_plays(tmp_path: Path) -> None:
    """It is started again while the others still see it, and sits there once, in its old place, not ready."""

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            friends["Jonas"].waiting_room.ready()
            await until(lambda: friends.ready("Mia") == ["Jonas"])
            old, key = friends["Jonas"], friends.key("Jonas")
            await vanish(old)
            friends.nodes["Jonas"] = Node(old.home, old.settings, old.owner, old.workers)
            await friends["Jonas"].open()
            await friends.come("Jonas")
            await friends.meet("Mia", "Jonas", "Lena")
            assert [guest.key for guest in friends.room("Mia").members].count(key) == 1
            await until(lambda: friends.ready("Lena") == [])
            await until_all_play(friends, "Mia", "Jonas", "Lena")

    run(deed())


def test_a_guest_that_is_cut_off_in_the_room_is_back_by_itself(tmp_path: Path) -> None:
    """What it said meanwhile is heard when the link is there again."""

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            for link in list(friends["Jonas"].mesh.links.values()):
                link.abort("lost")
            friends["Jonas"].waiting_room.ready()
            await friends.meet("Mia", "Jonas", "Lena")
            await until(lambda: [friends.ready(name) for name in ("Mia", "Jonas", "Lena")] == [["Jonas"]] * 3)
            await until_all_play(friends, "Mia", "Lena", "Jonas")

    run(deed())


def test_the_host_hands_the_room_over_and_removes_nobody(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            with pytest.raises(RoomRefusal, match="only the host"):
                friends["Lena"].waiting_room.start()
            friends["Mia"].waiting_room.hand_over(friends.key("Lena"))
            await until(lambda: [friends.host_of(name) for name in friends.nodes] == ["Lena"] * 3)
            assert not friends["Mia"].waiting_room.is_host
            assert friends.names("Mia") == ["Mia", "Jonas", "Lena"]

    run(deed())


def test_a_closed_room_is_closed_for_everyone(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            friends["Mia"].waiting_room.close_room()
            await until(lambda: friends.owners["Jonas"].refusals)
            assert friends.owners["Jonas"].refusals == ["the host closed the room"]
            assert friends["Jonas"].waiting_room.room is None

    run(deed())


def test_who_is_removed_hears_why_and_cannot_come_back(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            friends["Mia"].waiting_room.refuse(friends.key("Jonas"))
            await until(lambda: friends.owners["Jonas"].refusals)
            await until(lambda: friends.names("Lena") == ["Mia", "Lena"])
            await friends["Jonas"].waiting_room.join([("127.0.0.1", friends["Mia"].mesh.port)])
            await until(lambda: len(friends.owners["Jonas"].refusals) == 2)
            assert set(friends.owners["Jonas"].refusals) == {"the host removed you from this table"}

    run(deed())


def test_a_seat_that_is_taken_is_refused_with_the_reason_and_the_room_stays(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            friends["Jonas"].waiting_room.move_to(0)
            await until(lambda: friends.owners["Jonas"].not_done)
            assert friends.owners["Jonas"].not_done == ["taken"]
            friends["Jonas"].waiting_room.move_to(3)
            await until(lambda: friends.room("Jonas").place_of(friends.key("Jonas")) == 3)

    run(deed())


@attack(
    By.ROOM,
    "The draw of seats is repeated until somebody likes the result.",
    "At once: broken draws are counted and shown, nobody sits down again without being asked, and the "
    "silent player sits out the next.",
    "the silent player is named; silence proves nothing",
)
def test_a_number_that_is_held_back_tears_the_draw_and_bars_who_held_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who has shown a number is ready again by themselves, and whoever was silent sits out the next draw."""
    monkeypatch.setattr(hosting, "SEALING_S", 4.0)

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            lena, send = friends["Lena"].mesh, friends["Lena"].mesh.send
            held: list[bytes] = []

            def hold(key: bytes, data: bytes) -> bool:
                if b"nonce" in data and not data.startswith(b"\x93\xa1w"):
                    held.append(data)
                    return True
                return send(key, data)

            monkeypatch.setattr(lena, "send", hold)
            for node in friends.nodes.values():
                node.waiting_room.ready()
            silent = frozenset({friends.key("Lena")})
            await until(lambda: friends.owners["Jonas"].torn and friends.owners["Mia"].torn)
            assert friends.owners["Jonas"].torn == [(silent, True, 1)]
            assert held
            await until(lambda: friends.room("Jonas").torn == 1)
            assert friends.room("Jonas").barred == silent
            assert not any(guest.ready for guest in friends.room("Jonas").members)
            matches = friends["Jonas"].journal.finished()
            assert [(each.status, each.result) for each in matches] == [
                ("torn", {"silent": [friends.key("Lena").hex()]})
            ]
            monkeypatch.setattr(lena, "send", send)
            for node in friends.nodes.values():
                node.waiting_room.ready()
            await until(lambda: friends["Jonas"].driver is not None)
            driver = friends["Jonas"].driver
            assert driver is not None
            assert {member.name for member in driver.table.record.roster.members} == {"Mia", "Jonas"}
            await until(lambda: not friends.room("Mia").barred)

    run(deed())


@attack(
    By.STRANGER,
    "Somebody answers in place of the table that was announced.",
    "Before joining: the key that answers is not the announced one.",
)
def test_whoever_answers_must_have_announced_the_room(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            friends["Jonas"].waiting_room.leave()
            here = [("127.0.0.1", friends["Mia"].mesh.port)]
            with pytest.raises(LinkLost, match="someone else answers"):
                await friends["Jonas"].waiting_room.join(here, announced=[friends.key("Jonas").hex()])
            await friends["Jonas"].waiting_room.join(here, announced=["ff", friends.key("Mia").hex()])
            await until(lambda: friends.names("Jonas") == ["Mia", "Jonas"])

    run(deed())


def test_who_calls_a_member_is_sent_on_to_the_host(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            friends["Lena"].waiting_room.leave()
            await until(lambda: friends.names("Jonas") == ["Mia", "Jonas"])
            await friends["Lena"].waiting_room.join([("127.0.0.1", friends["Jonas"].mesh.port)])
            await until(lambda: friends.host_of("Lena") == "Mia")

    run(deed())


@pytest.mark.parametrize(
    ("guest", "host", "code"),
    [(1, None, "we-are-older"), (3, None, "they-are-older"), (None, 1, "they-are-older"), (None, 3, "we-are-older")],
)
def test_of_two_versions_it_is_said_which_must_be_updated(
    tmp_path: Path, guest: int | None, host: int | None, code: str
) -> None:
    """The host refuses whoever says another version; a host that does not is left again."""

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            jonas.waiting_room.leave()
            await until(lambda: friends.names("Mia") == ["Mia"])
            jonas.mesh.drop(friends.key("Mia"), "bye")
            if guest is not None:
                jonas.mesh.fields["v"] = guest
            if host is not None:
                mia.mesh.fields["v"] = host
            with pytest.raises(RoomRefusal) as refused:
                await jonas.waiting_room.join([("127.0.0.1", mia.mesh.port)])
            assert refused.value.code == code
            assert jonas.waiting_room.room is None
            await until(lambda: not jonas.mesh.links)

    run(deed())


def test_a_host_that_dies_while_all_are_asked_to_sign_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others have signed. They are back in the room, with another host, and play the next match without the dead one."""
    monkeypatch.setattr("p2p.room.taking_over.GONE_S", 0.3)
    monkeypatch.setattr("p2p.room.sealing.GONE_S", 0.3)
    monkeypatch.setattr("p2p.room.sealing.SEALING_S", 1.0)

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena") as friends:
            mia = friends["Mia"]
            monkeypatch.setattr(mia, "seal", lambda _roster: None)
            for node in friends.nodes.values():
                node.waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in ("Jonas", "Lena")))
            monkeypatch.setattr(mia.waiting_room, "leave", lambda: None)
            for link in list(mia.mesh.links.values()):
                link.abort("lost")
            await mia.mesh.close("lost")
            await until(lambda: [friends.host_of(name) for name in ("Jonas", "Lena")] == ["Jonas", "Jonas"])
            await until(lambda: not any(friends[name].driver for name in ("Jonas", "Lena")))
            assert [len(friends.owners[name].torn) for name in ("Jonas", "Lena")] == [1, 1]
            assert friends.names("Lena") == ["Jonas", "Lena"]
            monkeypatch.undo()
            for name in ("Jonas", "Lena"):
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in ("Jonas", "Lena")))
            for name in ("Jonas", "Lena"):
                driver = friends[name].driver
                assert driver is not None and driver.table.record.size == 2
                await until(lambda driver=driver: driver.table.record.phase is not Phase.SEALING)  # type: ignore[misc]

    run(deed())


def test_what_the_room_announces_follows_its_host(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            before = announcement_of(mia)
            assert before is not None and before["host"] == "Mia"
            assert announcement_of(jonas) is None
            mia.waiting_room.hand_over(friends.key("Jonas"))
            await until(lambda: friends.host_of("Mia") == "Jonas")
            assert announcement_of(mia) is None
            after = announcement_of(jonas)
            assert after is not None
            assert (after["id"], after["table"], after["host"]) == (before["id"], "Kitchen", "Jonas")
            assert after["key"] == friends.key("Jonas").hex()

    run(deed())
