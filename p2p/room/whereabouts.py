"""Where the members of a room can be reached, as far as we know."""

from __future__ import annotations

from p2p.interfaces import LOOPBACK, Address, is_plausible
from p2p.room.membership import Membership
from protocol.room.values import Guest


class Whereabouts:
    """The addresses of the others in our room. `host_address`: where we found the room's host, empty if unknown."""

    def __init__(self, place: Membership) -> None:
        self.host_address = ""
        self._place = place

    def found_host(self, host: bytes) -> None:
        """Note where the room's new host is."""
        link = self._place.node.mesh.links.get(host)
        self.host_address = link.address[0] if link is not None and link.address is not None else ""

    def all(self) -> dict[bytes, tuple[Address, ...]]:
        """Return the other members' addresses, and those of members whom we call as their host because they were lost."""
        mesh, place = self._place.node.mesh, self._place
        found: dict[bytes, tuple[Address, ...]] = {}
        if place.hosting is not None:
            found |= {key: mesh.addresses(key) or known for key, known in place.hosting.former.items()}
        if place.room is None:
            return found
        teller = mesh.host_of(place.room.host) or self.host_address
        for guest in place.room.members:
            if guest.key == place.own_key:
                continue
            known, shown = mesh.addresses(guest.key), self.translated(guest.address)
            is_new = not known and is_plausible(shown, teller)
            found[guest.key] = (shown,) if is_new else known
        return found

    def of(self, guest: Guest) -> Address:
        """Return where a member can be reached, as a new host shows it."""
        if guest.key == self._place.own_key:
            return ("", 0)
        return next(iter(self._place.node.mesh.addresses(guest.key)), self.translated(guest.address))

    def translated(self, address: Address) -> Address:
        """A loopback address at the host means the computer where we found the host."""
        is_loopback = address[0] in LOOPBACK
        return (self.host_address, address[1]) if is_loopback and self.host_address else address
