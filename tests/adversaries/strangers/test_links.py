"""What strangers on the network do to somebody who listens, over real sockets: who is named, and that a friend gets in.

Nobody here proves more than a key of their own. Nothing of it convicts anybody at a table: the owner is told which
computer it is, and it is held back or cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.bench.floods import Target, new_identity
from cli.bench.key_changes import CRYPTO, SSL, KeyChanger
from p2p.budgets import ALLOWANCES, PeerRank, Rate
from p2p.errors import LinkLost
from p2p.frames import MAX_BODY_BYTES, MAX_MESSAGE_BYTES, FrameKind, Timing, encode_frame
from p2p.interfaces import counted_as
from p2p.links import Link
from p2p.listening import Listener
from p2p.mesh import Mesh
from p2p.strangers import MAX_LOOKERS_PER_HOST, MAX_STRANGERS, SETTLED_S
from p2p.tcp import TcpLinks
from p2p.tls import Credentials
from p2p.troubles import Trouble
from p2p.undertow import MAX_IDLE_BYTES
from p2p.waiting_line import MAX_OPENINGS, MAX_WAITING, MAX_WAITING_PER_HOST, WaitingLine
from tests.adversaries.declared import By, attack
from tests.adversaries.strangers.flooding import FRIEND, HOME, STRANGER, flooding
from tests.p2p.aio import LOOPBACK, people, run, until

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"),
]


class Victim:
    """A mesh that lets strangers look, and what its owner hears."""

    def __init__(self, credentials: Credentials, standing: PeerRank = PeerRank.LOOKER) -> None:
        self.heard: list[bytes] = []
        self.troubles: list[Trouble] = []
        self.mesh = Mesh(
            TcpLinks(credentials),
            {},
            lambda _author, data: self.heard.append(data),
            lambda _change: None,
            on_stranger=lambda _key, _fields: None,
            standing=lambda _key: standing,
            on_trouble=self.troubles.append,
            timing=Timing(),
        )

    @property
    def openings(self) -> int:
        listener = self.mesh._listener
        assert isinstance(listener, Listener)
        return len(listener._openings) + len(listener._line)


@asynccontextmanager
async def listening(standing: PeerRank = PeerRank.LOOKER) -> AsyncIterator[Victim]:
    victim = Victim(people(1)[0], standing)
    await victim.mesh.listen(hosts=LOOPBACK)
    try:
        yield victim
    finally:
        await victim.mesh.close()


async def called(victim: Victim, host: str) -> Link:
    """A link from one of this computer's addresses."""
    link = await Target(HOME, victim.mesh.port, host).link(new_identity(), "look")
    link.start(lambda *_: None)
    return link


async def friend_of(victim: Victim) -> Link:
    """A friend's link from another computer, whatever a stranger does. As every client does, it calls again where a call took too
    long: this computer may stand still meanwhile."""
    for _call in range(10):
        with contextlib.suppress(OSError, LinkLost, TimeoutError):
            async with asyncio.timeout(5):
                return await called(victim, FRIEND)
    raise AssertionError("no friend gets in")


@attack(
    By.STRANGER,
    "One connection sends as fast as it can.",
    "After five seconds, by the flooded computer.",
    "the stranger’s computer is named by its address; nothing can be proved",
)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["frames", "requests"])
def test_one_link_at_full_rate_is_held_back_and_then_cut(name: str) -> None:
    """Noticed by: whoever listens, after 5 s. Evidence: none; the computer's address is told to the owner."""

    async def scene() -> None:
        async with listening() as victim:
            with flooding(name, victim.mesh.port):
                await until(lambda: victim.mesh.links)
                began = asyncio.get_running_loop().time()
                await until(lambda: Trouble(STRANGER, "flood") in victim.troubles)
                took = asyncio.get_running_loop().time() - began
                looker = ALLOWANCES[PeerRank.LOOKER].frames
                assert len(victim.heard) <= looker.burst + looker.per_s * took + 10
                friend = await friend_of(victim)
                friend.close()
                await friend.wait_closed()

    run(scene())


@attack(
    By.STRANGER,
    "A thousand connections a second are opened, and nothing is sent on them.",
    "Nobody needs to notice: few are admitted at a time, and friends get their turn.",
)
@pytest.mark.slow
def test_a_thousand_calls_a_second_cost_a_hundred_openings_and_few_megabytes() -> None:
    """Noticed by: nobody needs to; a caller who never says who it is waits in a short line, and is let go."""

    async def scene() -> None:
        async with listening() as victim:
            files = len(os.listdir("/proc/self/fd"))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            most_openings = most_files = 0
            with flooding("connects", victim.mesh.port):
                await until(lambda: victim.openings >= 20)
                end = asyncio.get_running_loop().time() + 4
                while asyncio.get_running_loop().time() < end:
                    most_openings = max(most_openings, victim.openings)
                    most_files = max(most_files, len(os.listdir("/proc/self/fd")))
                    await asyncio.sleep(0.01)
                friend = await friend_of(victim)
                friend.close()
                await friend.wait_closed()
            assert most_openings <= MAX_OPENINGS + MAX_WAITING <= 100
            assert most_files - files <= 120
            assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 60 << 10
            await until(lambda: victim.openings == 0)

    run(scene())


@attack(
    By.STRANGER,
    "All places are taken by connections that do nothing.",
    "When the places are full: the computer that holds the most of them loses its oldest connection.",
    "the stranger’s computer, by its address",
)
@pytest.mark.slow
def test_idle_links_leave_places_for_others() -> None:
    """Noticed by: whoever listens, when the places of one computer are all taken; its oldest link gives way."""

    async def scene() -> None:
        async with listening() as victim:
            with flooding("links", victim.mesh.port):
                await until(lambda: Trouble(STRANGER, "full") in victim.troubles)
                friends = [await friend_of(victim) for _ in range(4)]
                await asyncio.sleep(2)
                hosts = [link.host for link in victim.mesh.links.values()]
                assert hosts.count(FRIEND) == 4
                assert hosts.count(STRANGER) <= MAX_LOOKERS_PER_HOST < MAX_STRANGERS
                for friend in friends:
                    friend.close()
                    await friend.wait_closed()

    run(scene())


@pytest.mark.slow
@attack(
    By.STRANGER,
    "One computer takes as many addresses as there are places, and holds all the places.",
    "Nobody needs to notice: newcomers get the place of whoever has been watching longest.",
    "the computers, by these addresses",
)
def test_a_friend_finds_a_place_among_as_many_addresses_as_there_are() -> None:
    async def scene() -> None:
        async with listening() as victim:
            strangers = [Target(HOME, victim.mesh.port, f"127.0.1.{at + 1}") for at in range(MAX_STRANGERS)]
            links = [await each.link(new_identity(), "look") for each in strangers]
            for each in links:
                each.start(lambda *_: None)
            await until(lambda: len(victim.mesh.links) == MAX_STRANGERS)
            for each in victim.mesh.links.values():
                each.opened_at += 60
            with pytest.raises(LinkLost, match="full"):
                await called(victim, FRIEND)  # all of them came only just now, and may want to sit down
            for each in victim.mesh.links.values():
                each.opened_at -= 60 + SETTLED_S
            friends = [await called(victim, f"127.0.0.{78 + at}") for at in range(3)]
            await until(lambda: [each.reason for each in links[:4]] == ["full"] * 3 + [None])
            assert all(each.is_open for each in friends)
            assert Trouble("127.0.1.1", "full") in victim.troubles
            for each in (*friends, *links):
                each.close()
                await each.wait_closed()

    run(scene())


def test_all_ipv6_addresses_of_a_network_wait_in_one_line() -> None:
    """One computer has any number of them."""
    line = WaitingLine[int](0.0)
    gone = [line.add(counted_as(f"fe80::{number:x}%2"), number) for number in range(200)]
    assert len(line) == MAX_WAITING_PER_HOST and line.add(FRIEND, -1) is None
    assert sum(each is not None for each in gone) == 200 - MAX_WAITING_PER_HOST


@attack(
    By.STRANGER,
    "New identities keep connecting.",
    "Nobody needs to notice: each computer gets only a few handshakes a second.",
)
@pytest.mark.slow
def test_keys_that_come_and_go_are_few_a_second() -> None:
    """Noticed by: nobody needs to; a computer has eight handshakes a second, and others have theirs beside it."""

    async def scene() -> None:
        async with listening() as victim:
            with flooding("handshakes", victim.mesh.port):
                await until(lambda: victim.mesh.links)
                await asyncio.sleep(3)
                assert len(victim.mesh._all_links) <= MAX_STRANGERS
                friend = await friend_of(victim)
                friend.close()
                await friend.wait_closed()

    run(scene())


@attack(
    By.ROOM,
    "Somebody in the room says “ready” or chats thousands of times.",
    "Most of it is not even read; after twenty seconds the connection is cut.",
    "the computer, by its address",
)
@pytest.mark.slow
def test_a_member_who_repeats_itself_is_heard_a_few_times_a_second() -> None:
    """Ready and not ready, four thousand times in eight seconds: most of it is not even read.

    Noticed by: whoever listens, after 20 s of it; the member is cut, and its computer told to the owner.
    """

    async def scene() -> None:
        async with listening(PeerRank.MEMBER) as victim:
            link = await Target(HOME, victim.mesh.port, STRANGER).link(new_identity(), "sit")
            link.start(lambda *_: None)
            began = asyncio.get_running_loop().time()
            for number in range(4000):
                link.send(b"ready " + bytes([number % 2]) * 200)
            await asyncio.sleep(4)
            await until(lambda: len(victim.heard) > 10)
            member, took = ALLOWANCES[PeerRank.MEMBER], asyncio.get_running_loop().time() - began
            assert len(victim.heard) <= (member.frames.burst + (took + 1) * member.frames.per_s) / member.data_frames
            link.abort("bye")

    run(scene())


@attack(
    By.STRANGER,
    "Meaningless bytes are sent before, during and after a connection is set up.",
    "At once; the connection ends.",
)
def test_bytes_without_a_meaning_end_the_connection_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    """Before TLS, in its place, and after it: no traceback, no task that nobody waits for."""

    async def scene() -> None:
        complaints: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
        async with listening() as victim:
            for junk in (
                b"",
                b"\0" * 4,
                b"GET / HTTP/1.1\r\n\r\n",
                b"\x16\x03\x01\xff\xff" + bytes(4000),
                os.urandom(9000),
            ):
                with socket.create_connection((HOME, victim.mesh.port)) as sock:
                    sock.sendall(junk)
            for body in (
                b"\x05",
                b"\x03\xff\xfe",
                b"\x04" + os.urandom(60),
                b"\x05\x93\xa1w" + os.urandom(90),
                b"\x63",
            ):
                link = await Target(HOME, victim.mesh.port, STRANGER).link(new_identity(), "look")
                link._writer.write(len(body).to_bytes(4, "big") + body)
                await asyncio.sleep(0.02)
                link.abort("bye")
            await until(lambda: victim.openings == 0)
            friend = await friend_of(victim)
            friend.close()
            await friend.wait_closed()
        assert complaints == []

    run(scene())
    assert "Traceback" not in caplog.text


@attack(
    By.STRANGER,
    "One identity connects again and again and keeps every connection, as if the newest one had never "
    "opened at its end.",
    "Nobody needs to notice: a key has one connection, and at most one more while it switches from one to the other.",
)
def test_one_key_has_no_more_than_two_links() -> None:
    """Noticed by: nobody needs to. Each link that comes takes the place of the one before; an honest peer has spoken on it."""

    async def scene() -> None:
        async with listening() as victim:
            identity, mine = new_identity(), list[Link]()
            for number in range(12):
                mine.append(await Target(HOME, victim.mesh.port, STRANGER).link(identity, "look"))
                if number % 2:
                    mine[-2]._writer.write(encode_frame(FrameKind.BEAT))
            mine.append(await friend_of(victim))  # by then all have come
            assert len([link for link in victim.mesh._all_links if link.is_open]) <= 2 + 1
            for link in mine:
                link.abort("over")

    run(scene())


@attack(
    By.STRANGER,
    "A connection changes its keys thousands of times, which delivers no message.",
    "At once, by the called computer: a connection that carries much traffic but no messages is closed.",
)
@pytest.mark.skipif(not (SSL and CRYPTO), reason="needs OpenSSL as a library")
def test_whoever_changes_keys_without_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Noticed by: whoever listens. One who does it now and then stays; whoever is cut waits for the next connection."""
    charged: list[str] = []
    monkeypatch.setattr(WaitingLine, "charge", lambda _line, host, _now: charged.append(host))

    async def scene() -> None:
        async with listening() as victim:
            one = await asyncio.to_thread(KeyChanger, HOME, victim.mesh.port, STRANGER, tmp_path)
            await until(lambda: victim.mesh.links)
            await asyncio.to_thread(one.change_keys, 20)
            await asyncio.to_thread(one.beat)
            await until(lambda: all(link.has_received for link in victim.mesh.links.values()))
            assert victim.mesh.links
            await asyncio.to_thread(one.change_keys, MAX_IDLE_BYTES // 20)
            with contextlib.suppress(OSError):
                await asyncio.to_thread(one.beat)
            await until(lambda: not victim.mesh.links, seconds=Timing().timeout_s - 1)
            one.close()
            assert charged == [STRANGER]

    run(scene())


@pytest.mark.skipif(not (SSL and CRYPTO), reason="needs OpenSSL as a library")
def test_long_messages_do_not_pay_for_changed_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link may send 64 KiB a second that mean nothing. Six times as much in changed keys took a fifth of a core."""
    monkeypatch.setattr("p2p.listening.LENT", Rate(1, 1))

    async def scene() -> None:
        async with listening() as victim:
            one = await asyncio.to_thread(KeyChanger, HOME, victim.mesh.port, STRANGER, tmp_path)
            await until(lambda: victim.mesh.links)

            def attack() -> None:
                with contextlib.suppress(OSError):
                    for _ in range(4):
                        one.change_keys(MAX_IDLE_BYTES // 40)
                        one.beat(MAX_IDLE_BYTES // 4)

            await asyncio.to_thread(attack)
            await until(lambda: not victim.mesh.links, seconds=Timing().timeout_s - 1)
            one.close()

    run(scene())


def test_a_long_message_that_nobody_reads_yet_is_not_taken_for_that() -> None:
    """What waits under TLS while its link is held back counts for nothing."""

    async def scene() -> None:
        async with listening(PeerRank.SEAT) as victim:
            link = await called(victim, FRIEND)
            await until(lambda: victim.mesh.links)
            (theirs,) = victim.mesh.links.values()
            theirs.max_frame_bytes = MAX_BODY_BYTES
            link.send_heartbeat()
            await until(lambda: theirs.has_received)
            goes_on, hear = asyncio.Event(), theirs._on_frame

            async def wait() -> None:
                await goes_on.wait()

            theirs._on_frame = lambda *_: wait()
            for _message in range(4):
                link.send(bytes(MAX_MESSAGE_BYTES))
            await until(lambda: not theirs._writer.transport.is_reading())  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
            theirs._on_frame = hear
            goes_on.set()
            await until(lambda: victim.heard)
            assert link.is_open and theirs.is_open
            link.abort("seen")

    run(scene())
