"""Announce a table on the local network and browse for the tables of others, over mDNS.

mDNS reports what was announced, not who is there: a computer that lost power stays listed for minutes. A zeroconf
browser sends four queries within twenty seconds and then stays silent, so it would miss a network that recovers later.
Browser therefore starts a new one every 15 to 30 seconds, when the interfaces change, and after the computer has slept.
Without a network nothing is found and nothing fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Mapping
from typing import Any

from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from p2p.announcements import (
    MAX_ADDRESSES,
    SERVICE,
    Sighting,
    read_addresses,
    read_name,
    read_properties,
    write_properties,
)
from p2p.budgets import Buckets, Rate, gives_way
from p2p.interfaces import LOOPBACK, is_plausible, own_hosts
from p2p.mdns import FAULTS, POLL_S, MdnsStack
from protocol.values import dataclass, replace

RENEW_S = (15.0, 30.0)
RESOLVE_S = 3.0
TIME_TO_LIVE_S = 120  # a killed host is forgotten after this, instead of the usual 75 minutes
MAX_SIGHTINGS = 128
MAX_SIGHTINGS_PER_SOURCE = 32
MAX_RESOLVING = 32
MAX_RESOLVING_PER_SOURCE = 4
NEW_NAMES = Rate(2, 40)
"""New names per source: each may cost a look-up, which asks the whole network."""
MAX_MISSES = 2
"""Failed look-ups in a row after which an entry is gone, if it was not withdrawn by its own host."""

log = logging.getLogger("fairdeal.discovery")


class Announcer:
    """Announces one table under a random session name, `name`, until closed."""

    def __init__(self, *, only: tuple[str, ...] | None = None) -> None:
        self._mdns = MdnsStack(only, wants_answers=False)
        self._port = 0
        self._properties: dict[str, bytes] = {}
        self._announced: AsyncServiceInfo | None = None
        self._sending: set[asyncio.Task[Any]] = set()
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self.name = secrets.token_hex(16)

    async def start(self, port: int, properties: Mapping[str, str]) -> None:
        """Announce a table on `port` of this computer. Never fails for lack of a network."""
        self._port, self._properties = port, write_properties(properties)
        await self._announce()
        self._task = asyncio.create_task(self._follow(), name="announcer")

    async def update(self, properties: Mapping[str, str]) -> None:
        """Change the announced properties."""
        written = write_properties(properties)
        if written != self._properties:
            self._properties = written
            await self._announce()

    async def _announce(self) -> None:
        async with self._lock:
            stack = await self._mdns.open()
            if stack is None:
                self._announced = None
                return
            info = AsyncServiceInfo(
                SERVICE,
                f"{self.name}.{SERVICE}",
                port=self._port,
                properties=dict(self._properties),
                server=f"{self.name}.local.",
                parsed_addresses=list(own_hosts(self._mdns.adapters())),
                host_ttl=TIME_TO_LIVE_S,
                other_ttl=TIME_TO_LIVE_S,
            )
            try:
                if self._announced is None:
                    # Skip probing, so that others see us at once. Probing detects equal names; ours are random.
                    self._finish_in_background(await stack.async_register_service(info, cooperating_responders=True))
                else:
                    self._finish_in_background(await stack.async_update_service(info))
                self._announced = info
            except FAULTS as fault:
                log.info("not announced: %s", fault)
                await self._mdns.close()
                self._announced = None

    def _finish_in_background(self, broadcasts: Awaitable[Any]) -> None:
        """Send the repeated broadcasts, which take a second or two, without blocking the caller."""

        async def finish() -> None:
            try:
                await broadcasts
            except FAULTS as fault:
                log.info("not announced everywhere: %s", fault)

        task = asyncio.create_task(finish(), name="announcing")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            if self._mdns.has_changed() or self._announced is None:
                await self._mdns.follow()
                if self._mdns.stack is None:
                    self._announced = None
                await self._announce()

    async def close(self) -> None:
        """Withdraw the announcement. Safe to call twice."""
        tasks = [*self._sending, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._mdns.close()
        self._announced = None


@dataclass(frozen=True, slots=True)
class SeenName:
    """What a browser holds of one name: `source` is the host that announced it first, None if unknown; `hosts` are the addresses
    that it told of itself."""

    sighting: Sighting
    source: str | None
    misses: int = 0
    hosts: frozenset[str] = frozenset()

    def is_from(self, source: str | None) -> bool:
        """Return whether a packet from this host may speak for this entry."""
        return source is not None and (source == self.source or source in self.hosts)

    def is_also(self, source: str | None, hosts: frozenset[str]) -> bool:
        """Return whether what this host says comes from the same computer: each names the other's address as its own."""
        return source is not None and (source == self.source or (source in self.hosts and self.source in hosts))


def hosts_of(sighting: Sighting) -> frozenset[str]:
    """At which addresses it is, as its own computer says."""
    return frozenset(host for host, _port in sighting.addresses)


def claimed(full_name: str, source: str) -> str:
    """Under which name a browser holds what this host says of a name that another one announced first."""
    return f"{full_name}@{source}"


class Browser:
    """Browses for announced tables: `sightings` are those seen last, `changes()` yields them whenever they change.

    mDNS is unauthenticated. A host that announces much pushes out its own entries only, and an entry that was withdrawn or
    changed by somebody else's packet stays until it is looked up in vain.
    """

    def __init__(self, *, only: tuple[str, ...] | None = None) -> None:
        self._mdns = MdnsStack(only)
        self._seen: dict[str, SeenName] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._asked: dict[str, str | None] = {}  # names that are looked up, to who announced them
        self._new_names: Buckets[str | None] = Buckets(NEW_NAMES)
        self._stale: set[str] = set()
        self._listeners: set[asyncio.Event] = set()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start browsing. Never fails for lack of a network."""
        await self._mdns.open()
        self._task = asyncio.create_task(self._browse(), name="browser")

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """All current sightings, sorted by name."""
        return tuple(self._seen[name].sighting for name in sorted(self._seen))

    async def changes(self) -> AsyncGenerator[tuple[Sighting, ...], None]:
        """Yield all sightings now and after every change. Changes in quick succession are combined."""
        news = asyncio.Event()
        self._listeners.add(news)
        try:
            while True:
                yield self.sightings
                await news.wait()
                news.clear()
        finally:
            self._listeners.discard(news)

    def refresh(self) -> None:
        """Query the network again now."""
        self._wake.set()

    async def _browse(self) -> None:
        while True:
            stack = await self._mdns.open()
            service_browser = None
            if stack is not None:
                try:
                    service_browser = AsyncServiceBrowser(stack.zeroconf, SERVICE, handlers=[self._on_service_change])
                except FAULTS as fault:
                    log.info("no browser: %s", fault)
            try:
                has_changed = await self._pause()
            finally:
                if service_browser is not None:
                    with contextlib.suppress(*FAULTS):
                        await service_browser.async_cancel()
            if has_changed:
                await self._mdns.follow()
            for name in list(self._seen):  # tables that no longer answer are removed
                self._resolve(name)

    async def _pause(self) -> bool:
        """Wait until a new browser is due; return whether the interfaces have changed."""
        loop = asyncio.get_running_loop()
        end = loop.time() + random.uniform(*RENEW_S)
        while loop.time() < end:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()
                self._wake.clear()
                return self._mdns.has_changed()
            if self._mdns.has_changed():
                return True
            if self._mdns.stack is None and self._mdns.adapters():
                return False
        return False

    def _on_service_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        source, entry = self._mdns.source, self._seen.get(name)
        if state_change is not ServiceStateChange.Removed:
            self._resolve(name, source)
        elif source is not None and claimed(name, source) in self._seen:
            self._remove(claimed(name, source))
        elif entry is not None and entry.is_from(source):
            self._withdraw(name)
        elif entry is not None:  # forged, or it has expired: its host may still be there
            self._resolve(name, None)

    def _resolve(self, full_name: str, source: str | None = None) -> None:
        """Look up the addresses and properties of a name, within the limits of the source that announced it.

        What an honest host announces is complete and needs no question. Otherwise there is one look-up per name at a
        time, few per source.
        """
        if read_name(full_name) is None or self._mdns.stack is None:
            return
        if full_name in self._resolving:
            self._stale.add(full_name)
            return
        is_known = full_name in self._seen
        if not is_known and self._new_names.spend(source, 1, time.monotonic()):
            return
        info = AsyncServiceInfo(SERVICE, full_name)
        if info.load_from_cache(self._mdns.stack.zeroconf):
            self._found(full_name, info, source)
            return
        same_source = sum(other == source for other in self._asked.values())
        if is_known or (same_source < MAX_RESOLVING_PER_SOURCE and len(self._resolving) < MAX_RESOLVING):
            task = asyncio.create_task(self._lookup(full_name, source), name="resolve")
            self._resolving[full_name], self._asked[full_name] = task, source
            task.add_done_callback(lambda _: self._lookup_done(full_name))

    def _lookup_done(self, full_name: str) -> None:
        del self._resolving[full_name]
        source = self._asked.pop(full_name)
        if full_name in self._stale:
            self._stale.discard(full_name)
            self._resolve(full_name, source)

    async def _lookup(self, full_name: str, source: str | None) -> None:
        stack = self._mdns.stack
        if stack is None:
            return
        info = AsyncServiceInfo(SERVICE, full_name)
        try:
            answered = await info.async_request(stack.zeroconf, RESOLVE_S * 1000)
        except FAULTS as fault:
            log.info("%s cannot be looked up: %s", full_name, fault)
            return
        if answered:
            self._found(full_name, info, source)
        elif (entry := self._seen.get(full_name)) is not None:
            self._seen[full_name] = replace(entry, misses=entry.misses + 1)
            if entry.misses + 1 >= MAX_MISSES:
                self._remove(full_name)

    def _found(self, full_name: str, info: AsyncServiceInfo, source: str | None) -> None:
        name, known = read_name(full_name), self._seen.get(full_name)
        # Unknown: perhaps this computer.
        teller = source or (known.source if known is not None else None) or LOOPBACK[0]
        announced = read_addresses(info.parsed_scoped_addresses(IPVersion.All), info.port, self._mdns.adapters())
        addresses = tuple(each for each in announced if is_plausible(each, teller))  # nobody is to have others called
        if known is not None and source is None and known.source is not None:
            # What was heard last may be anybody's word. Its own computer's is taken as it comes, with where it is from.
            self._seen[full_name] = replace(known, misses=0)
        elif name is not None and addresses:
            self._add(full_name, Sighting(name, addresses, read_properties(info.properties)), source)
        elif known is None or known.source is None or known.is_from(source):
            self._remove(full_name)

    def _add(self, full_name: str, sighting: Sighting, source: str | None) -> None:
        """Add or change an entry. A packet from elsewhere adds addresses to it if it says the same, and changes nothing else."""
        known, hosts = self._seen.get(full_name), hosts_of(sighting)
        if known is None:
            self._make_room(sighting, source)
            self._seen[full_name] = SeenName(sighting, source, hosts=hosts)
            self._notify()
            return
        if source is not None and not known.is_also(source, hosts):
            if sighting.properties != known.sighting.properties or len(known.sighting.addresses) >= MAX_ADDRESSES:
                self._add(claimed(full_name, source), sighting, source)  # two say it is theirs: both are shown
                return
            both = dict.fromkeys((*known.sighting.addresses, *sighting.addresses))
            sighting, hosts = replace(known.sighting, addresses=tuple(both)[:MAX_ADDRESSES]), known.hosts
        self._seen[full_name] = SeenName(sighting, known.source or source, hosts=hosts)
        if known.sighting != sighting:
            self._notify()

    def _make_room(self, sighting: Sighting, source: str | None) -> None:
        """Remove what a new entry replaces: an older one of the same client, or one of the source with the most."""
        key = sighting.properties.get("key")
        for name, entry in list(self._seen.items()):
            if key and entry.sighting.properties.get("key") == key and entry.is_also(source, hosts_of(sighting)):
                del self._seen[name]  # its program has started again
        holders = [(name, entry.source or "") for name, entry in self._seen.items()]
        own = [name for name, host in holders if host == (source or "")]
        if len(own) >= MAX_SIGHTINGS_PER_SOURCE:
            del self._seen[own[0]]
        elif len(holders) >= MAX_SIGHTINGS:
            del self._seen[gives_way(holders, source or "") or holders[0][0]]

    def _withdraw(self, full_name: str) -> None:
        """Remove an entry that its own host has withdrawn; what another one says of this name takes its place."""
        other = next((name for name in self._seen if name.startswith(claimed(full_name, ""))), None)
        if other is None:
            self._remove(full_name)
        else:
            self._seen[full_name] = self._seen.pop(other)
            self._notify()

    def _remove(self, full_name: str) -> None:
        gone = [name for name in self._seen if name == full_name or name.startswith(claimed(full_name, ""))]
        for name in gone:
            del self._seen[name]
        if gone:
            self._notify()

    def _notify(self) -> None:
        for news in self._listeners:
            news.set()

    async def close(self) -> None:
        """Stop browsing. Safe to call twice."""
        tasks = [*self._resolving.values(), *([self._task] if self._task else [])]
        self._stale.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._mdns.close()
