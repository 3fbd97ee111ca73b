"""The phones of our room: those that our computer serves, and the other computers that serve some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from p2p.frames import PHONES
from p2p.interfaces import Address
from p2p.room.owner import RoomNode
from p2p.room.waiting_room import WaitingRoom
from protocol.room.values import MAX_MEMBERS, Guest

MAX_ORIGINS = 64
MAX_PHONES = 64


class PhonesNode(RoomNode, Protocol):
    """What serving phones needs of a node."""

    def refresh(self) -> None:
        """Update our hello to the current state."""


class RoomPhones:
    """One computer's part in it."""

    def __init__(self, node: PhonesNode, room: WaitingRoom) -> None:
        self._node, self._room = node, room
        self._origins: dict[Address, bytes] = {}
        """Where others of our room serve phones, or did, and their keys."""

    # --- our computer serves phones ---

    def serve(self, port: int, page: str = "") -> None:
        """Tell the room that our computer serves phones at this port, and phones which page; 0: not any more."""
        settings = self._node.settings
        settings.serves = port
        settings.fields = {**settings.fields, "page": page}
        self._node.refresh()
        self._room.entry.say_anew()

    def show_address(self, address: str) -> None:
        """Show in our hello where phones may sit down; empty: nowhere. A TV draws it as a code."""
        settings = self._node.settings
        others = {name: value for name, value in settings.fields.items() if name != PHONES}
        settings.fields = {**others, PHONES: address} if address else others
        self._node.refresh()

    def belongs(self, key: bytes) -> bool:
        """Whether this key is in our room or has a seat at our table."""
        room, driver = self._room.room, self._node.driver
        is_seat = driver is not None and driver.seat_of(key) is not None
        return is_seat or (room is not None and room.guest(key) is not None)

    @property
    def places(self) -> int:
        """How many more our room has room for."""
        room = self._room.room
        return MAX_MEMBERS - (0 if room is None else len(room.members))

    def admit(self, key: bytes) -> None:
        """Remember that our computer serves this phone. Of those that are gone, the first is forgotten if there are too many."""
        phones, links = self._node.settings.phones, self._node.mesh.links
        phones.pop(key, None)
        phones[key] = None
        gone = [each for each in phones if each != key and each not in links and not self.belongs(each)]
        for old in gone[: max(0, len(phones) - MAX_PHONES)]:
            del phones[old]

    # --- other computers do ---

    def note_servers(self) -> Mapping[bytes, int]:
        """Return who else of our room serves phones, and at which port; where they do is remembered when they are gone."""
        known, servers = self._room.addresses(), {guest.key: guest.serves for guest in self._others if guest.serves}
        for key, port in servers.items():
            for host, _port in known.get(key, ()):
                self._origins.pop((host, port), None)
                self._origins[host, port] = key
        for old in list(self._origins)[:-MAX_ORIGINS]:
            del self._origins[old]
        return servers

    @property
    def origins(self) -> frozenset[Address]:
        """Where others of our room serve phones, or did: pages from there may link to us, too."""
        self.note_servers()
        return frozenset(self._origins)

    def vouches(self, key: bytes) -> bool:
        """Whether this key may say who watches: it is ours, in our room, or served phones there. Our own word
        outlasts our program."""
        return key == self._node.identity.public or self.belongs(key) or key in self._origins.values()

    def other_servers(self) -> list[tuple[bytes, Address]]:
        """Who else of our room serves phones now, and where."""
        servers = self.note_servers()
        return [(key, at) for at, key in self._origins.items() if at[1] == servers.get(key)]

    @property
    def _others(self) -> tuple[Guest, ...]:
        room, own = self._room.room, self._node.identity.public
        return tuple(guest for guest in room.members if guest.key != own) if room is not None else ()
