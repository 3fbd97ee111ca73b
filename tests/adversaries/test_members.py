"""What somebody in the room may try with valid words, over real links: floods of them, old words of others, words in
another's name, and a room filled from one computer."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.bench.floods import Target, new_identity
from p2p.budgets import ALL_TALK, CHANGES, TALK, Bucket, Buckets, PeerRank, Rate
from p2p.costs import Costs, RelayedCosts
from p2p.driver import MAX_FOLLOWER_BYTES, SHOWN_TO_FOLLOWERS, Driver
from p2p.errors import LinkLost
from p2p.frames import FrameKind
from p2p.heartbeats import Heartbeat
from p2p.links import Link
from p2p.mesh import Mesh, Route, Trouble
from p2p.node import Node
from p2p.room import hosting
from p2p.room.membership import MAX_KNOWN, Membership
from protocol.identity import Identity
from protocol.messages import Ask
from protocol.room.statements import encode_room, read_statement, state
from protocol.room.values import MAX_MEMBERS
from protocol.signed import sign
from protocol.table.events import SendsTooMuch
from tests.adversaries.declared import By, attack
from tests.adversaries.strangers.flooding import FRIEND, HOME, STRANGER
from tests.p2p import test_node, test_seats
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = pytest.mark.sockets
NAMES = ("Mia", "Jonas", "Lena")
COUNTER = itertools.count(1 << 39)
LITTLE = Rate(0.0001, 0.0001)
needs_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"
)


def says(node: Node, to: Node, kind: str, **body: Any) -> bytes:
    room = to.waiting_room.room
    assert room is not None
    return state(node.identity, room.id, to.identity.public, next(COUNTER), kind, **body)


def hears(node: Node, author: Node, data: bytes) -> None:
    """On the author's own link."""
    waiting = node.mesh._on_message(author.identity.public, data)
    if waiting is not None:
        waiting.close()  # type: ignore[attr-defined]  # its link would be read on later


def hears_passed_on(node: Node, relay: Node, author: Node, data: bytes) -> None:
    node.mesh._receive_passed_on(node.mesh.links[relay.identity.public], author.identity.public, data)


def sit_body(node: Node, **other: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "name": "Mallory",
        "keeper": node.identity.public,
        "bot": False,
        "nonce": bytes(32),
        "phone": False,
    }
    return body | {"playing": False, "plays": True, "ready": False, "serves": 0} | other


def ready_body(ready: bool) -> dict[str, Any]:
    return {"ready": ready, "plays": True, "nonce": bytes(32)}


# --- floods ---


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
    "A player’s program sends room messages or heartbeats without end: ready, not ready, sitting down anew.",
    "After about a second of computing for them, by the computer that is flooded.",
    "the player is named on the screen as sending too much, and not heard for a minute",
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
            victim.mesh._costs = Costs()
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
                for bucket in node.mesh._costs._spent._buckets.values():
                    bucket.spend(0, now)
                    assert bucket._tokens > 0.5 * bucket.rate.burst

    run(deed())


@attack(
    By.ROOM,
    "Somebody in the room chats, or says “ready” and “not ready”, as fast as it can.",
    "At once, by the host: of chat most is dropped, of “ready” the last counts.",
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
    "Somebody comes and goes, moves from seat to seat or takes ever new names, as fast as it can.",
    "At once, by the host: of all who are on one computer, a change a second is shown.",
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
    "Many in the room change something at the same time, each less often than it may, so that the others take their host for "
    "the one who floods.",
    "Nobody needs to notice: a host shows a few changes a second, and then the last.",
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
    "Somebody in the room who does not play says that it does not sign the list of players, each time that there is one.",
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
    "Somebody sits down and says that they are still playing a match, so that no other one can begin.",
    "Nobody needs to notice: the host believes it only of who may have a seat in a match.",
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
    "Somebody in the room who only looks on says that they play in the match that runs, so that no other one can follow it.",
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
    "Somebody claims to host the room in its last possible term, so that nobody can ever host it again.",
    "At once: a room moves on by a few terms at a time.",
)
@pytest.mark.parametrize("kind", ["room", "moved"])
def test_nobody_hosts_a_room_in_its_last_term(kind: str, tmp_path: Path) -> None:
    """That somebody else may host it is no attack: it is what happens when the network was divided."""

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            room = friends.room("Lena")

            def claim(term: int) -> None:
                word = encode_room(replace(room, host=jonas.identity.public, term=term, number=1))
                if kind == "room":
                    hears(lena, jonas, says(jonas, lena, "room", room=word))
                    return
                shown = says(jonas, lena, "room", room=word)
                hears(lena, mia, says(mia, lena, "moved", host="", port=0, word=shown))

            claim(1 << 32)
            assert friends.host_of("Lena") == "Mia" and friends.room("Lena").term == 0
            claim(1)
            assert friends.host_of("Lena") == "Jonas"

    run(deed(), 60)


@attack(
    By.ROOM,
    "Somebody says that their client is one of the host’s bots.",
    "At once, by the host, who does not let it sit down.",
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


@attack(
    By.ROOM,
    "The host lets its guests hear chat without end, of members or of people who do not exist.",
    "At once, by the guest’s computer, which shows a few lines a second.",
)
def test_a_guest_hears_a_few_lines_a_second_from_its_host(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            for number in range(60):
                who = itertools.islice(
                    itertools.cycle((friends.key("Mia"), friends.key("Jonas"), bytes(32))), number, None
                )
                hears(lena, mia, says(mia, lena, "said", text=f"line {number}", who=next(who)))
            assert TALK.burst <= len(friends.owners["Lena"].said) <= min(2 * TALK.burst, ALL_TALK.burst) + 2

    run(deed())


def changed_rooms(host: Node, guest: Node) -> Iterator[bytes]:
    room = guest.waiting_room.room
    assert room is not None
    for number in itertools.count(1):
        yield says(host, guest, "room", room=encode_room(replace(room, number=room.number + number)))


def rubbish(host: Node, guest: Node) -> Iterator[bytes]:
    return (b"rubbish" + bytes([number % 256]) * 1000 for number in itertools.count())


@attack(
    By.ROOM,
    "The host shows its guests a changed room thousands of times, or sends what means nothing.",
    "After about a second of computing for it, by the guest’s computer; it does not hear that host for a minute.",
    "the host’s computer, by its address",
)
@pytest.mark.parametrize("flood", [changed_rooms, rubbish])
def test_a_host_that_floods_is_cut_off(
    flood: Callable[[Node, Node], Iterator[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            troubles: list[Trouble] = []
            lena.mesh._on_trouble = troubles.append
            monkeypatch.setattr("p2p.costs.IDLE_TIME", LITTLE)
            monkeypatch.setattr("p2p.costs.PATIENCE_S", 0.1)
            lena.mesh._costs = Costs()
            for data in itertools.islice(flood(mia, lena), 50):
                hears(lena, mia, data)
            await until(lambda: lena.mesh.route(friends.key("Mia")) is not Route.DIRECT)
            assert troubles == [Trouble("127.0.0.1", "flood")]

    run(deed())


# --- words of others ---


def heard_from(node: Node) -> list[bytes]:
    """What this node says from now on, and still sends."""
    said: list[bytes] = []
    send = node.mesh.send

    def noted(key: bytes, data: bytes) -> bool:
        said.append(data)
        return send(key, data)

    node.mesh.send = noted  # type: ignore[method-assign]
    return said


@attack(
    By.ROOM,
    "Somebody who passes on messages repeats an old one of another: that it leaves, sits down, is ready or said something.",
    "At once, by the computer that gets it: whoever speaks counts its messages, and what is not new is dropped.",
)
def test_old_statements_are_not_passed_on_again(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            old = [
                says(jonas, mia, "say", text="hello"),
                says(jonas, mia, "ready", **ready_body(True)),
                says(jonas, mia, "leave"),
            ]
            hears(mia, jonas, says(jonas, mia, "say", text="newer"))
            said, shown = list(friends.owners["Mia"].said), friends.room("Mia")
            for data in old:
                hears_passed_on(mia, lena, jonas, data)
            assert friends.owners["Mia"].said == said and friends.room("Mia") == shown
            fresh = says(jonas, mia, "say", text="fresh")
            for _ in range(3):
                hears_passed_on(mia, lena, jonas, fresh)
            assert friends.owners["Mia"].said == [*said, "fresh"]

    run(deed())


@attack(
    By.ROOM,
    "Who hosted the room before shows its new host what somebody said then, so that it seems to leave or to be ready.",
    "At once, by the new host: each message names the one whom it is for.",
)
def test_what_was_said_to_a_former_host_means_nothing_to_the_next(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            old = says(lena, mia, "leave")
            mia.waiting_room.hand_over(friends.key("Jonas"))
            await until(lambda: jonas.waiting_room.is_host and friends.host_of("Mia") == "Jonas")
            hears_passed_on(jonas, mia, lena, old)
            assert "Lena" in friends.names("Jonas")
            hears_passed_on(jonas, mia, lena, says(lena, jonas, "leave"))
            assert "Lena" not in friends.names("Jonas")

    run(deed())


@attack(
    By.ROOM,
    "Somebody passes on that the host leaves, as it did the last time, so that its guests take the room over.",
    "At once, by the guests: it is older than what the host said since.",
)
def test_a_hosts_old_leave_makes_nobody_take_over(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            hears_passed_on(
                jonas, lena, mia, state(mia.identity, friends.room("Mia").id, friends.key("Jonas"), 7, "leave")
            )
            assert friends.host_of("Jonas") == "Mia" and not jonas.waiting_room.is_host

    run(deed())


def test_statements_are_counted_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nobody would hear, by way of others, who started its program anew."""

    class Said:
        identity = Identity(bytes(32))

        def __init__(self) -> None:
            self.mesh = self
            self.counters: list[int] = []

        def send(self, key: bytes, data: bytes) -> bool:
            self.counters.append(read_statement(data, None).counter)
            return True

    counters: list[int] = []
    for began in (1.8e9, 1.8e9 + 2):
        monkeypatch.setattr("time.time", lambda began=began: began)
        said: Any = Said()
        place = Membership(said)
        for _ in range(300):
            place.send(b"k" * 32, "leave", bytes(16))
        counters += said.counters
    assert counters == sorted(set(counters)) and counters[-1] < 1 << 40


@attack(
    By.PLAYER,
    "A player passes on rubbish in the name of another, so that this one is not heard any more.",
    "At once, by the computer that gets it: it takes less from that player, and hears the other through everybody else.",
)
def test_rubbish_in_anothers_name_silences_only_who_passes_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with test_node.party(tmp_path) as friends:
            await friends.deal()
            node, other = friends.nodes
            mesh, driver = node.mesh, friends.driver(0)
            monkeypatch.setattr("p2p.costs.IDLE_TIME", LITTLE)
            monkeypatch.setattr("p2p.costs.RELAY_TIME", Rate(0.002, 0.002))
            mesh.relayed_costs = RelayedCosts()
            taken: list[bytes] = []
            monkeypatch.setattr(driver, "feed", lambda call: taken.append(b""))
            author, bad, honest = other.identity.public, b"m" * 32, b"r" * 32
            for _ in range(3000):
                mesh._on_relayed(author, bad, b"nonsense")
            assert len(taken) < 3000
            taken.clear()
            mesh._on_relayed(author, bad, b"true")
            assert not taken
            mesh._on_relayed(author, honest, b"true")
            assert len(taken) == 1

    run(deed())


def test_an_honest_relay_goes_on_although_one_of_those_whom_it_serves_floods() -> None:
    costs = RelayedCosts()
    for tick in range(1000):
        if not costs.is_in_debt(b"relay", b"bad", tick * 0.01):
            costs.spend(b"relay", b"bad", 0.05, tick * 0.01)
        assert not costs.is_in_debt(b"relay", b"good", tick * 0.01)
    assert costs.is_in_debt(b"relay", b"bad", 9.99)
    for author in range(20):
        costs.spend(b"relay", bytes([author]), 0.5, 10.0)
    assert costs.is_in_debt(b"relay", b"good", 10.0)


@attack(
    By.ROOM,
    "A client that passes on for phones introduces any number of keys that nobody knows.",
    "At once, by the host: the one who introduced most of them loses its oldest.",
)
def test_invented_keys_push_out_no_phone_of_another(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mesh = friends["Mia"].mesh
            bad, good = friends.key("Jonas"), friends.key("Lena")
            mesh.reach(b"phone of lena".ljust(32), good)
            for number in range(200):
                mesh.reach(number.to_bytes(32, "big"), bad)
            assert mesh.route(b"phone of lena".ljust(32)) is Route.RELAYED
            assert len(mesh._through) <= 32

    run(deed())


# --- who would take a seat ---


@pytest.mark.slow
@attack(
    By.ROOM,
    "Somebody in the room asks for an empty seat, so that its messages are taken as those of a player.",
    "Nobody needs to notice: until it sits there it has what everybody in the room has.",
)
def test_who_would_take_a_seat_has_a_members_budget_until_it_sits_there(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"]

            def standing() -> PeerRank:
                return mia.mesh.standing(mia.mesh.links[friends.key("Kim")])

            async with test_seats.offered(friends, NAMES[:-1], ("Kim",)):
                offer = kim.waiting_room.offer
                assert offer is not None
                record = test_seats.driver_of(friends, "Mia").table.record
                ask = Ask(1, 1, False, bytes(32))
                asked = sign(kim.identity, record.table, record.epoch, record.epoch_hash, offer.seat, ask).data
                hears(mia, kim, asked)
                assert friends.key("Kim") in test_seats.driver_of(friends, "Mia")._followers
                mia.room_changed()
                assert standing() is PeerRank.MEMBER
                assert record.shown[friends.key("Kim")] == ("Kim", True)
                kim.seat_taking.take(offer.roster, offer.epoch, offer.seat)
            await until(lambda: standing() is PeerRank.SEAT, 60)
            assert not test_seats.driver_of(friends, "Mia")._followers

    run(deed())


@pytest.mark.slow
@attack(
    By.ROOM,
    "Somebody asks for an empty seat under many keys, to be shown the whole match again and again, and reads nothing of it.",
    "Nobody needs to notice: each is sent a little at a time, and nothing while it does not read.",
)
def test_who_would_take_a_seat_is_shown_the_match_no_faster_than_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"].identity
            sent: list[int] = []
            numbers = itertools.count(1)
            async with test_seats.offered(friends, NAMES[:-1], ("Kim",)):
                offer, driver = friends["Kim"].waiting_room.offer, test_seats.driver_of(friends, "Mia")
                assert offer is not None
                record, send = driver.table.record, mia.mesh.send

                def noted(key: bytes, data: bytes) -> bool:
                    sent.extend([len(data)] if key == kim.public else [])
                    return send(key, data)

                def asks() -> None:
                    sent.clear()
                    driver.table._showing._answered.clear()
                    ask = Ask(next(numbers), 1, False, bytes(32))
                    asked = sign(kim, record.table, record.epoch, record.epoch_hash, offer.seat, ask)
                    hears(mia, friends["Kim"], asked.data)

                monkeypatch.setattr(mia.mesh, "send", noted)
                asks()
                await until(lambda: sum(sent) > 10_000)
                monkeypatch.setattr(Link, "queued", MAX_FOLLOWER_BYTES + 1)
                asks()
                await asyncio.sleep(0.2)
                assert not sent
                monkeypatch.undo()
                monkeypatch.setattr(mia.mesh, "send", noted)
                driver._shown_to_followers = Buckets(Rate(1, 1))
                for _ in range(5):
                    asks()
                    await asyncio.sleep(0.05)
                assert not sent, "one page went out before"
                driver._shown_to_followers = Buckets(SHOWN_TO_FOLLOWERS)
                friends["Kim"].seat_taking.take(offer.roster, offer.epoch, offer.seat)

    run(deed())


@pytest.mark.slow
def test_who_would_have_taken_a_seat_and_left_is_forgotten(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=9, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"]
            await until(lambda: kim.waiting_room.offer is not None)
            for name in NAMES[:-1]:
                friends[name]._stop_bot()
            driver: Driver = test_seats.driver_of(friends, "Mia")
            driver._followers[friends.key("Kim")] = 2
            kim.waiting_room.leave()
            await until(lambda: "Kim" not in friends.names("Mia"))
            await until(lambda: not driver._followers)
            assert mia.driver is driver

    run(deed())


# --- what is remembered, and who is called ---


@attack(
    By.ROOM,
    "The host shows ever new members, so that its guests remember all of them and call the addresses it gives.",
    "Nobody needs to notice: few keys are remembered, few addresses are called, and only such as friends nearby have.",
)
def test_ever_new_members_are_not_remembered_nor_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, int]] = []

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            dial = lena.mesh._opening.dial

            async def noted(addresses: Any, *rest: Any, **more: Any) -> Any:
                called.extend(each for each in addresses if each[1] != mia.mesh.port)
                return await dial([], *rest, **more)

            monkeypatch.setattr(lena.mesh._opening, "dial", noted)
            lena.mesh._costs.spend = lambda *_: 0.0  # type: ignore[method-assign]
            room = friends.room("Lena")
            known = [guest for guest in room.members if guest.key != friends.key("Jonas")]
            hosts = ["192.168.7.7", "8.8.8.8", "printer.local", "224.0.0.251", "10.0.0.9"]
            for number in range(10):
                keys = [number.to_bytes(16, "big") + at.to_bytes(16, "big") for at in range(13)]
                strangers = tuple(
                    replace(
                        known[0], key=key, keeper=key, address=(hosts[at % 5], 4711 if at < 10 else 80), arrived=9 + at
                    )
                    for at, key in enumerate(keys)
                )
                word = replace(room, number=room.number + 1 + number, members=(*known, *strangers), seating=(b"",) * 4)
                hears(lena, mia, says(mia, lena, "room", room=encode_room(word)))
                await asyncio.sleep(0.15)
            await until(lambda: {host for host, _port in called} >= {"192.168.7.7", "10.0.0.9"})
            place = lena.waiting_room._place
            assert len(place.known) <= MAX_KNOWN and {guest.key for guest in known} <= set(place.known)
            assert len(place._heard) <= 2 * MAX_KNOWN
            assert {host for host, _port in called} == {"192.168.7.7", "10.0.0.9"} and all(
                port == 4711 for _, port in called
            )

    run(deed())


def test_who_sits_down_and_vanishes_again_and_again_is_not_called_for_long(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            side = friends["Mia"].waiting_room._place.hosting
            assert side is not None
            for number in range(500):
                side.look_for({number.to_bytes(32, "big"): (("10.0.0.9", 4711),)})
            assert len(side.former) <= hosting.MAX_FORMER and (499).to_bytes(32, "big") in side.former

    run(deed())


def test_addresses_are_called_at_a_bounded_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.CALLED", Rate(10, 20))
    called: list[Any] = []

    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            mesh: Mesh = friends["Mia"].mesh

            async def noted(addresses: Any, *rest: Any, **more: Any) -> Link:
                called.extend(addresses)
                raise LinkLost("nobody", reason="lost")

            monkeypatch.setattr(mesh._opening, "dial", noted)
            began = asyncio.get_running_loop().time()
            for number in range(20):
                mesh.want({(number * 8 + at).to_bytes(32, "big"): [("10.0.0.9", 4711)] for at in range(8)})
                await asyncio.sleep(0.1)
            took = asyncio.get_running_loop().time() - began
            assert 10 <= len(called) <= 20 + 10 * took + 16

    run(deed())


# --- one computer in every place ---


async def sitting(node: Node, source: str, ready: bool = False, identity: Identity | None = None) -> Link:
    """A client at this address sits down in the room."""
    identity = identity or new_identity()
    link = await Target(HOME, node.mesh.port, source).link(identity, "look")
    refused: list[bytes] = []
    link.start(lambda _link, kind, data: refused.append(data) if kind is FrameKind.DATA else None)
    room = node.waiting_room.room
    assert room is not None
    body = {"name": "Guest", "keeper": identity.public, "bot": False, "nonce": bytes(32), "phone": False}
    body |= {"playing": False, "plays": True, "ready": ready, "serves": 0}
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
    "One computer takes all places of a room under many names.",
    "When the room is full and somebody comes from another computer: the last of the first computer who is not ready gives way.",
    "that computer, by its address",
)
@needs_addresses
@pytest.mark.slow
def test_a_room_that_one_computer_has_filled_has_places_for_others(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            mia = friends["Mia"]
            troubles: list[Trouble] = []
            mia.mesh._on_trouble = troubles.append
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
    "Somebody who was removed from the room comes back at once under another key.",
    "At once, by the host: for a minute nobody new is let in from that computer, and each time for twice as long.",
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
