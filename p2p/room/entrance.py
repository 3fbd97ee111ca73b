"""The way into a room: find its host behind an address, which may be any member's."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeGuard

from p2p.errors import LinkLost, LinkRefused
from p2p.interfaces import LOOPBACK, Address, is_plausible, parse
from p2p.introductions import read_key
from p2p.mesh import Mesh
from protocol.identity import KEY_BYTES
from protocol.room.refusals import RoomRefusal
from protocol.table.roster import PROTOCOL_VERSION
from protocol.values import dataclass

MAX_HOPS = 3
"""How often we follow an answer that sends us on to the room's host."""
REFUSED_LINK = {"older": "we-are-older", "newer": "they-are-older", "full": "full", "closed": "nothing"}
"""Reasons with which a host refuses a link, as the caller sees them."""


@dataclass(frozen=True, slots=True)
class FoundRoom:
    """A room and its host. `address`: at which computer we found the host; `via`: who reaches the host, if we do not."""

    host: bytes
    room: bytes
    address: str
    via: bytes | None = None


async def find_host(
    mesh: Mesh,
    addresses: Iterable[Address],
    expect: bytes | None = None,
    announced: Collection[str] = (),
    is_phone: bool = False,
) -> FoundRoom:
    """Link to the host of the room at these addresses. Raises LinkLost or Refusal.

    `expect`: the only key that may answer; `announced`: keys (hexadecimal), one of which must. A phone links to
    nobody but the machines that serve it: the machine that answers passes on what it says to the host.
    """
    for hop in range(MAX_HOPS):
        key = await (
            _call(mesh, addresses, expect) if hop or not announced else _call_one_of(mesh, addresses, announced)
        )
        link = mesh.links.get(key)
        if link is None:
            raise LinkLost("the host closed the connection", reason="closed")
        fields = link.hello.fields
        _check_version(mesh, key, fields.get("v"))
        room, host = fields.get("room"), fields.get("at_key")
        found = link.address[0] if link.address is not None else ""
        if fields.get("host") is True and isinstance(room, bytes):
            return FoundRoom(key, room, found)
        if is_phone and isinstance(room, bytes) and _is_key(host):
            return FoundRoom(host, room, found, key)
        mesh.drop(key, "bye")
        addresses = _told_by(link.host, read_address(fields.get("at")))
        if not addresses or not _is_key(host):
            break
        expect = host
    raise RoomRefusal("nothing")


async def _call(mesh: Mesh, addresses: Iterable[Address], expect: bytes | None) -> bytes:
    try:
        return await mesh.call(addresses, expect)
    except LinkRefused as refused:
        if refused.reason in REFUSED_LINK:
            raise RoomRefusal(REFUSED_LINK[refused.reason]) from refused
        raise


async def _call_one_of(mesh: Mesh, addresses: Iterable[Address], announced: Collection[str]) -> bytes:
    """Link to whoever proves one of these keys (hexadecimal), whoever else answers at these addresses."""
    addresses, fault = tuple(addresses), LinkLost("someone else answers at that address", reason="identity")
    for key in filter(None, map(read_key, announced)):
        try:
            return await _call(mesh, addresses, key)
        except LinkLost as lost:
            fault = lost
    raise fault


def _check_version(mesh: Mesh, key: bytes, theirs: object) -> None:
    if theirs == PROTOCOL_VERSION:
        return
    mesh.drop(key, "bye")
    is_newer = type(theirs) is int and theirs > PROTOCOL_VERSION
    raise RoomRefusal("we-are-older" if is_newer else "they-are-older")


def _is_key(found: object) -> TypeGuard[bytes]:
    return isinstance(found, bytes) and len(found) == KEY_BYTES


def _told_by(teller: str, addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return those of these addresses at which the host may be, if somebody at `teller` says so: their own computer is theirs."""
    here = [(teller if host in LOOPBACK else host, port) for host, port in addresses]
    return tuple(each for each in here if is_plausible(each, teller))


def read_address(found: object) -> tuple[Address, ...]:
    """Decode where a member says that the host is: a literal address and a port. Empty if it is none."""
    match found:
        case [str() as host, int() as port] if parse(host) is not None and 0 < port < 1 << 16:
            return ((host, port),)
    return ()
