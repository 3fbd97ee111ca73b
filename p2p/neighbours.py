"""Find other devices on the network by asking for their mDNS services (IPv4 only)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import sys
from collections.abc import Sequence

from p2p.network_adapters import Adapter, AdapterKind

MDNS_GROUP, MDNS_PORT = "224.0.0.251", 5353
SERVICES_QUERY = b"\x09_services\x07_dns-sd\x04_udp\x05local\x00"
"""The DNS name that any device with an mDNS service answers (RFC 6763, section 9): printers, televisions, phones."""


class Neighbours(asyncio.DatagramProtocol):
    """Collects the addresses of all senders, at most 1000."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if len(self.hosts) < 1000:
            self.hosts.add(addr[0])

    def error_received(self, exc: Exception) -> None:
        """Ignore adapters that went away."""


async def find_neighbours(adapters: Sequence[Adapter], listen_s: float) -> tuple[str, ...]:
    """Ask all devices for their services and return the addresses of those that send anything, without our own.

    Receiving anything proves that multicast arrives from outside, which receiving our own announcement does not.
    """
    hosts = [host for adapter in adapters if adapter.kind is not AdapterKind.LOOPBACK for host in adapter.v4]
    own = {host for adapter in adapters for host in adapter.hosts}
    if not hosts:
        return ()
    query = bytes(4) + struct.pack("!4H", 1, 0, 0, 0) + SERVICES_QUERY + struct.pack("!2H", 12, 1)
    neighbours = Neighbours()
    try:
        sock = mdns_socket(shared=True)
    except OSError:
        return ()
    try:
        # Bound to the group, so that it receives no unicast answers meant for others. Windows cannot do that.
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
            await asyncio.sleep(listen_s * part)
    finally:
        transport.close()
    return tuple(sorted(neighbours.hosts - own))


def ask(host: str, query: bytes) -> None:
    """Send a query through the adapter with address `host`, limited to its own network."""
    with contextlib.suppress(OSError), contextlib.closing(mdns_socket(shared=True)) as sock:
        sock.bind((host, MDNS_PORT))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        # Multicast DNS requires 255; routers do not forward the group.
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        sock.sendto(query, (MDNS_GROUP, MDNS_PORT))


def mdns_socket(shared: bool) -> socket.socket:
    """Return a UDP socket; with `shared`, other programs may bind the same port."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setblocking(False)
    if shared:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return sock
