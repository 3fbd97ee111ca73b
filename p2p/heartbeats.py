"""What a heartbeat says: whom a seat reaches and where, and how many look on through it. (PROTOCOL.md, "Links".)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p.frames import pack, unpack
from p2p.interfaces import Address, parse
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES

MAX_WATCHERS = 8  # of a seat
MAX_REACHED = 32
MAX_ADDRESSES = 4  # addresses of a peer
MAX_HOST_BYTES = 64


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How many look on through a seat, and the keys that it reaches, each with addresses, the surest first."""

    watchers: int
    reached: Mapping[bytes, Sequence[Address]]

    def encode(self, here: str) -> bytes:
        """For a peer that knows this machine as `here`: [watchers, [[key, [[host, port], ...]], ...]]."""
        reached = [
            [key, [[seen_from(host, here), port] for host, port in addresses[:MAX_ADDRESSES]]]
            for key, addresses in self.reached.items()
        ]
        return pack([self.watchers, reached[:MAX_REACHED]])


NO_HEARTBEAT = Heartbeat(0, {})
"""Nothing is known yet, or a stranger speaks."""


def decode_heartbeat(payload: bytes) -> Heartbeat:
    """Raises BadMessage, and nothing else, on whatever is no heartbeat."""
    if not payload:
        return NO_HEARTBEAT
    match unpack(payload):
        case [int() as watchers, list() as listed] if type(watchers) is int:
            pass
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
    return Heartbeat(watchers, reached)


def decode_address(value: object) -> Address:
    """A literal address and a port: names are not looked up for strangers."""
    match value:
        case [str() as host, int() as port] if type(port) is int and 0 < port < 1 << 16:
            if len(host) <= MAX_HOST_BYTES and parse(host):
                return host, port
    raise BadMessage("a malformed heartbeat")


def seen_from(host: str, here: str) -> str:
    """What a peer that knows this machine as `here` should call where we say `host`: our loopback is not theirs."""
    ip = parse(host)
    return here if ip is not None and ip.is_loopback else host
