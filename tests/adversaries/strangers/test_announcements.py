"""What strangers announce: tables that do not exist, other people's tables withdrawn, floods of packets.

mDNS is unauthenticated, so nobody is named. Noticed by: the one who looks for tables; what an honest host announces is
seen all the same, and what was seen keeps its place.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from cli.bench.floods import MDNS_GROUP, MDNS_PORT, labels, pointer
from cli.client import discovery as finding
from cli.news import is_free
from p2p.announcements import SERVICE, Sighting
from p2p.discovery import (
    MAX_MISSES,
    MAX_RESOLVING_PER_SOURCE,
    MAX_SIGHTINGS_PER_SOURCE,
    RENEW_S,
    RESOLVE_S,
    Announcer,
    Browser,
    SeenName,
)
from p2p.home import open_home
from p2p.interfaces import Address
from p2p.introductions import Introductions
from p2p.mdns import SOURCE_PACKETS, Gate, MdnsStack
from p2p.node import Node, Owner
from p2p.presence import announcement_of
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.games.catalogue import load
from protocol.table.options import TableOptions
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.adversaries.strangers.flooding import STRANGER, flooding
from tests.p2p.aio import run, until

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"),
]
LO = ("127.0.0.1",)
LOCK_PORT = 47113
"""Bound by whichever of these tests runs; nothing else uses it."""
TYPE_PTR, TYPE_TXT, TYPE_A, TYPE_SRV = 12, 16, 1, 33
QUESTION = struct.pack("!6H", 0, 0, 1, 0, 0, 0) + labels(SERVICE) + struct.pack("!2H", TYPE_PTR, 1)


def multicast(packet: bytes) -> None:
    """Send a packet to all on the loopback interface, from the stranger's address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        sock.bind((STRANGER, MDNS_PORT))
        sock.sendto(packet, (MDNS_GROUP, MDNS_PORT))


def goodbye(name: str) -> bytes:
    """Return the packet with which a host withdraws its announcement, or somebody else does."""
    packet = pointer(name)
    position = 12 + len(labels(SERVICE)) + 4
    return packet[:position] + bytes(4) + packet[position + 4 :]


@pytest.fixture(autouse=True)
def _alone_on_this_computer() -> Iterator[None]:
    """What one of these tests sends reaches the browsers of all: they take turns, in whatever process. The port is the lock."""
    with closing(socket.socket()) as lock:
        while True:
            try:
                lock.bind(("127.0.0.1", LOCK_PORT))
                break
            except OSError:
                time.sleep(0.1)
        yield


FLUSH = 1 << 15
"""In a record's class: it takes the place of all that was said before."""


def complete(
    name: str,
    host: str,
    port: int = 7007,
    key: str = "",
    flush: int = 0,
    words: Mapping[str, str] | None = None,
    others: Sequence[str] = (),
) -> bytes:
    """Return a packet that announces a table with all that belongs to it. `others`: more addresses at which it says to be."""
    said = [f"{name}={value}".encode() for name, value in {**(words or {"table": "x"}), "key": key}.items()]
    full, server = bytes((len(name),)) + name.encode() + labels(SERVICE), labels(f"{name}.local")

    def record(owner: bytes, kind: int, data: bytes) -> bytes:
        return owner + struct.pack("!HHIH", kind, 1 | (flush if kind != TYPE_PTR else 0), 120, len(data)) + data

    records = [
        record(labels(SERVICE), TYPE_PTR, full),
        record(full, TYPE_SRV, struct.pack("!3H", 0, 0, port) + server),
        record(full, TYPE_TXT, b"".join(bytes((len(each),)) + each for each in said)),
        *(record(server, TYPE_A, socket.inet_aton(each)) for each in (host, *others)),
    ]
    return struct.pack("!6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


@attack(
    By.STRANGER,
    "The network is flooded with announcements of tables that do not exist.",
    "Nobody needs to notice: real tables are found and keep their place.",
)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["announcements", "packets"])
def test_a_table_is_found_and_kept_under_a_flood_of_announcements(name: str) -> None:
    async def scene() -> None:
        browser, early, late = Browser(only=LO), Announcer(only=LO), Announcer(only=LO)
        await browser.start()
        await early.start(7001, {"table": "early"})
        try:
            await until(lambda: early.name in [one.name for one in browser.sightings])
            with flooding(name, 9):
                await asyncio.sleep(5)  # long enough for all look-ups of the first seconds to be in vain
                assert early.name in [one.name for one in browser.sightings]
                assert len(browser._resolving) <= MAX_RESOLVING_PER_SOURCE + 1
                await late.start(7002, {"table": "late"})
                await until(lambda: late.name in [one.name for one in browser.sightings])
                browser.refresh()
                await asyncio.sleep(1)
                assert {early.name, late.name} <= {one.name for one in browser.sightings}
        finally:
            await asyncio.gather(early.close(), late.close(), browser.close())

    run(scene())


LONGEST_GONE_S = MAX_MISSES * (RENEW_S[1] + RESOLVE_S) + 10
"""So long a table without a host may be seen at the most, and a little."""


@pytest.mark.slow
@attack(
    By.STRANGER,
    "Somebody else’s table is announced as gone, or with a different description.",
    "Nobody needs to notice: only the computer that announced it first is believed.",
)
def test_only_its_own_host_withdraws_a_table() -> None:
    async def scene() -> None:
        browser, announcer = Browser(only=LO), Announcer(only=LO)
        await browser.start()
        await announcer.start(7001, {"table": "x"})
        try:
            await until(lambda: announcer.name in [one.name for one in browser.sightings])
            for _ in range(3):
                multicast(goodbye(announcer.name))
                await asyncio.sleep(0.2)
                assert announcer.name in [one.name for one in browser.sightings]
            await announcer.close()
            # Its goodbye may get lost, as any packet may: then the browser has to ask twice in vain.
            await until(lambda: announcer.name not in [one.name for one in browser.sightings], LONGEST_GONE_S)
        finally:
            await asyncio.gather(announcer.close(), browser.close())

    run(scene(), LONGEST_GONE_S + 30)


@attack(
    By.STRANGER,
    "Somebody else’s table is announced again and again, with a different description and an address "
    "where nobody answers.",
    "Nobody needs to notice: the table keeps its description and its address.",
)
@pytest.mark.parametrize(("port", "key"), [(7007, "11"), (1, "11"), (7007, "22"), (1, "22")])
def test_nobody_else_changes_what_a_table_says_or_where_it_is(port: int, key: str) -> None:
    """Also when it is looked up anew, from what was heard last."""

    async def scene() -> None:
        browser, announcer = Browser(only=LO), Announcer(only=LO)
        await browser.start()
        await announcer.start(7001, {"table": "Ann's", "key": "22"})

        def found() -> list[Sighting]:
            named = [one for one in browser.sightings if one.name == announcer.name]
            return [one for one in named if one.properties["table"] == "Ann's"]

        try:
            await until(found)
            for _ in range(3):
                multicast(complete(announcer.name, STRANGER, port, key, FLUSH))
                await asyncio.sleep(0.2)
                browser.refresh()
                await asyncio.sleep(0.2)
                (one,) = found()  # what the stranger says is shown besides
                assert one.properties == {"table": "Ann's", "key": "22"}
                assert one.addresses[0] == ("127.0.0.1", 7001)
        finally:
            await asyncio.gather(announcer.close(), browser.close())

    run(scene())


@attack(
    By.STRANGER,
    "Somebody else’s table is announced under another key before its own computer is heard, so that it is"
    " missing from the list.",
    "In the list of tables: both are shown, and if you join by the name that both have, you are asked which one.",
)
def test_a_table_that_somebody_else_announced_first_is_shown_besides() -> None:
    async def scene() -> None:
        browser, announcer = Browser(only=LO), Announcer(only=LO)
        await browser.start()

        def found() -> list[Sighting]:
            return [one for one in browser.sightings if one.name == announcer.name]

        async def announce() -> None:
            while True:
                multicast(complete(announcer.name, STRANGER, 7007, "11", FLUSH))
                await asyncio.sleep(0.3)

        stranger = asyncio.create_task(announce())
        try:
            await until(found)
            await announcer.start(7001, {"table": "Ann's", "key": "22"})
            await until(lambda: "22" in [one.properties.get("key") for one in found()])
            browser.refresh()
            await asyncio.sleep(1)
            by_key = {one.properties["key"]: one for one in found()}
            assert by_key.keys() == {"11", "22"}
            assert by_key["22"].properties["table"] == "Ann's"
            assert ("127.0.0.1", 7001) in by_key["22"].addresses
        finally:
            stranger.cancel()
            await asyncio.gather(announcer.close(), browser.close())

    run(scene())


NAME = "Scullery"
"""No other test opens a table of this name: what is announced here reaches the programs of all that run at the same time."""


@attack(
    By.STRANGER,
    "A friend’s table is announced with its real key before its own computer is heard, but at an address "
    "where somebody else answers, or nobody.",
    "Nobody needs to notice: if you join it by name, you reach the computer that proves it has the key.",
)
@pytest.mark.parametrize(
    ("words", "others"),
    [
        ({"table": "Mallory"}, ()),
        ({"table": "Mallory"}, LO),
        ({}, [f"127.0.0.{n}" for n in range(200, 220)]),
        ({"state": "over"}, ()),
        ({"id": "00"}, ()),
        ({"taken": "2"}, LO),
    ],
    ids=str,
)
def test_a_table_that_somebody_else_announced_first_with_its_key_is_joined_by_its_name(
    words: dict[str, str], others: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "NAMESAKE_S", 0.1)

    async def scene() -> None:
        browser, announcer, introductions = Browser(only=LO), Announcer(only=LO), Introductions()
        async with three(tmp_path) as (ann, mallory, guest):
            ann.waiting_room.open(TablePlan(load("crazy-eights", 2), NAME, TableOptions()))
            mallory.waiting_room.open(TablePlan(load("crazy-eights", 2), NAME, TableOptions()))
            properties = announcement_of(ann)
            assert properties is not None

            async def announce() -> None:
                false = properties | {"host": "Mia"} | words
                key = false.pop("key")
                while True:
                    multicast(complete(announcer.name, STRANGER, mallory.mesh.port, key, FLUSH, false, others))
                    await asyncio.sleep(0.3)

            def heard() -> list[Address]:
                return [each for one in browser.sightings if one.name == announcer.name for each in one.addresses]

            await browser.start()
            stranger = asyncio.create_task(announce())
            try:
                await until(heard)
                await announcer.start(ann.mesh.port, properties)
                await until(lambda: ("127.0.0.1", ann.mesh.port) in heard())
                row = await finding._find(NAME, lambda _news: None, browser, introductions, is_free)
                await guest.waiting_room.join(row.addresses, announced=row.keys)
                assert guest.waiting_room.host == ann.identity.public
            finally:
                stranger.cancel()
                await asyncio.gather(announcer.close(), browser.close(), introductions.close())

    run(scene())


@asynccontextmanager
async def three(folder: Path) -> AsyncIterator[list[Node]]:
    """Three computers; the second at the stranger's address."""
    workers = Workers()
    with ExitStack() as stack:
        stack.callback(workers.close)
        nodes = []
        for name, host in (("Ann", "127.0.0.1"), ("Mallory", STRANGER), ("Guest", "127.0.0.1")):
            home = stack.enter_context(open_home(folder / name))
            nodes.append(Node(home, NodeSettings(name, hosts=(host, "::1")), Owner(), workers))
        try:
            for node in nodes:
                await node.open()
            yield nodes
        finally:
            for node in nodes:
                await node.close()


def test_whoever_announces_much_pushes_out_its_own() -> None:
    async def scene() -> None:
        browser, announcer = Browser(only=LO), Announcer(only=LO)

        async def flood() -> None:  # on a busy machine some of it is lost
            while True:
                multicast(complete(secrets.token_hex(16), STRANGER))
                await asyncio.sleep(0.01)

        def of_stranger() -> set[str]:
            return {entry.sighting.name for entry in browser._seen.values() if entry.source == STRANGER}

        await browser.start()
        await announcer.start(7001, {"table": "x"})
        await until(lambda: announcer.name in [one.name for one in browser.sightings])
        flooding = asyncio.create_task(flood())
        try:
            await until(lambda: len(of_stranger()) >= MAX_SIGHTINGS_PER_SOURCE)
            before = of_stranger()
            await until(lambda: bool(before - of_stranger()))
            assert len(of_stranger()) <= MAX_SIGHTINGS_PER_SOURCE
            assert announcer.name in [one.name for one in browser.sightings]
        finally:
            flooding.cancel()
            await asyncio.gather(announcer.close(), browser.close())

    run(scene())


@attack(
    By.STRANGER,
    "A stranger announces a friend’s key, or tables, at other people’s addresses, so that everybody’s "
    "programs call those.",
    "Nobody needs to notice: only addresses that the announcing computer can have are called.",
)
@pytest.mark.parametrize(
    ("host", "port"), [("8.8.8.8", 7007), (STRANGER, 443), ("224.0.0.1", 7007), ("255.255.255.255", 7007)]
)
def test_nobody_has_others_called_by_announcing_them(host: str, port: int) -> None:
    async def scene() -> None:
        browser = Browser(only=LO)
        await browser.start()
        key, honest = "11" * 32, secrets.token_hex(16)
        try:
            while honest not in [one.name for one in browser.sightings]:
                multicast(complete(secrets.token_hex(16), host, port, key))
                multicast(complete(honest, STRANGER, key=key))
                await asyncio.sleep(0.05)
            named = [one for one in browser.sightings if one.properties.get("key") == key]  # others may be played here
            called = {address for one in named for address in one.addresses}
            assert called == {(STRANGER, 7007)}
        finally:
            await browser.close()

    run(scene())


def test_a_table_announced_from_elsewhere_keeps_its_words_and_its_first_address() -> None:
    browser = Browser(only=LO)
    honest = Sighting("a", (("192.0.2.1", 7),), {"table": "Ann's", "key": "11"})
    browser._add("a", honest, "192.0.2.1")
    false = Sighting("a", (("192.0.2.66", 7), ("192.0.2.1", 7)), {"table": "Mallory's", "key": "11"})
    browser._add("a", replace(honest, addresses=(("192.0.2.66", 7),)), "192.0.2.66")
    assert list(browser.sightings) == [Sighting("a", (("192.0.2.1", 7), ("192.0.2.66", 7)), honest.properties)]
    browser._add("a", false, "192.0.2.66")
    assert list(browser.sightings[1:]) == [false]
    newer = Sighting("a", (("192.0.2.1", 8),), {"table": "Ann's 2"})
    browser._add("a", newer, "192.0.2.1")
    assert list(browser.sightings) == [newer, false]


def test_what_was_announced_first_is_withdrawn_by_its_own_host_and_the_true_table_stays() -> None:
    browser = Browser(only=LO)
    false = Sighting("a", (("192.0.2.66", 7), ("192.0.2.1", 7)), {"table": "Mallory's", "key": "11"})
    honest = Sighting("a", (("192.0.2.1", 7),), {"table": "Ann's", "key": "11"})
    browser._add("a", false, "192.0.2.66")
    browser._add("a", honest, "192.0.2.1")
    assert list(browser.sightings) == [false, honest]
    browser._withdraw("a")
    assert list(browser.sightings) == [honest]
    browser._add("a", replace(honest, addresses=(("192.0.2.1", 8),)), "192.0.2.1")
    assert [one.addresses for one in browser.sightings] == [(("192.0.2.1", 8),)]
    browser._add("b", honest, "192.0.2.1")  # its program has started again
    assert list(browser.sightings) == [honest]


def test_a_newer_announcement_of_a_key_replaces_the_older_of_its_own_host_only() -> None:
    browser = Browser(only=LO)
    properties = {"key": "11", "table": "Ann's"}
    for name, host in (("old", "192.0.2.1"), ("new", "192.0.2.1"), ("forged", "192.0.2.66")):
        browser._add(name, Sighting(name, ((host, 7),), properties), host)
    assert [one.name for one in browser.sightings] == ["forged", "new"]


def test_an_entry_is_gone_after_two_look_ups_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.discovery.RESOLVE_S", 0.05)

    async def scene() -> None:
        browser = Browser(only=LO)
        await browser.start()
        name = secrets.token_hex(16)
        full = f"{name}.{SERVICE}"
        browser._seen[full] = SeenName(Sighting(name, (("192.0.2.1", 7),), {}), "192.0.2.1")
        try:
            await browser._lookup(full, None)
            assert name in [one.name for one in browser.sightings]  # others may announce here, too
            await browser._lookup(full, None)
            assert name not in [one.name for one in browser.sightings]
        finally:
            await browser.close()

    run(scene())


def test_who_only_announces_reads_no_announcements() -> None:
    """While a match runs, what others announce costs nothing but to receive it."""

    async def scene() -> None:
        packets = {"answer": complete(secrets.token_hex(16), STRANGER), "question": QUESTION}
        for wants_answers in (False, True):
            mdns = MdnsStack(LO, wants_answers=wants_answers)
            stack = await mdns.open()
            assert stack is not None
            passed: list[tuple[str, bytes]] = []

            class Behind(asyncio.DatagramProtocol):
                def datagram_received(self, data: bytes, addr: tuple[str, int], heard: Any = passed) -> None:
                    heard.append((addr[0], data))

            for reader in stack.zeroconf.engine.readers:
                gate: Any = reader.transport.get_protocol()
                gate.behind = Behind()
                for sender in (STRANGER, "127.0.0.1"):
                    for data in packets.values():
                        gate.datagram_received(data, (sender, MDNS_PORT))
            heard = {(sender, kind) for kind, data in packets.items() for sender, each in passed if each == data}
            own = {("127.0.0.1", "answer"), ("127.0.0.1", "question"), (STRANGER, "question")}
            assert heard == own | ({(STRANGER, "answer")} if wants_answers else set())
            await mdns.close()

    run(scene())


def test_every_socket_of_the_library_has_a_gate() -> None:
    """If the library changes within, this is noticed here and not under attack."""

    async def scene() -> None:
        mdns = MdnsStack(LO)
        stack = await mdns.open()
        assert stack is not None
        gates = [reader.transport.get_protocol() for reader in stack.zeroconf.engine.readers]
        assert gates
        assert all(isinstance(gate, Gate) for gate in gates)
        passed: list[bytes] = []
        gate = gates[0]

        class Behind(asyncio.DatagramProtocol):
            def datagram_received(self, data: bytes, addr: object) -> None:
                passed.append(data)
                assert mdns.source == "192.0.2.66"

        gate.behind = Behind()  # type: ignore[attr-defined]
        for _ in range(5000):
            gate.datagram_received(b"?", ("::ffff:192.0.2.66", 5353))  # type: ignore[attr-defined]
        gate.datagram_received(bytes(5000), ("192.0.2.66", 5353))  # type: ignore[attr-defined]
        assert SOURCE_PACKETS.burst <= len(passed) <= SOURCE_PACKETS.burst + 50
        assert mdns.source is None
        await mdns.close()

    run(scene())
