"""The mesh: one link a pair, found again, gone round when blocked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.budgets import ALLOWANCES, Allowance, Meter, PeerRank, Rate
from p2p.dialing import dial
from p2p.errors import LinkLost, LinkRefused
from p2p.frames import MAX_MESSAGE_BYTES, FrameKind, Hello, Timing, Value, pack
from p2p.heartbeats import decode_heartbeat, seen_from
from p2p.interfaces import Address
from p2p.links import Link
from p2p.listening import listen
from p2p.mesh import KEY_BYTES, Mesh
from p2p.routes import Route, RouteChange
from p2p.tcp import TcpLinks
from p2p.tls import Credentials
from p2p.troubles import Trouble
from p2p.wanted_peer import MAX_ADDRESSES
from protocol.errors import BadMessage
from tests.adversaries.declared import By, attack
from tests.e2e.clients import free_port
from tests.p2p.aio import LOOPBACK, PATIENT, QUICK, people, run, until
from tests.p2p.proxy import Wire, wiring

pytestmark = pytest.mark.sockets

NOBODY: Address = ("127.0.0.1", 9)


class Seat:
    """A mesh and what its owner was told."""

    def __init__(self, credentials: Credentials, timing: Timing, *, lets_in: bool = False) -> None:
        self.standing = PeerRank.LOOKER
        self.troubles: list[Trouble] = []
        self.heard: list[tuple[bytes, bytes]] = []
        self.changes: list[RouteChange] = []
        self.strangers: list[Mapping[str, Value]] = []
        self.asleep: dict[bytes, bool] = {}
        self.lets_in = lets_in
        self.key = credentials.public
        self.mesh = Mesh(
            TcpLinks(credentials),
            {"name": self.key.hex()[:4]},
            lambda author, data: self.heard.append((author, data)),
            self.changes.append,
            on_stranger=self.stranger,
            standing=lambda _key: self.standing,
            on_trouble=self.troubles.append,
            on_asleep=self.asleep.__setitem__,
            timing=timing,
        )

    def stranger(self, _: bytes, fields: Mapping[str, Value]) -> str | None:
        self.strangers.append(fields)
        return None if self.lets_in else "closed"

    def broadcast(self, data: bytes) -> set[bytes]:
        """Send to all wanted peers; return those that cannot be reached."""
        return {key for key in self.mesh._wanted if not self.mesh.send(key, data)}

    @property
    def address(self) -> Address:
        return "127.0.0.1", self.mesh.port

    def want(self, *others: Seat, at: Iterable[Address] | None = None, order: Iterable[Seat] = ()) -> None:
        self.mesh.want(
            {other.key: [other.address] if at is None else at for other in others}, [seat.key for seat in order]
        )

    def route(self, other: Seat) -> Route:
        return self.mesh.route(other.key)

    def linked(self, *others: Seat) -> bool:
        return all(self.route(other) is Route.DIRECT for other in others)

    def last_of(self, other: Seat) -> RouteChange | None:
        return next((change for change in reversed(self.changes) if change.key == other.key), None)

    def link(self, other: Seat) -> Link:
        return self.mesh.links[other.key]


@asynccontextmanager
async def seated(count: int, timing: Timing = QUICK, *, lets_in: bool = False) -> AsyncIterator[list[Seat]]:
    """Meshes that listen, the smallest key first; they want nobody yet."""
    seats = [Seat(credentials, timing, lets_in=lets_in) for credentials in people(count)]
    for seat in seats:
        await seat.mesh.listen(hosts=LOOPBACK)
    try:
        yield seats
    finally:
        await asyncio.gather(*(seat.mesh.close() for seat in seats))
        await asyncio.sleep(0)


def test_four_seats_link_each_to_each_and_talk() -> None:
    async def scene() -> None:
        async with seated(4) as seats:
            for seat in seats:
                seat.want(*(other for other in seats if other is not seat))
            await until(lambda: all(a.linked(*(b for b in seats if b is not a)) for a in seats))
            for seat in seats:
                assert seat.broadcast(b"from " + seat.key) == set()
            await until(lambda: all(len(seat.heard) == 3 for seat in seats))
            for seat in seats:
                assert sorted(seat.heard) == sorted((o.key, b"from " + o.key) for o in seats if o is not seat)
            assert seats[0].link(seats[1]).hello.fields == {"name": seats[1].key.hex()[:4]}

    run(scene())


@pytest.mark.parametrize("_round", range(5))
def test_who_call_each_other_at_once_have_one_link_and_no_message_is_lost(
    _round: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.mesh.SECOND_CALLER_WAIT_S", 0.0)
    monkeypatch.setattr("p2p.mesh.BACKOFF_S", (5.0,))

    async def scene() -> None:
        async with wiring(2) as wires, seated(2) as (ann, ben):
            # Each calls the other through a wire of its own, so that both calls are on their way at once.
            ports = [await wire.open(seat.mesh.port) for wire, seat in zip(wires, (ann, ben), strict=True)]
            to_ann, to_ben = [("127.0.0.1", port) for port in ports]
            ann.want(ben, at=[to_ben])
            ben.want(ann, at=[to_ann])
            await until(lambda: ann.linked(ben) and ben.linked(ann))
            numbers = [n.to_bytes(2, "big") for n in range(500)]
            for number in numbers:
                assert ann.mesh.send(ben.key, number)
                assert ben.mesh.send(ann.key, number)
                await asyncio.sleep(0)
            await until(lambda: len(ann.heard) >= 500 and len(ben.heard) >= 500)
            await until(lambda: len(ann.mesh._all_links) == len(ben.mesh._all_links) == 1)
            assert sorted(data for _, data in ann.heard) == sorted(data for _, data in ben.heard) == numbers
            assert ann.link(ben).is_caller != ben.link(ann).is_caller
            assert [change.route for change in ann.changes + ben.changes] == [Route.DIRECT, Route.DIRECT]

    run(scene())


def test_a_duel_is_decided_the_same_at_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two links that were opened for certain, in both orders, while both sides talk all the time."""

    async def talk(seat: Seat, other: Seat) -> int:
        for number in range(1000):
            assert seat.mesh.send(other.key, number.to_bytes(2, "big"))
            await asyncio.sleep(0)
        return 1000

    async def scene(first: int) -> None:
        async with seated(2, lets_in=True) as seats:
            one, other = seats[first], seats[1 - first]
            one.standing = other.standing = PeerRank.SEAT
            await one.mesh.call([other.address])
            await until(lambda: other.linked(one))
            talks = [asyncio.create_task(talk(one, other)), asyncio.create_task(talk(other, one))]
            await other.mesh.call([one.address])
            await until(lambda: all(len(seat.mesh._all_links) == 1 for seat in seats))
            sent = await asyncio.gather(*talks)
            await until(lambda: [len(other.heard), len(one.heard)] == sent)
            assert seats[0].link(seats[1]).is_caller
            assert not seats[1].link(seats[0]).is_caller
            assert seats[0].link(seats[1]).is_open
            assert seats[1].link(seats[0]).is_open

    for first in (0, 1):
        run(scene(first))


@pytest.mark.parametrize("winner_comes_to_be", [True, False])
def test_the_loser_of_a_duel_stays_until_the_winner_is_open_at_both_ends(winner_comes_to_be: bool) -> None:
    """The peer is played by hand, with the smaller key, so that the link it opens wins."""
    peer, own = people(2)
    hello = Hello(b"the same", 0, {})

    async def scene() -> None:
        seat = Seat(own, QUICK, lets_in=True)
        await seat.mesh.listen(hosts=LOOPBACK)
        taken: list[Link] = []
        listener = await listen(0, peer, lambda: hello, lambda *_: None, taken.append, timing=QUICK, hosts=LOOPBACK)
        await seat.mesh.call([("127.0.0.1", listener.port)])
        await until(lambda: taken)
        (loser,) = taken
        loser.start(lambda *_: None)
        winner = await dial([seat.address], peer, hello, timing=QUICK)
        await until(lambda: not seat.mesh.links[peer.public].is_caller)
        assert loser.is_open
        last_words = [bytes([n]) * MAX_MESSAGE_BYTES for n in range(3)] if winner_comes_to_be else [b"still here"]
        if winner_comes_to_be:
            for words in last_words:
                loser.send(words)
            winner.start(lambda *_: None)
            await until(lambda: loser.reason == "duel")
        else:
            winner.abort("lost")
            await until(lambda: seat.mesh.links[peer.public].is_caller)
            loser.send(last_words[0])
        await until(lambda: len(seat.heard) == len(last_words))
        assert [data for _, data in seat.heard] == last_words
        assert [change.route for change in seat.changes] == [Route.DIRECT]
        for link in (winner, loser):
            link.close()
            await link.wait_closed()
        await listener.close()
        await seat.mesh.close()

    run(scene())


def test_a_lost_link_is_called_again_and_the_owner_hears_of_it() -> None:
    async def scene() -> None:
        async with seated(2, PATIENT) as (ann, ben):
            ann.want(ben)
            ben.want(ann, at=[])
            await until(lambda: ann.linked(ben) and ben.linked(ann))
            for count in (1, 2):
                ben.link(ann).abort("a stumbled cable")
                await until(lambda: len(ann.changes) == len(ben.changes) == 1 + 2 * count)  # noqa: B023
            assert [change.route for change in ann.changes] == [Route.DIRECT, Route.NONE] * 2 + [Route.DIRECT]
            assert (ann.changes[1].reason, ben.changes[1].reason) == ("lost", "a stumbled cable")

    run(scene())


def test_whoever_comes_back_with_a_new_process_replaces_the_link_that_nobody_saw_die() -> None:
    async def scene() -> None:
        async with wiring() as (wire,), seated(2, PATIENT) as (ann, ben):
            ann.want(ben, at=[("127.0.0.1", await wire.open(ben.mesh.port))])
            ben.want(ann, at=[])
            await until(lambda: ann.linked(ben) and ben.linked(ann))
            assert ann.link(ben).is_caller  # so a duel would keep the dead one
            wire.is_silent = True  # as if ben's machine had lost its power: nothing tells ann
            again = Seat(people(2)[1], PATIENT)
            again.want(ann)
            await until(lambda: again.linked(ann))
            assert ann.mesh.send(again.key, b"welcome back")
            await until(lambda: again.heard)
            assert [change.route for change in ann.changes] == [Route.DIRECT, Route.DIRECT]
            await again.mesh.close()

    run(scene())


def test_a_peer_that_listens_late_is_found_by_calling_again() -> None:
    async def scene() -> None:
        async with seated(1) as (ann,):
            credentials = Credentials.of(b"somebody who comes a little late")
            port = free_port()
            late = Seat(credentials, QUICK)
            ann.mesh.want({late.key: [("127.0.0.1", port)]})
            await asyncio.sleep(0.2)
            assert not ann.linked(late)
            await late.mesh.listen(port, hosts=LOOPBACK)
            late.want(ann, at=[])
            await until(lambda: ann.linked(late) and late.linked(ann))
            await late.mesh.close()

    run(scene())


def test_new_addresses_are_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.BACKOFF_S", (0.1, 600.0))
    calls: list[object] = []

    async def noted(*given: Any, **more: Any) -> Link:
        calls.append(given[0])
        return await dial(*given, **more)

    monkeypatch.setattr("p2p.tcp.dial", noted)

    async def scene() -> None:
        async with seated(2) as (ann, ben):
            ben.want(ann, at=[])
            ann.want(ben, at=[NOBODY])
            await until(lambda: len(calls) == 2)
            await asyncio.sleep(0.1)  # not for a race: now it waits for ten minutes before it calls there again
            ann.mesh.add_addresses(ben.key, [ben.address])
            await until(lambda: ann.linked(ben))
            assert ann.mesh.addresses(ben.key) == (ben.address, NOBODY)  # what has worked comes first

    run(scene())


def test_an_address_that_nobody_told_is_learnt_from_a_third() -> None:
    async def scene() -> None:
        async with seated(3) as (ann, ben, cat):
            ann.want(ben, cat, at=[])
            cat.want(ann, ben, at=[])
            ben.want(ann, cat)
            await until(lambda: ann.linked(ben, cat) and cat.linked(ann, ben))
            assert cat.mesh.addresses(ann.key)[0] == ann.address

    run(scene())


def test_what_two_cannot_send_each_other_the_lowest_third_passes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    walled = {one.public for one in (people(4)[0], people(4)[3])}

    async def dial_round_the_wall(*given: Any, expect: bytes, **more: Any) -> Link:
        if {given[1].public, expect} == walled:
            raise LinkLost("a wall", reason="lost")
        return await dial(*given, expect=expect, **more)

    monkeypatch.setattr("p2p.tcp.dial", dial_round_the_wall)

    async def scene() -> None:
        async with seated(4) as (ann, ben, cat, dan):
            order = [ben, ann, cat, dan]
            for seat in order:
                seat.want(*(other for other in order if other is not seat), order=order)
            await until(lambda: ben.linked(ann, cat, dan) and cat.linked(ann, ben, dan))
            await until(lambda: ann.last_of(dan) == RouteChange(dan.key, Route.RELAYED, via=ben.key))
            await until(lambda: dan.last_of(ann) == RouteChange(ann.key, Route.RELAYED, via=ben.key))
            assert ann.mesh.send(dan.key, b"hello")
            assert dan.broadcast(b"to all") == set()
            big = bytes(MAX_MESSAGE_BYTES)
            assert ann.mesh.send(dan.key, big)
            await until(lambda: len(dan.heard) == 2 and ann.heard)
            assert dan.heard == [(ann.key, b"hello"), (ann.key, big)]
            assert ann.heard == [(dan.key, b"to all")]
            assert (ben.heard, cat.heard) == ([(dan.key, b"to all")], [(dan.key, b"to all")])
            # The relay leaves: the next one steps in, and the owner hears of it.
            await ben.mesh.close()
            await until(lambda: ann.last_of(dan) == RouteChange(dan.key, Route.RELAYED, via=cat.key))
            await until(lambda: dan.last_of(ann) == RouteChange(ann.key, Route.RELAYED, via=cat.key))
            assert ann.mesh.send(dan.key, b"still here")
            await until(lambda: dan.heard[-1] == (ann.key, b"still here"))
            await cat.mesh.close()
            await until(lambda: ann.route(dan) is Route.NONE)
            assert not ann.mesh.send(dan.key, b"?")
            assert dan.broadcast(b"?") == {ann.key, ben.key, cat.key}

    run(scene())


def test_strangers_who_come_and_go_cost_the_seats_no_heartbeats() -> None:
    """What a heartbeat says of links are those to seats; how many look on is told with the next one."""

    async def scene() -> None:
        async with seated(4, PATIENT, lets_in=True) as (ann, ben, cat, stranger):
            ann.want(ben)
            ben.want(ann)
            await until(lambda: ann.linked(ben) and ben.linked(ann))
            told: list[str] = []
            who = "a stranger"
            ann.link(ben).send_heartbeat = lambda: told.append(who)  # type: ignore[method-assign]
            for count in (1, 2):
                await stranger.mesh.call([ann.address])
                await until(lambda: ann.linked(stranger))
                ann.mesh.set_watcher_count(count)
                ann.mesh.drop(stranger.key, "bye")
                await until(lambda: not stranger.linked(ann))
            await stranger.mesh.call([ann.address])
            await until(lambda: ann.linked(stranger))
            stranger.mesh.drop(ann.key, "bye")
            await until(lambda: not ann.linked(stranger))
            assert not told
            who = "a seat"
            ann.want(ben, cat)
            cat.want(ann)
            await until(lambda: ann.linked(cat))
            assert told

    run(scene())


def test_a_relay_passes_on_between_seats_only_and_never_twice() -> None:
    async def scene() -> None:
        async with seated(4, lets_in=True) as (ann, ben, cat, stranger):
            seats = [ann, ben, cat]
            for seat in seats:
                seat.want(*(other for other in seats if other is not seat))
            await stranger.mesh.call([ann.address])
            await until(lambda: all(seat.linked(*(o for o in seats if o is not seat)) for seat in seats))
            await until(lambda: ann.linked(stranger))
            outside = stranger.link(ann)
            passed: list[bytes] = []
            for link in (ben.link(ann), outside):
                link._on_frame = lambda _link, kind, payload: (
                    passed.append(payload) if kind is FrameKind.PASSED_ON else None
                )
            ann.standing = PeerRank.MEMBER
            outside.send_frame(FrameKind.PASS_ON, ben.key + b"from a stranger")
            outside.send_frame(FrameKind.PASSED_ON, ben.key + b"forged by a stranger")
            inside = cat.link(ann)
            inside.send_frame(FrameKind.PASS_ON, stranger.key + b"to a stranger")
            inside.send_frame(FrameKind.PASS_ON, ann.key + b"to the relay itself")
            inside.send_frame(FrameKind.PASSED_ON, cat.key + b"of oneself")
            inside.send_frame(FrameKind.PASSED_ON, ann.key + b"in one's own name")
            inside.send_frame(FrameKind.PASSED_ON, b"short")
            inside.send_frame(FrameKind.PASS_ON, b"")
            outside.send(b"the end")
            inside.send(b"the end")
            await until(lambda: len(ann.heard) == 2)
            assert sorted(ann.heard) == sorted([(stranger.key, b"the end"), (cat.key, b"the end")])
            ann.mesh.send(ben.key, b"the end")
            inside.send_frame(FrameKind.PASS_ON, ben.key + b"this one is right")
            await until(lambda: passed)
            assert passed == [cat.key + b"this one is right"]

    run(scene())


def test_strangers_come_in_if_the_owner_likes_and_become_seats() -> None:
    async def scene() -> None:
        async with seated(3) as (host, guest, unwelcome):
            with pytest.raises(LinkRefused) as caught:
                await unwelcome.mesh.call([host.address])
            assert caught.value.reason == "closed"
            host.lets_in = True
            guest.mesh.fields["ask"] = "sit"
            assert await guest.mesh.call([host.address]) == host.key
            await until(lambda: host.linked(guest))
            assert host.strangers[-1]["ask"] == "sit"
            assert host.broadcast(b"for seats") == set()
            assert host.mesh.send(guest.key, b"for you")
            await until(lambda: guest.heard)
            assert guest.heard == [(host.key, b"for you")]
            link = host.link(guest)
            host.want(guest)
            guest.want(host)
            assert host.link(guest) is link
            host.broadcast(bytes(MAX_MESSAGE_BYTES))
            guest.broadcast(bytes(MAX_MESSAGE_BYTES))
            await until(lambda: host.heard)

    run(scene())


def test_a_strangers_messages_are_small() -> None:
    async def scene() -> None:
        async with seated(2, lets_in=True) as (host, guest):
            await guest.mesh.call([host.address])
            guest.mesh.send(host.key, bytes(100_000))
            await until(lambda: guest.changes and guest.changes[-1].route is Route.NONE)
            assert guest.changes[-1].reason == "garbage"
            assert host.heard == []

    run(scene())


def test_too_many_strangers_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Members keep their places."""
    monkeypatch.setattr("p2p.strangers.MAX_STRANGERS_PER_HOST", 1)

    async def scene() -> None:
        async with seated(3, lets_in=True) as (host, first, second):
            host.standing = PeerRank.MEMBER
            await first.mesh.call([host.address])
            with pytest.raises(LinkRefused) as caught:
                await second.mesh.call([host.address])
            assert caught.value.reason == "full"
            assert host.troubles == [Trouble("127.0.0.1", "full")]

    run(scene())


def test_the_oldest_looker_gives_way_to_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.strangers.MAX_LOOKERS_PER_HOST", 2)

    async def scene() -> None:
        async with seated(4, lets_in=True) as (host, first, second, third):
            for seat in (first, second, third):
                await seat.mesh.call([host.address])
                await until(lambda seat=seat: host.linked(seat))  # type: ignore[misc]
            await until(lambda: first.changes[-1].reason == "full")
            assert host.linked(second, third)

    run(scene())


def test_who_only_looks_is_sent_away_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.strangers.LOOK_S", 0.2)

    async def scene() -> None:
        async with seated(3, lets_in=True) as (host, member, looker):
            host.standing = PeerRank.MEMBER
            await member.mesh.call([host.address])
            await until(lambda: host.linked(member))
            await asyncio.sleep(0.3)
            assert host.linked(member)
            host.standing = PeerRank.LOOKER
            await looker.mesh.call([host.address])
            await until(lambda: looker.changes[-1].reason == "idle" and member.changes[-1].reason == "idle")

    run(scene())


@pytest.mark.parametrize("kind", [FrameKind.PASS_ON, FrameKind.PASSED_ON])
def test_a_looker_has_nothing_to_pass_on(kind: FrameKind) -> None:
    async def scene() -> None:
        async with seated(2, lets_in=True) as (host, looker):
            await looker.mesh.call([host.address])
            looker.link(host).send_frame(kind, host.key + b"psst")
            await until(lambda: looker.changes[-1].reason == "uninvited")
            assert host.troubles == [Trouble("127.0.0.1", "uninvited")]

    run(scene())


def test_a_watcher_only_watches() -> None:
    async def scene() -> None:
        async with seated(2, lets_in=True) as (host, watcher):
            host.standing = PeerRank.WATCHER
            await watcher.mesh.call([host.address])
            watcher.mesh.send(host.key, b"hello?")
            await until(lambda: watcher.changes[-1].reason == "uninvited")
            assert not host.heard

    run(scene())


@pytest.mark.parametrize("kind", [FrameKind.BEAT, FrameKind.DATA])
def test_a_looker_that_floods_is_held_back_then_cut(kind: FrameKind, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Allowance(Rate(100, 50), Rate(1 << 20, 1 << 20), 1, 0.5)
    monkeypatch.setitem(ALLOWANCES, PeerRank.LOOKER, quick)

    async def scene() -> None:
        async with seated(2, lets_in=True) as (host, looker):
            await looker.mesh.call([host.address])
            await until(lambda: host.linked(looker))
            began = asyncio.get_running_loop().time()
            for _ in range(5000):
                looker.link(host).send_frame(kind, b"?")
            await until(lambda: looker.changes[-1].reason == "flood")
            took = asyncio.get_running_loop().time() - began
            assert took > 0.4
            assert len(host.heard) <= 50 + 100 * took + 1
            assert host.troubles == [Trouble("127.0.0.1", "flood")]

    run(scene())


@pytest.mark.slow
def test_a_flood_leaves_the_loop_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many frames are there already, others have their turn every few milliseconds."""
    free = Allowance(Rate(1e9, 1e9), Rate(1e12, 1e12), 1, None)
    monkeypatch.setitem(ALLOWANCES, PeerRank.SEAT, free)

    async def scene() -> None:
        async with seated(2, lets_in=True) as (host, seat):
            host.standing = seat.standing = PeerRank.SEAT
            await seat.mesh.call([host.address])
            await until(lambda: host.linked(seat))
            heard: list[int] = []

            def busy(_author: bytes, data: bytes) -> None:
                end = time.perf_counter() + 0.0005
                while time.perf_counter() < end:
                    pass
                heard.append(len(data))

            host.mesh._on_message = busy
            for _ in range(1000):
                seat.mesh.send(host.key, b"?")
            turns = 0
            while len(heard) < 1000:
                await asyncio.sleep(0)
                turns += 1
            assert turns > 80  # 500 ms of work in turns of 2 ms; without them there are less than ten

    run(scene())


def test_honest_traffic_is_never_held_back() -> None:
    """A long match is given back at once, in pages, to one who was away."""
    meter, now = Meter(0.0), 0.0
    for _ in range(40):
        assert meter.spend(PeerRank.SEAT, MAX_MESSAGE_BYTES, True, now) == 0.0
    for _ in range(12_000):
        assert meter.spend(PeerRank.SEAT, 600, True, now) == 0.0
    for _ in range(60 * 200):  # ten-handed, at the pace of bots
        now += 1 / 200
        assert meter.spend(PeerRank.SEAT, 2000, True, now) == 0.0


@pytest.mark.slow
def test_who_is_dropped_hears_why_and_stays_out() -> None:
    async def scene() -> None:
        async with seated(2) as (ann, ben):
            ann.want(ben)
            ben.want(ann)
            await until(lambda: ann.linked(ben) and ben.linked(ann))
            ann.mesh.drop(ben.key, "cheat")
            assert ann.route(ben) is Route.NONE
            await until(lambda: ben.changes[-1].reason == "cheat")
            with pytest.raises(LinkLost):
                await ben.mesh.call([ann.address])
            assert ben.route(ann) is Route.NONE
            ann.want(ben)
            await until(lambda: ann.linked(ben))

    run(scene())


def test_closing_twice_and_closing_unused() -> None:
    async def scene() -> None:
        async with seated(1) as (ann,):
            await ann.mesh.close()
            await ann.mesh.close()
        ann.mesh.drop(b"x" * KEY_BYTES, "never seen")

    run(scene())


def test_addresses_are_bounded_and_those_that_worked_stay() -> None:
    async def scene() -> None:
        async with seated(2) as (ann, ben):
            ann.want(ben)
            await until(lambda: ben.strangers or ann.linked(ben))
            ben.want(ann)
            await until(lambda: ann.linked(ben))
            for port in range(100):
                ann.mesh.add_addresses(ben.key, [("127.0.0.2", port)])
            known = ann.mesh.addresses(ben.key)
            assert len(known) == MAX_ADDRESSES
            assert known[0] == ben.address
            assert known[-1] == ("127.0.0.2", 99)

    run(scene())


def test_our_loopback_is_told_as_the_address_under_which_they_know_us() -> None:
    assert seen_from("127.0.0.1", "192.0.2.2") == seen_from("::1", "192.0.2.2") == "192.0.2.2"
    assert seen_from("192.0.2.9", "192.0.2.2") == "192.0.2.9"


KEY = b"k" * KEY_BYTES


@pytest.mark.parametrize(
    "value",
    [
        5,
        [5],
        [],
        [[], 0],
        [0, 5],
        [0, [], 0],
        [9, []],
        [-1, []],
        [True, []],
        [0, [5]],
        [0, [[KEY]]],
        [0, [[b"short", []]]],
        [0, [[KEY, [["10.0.0.1", 0]]]]],
        [0, [[KEY, [["10.0.0.1", 65536]]]]],
        [0, [[KEY, [["a name.example", 80]]]]],
        [0, [[KEY, [["10.0.0.1", 80, 1]]]]],
        [0, [[KEY, [["10.0.0.1", 80]] * 5]]],
        [0, [[KEY, []]] * 33],
    ],
)
def test_heartbeats_that_are_refused(value: object) -> None:
    with pytest.raises(BadMessage):
        decode_heartbeat(pack(value))


@given(st.binary(max_size=80))
def test_any_bytes_are_a_heartbeat_or_a_bad_message(data: bytes) -> None:
    try:
        decode_heartbeat(data)
    except BadMessage:
        return
    assert data == b"" or data[0] >= 0x90


def test_all_seats_know_how_many_look_on() -> None:
    async def scene() -> None:
        async with seated(3) as (ann, ben, cem):
            for each in (ann, ben, cem):
                each.want(*(other for other in (ann, ben, cem) if other is not each))
            await until(lambda: all(a.linked(b) for a in (ann, ben, cem) for b in (ann, ben, cem) if a is not b))
            ann.mesh.set_watcher_count(2)
            cem.mesh.set_watcher_count(1)
            await until(lambda: [each.mesh.watchers for each in (ann, ben, cem)] == [3, 3, 3])
            ann.mesh.set_watcher_count(0)
            await until(lambda: [each.mesh.watchers for each in (ann, ben, cem)] == [1, 1, 1])
            ben.mesh.drop(cem.key, "bye")
            assert ben.mesh.watchers == 0, "what an absent seat said is over"
            assert ann.mesh.watchers == 1
            ann.mesh.want({ben.key: ()}, sorted((ann.key, ben.key)))
            assert ann.linked(cem)
            assert ann.mesh.watchers == 0, "who sits here no longer has no say"

    run(scene())


def test_everyone_hears_whose_page_is_hidden_and_remembers_it_when_the_link_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walled = {one.public for one in (people(3)[0], people(3)[2])}

    async def dial_round_the_wall(*given: Any, expect: bytes, **more: Any) -> Link:
        if {given[1].public, expect} == walled:
            raise LinkLost("a wall", reason="lost")
        return await dial(*given, expect=expect, **more)

    monkeypatch.setattr("p2p.tcp.dial", dial_round_the_wall)

    async def scene() -> None:
        async with seated(3) as (ann, ben, phone):
            for each in (ann, ben, phone):
                each.want(*(other for other in (ann, ben, phone) if other is not each), order=(ann, ben, phone))
            await until(lambda: ann.route(phone) is Route.RELAYED and ben.linked(phone))
            phone.mesh.sleep(True)
            await until(lambda: ben.asleep == {phone.key: True} and ann.asleep == {phone.key: True})
            phone.mesh.sleep(False)
            await until(lambda: ben.asleep == {phone.key: False} and ann.asleep == {phone.key: False})
            phone.mesh.sleep(True)
            await until(lambda: ann.asleep == {phone.key: True})
            await phone.mesh.close()
            await until(lambda: ann.route(phone) is Route.NONE)
            assert ann.asleep == ben.asleep == {phone.key: True} and not phone.asleep

    run(scene())


@asynccontextmanager
async def woken_on_a_dead_link() -> AsyncIterator[tuple[Wire, Seat, Seat, Link]]:
    """A phone that has just woken, and a link of before that says nothing any more though it looks open."""
    async with wiring(1) as (wire,), seated(2, PATIENT) as (phone, ann):
        phone.want(ann, at=[("127.0.0.1", await wire.open(ann.mesh.port))])
        ann.want(phone, at=())
        await until(lambda: phone.linked(ann) and ann.linked(phone))
        dead = phone.link(ann)
        wire.is_silent = True
        phone.mesh.wake()
        yield wire, phone, ann, dead


def test_who_wakes_finds_out_at_once_that_a_link_is_dead_and_makes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.PROBE_S", 0.1)

    async def scene() -> None:
        async with woken_on_a_dead_link() as (wire, phone, ann, dead):
            assert phone.linked(ann), "it has a moment to answer"
            await until(lambda: not dead.is_open)
            assert dead.reason == "silent"
            wire.is_silent = False
            phone.mesh.wake()
            await until(lambda: phone.linked(ann) and ann.link(phone).is_open and phone.link(ann) is not dead)

    run(scene())


def test_what_was_still_on_its_way_is_no_answer_to_who_wakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.PROBE_S", 0.1)

    async def scene() -> None:
        async with woken_on_a_dead_link() as (*_, dead):
            dead._received += 1  # a frame from before arrives after the question
            await until(lambda: not dead.is_open)
            assert dead.reason == "silent"

    run(scene())


@asynccontextmanager
async def woken() -> AsyncIterator[tuple[Seat, Seat, Link]]:
    """A phone that has just woken, and its link, at whose other end somebody answers."""
    async with seated(2, PATIENT) as (phone, ann):
        phone.want(ann)
        ann.want(phone)
        await until(lambda: phone.linked(ann) and ann.linked(phone))
        link = phone.link(ann)
        phone.mesh.wake()
        yield phone, ann, link


def test_who_wakes_keeps_a_link_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.PROBE_S", 0.2)

    async def scene() -> None:
        async with woken() as (phone, ann, link):
            await asyncio.sleep(0.5)
            assert phone.link(ann) is link and link.is_open
            phone.mesh.sleep(True)
            await until(lambda: ann.asleep == {phone.key: True})
            phone.mesh.wake()
            await until(lambda: ann.asleep == {phone.key: False})
            await asyncio.sleep(0.5)
            assert phone.link(ann) is link and link.is_open

    run(scene())


def test_a_look_that_comes_late_cuts_nobody_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wakes may be held up at once: the answer lies there, and has not been read."""
    monkeypatch.setattr("p2p.mesh.PROBE_S", 0.2)

    async def scene() -> None:
        async with woken() as (phone, ann, link):
            time.sleep(0.5)
            await asyncio.sleep(0.5)
            assert phone.link(ann) is link and link.is_open

    run(scene())


@pytest.mark.parametrize("sleepers", [[], [b"short"], [bytes(32)] * 33, b"x", [1]])
def test_malformed_sleepers_are_refused(sleepers: object) -> None:
    with pytest.raises(BadMessage):
        decode_heartbeat(pack([0, [], sleepers]))


def test_what_is_passed_on_is_told_apart_from_what_comes_from_its_author() -> None:
    async def scene() -> None:
        async with seated(3) as (ann, ben, cat):
            for each in (ann, ben, cat):
                each.want(*(other for other in (ann, ben, cat) if other is not each))
            await until(lambda: ann.linked(ben, cat))
            passed: list[tuple[bytes, bytes]] = []
            ann.mesh._on_relayed = lambda author, _via, data: passed.append((author, data))
            await until(lambda: cat.linked(ann))
            cat.link(ann).send_frame(FrameKind.PASSED_ON, ben.key + b"in ben's name")
            cat.link(ann).send(b"in cat's")
            await until(lambda: ann.heard)
            assert passed == [(ben.key, b"in ben's name")]
            assert ann.heard == [(cat.key, b"in cat's")]

    run(scene())


@attack(
    By.PLAYER,
    "Players make another one pass on so much that its own messages wait behind it, and everybody waits "
    "for that player.",
    "Nobody needs to notice: a computer passes on half as much as another accepts from it, and drops the rest.",
)
def test_a_relay_is_not_held_back_for_what_others_have_it_pass_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seats flood a third through the fourth, whose own words would wait behind that, and the third for them."""
    monkeypatch.setitem(ALLOWANCES, PeerRank.SEAT, Allowance(Rate(100, 2000), Rate(1 << 24, 1 << 26), 1, None))
    monkeypatch.setattr("p2p.budgets.PASSED_ON", Rate(50, 1000))
    monkeypatch.setattr("p2p.budgets.PASSED_ON_FOR_ONE", Rate(25, 500))
    half = 1500

    async def scene() -> None:
        async with seated(4, PATIENT) as (ann, ben, cat, dan):
            seats = [ann, ben, cat, dan]
            for each in seats:
                each.want(*(other for other in seats if other is not each))
            await until(lambda: all(seat.linked(*(o for o in seats if o is not seat)) for seat in seats))
            passed, held = 0, 0.0
            spend = ann.mesh._budgets.spend

            def count(link: Link, *spent: Any) -> float | None:
                nonlocal passed, held
                wait_s = spend(link, *spent)
                if link.peer == ben.key:
                    passed, held = passed + 1, max(held, wait_s or 0.0)
                return wait_s

            monkeypatch.setattr(ann.mesh._budgets, "spend", count)
            for flooder in (cat, dan):
                for _ in range(half):
                    flooder.link(ben).send_frame(FrameKind.PASS_ON, ann.key)
                flooder.mesh.send(ben.key, b"that was all")
            await until(lambda: len(ben.heard) == 2)
            ben.mesh.send(ann.key, b"my own")
            await until(lambda: (ben.key, b"my own") in ann.heard)
            assert held == 0.0
            assert passed > 800

    run(scene())
