"""The mDNS stack (zeroconf), opened when there is a network and kept in step with the network interfaces."""

from __future__ import annotations

import contextlib
import logging
import time

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from p2p.interfaces import Interface, interfaces

POLL_S = 2.0
SLEEP_THRESHOLD_S = 5.0
"""A poll that is this late, by the wall clock, means that the computer was asleep."""
FAULTS = (OSError, ZeroconfError, RuntimeError, TimeoutError)
"""What zeroconf raises when interfaces come and go."""

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


class MdnsStack:
    """An mDNS stack that exists whenever there is a network. `only`: use only these addresses of this computer."""

    def __init__(self, only: tuple[str, ...] | None = None) -> None:
        self._only = only
        self._families = IPVersion.All
        self.stack: AsyncZeroconf | None = None
        self._monitor = NetworkMonitor(self.adapters(), time.time(), time.monotonic())

    def adapters(self) -> tuple[Interface, ...]:
        return tuple(adapter for adapter in interfaces() if self._only is None or adapter.host in self._only)

    def has_changed(self) -> bool:
        return self._monitor.has_changed(self.adapters(), time.time(), time.monotonic())

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
