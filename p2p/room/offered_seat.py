"""The seat of the running match that we may take, as those who play tell us who wait."""

from __future__ import annotations

import asyncio

from p2p.budgets import LINES, Bucket
from p2p.room.membership import Membership
from p2p.room.offers import SeatOffer, read_offer
from p2p.room.owner import RoomOwner
from protocol.errors import BadMessage
from protocol.room.statements import Statement


class OfferedSeat:
    """What each of them offers. What one player offers, no other takes back."""

    def __init__(self, place: Membership, owner: RoomOwner) -> None:
        self._place, self._owner = place, owner
        self._offers: dict[bytes, SeatOffer] = {}
        self._told: SeatOffer | None = None
        self._telling = Bucket(LINES, 0.0)

    @property
    def offer(self) -> SeatOffer | None:
        """The last offer that stands; None if there is no such seat."""
        return next(reversed(self._offers.values()), None)

    def receive(self, statement: Statement) -> None:
        """Take an offer of somebody who plays, while we do not. Raises BadMessage."""
        room = self._place.room
        guest = room.guest(statement.key) if room is not None else None
        if room is None or guest is None or not guest.playing or self._place.node.driver is not None:
            return
        offer = read_offer(statement.body, room, self._place.own_key)
        if offer is not None and self._place.node.is_over(offer.roster.table_id):
            raise BadMessage("a seat of a match that is over")
        self._offers.pop(statement.key, None)
        if offer is not None:
            self._offers[statement.key] = offer
        self._tell()

    def review(self) -> None:
        """Drop offers of those who do not play any more, of a match that is over, and all if we are at a table now."""
        room = self._place.room if self._place.node.driver is None else None
        playing = {guest.key for guest in room.members if guest.playing} if room is not None else set()
        match = room.match if room is not None else b""
        self._offers = {k: each for k, each in self._offers.items() if k in playing and each.roster.table_id == match}
        self._tell()

    def _tell(self) -> None:
        """Tell our player what can be had; of offers that change without end a few, and then the last."""
        timers, now = self._place.timers, asyncio.get_running_loop().time()
        if self.offer == self._told or timers.is_set("offer"):
            return
        if wait_s := self._telling.debt_s(now):
            timers.set("offer", wait_s, self._tell)
            return
        self._telling.spend(1, now)
        self._told = self.offer
        self._owner.on_offer(self.offer)
