"""The seat of the running match that we may take, as those who play tell us who wait."""

from __future__ import annotations

from p2p.room.membership import Membership
from p2p.room.offers import SeatOffer, read_offer
from p2p.room.owner import RoomOwner
from protocol.errors import BadMessage
from protocol.room.statements import Statement


class OfferedSeat:
    """`offer` is None if there is no such seat."""

    def __init__(self, place: Membership, owner: RoomOwner) -> None:
        self.offer: SeatOffer | None = None
        self._place, self._owner = place, owner

    def receive(self, statement: Statement) -> None:
        """Take an offer of somebody who plays, while we do not. Raises BadMessage."""
        room = self._place.room
        guest = room.guest(statement.key) if room is not None else None
        if room is None or guest is None or not guest.playing or self._place.node.driver is not None:
            return
        offer = read_offer(statement.body, room, self._place.own_key)
        if offer is not None and self._place.node.is_over(offer.roster.table_id):
            raise BadMessage("a seat of a match that is over")
        self._set(offer)

    def review(self) -> None:
        """Drop an offer of a match that is over, or at which we are now."""
        room, offer = self._place.room, self.offer
        is_over = room is None or not room.is_playing or (offer is not None and room.match != offer.roster.table_id)
        if offer is not None and (is_over or self._place.node.driver is not None):
            self._set(None)

    def _set(self, offer: SeatOffer | None) -> None:
        if offer != self.offer:
            self.offer = offer
            self._owner.on_offer(offer)
