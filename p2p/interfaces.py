"""This computer's current network addresses, and which other addresses can be reached without a router."""

from __future__ import annotations

import contextlib
import ipaddress
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

Address = tuple[str, int]
"""Host and port. The host is a literal IPv4 or IPv6 address, with `%scope` if link-local, or a host name."""

LOOPBACK = ("127.0.0.1", "::1")
"""Every computer itself, in IPv4 and IPv6."""

IP = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True, order=True)
class Interface:
    """One address of one network adapter. `index` is the system's number for the adapter, used as IPv6 scope."""

    name: str
    index: int
    host: str
    prefix: int

    @property
    def ip(self) -> IP:
        return ipaddress.ip_address(self.host)

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        return ipaddress.ip_network(f"{self.host}/{self.prefix}", strict=False)


def interfaces() -> tuple[Interface, ...]:
    """Return every address of every adapter that is up, sorted; empty without a network, and in a browser, which tells none.

    Takes under a millisecond.
    """
    if sys.platform == "emscripten":
        return ()
    import ifaddr

    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return ()
    found = set()
    for adapter in adapters:
        for entry in adapter.ips:
            host = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            found.add(Interface(adapter.nice_name, adapter.index or 0, host.partition("%")[0], entry.network_prefix))
    return tuple(sorted(found))


def counted_as(host: str) -> str:
    """Return the name under which a host is counted: IPv6 gives each computer any number of addresses of its network."""
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(host)
        if host in LOOPBACK:
            return LOOPBACK[0]
        if isinstance(ip, ipaddress.IPv6Address):
            return str(ip.ipv4_mapped or ipaddress.IPv6Network((int(ip) >> 64 << 64, 64)))
    return host


@lru_cache(1024)  # heartbeats name the same addresses again and again
def parse(host: str) -> IP | None:
    """Parse a literal address; None for a host name. The scope, if any, is in `scope_id`."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def own_hosts(adapters: Iterable[Interface]) -> tuple[str, ...]:
    """Return the addresses at which others can reach this computer, or the loopback address if there are none."""
    reachable = [adapter.host for adapter in adapters if not adapter.ip.is_loopback and not adapter.ip.is_unspecified]
    return tuple(dict.fromkeys(reachable)) or ("127.0.0.1",)


def scoped(host: str, adapters: Iterable[Interface]) -> tuple[str, ...]:
    """Add each adapter's scope to a link-local IPv6 address without one; return any other host unchanged."""
    ip = parse(host)
    if not isinstance(ip, ipaddress.IPv6Address) or not ip.is_link_local or ip.scope_id:
        return (host,)
    scopes = dict.fromkeys(c.index for c in adapters if c.ip.version == 6 and c.ip.is_link_local and c.index)
    return tuple(f"{host}%{scope}" for scope in scopes)


LOWEST_PORT = 1024
"""Below are services of the system, which no peer has a reason to call."""
NEAR_BITS = {4: 16, 6: 48}
"""How much of a public address computers in one place have in common, by IP version."""


def is_plausible(address: Address, teller: str) -> bool:
    """Whether a peer may be found at an address that another one told us, itself at the address `teller`, so that it is called.

    A literal address of one computer, not ours unless the teller is here as well, and of a local network or near our own.
    """
    ip, told_by = parse(address[0]), parse(teller)
    if ip is None or not LOWEST_PORT <= address[1] < 1 << 16 or ip.is_multicast or ip.is_unspecified:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        return False
    if ip.is_loopback:
        return told_by is not None and told_by.is_loopback
    if not ip.is_global:
        return not (ip.version == 4 and ip.is_reserved)
    mask = NEAR_BITS[ip.version]
    near = ipaddress.ip_network(f"{ip.compressed.partition('%')[0]}/{mask}", strict=False)
    own = [each.ip for each in interfaces() if each.ip.version == ip.version]
    return any(
        each in near for each in [*own, *([told_by] if told_by is not None else [])] if each.version == ip.version
    )


def is_near(host: str, adapters: Iterable[Interface]) -> bool:
    """Return whether an address is on one of this computer's own networks."""
    ip = parse(host)
    if ip is None:
        return False
    if ip.is_link_local or ip.is_loopback:
        return True
    return any(ip.version == adapter.ip.version and ip in adapter.network for adapter in adapters)
