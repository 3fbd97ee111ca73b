"""Encode and decode heartbeats: whom a seat reaches and where, who sleeps, and its number of watchers. PROTOCOL.md: "Links"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from p2p.frames import pack, unpack
from p2p.interfaces import Address, parse
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES
from protocol.values import dataclass

MAX_WATCHERS = 8  # per seat
MAX_REACHED = 32
MAX_ADDRESSES = 4  # per peer
MAX_HOST_BYTES = 64


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A heartbeat's content: the number of watchers connected through the sender, and the keys that it reaches.

    `reached` maps each key to its addresses, the most reliable first.
    """

    watchers: int
    reached: Mapping[bytes, Sequence[Address]]
    asleep: frozenset[bytes] = frozenset()
    """Who has said that nobody looks at their page: the sender itself, and of those that it reaches."""

    def encode(self, here: str) -> bytes:
        """Encode for a peer that knows this computer as `here`: [watchers, [[key, [[host, port], ...]], ...]], and who sleeps if
        anybody does."""
        reached = [
            [key, [[seen_from(host, here), port] for host, port in addresses[:MAX_ADDRESSES]]]
            for key, addresses in self.reached.items()
        ]
        asleep = [sorted(self.asleep)[:MAX_REACHED]] if self.asleep else []
        return pack([self.watchers, reached[:MAX_REACHED], *asleep])


NO_HEARTBEAT = Heartbeat(0, {})
"""The empty heartbeat: nothing is known yet, or the sender is not a seat."""


@lru_cache(64)  # a peer says the same every two seconds
def decode_heartbeat(payload: bytes) -> Heartbeat:
    """Decode a heartbeat; an empty payload gives NO_HEARTBEAT. Raises BadMessage and nothing else."""
    if not payload:
        return NO_HEARTBEAT
    match unpack(payload):
        case [int() as watchers, list() as listed, *rest] if type(watchers) is int and len(rest) <= 1:
            asleep = _decode_asleep(rest[0]) if rest else frozenset()
        case _:
            raise BadMessage("a malformed heartbeat")
    if len(listed) > MAX_REACHED or not 0 <= watchers <= MAX_WATCHERS:
        raise BadMessage("a malformed heartbeat")
    reached: dict[bytes, list[Address]] = {}
    for entry in listed:
        match entry:
            case [bytes() as key, list() as addresses] if len(key) == KEY_BYTES and len(addresses) <= MAX_ADDRESSES:
                reached[key] = [decode_address(address) for address in addresses]
            case _:
                raise BadMessage("a malformed heartbeat")
    return Heartbeat(watchers, reached, asleep)


def _decode_asleep(value: object) -> frozenset[bytes]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_REACHED:
        raise BadMessage("a malformed heartbeat")
    if not all(isinstance(key, bytes) and len(key) == KEY_BYTES for key in value):
        raise BadMessage("a malformed heartbeat")
    return frozenset(value)


def decode_address(value: object) -> Address:
    """Decode a literal address and a port. Host names are refused: they are not looked up for strangers."""
    match value:
        case [str() as host, int() as port] if type(port) is int and 0 < port < 1 << 16:
            if len(host) <= MAX_HOST_BYTES and parse(host):
                return host, port
    raise BadMessage("a malformed heartbeat")


def seen_from(host: str, here: str) -> str:
    """Translate our address `host` for a peer that knows this computer as `here`: our loopback address is not theirs."""
    ip = parse(host)
    return here if ip is not None and ip.is_loopback else host
