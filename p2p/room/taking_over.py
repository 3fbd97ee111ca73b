"""Who hosts when the host is gone: the member who has been in the room longest. PROTOCOL.md: "The room"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from p2p.interfaces import Address
from p2p.room.hosting import GONE_S, silent_at
from p2p.room.membership import Membership
from p2p.room.own_entry import OwnEntry
from p2p.room.sealing import RoomSealing
from p2p.room.whereabouts import Whereabouts
from p2p.routes import Route
from protocol.room.starting import begun, torn
from protocol.room.succession import hosted_by, successors
from protocol.room.values import NOBODY, Room
from protocol.table.record import Phase
from protocol.values import replace

BeginHosting = Callable[[Room, Mapping[bytes, tuple[Address, ...]]], None]
"""Host this room, and call those who were lost, as they may have a branch of it."""


class TakingOver:
    """Watches over the room's host, and hosts the room in its place."""

    def __init__(
        self, place: Membership, entry: OwnEntry, sealing: RoomSealing, whereabouts: Whereabouts, begin: BeginHosting
    ) -> None:
        self._place, self._entry, self._sealing, self._whereabouts = place, entry, sealing, whereabouts
        self._begin = begin
        self._considered = 0
        """For how many who come before us we have waited."""

    def host_is_here(self) -> None:
        """The host can be reached."""
        self._place.timers.cancel("host")

    def host_is_new(self) -> None:
        """Another host has shown the room."""
        self._considered = 0
        self._place.timers.cancel("host")

    def host_is_lost(self) -> None:
        """The host cannot be reached: it has some time to come back."""
        self._place.timers.set("host", GONE_S, self._consider)

    def host_is_gone(self) -> None:
        """The host has left, or has started anew without its room: do not wait for it."""
        self._considered = 0
        self._consider(is_gone=True)

    def _consider(self, is_gone: bool = False) -> None:
        """Host the room if its host is gone, and everyone before us is gone or has had time to."""
        room, mesh, own_key = self._place.room, self._place.node.mesh, self._place.own_key
        is_host = self._place.hosting is not None
        if room is None or is_host or (not is_gone and mesh.route(room.host) is not Route.NONE):
            return
        before = [guest.key for guest in successors(room)]
        if room.host == own_key:
            before.clear()  # we have started anew, and nobody else hosts
        elif own_key in before:
            del before[before.index(own_key) :]
        else:
            return  # kept bots never host: they wait for the new host
        here = [key for key in before if mesh.route(key) is not Route.NONE]
        if len(here) <= self._considered:
            self.take_over((room.host, *(key for key in before if key not in here)))
        else:
            self._considered += 1
            self.host_is_lost()

    def take_over(self, gone: Collection[bytes]) -> None:
        """Host the room from now on, without those who are gone."""
        place, driver = self._place, self._place.node.driver
        assert place.room is not None
        was_sealing, old_host = place.room.sealing, place.room.host
        lost = {key: where for key, where in self._whereabouts.all().items() if key in gone}
        room = hosted_by(place.room, place.own_key, tuple(gone))
        if room.guest(place.own_key) is None:
            return
        members = tuple(replace(g, address=self._whereabouts.of(g)) for g in room.members)
        room = replace(room, members=members)
        if was_sealing and driver is not None and driver.table.record.phase is not Phase.SEALING:
            room = begun(replace(room, sealing=True))
        elif was_sealing:
            silent, revealed = silent_at(driver.table.record) if driver is not None else (frozenset({old_host}), False)
            room = torn(replace(room, match=NOBODY), silent - {place.own_key}, revealed)
            self._begin(room, lost)
            self._sealing.failed(silent, revealed)
            return
        self._begin(room, lost)
        if driver is None:
            self._entry.say_ready()
