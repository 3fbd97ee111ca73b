"""Whether it is our own computer, or phone, that has lost its connection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from cli.clean import clean_name
from cli.client.sitters import names_of
from cli.news import Reconnecting
from p2p.interfaces import LOOPBACK, interfaces
from p2p.mesh import Mesh
from p2p.network_adapters import is_offline
from protocol.cards import Seat
from protocol.room.values import Room
from protocol.table.record import Record

LOOK_EVERY_S = 1.0
BLINK_S = 1.0
"""A phone that wakes has its link again within so long: nobody need be told."""

LONG_S = 30.0
"""Whoever does not answer a phone for so long may have stopped the program."""


class Connection:
    """Our computer's, or phone's, connection to the others of a table or room."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._looked_at = -LOOK_EVERY_S
        """When the network was looked at last."""
        self._has_no_network = False
        self._alone_since: float | None = None

    def reconnecting(self, mesh: Mesh, record: Record, own: bytes, away: Collection[Seat]) -> Reconnecting | None:
        """Return how we try to reach the others again, or None while any other computer of the table can be reached, and when the
        match is over: the last play is still looked at, and nothing more has to come."""
        if record.is_over:
            return None
        server = next((record.member(seat).keeper for seat in record.present if record.key(seat) == own), own)
        if server != own:
            names = {record.key(seat): name for seat, name in enumerate(names_of(record))}
            return self._phone_reconnecting(mesh, names.get(server, ""))
        others = [seat for seat in record.present if record.member(seat).keeper != own and record.key(seat) != own]
        computers = {record.member(seat).keeper for seat in others}
        if not computers or any(seat not in away for seat in others):
            return None
        has_no_network = self._is_offline(mesh, [record.key(seat) for seat in others])
        if len(computers) < 2 and not has_no_network:
            return None  # if the only other computer is missing, either side may have lost its connection
        return Reconnecting(*mesh.calling, has_no_network)

    def reconnecting_to_room(self, mesh: Mesh, room: Room, own: bytes) -> Reconnecting | None:
        """Return the same for a phone in a room. A computer without links hosts the room, or goes where its host is now."""
        guest = room.guest(own)
        if guest is None or not guest.phone:
            return None
        server = room.guest(guest.keeper)
        return self._phone_reconnecting(mesh, clean_name(server.name) if server is not None else "")

    def _phone_reconnecting(self, mesh: Mesh, server_name: str) -> Reconnecting | None:
        """A phone has links only to computers that serve phones: without any it reaches nobody."""
        if mesh.links:
            self._alone_since = None
            return None
        if self._alone_since is None:
            self._alone_since = self._clock()
        alone_s = self._clock() - self._alone_since
        if alone_s < BLINK_S:
            return None
        return Reconnecting(*mesh.calling, through=server_name, is_long=alone_s >= LONG_S)

    def _is_offline(self, mesh: Mesh, others: Sequence[bytes]) -> bool:
        """Whether this computer has no network, and the others are elsewhere. Looked at once a second."""
        if self._clock() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self._clock()
            hosts = {host for key in others for host, _port in mesh.addresses(key)}
            self._has_no_network = not hosts & set(LOOPBACK) and is_offline(interfaces())
        return self._has_no_network
