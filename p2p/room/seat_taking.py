"""Seats of a running match change hands: we offer those of our table to whoever waits in the room, or take one ourselves.

PROTOCOL.md: "The room".
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Protocol

from p2p.driver import Driver
from p2p.room.offers import SeatOffer, is_listed, may_take, offers_of
from p2p.room.owner import RoomNode, RoomOwner
from p2p.room.waiting_room import WaitingRoom
from p2p.routes import Route, RouteChange
from p2p.saved import Json
from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.table.events import EpochBegan, Event, MatchOver, MatchShort, RoundClosed
from protocol.table.roster import Roster

ALONE_S = 30.0
"""Whoever would take a seat and reaches nobody at that table for so long is back in the room."""
BETWEEN_EPOCHS = (EpochBegan, RoundClosed, MatchOver, MatchShort)
"""After these, other seats may be free, or somebody else may sit there."""


class SeatNode(RoomNode, Protocol):
    """What taking seats needs of a node."""

    @property
    def is_closed(self) -> bool:
        """Whether this client is gone."""

    def begin_match(self, roster: Roster, nonce: bytes, seat: Seat | None = None, empty_in: int = 0) -> Driver:
        """Be at the table of a match. `seat`: the one that we take, which is free in the epoch `empty_in`."""

    def discard_match(self) -> None:
        """Leave a table at which we have no seat, and keep nothing of its match."""

    def want_links(self) -> None:
        """Update the wanted links after a change of our table."""


class SeatTaking:
    """One client's part in it. `owner` hears of a seat that we would have taken and did not get."""

    def __init__(self, node: SeatNode, room: WaitingRoom, owner: RoomOwner) -> None:
        self._node, self._room, self._owner = node, room, owner
        self._offered: dict[bytes, SeatOffer | None] = {}
        """What we last told each who waits in the room."""
        self._empty_in = 0
        """In which epoch the seat was free that we would take: before, somebody else sat there."""
        self._alone: asyncio.TimerHandle | None = None

    # --- others may take seats at our table ---

    def offer_soon(self) -> None:
        """Offer once the newcomer knows the room: an offer from an unknown room is dropped."""
        asyncio.get_running_loop().call_soon(self._offer)

    def _offer(self) -> None:
        """Let those in the room take a seat at our table, and tell them of it if that is ours to do."""
        node, room, driver = self._node, self._room.room, self._node.driver
        if node.is_closed or room is None or driver is None or driver.is_closed:
            self._offered.clear()
            return
        here = [guest.key for guest in room.members]
        driver.table.welcome(here, node.settings.bots, {guest.key: (guest.name, guest.bot) for guest in room.members})
        driver.forget_followers(here)
        waiting = {g.key: g for g in room.members if not g.playing and not g.is_kept and g.key != node.identity.public}
        self._offered = {key: known for key, known in self._offered.items() if key in waiting}
        for key, guest in waiting.items():
            offers = offers_of(driver.table, driver.asked_for(key))
            theirs = next((offer for offer in offers if may_take(driver.table, offer, guest)), None)
            if self._offered.get(key) != theirs and self._room.show_offer(theirs, key):
                self._offered[key] = theirs

    def _treat_as_players(self, driver: Driver, seats: Collection[Seat]) -> None:
        """Keep links to who sits in these seats since now, and note whether they can be reached: the bots that sat here could."""
        node, record = self._node, driver.table.record
        if driver is not node.driver or node.is_closed:
            return
        node.want_links()
        self._room.seats_changed()
        for seat in seats:
            if (key := record.key(seat)) != node.identity.public:
                driver.route_changed(RouteChange(key, node.mesh.route(key)))

    # --- we take a seat ---

    def take(self, roster: Roster, epoch: int, seat: Seat) -> None:
        """Take this seat, free in this epoch, of the match that runs in our room, if those who play agree. Raises BadMessage."""
        own = self._node.identity.public
        if self._node.driver is not None or self._room.room is None or is_listed(own, roster):
            raise BadMessage("no seat can be taken now")
        self._empty_in = epoch
        self._node.begin_match(roster, b"", seat, epoch)
        self._room.began_to_play()
        self.mind_company()

    def resume(self, meta: Json) -> Seat | None:
        """Go on with what we were doing at a saved match: return the seat that we took there, or None."""
        self._empty_in = int(meta.get("empty_in") or 0)
        seat = meta.get("taking")
        return seat if type(seat) is int else None

    def _is_lost(self, driver: Driver) -> bool:
        """Whether somebody else has the seat that we would have taken, or the match is over."""
        record, seat = driver.table.record, driver.table.seat
        is_taken = seat in record.present and not record.gives_way(seat)
        return record.is_over or (record.epoch > self._empty_in and is_taken)

    @property
    def _is_left_alone(self) -> bool:
        """Whether we would take a seat, and have never had it, at a table at which nobody can be reached."""
        node, driver = self._node, self._node.driver
        if node.is_closed or driver is None or not driver.table.is_newcomer:
            return False
        has_sat = node.identity.public in driver.table.record.newcomers
        return not has_sat and all(node.mesh.route(key) is Route.NONE for key in driver.keys)

    def mind_company(self) -> None:
        """Wait for a while for somebody of the table at which we would sit down, if all of them are gone."""
        if self._alone is not None:
            self._alone.cancel()
        self._alone = None
        if self._is_left_alone:
            self._alone = asyncio.get_running_loop().call_later(ALONE_S, self._leave_alone)

    def _leave_alone(self) -> None:
        self._alone = None
        if self._is_left_alone and self._node.driver is not None:
            self._give_up(self._node.driver)

    def _give_up(self, driver: Driver) -> None:
        """Be back in the room without the seat."""
        if driver is not self._node.driver:
            return
        self._node.discard_match()
        self._room.returned(self._room.entry.is_ready)
        self._owner.on_seat_lost(driver)

    # --- at the table ---

    def hear(self, driver: Driver, events: Collection[Event]) -> None:
        """Follow the table: where another epoch or round begins, seats may have changed hands."""
        if not any(isinstance(event, BETWEEN_EPOCHS) for event in events):
            return
        self._offer()
        loop = asyncio.get_running_loop()
        taken = [seat for event in events if isinstance(event, EpochBegan) for seat in event.given]
        loop.call_soon(self._treat_as_players, driver, taken)
        is_waiting = driver.table.is_newcomer and not driver.table.is_present
        if driver is self._node.driver and is_waiting and self._is_lost(driver):
            loop.call_soon(self._give_up, driver)
