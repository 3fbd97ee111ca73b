"""The mDNS stack (zeroconf), opened when there is a network and kept in step with the network interfaces."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable
from typing import Any, cast

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from p2p.budgets import Bucket, Buckets, Rate
from p2p.interfaces import Interface, interfaces
from p2p.links import host_of

POLL_S = 2.0
SLEEP_THRESHOLD_S = 5.0
"""A poll that is this late, by the wall clock, means that the computer was asleep."""
FAULTS = (OSError, ZeroconfError, RuntimeError, TimeoutError)
"""What zeroconf raises when interfaces come and go."""

SOURCE_PACKETS = Rate(50, 500)
ALL_PACKETS = Rate(200, 2000)
MUTE_S = 0.1
MAX_MUTED = 256
MAX_PACKET_BYTES = 4096
"""Announcements have less than 1000 bytes; longer packets only fill zeroconf's cache."""
FLAGS_AT, IS_ANSWER = 2, 0x80
"""Where a packet says whether it asks or answers."""

log = logging.getLogger("fairdeal.discovery")


class OneLineFilter(logging.Filter):
    """Reduces zeroconf's log entries, which carry a traceback per interface, to one line each."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}", ()
        record.exc_info = record.exc_text = record.stack_info = None
        if record.levelno == logging.WARNING:  # an adapter without a network is normal
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


logging.getLogger("zeroconf").addFilter(OneLineFilter())


class NetworkMonitor:
    """Detects that the network may have changed: other interfaces, or the computer was asleep."""

    def __init__(self, adapters: tuple[Interface, ...], wall: float, monotonic: float) -> None:
        self.adapters = adapters
        self._wall, self._monotonic = wall, monotonic

    def has_changed(self, adapters: tuple[Interface, ...], wall: float, monotonic: float) -> bool:
        """Return whether the network may have changed since the last call; call it every POLL_S seconds.

        `wall` keeps running while the computer sleeps; `monotonic` may stop.
        """
        asleep = wall - self._wall - (monotonic - self._monotonic)
        late = monotonic - self._monotonic - POLL_S
        changed = adapters != self.adapters or asleep > SLEEP_THRESHOLD_S or late > SLEEP_THRESHOLD_S
        self.adapters, self._wall, self._monotonic = adapters, wall, monotonic
        return changed


class Gate(asyncio.DatagramProtocol):
    """Stands before a socket of zeroconf: drops what a host sends too much of, and knows who sent the current packet."""

    def __init__(self, behind: asyncio.DatagramProtocol, sources: Sources) -> None:
        self.behind, self._sources = behind, sources

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        sources = self._sources
        if sources.is_muted(addr[0]) or len(data) > MAX_PACKET_BYTES or not sources.concerns_us(data, addr[0]):
            return
        host = host_of(addr).removeprefix("::ffff:")  # sockets for both families show IPv4 so
        if not self._sources.allow(host):
            self._sources.mute(addr[0])
        else:
            self._sources.current = host
            try:
                self.behind.datagram_received(data, addr)
            finally:
                self._sources.current = None

    def error_received(self, exc: Exception) -> None:
        self.behind.error_received(exc)

    def connection_lost(self, exc: Exception | None) -> None:
        self.behind.connection_lost(exc)


class Sources:
    """Counts what hosts send. `current`: the host whose packet is being read, None at other times."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wants_answers: bool) -> None:
        """`wants_answers`: whether we look for what others announce."""
        self._loop, self._wants_answers = loop, wants_answers
        self._own: frozenset[str] = frozenset()
        self._by_host: Buckets[str] = Buckets(SOURCE_PACKETS)
        self._all = Bucket(ALL_PACKETS, loop.time())
        self._muted: dict[str, float] = {}
        self.current: str | None = None

    def set_own(self, hosts: Iterable[str]) -> None:
        """Set the addresses of this computer."""
        own = [host.partition("%")[0] for host in hosts]
        self._own = frozenset((*own, *(f"::ffff:{host}" for host in own)))

    def concerns_us(self, data: bytes, sender: str) -> bool:
        """Whether to read a packet at all. Who only announces needs questions, and its own answers: an answer is not to be
        repeated within a second. What others announce is dropped before it costs anything, as it is while a match runs.
        """
        is_answer = len(data) > FLAGS_AT and bool(data[FLAGS_AT] & IS_ANSWER)
        return self._wants_answers or not is_answer or sender in self._own

    def is_muted(self, sender: str) -> bool:
        """Return whether this sender sent too much a moment ago: the cheapest way to drop most of a flood."""
        until = self._muted.get(sender)
        if until is None:
            return False
        if until > self._loop.time():
            return True
        del self._muted[sender]
        return False

    def mute(self, sender: str) -> None:
        """Read nothing from this sender for a moment."""
        if len(self._muted) >= MAX_MUTED:
            self._muted.clear()
        self._muted[sender] = self._loop.time() + MUTE_S

    def allow(self, host: str) -> bool:
        """Count a packet; return whether it may be read. Dropped ones do not add to a host's debt."""
        now = self._loop.time()
        if self._by_host.debt_s(host, now) or self._all.debt_s(now):
            return False
        self._by_host.spend(host, 1, now)
        self._all.spend(1, now)
        return True


class MdnsStack:
    """An mDNS stack that exists whenever there is a network.

    `only`: use only these addresses of this computer; `wants_answers`: we look for what others announce.
    """

    def __init__(self, only: tuple[str, ...] | None = None, *, wants_answers: bool = True) -> None:
        self._only, self._wants_answers = only, wants_answers
        self._families = IPVersion.All
        self.stack: AsyncZeroconf | None = None
        self._sources: Sources | None = None
        self._monitor = NetworkMonitor(self.adapters(), time.time(), time.monotonic())

    def adapters(self) -> tuple[Interface, ...]:
        return tuple(adapter for adapter in interfaces() if self._only is None or adapter.host in self._only)

    def has_changed(self) -> bool:
        return self._monitor.has_changed(self.adapters(), time.time(), time.monotonic())

    @property
    def source(self) -> str | None:
        """The host whose packet zeroconf is reading just now; None at other times."""
        return None if self._sources is None else self._sources.current

    def _guard(self) -> None:
        """Put a gate before each of zeroconf's sockets that has none yet."""
        assert self.stack is not None
        self._sources = self._sources or Sources(asyncio.get_running_loop(), self._wants_answers)
        self._sources.set_own(adapter.host for adapter in self._monitor.adapters)
        for reader in self.stack.zeroconf.engine.readers:
            behind = reader.transport.get_protocol()
            if not isinstance(behind, Gate):
                reader.transport.set_protocol(Gate(cast(asyncio.DatagramProtocol, behind), self._sources))

    async def open(self) -> AsyncZeroconf | None:
        """Return the stack, created if needed; None if there is no network."""
        for families in (IPVersion.All, IPVersion.V4Only):  # IPv6 is partly disabled on some computers
            which = self._which(families)
            if self.stack is not None or not which:
                break
            try:
                self.stack = AsyncZeroconf(interfaces=which, ip_version=families)
                self._families = families
                await self.stack.zeroconf.async_wait_for_start()
                self._guard()
            except FAULTS as fault:
                log.info("no mDNS with %s: %s", families.name, fault)
                await self.close()
        return self.stack

    def _which(self, families: IPVersion) -> list[str | int]:
        """Return zeroconf's names for our adapters: IPv4 addresses, and indexes for IPv6 (::1 has no multicast)."""
        adapters = self._monitor.adapters
        hosts = [adapter.host for adapter in adapters if adapter.ip.version == 4]
        if families is IPVersion.V4Only:
            return [*hosts]
        return [*hosts, *sorted({c.index for c in adapters if c.ip.version == 6 and not c.ip.is_loopback and c.index})]

    async def follow(self) -> None:
        """Switch to the current network interfaces."""
        if self.stack is None:
            return
        which = self._which(self._families)
        try:
            if which:
                await self.stack.async_update_interfaces(which)
                self._guard()
        except FAULTS as fault:
            log.info("mDNS restarts: %s", fault)
            which = []
        if not which:
            await self.close()

    async def close(self) -> None:
        """Send goodbyes and close the sockets; `open` may create a new stack."""
        stack, self.stack = self.stack, None
        if stack is not None:
            with contextlib.suppress(*FAULTS):
                await stack.async_close()
