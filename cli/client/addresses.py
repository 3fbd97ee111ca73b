"""The addresses by which friends reach this computer."""

from __future__ import annotations

from p2p.interfaces import LOOPBACK, interfaces, own_hosts
from p2p.network_adapters import for_friends


def addresses_of(port: int) -> tuple[str, ...]:
    """Return the addresses of this computer that friends can use, Wi-Fi and cable first."""
    found = own_hosts(for_friends(interfaces()))
    hosts = [host for host in found if host not in LOOPBACK and not host.startswith("fe80")]
    return tuple(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts[:3])
