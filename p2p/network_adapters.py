"""Guess the kind of a network adapter from its name: systems reveal no more without special rights.

A wrong guess costs little. Every address is still used; the likely ones come first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from enum import IntEnum
from pathlib import Path

from p2p.interfaces import Interface
from protocol.values import dataclass


class AdapterKind(IntEnum):
    """Kinds of adapters, the likeliest to reach friends in the same room first."""

    ROOM = 0
    """Wi-Fi or cable, as far as the name tells."""
    TUNNEL = 1
    """A VPN: it leads elsewhere, and some VPNs block the local network."""
    VIRTUAL = 2
    """A network inside this computer, for containers and virtual machines."""
    DIRECT = 3
    """Apple's direct links between devices, which nobody plays over."""
    LOOPBACK = 4


TUNNELS = re.compile(
    r"(tun|tap|wg|ppp|utun|ipsec|tailscale|nordlynx|proton|mullvad|gpd|cscotun|ham)([\d_-]|$)|zt[0-9a-z]{8,}$"
    r"|.*(wireguard|openvpn|tap-windows|wintun|tailscale|zerotier|anyconnect|hamachi|nordvpn|\bvpn\b)"
)
VIRTUALS = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxdbr|incusbr|cni|flannel|cali|podman|vnet|dummy|ifb|kube|nerdctl|waydroid)"
    r"|.*(vethernet|hyper-v|\bwsl\b|virtualbox|vmware)"
)
DIRECTS = re.compile(r"(awdl|llw|anpi)\d+$")


@dataclass(frozen=True, slots=True)
class Adapter:
    """One network adapter with all its addresses, IPv4 first."""

    name: str
    kind: AdapterKind
    hosts: tuple[str, ...]

    @property
    def v4(self) -> tuple[str, ...]:
        return tuple(host for host in self.hosts if ":" not in host)

    @property
    def is_numbered(self) -> bool:
        """Whether a router or a person assigned an address. 169.254.x.x and fe80:: are self-assigned."""
        return any(not host.startswith(("169.254.", "fe80:")) for host in self.hosts)


def kind_of(name: str) -> AdapterKind:
    """Return the kind that the system's adapter name suggests."""
    name = name.casefold()
    if re.fullmatch(r"lo\d*", name) or "loopback" in name:
        return AdapterKind.LOOPBACK
    if DIRECTS.match(name):
        return AdapterKind.DIRECT
    if VIRTUALS.match(name):
        return AdapterKind.VIRTUAL
    return AdapterKind.TUNNEL if TUNNELS.match(name) else AdapterKind.ROOM


def adapters_of(found: Iterable[Interface]) -> tuple[Adapter, ...]:
    """Group addresses by adapter, the likeliest to reach friends first."""
    hosts: dict[str, list[str]] = {}
    only_loopback: dict[str, bool] = {}
    for each in found:
        hosts.setdefault(each.name, []).append(each.host)
        only_loopback[each.name] = only_loopback.get(each.name, True) and each.ip.is_loopback
    adapters = [
        Adapter(
            name,
            AdapterKind.LOOPBACK if only_loopback[name] else kind_of(name),
            tuple(sorted(dict.fromkeys(those), key=lambda host: ":" in host)),
        )
        for name, those in hosts.items()
    ]
    return tuple(sorted(adapters, key=lambda adapter: (adapter.kind, adapter.name)))


def for_friends(found: Iterable[Interface]) -> list[Interface]:
    """Return the addresses at which friends in the room may reach this computer, likeliest first.

    Networks inside the computer are included only if there are no others.
    """
    ordered = sorted(found, key=lambda each: (kind_of(each.name), each.ip.version == 6, each.ip.is_link_local))
    return [each for each in ordered if kind_of(each.name) <= AdapterKind.TUNNEL] or ordered


def is_offline(found: Iterable[Interface], is_down: Callable[[str], bool] | None = None) -> bool:
    """Return whether this computer has lost its network: no adapter that could reach friends has an address and a live link.

    `is_down`: whether the adapter of this name has no link, where the system tells. A page cannot tell: it is never offline.
    """
    if sys.platform == "emscripten":
        return False
    is_down = is_down or has_no_link
    adapters = [adapter for adapter in adapters_of(found) if adapter.kind is not AdapterKind.LOOPBACK]
    return all(is_down(adapter.name) for adapter in adapters if adapter.kind is adapters[0].kind)


def has_no_link(name: str) -> bool:
    """Return whether the cable of this adapter is out, or its Wi-Fi off. Only Linux keeps the addresses then; it tells here."""
    try:
        state = (Path("/sys/class/net") / name / "operstate").read_text()
    except (OSError, ValueError):
        return False
    return state.strip() in ("down", "lowerlayerdown", "notpresent")
