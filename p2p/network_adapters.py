"""What kind of network card an address belongs to, told by names: systems say no more without special rights.

A wrong guess costs little. Nothing is left out because of it; likely cards come first, and the doctor mentions the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from p2p.interfaces import Interface


class CardKind(IntEnum):
    """The likeliest to lead to friends in the same room first."""

    ROOM = 0
    """Wi-Fi or cable, as far as its name tells."""
    TUNNEL = 1
    """A VPN: leads elsewhere, and some of them shut the room out."""
    VIRTUAL = 2
    """A network inside this machine, for containers and virtual machines."""
    DIRECT = 3
    """Apple's own links between its devices: nobody plays over them."""
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
class Card:
    """One card with all its addresses, IPv4 first."""

    name: str
    kind: CardKind
    hosts: tuple[str, ...]

    @property
    def v4(self) -> tuple[str, ...]:
        return tuple(host for host in self.hosts if ":" not in host)

    @property
    def is_numbered(self) -> bool:
        """Whether a router or person gave it an address; 169.254.x.x and fe80:: are what a card takes when nobody does."""
        return any(not host.startswith(("169.254.", "fe80:")) for host in self.hosts)


def kind_of(name: str) -> CardKind:
    """What the system's name of a card says."""
    name = name.casefold()
    if re.fullmatch(r"lo\d*", name) or "loopback" in name:
        return CardKind.LOOPBACK
    if DIRECTS.match(name):
        return CardKind.DIRECT
    if VIRTUALS.match(name):
        return CardKind.VIRTUAL
    return CardKind.TUNNEL if TUNNELS.match(name) else CardKind.ROOM


def cards_of(found: Iterable[Interface]) -> tuple[Card, ...]:
    """The cards behind these addresses, the likeliest first."""
    hosts: dict[str, list[str]] = {}
    only_loopback: dict[str, bool] = {}
    for each in found:
        hosts.setdefault(each.name, []).append(each.host)
        only_loopback[each.name] = only_loopback.get(each.name, True) and each.ip.is_loopback
    cards = [
        Card(
            name,
            CardKind.LOOPBACK if only_loopback[name] else kind_of(name),
            tuple(sorted(dict.fromkeys(those), key=lambda host: ":" in host)),
        )
        for name, those in hosts.items()
    ]
    return tuple(sorted(cards, key=lambda card: (card.kind, card.name)))


def for_friends(found: Iterable[Interface]) -> list[Interface]:
    """Under which addresses friends in the room may reach this machine, the likeliest first; those of networks inside it
    only where there are no others."""
    ordered = sorted(found, key=lambda each: (kind_of(each.name), each.ip.version == 6, each.ip.is_link_local))
    return [each for each in ordered if kind_of(each.name) <= CardKind.TUNNEL] or ordered
