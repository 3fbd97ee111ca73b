"""What a heartbeat says: whom a seat reaches and where, and how many look on through it. (PROTOCOL.md, "Links".)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p.frames import pack, unpack
from p2p.interfaces import Address, parse
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES

MAX_ONLOOKERS = 8  # of a seat
MAX_REACHED = 32
MAX_TOLD = 4  # addresses of a peer
MAX_HOST_BYTES = 64


@dataclass(frozen=True, slots=True)
class Beat:
    """How many look on through a seat, and the keys that it reaches, each with addresses, the surest first."""

    onlookers: int
    reached: Mapping[bytes, Sequence[Address]]

    def encode(self, here: str) -> bytes:
        """For a peer that knows this machine as `here`: [onlookers, [[key, [[host, port], ...]], ...]]."""
        told = [
            [key, [[seen_from(host, here), port] for host, port in addresses[:MAX_TOLD]]]
            for key, addresses in self.reached.items()
        ]
        return pack([self.onlookers, told[:MAX_REACHED]])


SILENCE = Beat(0, {})
"""Nothing is known yet, or a stranger speaks."""


def decode_beat(payload: bytes) -> Beat:
    """Raises BadMessage, and nothing else, on whatever is no heartbeat."""
    if not payload:
        return SILENCE
    match unpack(payload):
        case [int() as onlookers, list() as listed] if type(onlookers) is int:
            pass
        case _:
            raise BadMessage("a malformed heartbeat")
    if len(listed) > MAX_REACHED or not 0 <= onlookers <= MAX_ONLOOKERS:
        raise BadMessage("a malformed heartbeat")
    reached: dict[bytes, list[Address]] = {}
    for entry in listed:
        match entry:
            case [bytes() as key, list() as addresses] if len(key) == KEY_BYTES and len(addresses) <= MAX_TOLD:
                reached[key] = [decode_address(address) for address in addresses]
            case _:
                raise BadMessage("a malformed heartbeat")
    return Beat(onlookers, reached)


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
