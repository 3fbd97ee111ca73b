"""What somebody in the room may try with valid words, over real links: floods of them, and claims that are not true."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.bench.floods import new_identity
from p2p.budgets import CHANGES, TALK, Bucket, PeerRank, Rate
from p2p.costs import Costs
from p2p.frames import FrameKind
from p2p.heartbeats import Heartbeat
from p2p.links import Link
from p2p.node import Node
from p2p.room import hosting
from p2p.routes import Route
from protocol.room.statements import read_statement, state
from protocol.table.events import SendsTooMuch
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import COUNTER, LITTLE, NAMES, heard_from, hears, ready_body, says, sit_body
from tests.p2p import test_node
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = pytest.mark.sockets


def readies(bad: Node, victim: Node) -> Iterator[bytes]:
    while True:
        for ready in (True, False):
            yield says(bad, victim, "ready", **ready_body(ready))


def sits(bad: Node, victim: Node) -> Iterator[bytes]:
    for number in itertools.count():
        yield says(bad, victim, "sit", **sit_body(bad, serves=number % 60_000))


def heartbeats(bad: Node, victim: Node) -> Iterator[bytes]:
    for number in itertools.count():
        reached = {number.to_bytes(32, "big"): [("192.168.1.7", 4711)]}
        yield Heartbeat(number % 8, reached).encode("127.0.0.1")


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player’s program sends room messages or heartbeats without end: ready, not ready, sitting down again.",
    "After about a second of computing for them, by the flooded computer.",
    "the player is named on the screen as sending too much, and ignored for a minute",
)
@pytest.mark.parametrize("flood", [readies, sits, heartbeats])
def test_a_seat_that_floods_with_statements_or_heartbeats_is_named_and_cut_off(
    flood: Callable[[Node, Node], Iterator[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with test_node.party(tmp_path) as friends:
            await friends.deal()
            victim, bad = friends.nodes
            monkeypatch.setattr("p2p.costs.IDLE_TIME", LITTLE)
            monkeypatch.setattr("p2p.costs.PATIENCE_S", 0.1)
            victim.mesh.charges.direct = Costs()
            link = victim.mesh.links[bad.identity.public]
            assert victim.mesh.standing(link) is PeerRank.SEAT
            for data in itertools.islice(flood(bad, victim), 50):
                kind = FrameKind.BEAT if flood is heartbeats else FrameKind.DATA
                if (waiting := victim.mesh._on_frame(link, kind, data)) is not None:
                    waiting.close()  # type: ignore[attr-defined]
            await until(lambda: victim.mesh.route(bad.identity.public) is Route.NONE)
            guilty = friends.driver(0).seat_of(bad.identity.public)
            assert guilty is not None and SendsTooMuch(guilty) in friends.onlookers[0].heard

    run(deed())


def test_what_an_evening_brings_is_far_from_too_much(tmp_path: Path) -> None:
    """Whoever is in the room says a few things a minute: a tenth of the budget is never touched."""

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            for ready in (True, False) * 4:
                friends["Jonas"].waiting_room.ready(ready)
                friends["Jonas"].waiting_room.say("hello")
                await asyncio.sleep(0.05)
            now = asyncio.get_running_loop().time()
            for node in friends.nodes.values():
                for bucket in node.mesh.charges.direct._spent._buckets.values():
                    bucket.spend(0, now)
                    assert bucket._tokens > 0.5 * bucket.rate.burst

    run(deed())


@attack(
    By.ROOM,
    "Somebody in the room chats, or says “ready” and “not ready”, as fast as it can.",
    "At once, by the host: most of the chat is dropped, and only the last “ready” counts.",
)
def test_chat_and_ready_of_one_member_are_heard_a_few_times_a_second(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            shown = friends.room("Mia").number
            for ready in (True, False) * 50:
                hears(mia, jonas, says(jonas, mia, "ready", **ready_body(ready)))
                hears(mia, jonas, says(jonas, mia, "say", text="hello"))
            hears(mia, jonas, says(jonas, mia, "ready", **ready_body(True)))
            assert friends.room("Mia").number - shown <= TALK.burst + 1
            assert len(friends.owners["Mia"].said) <= TALK.burst + 1
            jonas_key = friends.key("Jonas")
            await until(lambda: friends.room("Mia").guest(jonas_key).ready)  # type: ignore[union-attr]

    run(deed())


def moves(bad: Node, victim: Node) -> Iterator[bytes]:
    """From one free seat to the other."""
    for number in itertools.count():
        yield says(bad, victim, "move", seat=2 + number % 2)


def comes_and_goes(bad: Node, victim: Node) -> Iterator[bytes]:
    while True:
        yield says(bad, victim, "leave")
        yield says(bad, victim, "sit", **sit_body(bad))


def new_names(bad: Node, victim: Node) -> Iterator[bytes]:
    for number in itertools.count():
        yield says(bad, victim, "sit", **sit_body(bad, name=f"Mallory {number}"))


@attack(
    By.ROOM,
    "Somebody comes and goes, moves from seat to seat or keeps changing names, as fast as it can.",
    "At once, by the host: one change a second is shown for everyone on one computer.",
)
@pytest.mark.parametrize("flood", [moves, comes_and_goes, new_names])
def test_a_room_shows_few_changes_of_one_computer(
    flood: Callable[[Node, Node], Iterator[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "LOOPBACK", ())

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", most=4) as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            shown = friends.room("Mia").number
            for data in itertools.islice(flood(jonas, mia), 300):
                hears(mia, jonas, data)
            assert friends.room("Mia").number - shown <= 2 * CHANGES.burst + 2  # who comes may go
            assert len(friends.room("Mia").members) <= 2

    run(deed(), 60)


@attack(
    By.ROOM,
    "Many people in the room change something at the same time, each within the limit, so that the others"
    " think their host is flooding them.",
    "Nobody needs to notice: a host shows a few changes a second, and then the last one.",
)
def test_a_host_shows_what_many_change_a_few_times_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "SHOWN", Rate(2, 5))
    monkeypatch.setattr(hosting, "ALL_TALK", Rate(0.001, 3))

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia = friends["Mia"]
            said = heard_from(mia)
            identities = [new_identity() for _ in range(8)]
            many = {each.public: each for each in identities}
            room = friends.room("Mia").id

            def hear(kind: str, **body: Any) -> None:
                for key, identity in many.items():
                    mia.waiting_room.receive(
                        key, state(identity, room, mia.identity.public, next(COUNTER), kind, **body)
                    )

            hear("sit", **sit_body(mia, keeper=bytes(32)))
            for number in range(4):
                hear("ready", **ready_body(bool(number % 2)))
                hear("say", text="hello")
            statements = [read_statement(data, None) for data in said]
            to_lena = [each.kind for each in statements if each.to == friends.key("Lena")]
            assert to_lena.count("room") <= 10 and to_lena.count("said") <= 4  # of 40 and 32
            await until(lambda: friends.room("Lena") == friends.room("Mia"))
            assert len(friends.room("Lena").members) == len(NAMES) + len(many)

    run(deed(), 60)


def test_a_host_shows_who_plays_before_it_asks_them_to_sign(tmp_path: Path) -> None:
    """However much it had to show just before."""

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            side = friends["Mia"].waiting_room._place.hosting
            assert side is not None
            side._shown = Bucket(Rate(0.001, 1), 0.0)
            for name in NAMES:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in NAMES))

    run(deed(), 60)


@attack(
    By.ROOM,
    "Somebody in the room who is not playing says, for every list of players, that they will not sign it.",
    "Nobody needs to notice: only players are asked.",
)
def test_only_players_decline(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            lena.waiting_room.play(False)
            await until(lambda: not friends.room("Mia").guest(friends.key("Lena")).plays)  # type: ignore[union-attr]
            for name in ("Mia", "Jonas"):
                friends[name].waiting_room.ready()
            await until(lambda: friends.room("Mia").sealing)
            hears(mia, lena, says(lena, mia, "declined", code="roster"))
            assert friends.room("Mia").sealing and not friends.owners["Mia"].torn

    run(deed(), 60)


@attack(
    By.ROOM,
    "Somebody sits down and claims to be still playing a match, so that no other match can begin.",
    "Nobody needs to notice: the host believes this only of people who may have a seat in a match.",
)
def test_nobody_is_still_playing_where_no_match_runs(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            hears(mia, lena, says(lena, mia, "sit", **sit_body(lena, playing=True)))
            assert not friends.room("Mia").is_playing
            lena.waiting_room.play(False)
            for name in ("Mia", "Jonas"):
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in ("Mia", "Jonas")))

    run(deed(), 60)


@pytest.mark.slow
@attack(
    By.ROOM,
    "Somebody in the room who is only watching claims to be playing in the running match, so that no "
    "other match can follow it.",
    "Nobody needs to notice: the host knows who was asked to sign, and who has taken a seat since.",
)
@pytest.mark.parametrize("host", ["plays", "looks on", "is new"])
def test_nobody_plays_who_has_no_seat(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.room.hosting.GONE_S", 0.5)

    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=False) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            players = ("Jonas", "Kim") if host == "looks on" else ("Mia", "Jonas")
            for name in friends.nodes.keys() - {*players}:
                friends[name].waiting_room.play(False)
            for name in players:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in players))
            await until(lambda: not friends.room("Mia").sealing)
            if host == "is new":
                mia.waiting_room.hand_over(friends.key("Jonas"))
                await until(lambda: {friends.host_of(name) for name in friends.nodes} == {"Jonas"})
            boss = friends[friends.host_of("Mia")]

            def playing() -> set[str]:
                room = boss.waiting_room.room
                return {guest.name for guest in room.members if guest.playing} if room is not None else set()

            claim = sit_body(lena, name="Lena", plays=False, playing=True)
            hears(boss, lena, says(lena, boss, "sit", **claim))
            assert playing() == {*players}
            for name in players:  # theirs is believed
                friends[name].waiting_room.entry.say_anew()
            side = boss.waiting_room._place.hosting
            assert side is not None
            side.look_for({friends.key("Lena"): ()})  # it vanishes, and comes back
            side._gone(friends.key("Lena"))
            hears(boss, lena, says(lena, boss, "sit", **claim))
            assert playing() == {*players}
            for name in players:
                friends[name].release(False)
            await until(lambda: not playing())
            hears(boss, lena, says(lena, boss, "sit", **claim))
            assert not playing()

    run(deed(), 60)


@attack(
    By.ROOM,
    "Somebody claims that their client is one of the host’s bots.",
    "At once, by the host, which does not let it sit down.",
)
def test_nobody_passes_for_a_bot_of_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "LOOPBACK", ())

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            said = heard_from(mia)
            monkeypatch.setattr(Link, "own_host", "192.0.2.1")
            hears(mia, jonas, says(jonas, mia, "leave"))
            hears(mia, jonas, says(jonas, mia, "sit", **sit_body(jonas, bot=True, keeper=mia.identity.public)))
            assert friends.names("Mia") == ["Mia"]
            assert read_statement(said[-1], None).body["code"] == "bot"

    run(deed(), 60)


def test_who_asks_for_what_it_has_is_answered_alone(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            said = heard_from(mia)
            body = jonas.waiting_room.entry._body()
            for _ in range(5):
                hears(mia, jonas, says(jonas, mia, "sit", **body))
            assert [read_statement(data, None).to for data in said] == [friends.key("Jonas")] * 5

    run(deed())
