"""What the network around this machine is like: each check says what it saw, and nothing here judges or advises.

Everything is tried for real: a listener that is called, an announcement that is heard, tables that are knocked at. Nothing
leaves the local network. What is announced for the test has port 0, "nothing to be had here" (RFC 6763, section 8), so that
no client takes it for a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import struct
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from zeroconf import ServiceStateChange, Zeroconf

from p2p.announcements import Sighting, read_name
from p2p.dialing import dial
from p2p.discovery import Announcer, Browser
from p2p.errors import HomeFault, LinkLost, PortTaken, Refused
from p2p.frames import RUN_BYTES, Hello, Timing
from p2p.interfaces import Address, interfaces, is_near, own_hosts, scoped
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.network_adapters import Card, CardKind, cards_of
from p2p.tls import Credentials

LOOK_S = 2.2
KNOCK_S = 1.0
GLANCE_S = 0.05
MAX_KNOCKS = 128
"""Anybody may announce thousands of addresses, and each knock takes an open file."""
FIRST_ANSWERS_S = 0.4
"""The first question is answered to us alone, and the system gives the answer to any of our sockets: until then there is one."""
MDNS_GROUP, MDNS_PORT = "224.0.0.251", 5353
WHAT_IS_THERE = b"\x09_services\x07_dns-sd\x04_udp\x05local\x00"
"""Any device that offers anything over mDNS answers this (RFC 6763, section 9): printers, televisions, telephones."""
QUICK = Timing(opening_s=1.0, dial_s=1.0, linger_s=0.2)


class PortUse(StrEnum):
    """Who has the usual port."""

    FREE = "free"
    FAIRDEAL = "fairdeal"
    """Another client of this program on this machine."""
    TAKEN = "taken"
    FORBIDDEN = "forbidden"
    """Nobody has it, yet the system does not let us listen."""
    NONE = "none"
    """There is no network at all."""


class MdnsPort(StrEnum):
    """Who has the port of mDNS, 5353."""

    FREE = "free"
    SHARED = "shared"
    """A service of this machine listens there, and lets others do so, too."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call to an address led to: after how many milliseconds it was answered, or None and why it was not.

    `reason`: `refused` (the machine is there, nobody listens), `silent` (nothing came back in time), or `unreachable` (the
    system knows no way); for links also the short words of p2p.links.
    """

    ms: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """All that was seen. `heard`: by each card's name, after how many seconds what it announced was heard, None if never."""

    cards: tuple[Card, ...]
    port: int
    port_use: PortUse
    own: Mapping[str, Answer]
    """Calls from this machine to its own addresses, through a real listener, up to an open link."""
    mdns_port: MdnsPort
    heard: Mapping[str, float | None]
    neighbours: tuple[str, ...]
    """Addresses of other devices whose mDNS was heard, of whatever kind they are."""
    sightings: tuple[Sighting, ...]
    answers: Mapping[Address, Answer]
    """Of the addresses of the sightings, those on our own networks and not too many."""
    firewalls: tuple[str, ...]

    def is_own(self, sighting: Sighting) -> bool:
        """Whether this machine announces it."""
        own = {host for card in self.cards for host in card.hosts}
        return all(host.partition("%")[0] in own for host, _port in sighting.addresses)


async def examine(port: int, look_s: float = LOOK_S) -> Examination:
    """Looks at everything side by side: `look_s` plus KNOCK_S at most. `port`: where a host usually listens."""
    cards = cards_of(interfaces())
    mdns_port = look_at_mdns_port()  # before we are on it ourselves
    (port_use, own), (heard, sightings, answers), neighbours = await asyncio.gather(
        call_oneself(port), look_around(cards, look_s), hear_neighbours(cards, look_s)
    )
    return Examination(cards, port, port_use, own, mdns_port, heard, neighbours, sightings, answers, active_firewalls())


# --- the port ---


async def call_oneself(port: int) -> tuple[PortUse, dict[str, Answer]]:
    """Who has the port; and whether a link comes to be when this machine calls each of its addresses. Where the port is
    taken another serves for that."""
    try:
        answering, calling = Credentials.of(os.urandom(32)), Credentials.of(os.urandom(32))
    except HomeFault:  # no folder for passing files
        return PortUse.FORBIDDEN, {}
    opened: list[Link] = []
    listener: Listener | None = None
    use = PortUse.FREE
    for number in dict.fromkeys((port, 0)):
        try:
            listener = await listen(
                number, answering, lambda: hello_of(port), lambda _key, _hello: None, opened.append, timing=QUICK
            )
            break
        except PortTaken as fault:
            cause = fault.__cause__
            is_forbidden = isinstance(cause, OSError) and cause.errno == errno.EACCES
            use = PortUse.FORBIDDEN if is_forbidden else await who_listens(port, calling)
        except OSError:
            use = PortUse.NONE
    if listener is None:
        return use, {}
    where = listener.port
    try:
        hosts = own_hosts(interfaces())
        answers = await asyncio.gather(*(call(host, where, calling, answering.public) for host in hosts))
        return use, dict(zip(hosts, answers, strict=True))
    finally:
        for link in opened:
            link.abort("bye")
        await listener.close()


def hello_of(port: int) -> Hello:
    """What the doctor says of itself: it wants to look, not to sit down."""
    return Hello(os.urandom(RUN_BYTES), port, {"want": "look"})


async def call(host: str, port: int, credentials: Credentials, expect: bytes) -> Answer:
    """A link to ourselves at one of our addresses."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    try:
        targets = [(each, port) for each in scoped(host, interfaces())]
        link = await dial(targets, credentials, hello_of(0), expect=expect, timing=QUICK)
    except LinkLost as fault:
        return Answer(None, fault.reason)
    link.abort("bye")
    return Answer((loop.time() - since) * 1000)


async def who_listens(port: int, credentials: Credentials) -> PortUse:
    """Whether it is this program that has the port."""
    try:
        link = await dial([("127.0.0.1", port), ("::1", port)], credentials, hello_of(0), timing=QUICK)
    except Refused:
        return PortUse.FAIRDEAL  # it has proved its key and said why it does not want us
    except LinkLost as fault:
        # It spoke our TLS, whose authority no other program has.
        if fault.reason in ("version", "self"):
            return PortUse.FAIRDEAL
        return PortUse.TAKEN
    link.close()
    await link.wait_closed()
    return PortUse.FAIRDEAL


async def knock(address: Address) -> Answer:
    """A TCP connection, closed at once."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    try:
        async with asyncio.timeout(KNOCK_S):
            _reader, writer = await asyncio.open_connection(*address)
    except TimeoutError:
        return Answer(None, "silent")
    except ConnectionRefusedError:
        return Answer(None, "refused")
    except OSError:
        return Answer(None, "unreachable")
    took = loop.time() - since
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return Answer(took * 1000)


# --- multicast ---


class Ear(Browser):
    """A browser that also notes by which names it was called, when."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, float] = {}

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        session = read_name(name)
        if session is not None:
            self.names.setdefault(session, asyncio.get_running_loop().time())
        super()._heard(zeroconf, service_type, name, state_change)


async def look_around(
    cards: Sequence[Card], look_s: float
) -> tuple[dict[str, float | None], tuple[Sighting, ...], dict[Address, Answer]]:
    """Announces on each card with a stack of its own, listens on all with another, and knocks at the tables it finds."""
    loop = asyncio.get_running_loop()
    outward = [card for card in cards if card.kind is not CardKind.LOOPBACK] or list(cards)
    announcers = {card.name: Announcer(only=card.hosts) for card in outward}
    said: dict[str, float] = {}
    knocks: dict[Address, asyncio.Task[Answer]] = {}
    ear = Ear()
    try:
        await ear.start()
        until = loop.time() + look_s
        while loop.time() < until:
            if not said and loop.time() > until - look_s + FIRST_ANSWERS_S:
                for name, announcer in announcers.items():
                    said[name] = loop.time()
                    await announcer.start(0, {})
            here = interfaces()
            for sighting in ear.sightings:
                for address in sighting.addresses:
                    if len(knocks) < MAX_KNOCKS and address not in knocks and is_near(address[0], here):
                        knocks[address] = asyncio.create_task(knock(address), name=f"knock {address[0]}")
            await asyncio.sleep(GLANCE_S)
        sightings = ear.sightings
        found = await asyncio.gather(*knocks.values())
        times = {name: ear.names.get(announcer.name) for name, announcer in announcers.items()}
        heard = {name: None if at is None else max(0.0, at - said.get(name, at)) for name, at in times.items()}
        return heard, sightings, dict(zip(knocks, found, strict=True))
    finally:
        for task in knocks.values():
            task.cancel()
        await asyncio.gather(*(announcer.close() for announcer in announcers.values()))
        await ear.close()


def look_at_mdns_port() -> MdnsPort:
    """Whether others listen at 5353 already, and let us listen, too."""
    for shared in (False, True):
        with contextlib.suppress(OSError), contextlib.closing(mdns_socket(shared)) as sock:
            sock.bind(("", MDNS_PORT))
            return MdnsPort.SHARED if shared else MdnsPort.FREE
    return MdnsPort.REFUSED


def mdns_socket(shared: bool) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setblocking(False)
    if shared:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return sock


class Neighbours(asyncio.DatagramProtocol):
    """Notes who sends anything."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if len(self.hosts) < 1000:
            self.hosts.add(addr[0])

    def error_received(self, exc: Exception) -> None:
        """A card that went away is no news."""


async def hear_neighbours(cards: Sequence[Card], look_s: float) -> tuple[str, ...]:
    """Asks all devices for whatever they offer, over IPv4, and notes which speak. Our own table is heard like any other, so
    that this is what tells whether multicast comes in from outside, which hearing oneself does not."""
    hosts = [host for card in cards if card.kind is not CardKind.LOOPBACK for host in card.v4]
    own = {host for card in cards for host in card.hosts}
    if not hosts:
        return ()
    query = bytes(4) + struct.pack("!4H", 1, 0, 0, 0) + WHAT_IS_THERE + struct.pack("!2H", 12, 1)
    neighbours = Neighbours()
    try:
        sock = mdns_socket(shared=True)
    except OSError:
        return ()
    try:
        # Bound to the group, so that it takes nobody's unicast answers away; Windows knows no such thing.
        sock.bind(("" if sys.platform == "win32" else MDNS_GROUP, MDNS_PORT))
        for host in hosts:
            with contextlib.suppress(OSError):
                membership = socket.inet_aton(MDNS_GROUP) + socket.inet_aton(host)
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(lambda: neighbours, sock=sock)
    except OSError:
        sock.close()
        return ()
    try:
        for part in (0.1, 0.9):
            for host in hosts:
                ask(host, query)
            await asyncio.sleep(look_s * part)
    finally:
        transport.close()
    return tuple(sorted(neighbours.hosts - own))


def ask(host: str, query: bytes) -> None:
    """Sends a question out of one card, no further than its own network."""
    with contextlib.suppress(OSError), contextlib.closing(mdns_socket(shared=True)) as sock:
        sock.bind((host, MDNS_PORT))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        sock.setsockopt(
            socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255
        )  # as mDNS wants it; routers do not pass the group on
        sock.sendto(query, (MDNS_GROUP, MDNS_PORT))


# --- firewalls ---


def active_firewalls(root: Path = Path("/")) -> tuple[str, ...]:
    """Linux's usual firewalls that are switched on, as far as anybody may know; what they let through only root may see."""
    found = []
    groups = ("sys/fs/cgroup/system.slice", "sys/fs/cgroup/systemd/system.slice")
    with contextlib.suppress(OSError):  # some systems let nobody look there
        if any((root / group / "firewalld.service").exists() for group in groups):
            found.append("firewalld")
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = (root / "etc/ufw/ufw.conf").read_text(encoding="utf-8").splitlines()
        if any(line.replace(" ", "").casefold() == "enabled=yes" for line in lines):
            found.append("ufw")
    return tuple(found)
