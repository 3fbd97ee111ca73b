"""An mDNS stack that follows network changes."""

from __future__ import annotations

import contextlib
import logging
import time

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from p2p.interfaces import Interface, interfaces

POLL_S = 2.0
SLEEP_THRESHOLD_S = 5.0  # a poll that comes this much late on the wall clock means that the machine was asleep
FAULTS = (OSError, ZeroconfError, RuntimeError, TimeoutError)
"""What zeroconf raises when interfaces come and go under it."""

log = logging.getLogger("fairdeal.discovery")


class OneLineFilter(logging.Filter):
    """zeroconf logs every trouble of every interface with a traceback; a line of it is enough."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}", ()
        record.exc_info = record.exc_text = record.stack_info = None
        if record.levelno == logging.WARNING:  # a card without a network is no news
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


logging.getLogger("zeroconf").addFilter(OneLineFilter())


class NetworkMonitor:
    """Whether the network may be another since the last has_changed: its interfaces, or this machine was asleep."""

    def __init__(self, adapters: tuple[Interface, ...], wall: float, monotonic: float) -> None:
        self.adapters = adapters
        self._wall, self._monotonic = wall, monotonic

    def has_changed(self, adapters: tuple[Interface, ...], wall: float, monotonic: float) -> bool:
        """`wall` runs on while the machine sleeps, `monotonic` may or may not; a has_changed is due every POLL_S."""
        asleep = wall - self._wall - (monotonic - self._monotonic)
        late = monotonic - self._monotonic - POLL_S
        changed = adapters != self.adapters or asleep > SLEEP_THRESHOLD_S or late > SLEEP_THRESHOLD_S
        self.adapters, self._wall, self._monotonic = adapters, wall, monotonic
        return changed


class MdnsStack:
    """An mDNS stack that is there whenever there is a network. `only`: these own IPv4 addresses, instead of all."""

    def __init__(self, only: tuple[str, ...] | None = None) -> None:
        self._only = only
        self._families = IPVersion.All
        self.stack: AsyncZeroconf | None = None
        self._monitor = NetworkMonitor(self.adapters(), time.time(), time.monotonic())

    def adapters(self) -> tuple[Interface, ...]:
        return tuple(card for card in interfaces() if self._only is None or card.host in self._only)

    def has_changed(self) -> bool:
        return self._monitor.has_changed(self.adapters(), time.time(), time.monotonic())

    async def open(self) -> AsyncZeroconf | None:
        """The stack, made if need be; None where there is no network now."""
        for families in (IPVersion.All, IPVersion.V4Only):  # IPv6 is half switched off on some machines
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
        """zeroconf's names for our adapters: IPv4 addresses, and the numbers of adapters with IPv6; ::1 has no multicast."""
        adapters = self._monitor.adapters
        hosts = [card.host for card in adapters if card.ip.version == 4]
        if families is IPVersion.V4Only:
            return [*hosts]
        return [*hosts, *sorted({c.index for c in adapters if c.ip.version == 6 and not c.ip.is_loopback and c.index})]

    async def follow(self) -> None:
        """Takes up the interfaces that there are now."""
        if self.stack is None:
            return
        which = self._which(self._families)
        try:
            if which:
                await self.stack.async_update_interfaces(which)
        except FAULTS as fault:
            log.info("mDNS begins anew: %s", fault)
            which = []
        if not which:
            await self.close()

    async def close(self) -> None:
        """Sends the goodbyes and closes the sockets; open() may make a new stack."""
        stack, self.stack = self.stack, None
        if stack is not None:
            with contextlib.suppress(*FAULTS):
                await stack.async_close()
