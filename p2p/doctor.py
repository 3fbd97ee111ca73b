"""Examine the network around this computer. Each check reports what it saw and leaves the judgement to the caller.

Everything is tried for real: a listener is called, an announcement is received, tables are probed. Nothing leaves the
local network. The test announcement uses port 0, "no service here" (RFC 6763, section 8), so that no client takes it
for a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from zeroconf import ServiceStateChange, Zeroconf

from p2p.announcements import Sighting, read_name
from p2p.dialing import dial
from p2p.discovery import Announcer, Browser
from p2p.errors import HomeFault, LinkLost, LinkRefused, PortTaken
from p2p.frames import RUN_BYTES, Hello, Timing
from p2p.interfaces import Address, interfaces, is_near, own_hosts, scoped
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.neighbours import MDNS_PORT, find_neighbours, mdns_socket
from p2p.network_adapters import Adapter, AdapterKind, adapters_of
from p2p.probing import MAX_PROBES, ProbeResult, probe
from p2p.tls import Credentials
from protocol.values import dataclass

LISTEN_S = 2.2
POLL_S = 0.05
FIRST_ANSWER_S = 0.4
"""Delay of our announcement: the unicast answer to the first query may reach any socket, so only one is open yet."""
QUICK = Timing(opening_s=1.0, dial_s=1.0, linger_s=0.2)


class PortUse(StrEnum):
    """Who uses the default port."""

    FREE = "free"
    FAIRDEAL = "fairdeal"
    """Another client of this program on this computer."""
    TAKEN = "taken"
    FORBIDDEN = "forbidden"
    """The port is unused, but the system does not let us listen."""
    NONE = "none"
    """There is no network at all."""


class MdnsPort(StrEnum):
    """Who uses the mDNS port, 5353."""

    FREE = "free"
    SHARED = "shared"
    """A service on this computer listens there and lets others share the port."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that was seen.

    `echo_s`: for each adapter's name, the seconds until its own announcement was received, None if it never was.
    """

    adapters: tuple[Adapter, ...]
    port: int
    port_use: PortUse
    own: Mapping[str, ProbeResult]
    """Calls from this computer to its own addresses, through a real listener, up to an open link."""
    mdns_port: MdnsPort
    echo_s: Mapping[str, float | None]
    neighbours: tuple[str, ...]
    """Addresses of other devices, of any kind, whose mDNS was received."""
    sightings: tuple[Sighting, ...]
    answers: Mapping[Address, ProbeResult]
    """Probed addresses of the sightings: at most MAX_PROBES, only on our own networks."""
    firewalls: tuple[str, ...]

    def is_own(self, sighting: Sighting) -> bool:
        """Return whether this computer announces the sighting."""
        own = {host for adapter in self.adapters for host in adapter.hosts}
        return all(host.partition("%")[0] in own for host, _port in sighting.addresses)


async def examine(port: int) -> Examination:
    """Run all checks in parallel, in at most LISTEN_S + PROBE_TIMEOUT_S seconds. `port`: the default port of a host."""
    adapters = adapters_of(interfaces())
    mdns_port = check_mdns_port()  # before we use it ourselves
    (port_use, own), (echo_s, sightings, answers), neighbours = await asyncio.gather(
        call_own_addresses(port), check_discovery(adapters, LISTEN_S), find_neighbours(adapters, LISTEN_S)
    )
    return Examination(
        adapters, port, port_use, own, mdns_port, echo_s, neighbours, sightings, answers, active_firewalls()
    )


# --- the port ---


async def call_own_addresses(port: int) -> tuple[PortUse, dict[str, ProbeResult]]:
    """Return who uses the port, and the result of linking to each of this computer's addresses.

    If the port is taken, the links use another one.
    """
    try:
        answering, calling = Credentials.of(os.urandom(32)), Credentials.of(os.urandom(32))
    except HomeFault:  # no usable temporary folder
        return PortUse.FORBIDDEN, {}
    opened: list[Link] = []
    listener: Listener | None = None
    use = PortUse.FREE
    for number in dict.fromkeys((port, 0)):
        try:
            listener = await listen(
                number, answering, lambda: hello_of(port), lambda _key, _hello, _host: None, opened.append, timing=QUICK
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
    """The doctor's hello: it wants to look, not to sit down."""
    return Hello(os.urandom(RUN_BYTES), port, {"want": "look"})


async def call(host: str, port: int, credentials: Credentials, expect: bytes) -> ProbeResult:
    """Link to ourselves at one of our addresses."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    try:
        targets = [(each, port) for each in scoped(host, interfaces())]
        link = await dial(targets, credentials, hello_of(0), expect=expect, timing=QUICK)
    except LinkLost as fault:
        return ProbeResult(None, fault.reason)
    link.abort("bye")
    return ProbeResult((loop.time() - since) * 1000)


async def who_listens(port: int, credentials: Credentials) -> PortUse:
    """Return whether the port is taken by this program or by another one."""
    try:
        link = await dial([("127.0.0.1", port), ("::1", port)], credentials, hello_of(0), timing=QUICK)
    except LinkRefused:
        return PortUse.FAIRDEAL  # it proved its key before it refused us
    except LinkLost as fault:
        # It completed our TLS handshake, which no other program can.
        if fault.reason in ("version", "self"):
            return PortUse.FAIRDEAL
        return PortUse.TAKEN
    link.close()
    await link.wait_closed()
    return PortUse.FAIRDEAL


# --- multicast ---


class RecordingBrowser(Browser):
    """A browser that also records when each session name was first seen."""

    def __init__(self) -> None:
        super().__init__()
        self.seen_at: dict[str, float] = {}

    def _on_service_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        session = read_name(name)
        if session is not None:
            self.seen_at.setdefault(session, asyncio.get_running_loop().time())
        super()._on_service_change(zeroconf, service_type, name, state_change)


async def check_discovery(
    adapters: Sequence[Adapter], listen_s: float
) -> tuple[dict[str, float | None], tuple[Sighting, ...], dict[Address, ProbeResult]]:
    """Announce on each adapter, browse on all of them, and probe the tables found.

    Returns the echo times by adapter name (see Examination.echo_s), the sightings, and the probe results by address.
    """
    loop = asyncio.get_running_loop()
    outward = [adapter for adapter in adapters if adapter.kind is not AdapterKind.LOOPBACK] or list(adapters)
    announcers = {adapter.name: Announcer(only=adapter.hosts) for adapter in outward}
    announced_at: dict[str, float] = {}
    probes: dict[Address, asyncio.Task[ProbeResult]] = {}
    browser = RecordingBrowser()
    try:
        await browser.start()
        until = loop.time() + listen_s
        while loop.time() < until:
            if not announced_at and loop.time() > until - listen_s + FIRST_ANSWER_S:
                for name, announcer in announcers.items():
                    announced_at[name] = loop.time()
                    await announcer.start(0, {})
            here = interfaces()
            for sighting in browser.sightings:
                for address in sighting.addresses:
                    if len(probes) < MAX_PROBES and address not in probes and is_near(address[0], here):
                        probes[address] = asyncio.create_task(probe(address), name=f"probe {address[0]}")
            await asyncio.sleep(POLL_S)
        sightings = browser.sightings
        found = await asyncio.gather(*probes.values())
        times = {name: browser.seen_at.get(announcer.name) for name, announcer in announcers.items()}
        echo_s = {name: None if at is None else max(0.0, at - announced_at.get(name, at)) for name, at in times.items()}
        return echo_s, sightings, dict(zip(probes, found, strict=True))
    finally:
        for task in probes.values():
            task.cancel()
        await asyncio.gather(*(announcer.close() for announcer in announcers.values()))
        await browser.close()


def check_mdns_port() -> MdnsPort:
    """Return whether another program uses port 5353, and whether it lets us share it."""
    for shared in (False, True):
        with contextlib.suppress(OSError), contextlib.closing(mdns_socket(shared)) as sock:
            sock.bind(("", MDNS_PORT))
            return MdnsPort.SHARED if shared else MdnsPort.FREE
    return MdnsPort.REFUSED


# --- firewalls ---


def active_firewalls(root: Path = Path("/")) -> tuple[str, ...]:
    """Return the names of Linux's common firewalls that are enabled. Their rules are visible to root only."""
    found = []
    groups = ("sys/fs/cgroup/system.slice", "sys/fs/cgroup/systemd/system.slice")
    with contextlib.suppress(OSError):  # some systems hide the folder
        if any((root / group / "firewalld.service").exists() for group in groups):
            found.append("firewalld")
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = (root / "etc/ufw/ufw.conf").read_text(encoding="utf-8").splitlines()
        if any(line.replace(" ", "").casefold() == "enabled=yes" for line in lines):
            found.append("ufw")
    return tuple(found)
