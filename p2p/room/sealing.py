"""From the host's roster to a sealed table, and back to the room where somebody was missing."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from p2p.budgets import LINES, Buckets
from p2p.room.hosting import GONE_S, SEALING_S, silent_at
from p2p.room.membership import Membership
from p2p.room.own_entry import OwnEntry
from p2p.room.owner import RoomOwner
from protocol.room.refusals import RoomRefusal
from protocol.room.starting import check_roster
from protocol.room.values import Room
from protocol.table.record import Phase
from protocol.table.roster import decode_roster
from protocol.table.table import Table


class RoomSealing:
    """A seat's side of it. `torn`: how many draws in a row were torn after we had shown our number, whatever the host says."""

    def __init__(self, place: Membership, entry: OwnEntry, owner: RoomOwner) -> None:
        self.torn = 0
        self._place, self._entry, self._owner = place, entry, owner
        self._refusals: Buckets[bytes] = Buckets(LINES)
        self._barred: frozenset[bytes] = frozenset()
        """Who tore the last draw, as our own table saw it, and sits out the next: a host may name somebody else, or nobody."""

    def sign(self, encoded: bytes) -> None:
        """Sign the host's roster if it is what the room has shown, else say why not. Raises BadMessage."""
        place, roster = self._place, decode_roster(encoded)
        if place.room is None:
            return
        own = {place.own_key: self._entry.nonce_hash}
        kept = place.node.settings.bots | place.node.settings.phones.keys()
        own |= {guest.key: guest.nonce_hash for guest in place.room.members if guest.key in kept}
        try:
            if place.node.driver is not None:
                raise RoomRefusal("busy")
            check_roster(place.room, roster, own, self._barred)
            if not (self._entry.is_ready and self._entry.plays):
                raise RoomRefusal("not-ready")  # else a host draws again and again against whoever has not agreed to it
        except RoomRefusal as reason:
            place.send(place.room.host, "declined", code=reason.code)
            if self._refusals.takes(place.room.host, asyncio.get_running_loop().time()):
                self._owner.on_declined(place.own_key, reason)
        else:
            place.node.seal(roster)

    def began(self) -> None:
        """We have signed a roster: do not wait for ever."""
        self._place.timers.set("sealing", SEALING_S, self._is_late)

    def dealt(self) -> None:
        """Cards are dealt: what was drawn stays."""
        self.torn, self._barred = 0, frozenset()

    def done(self) -> None:
        """Our table is sealed."""
        self._place.timers.cancel("sealing")
        self._place.ask("sealed", silent=())

    def _is_late(self) -> None:
        """Tell the host whom we miss: the host decides. Without a room, give up."""
        place, driver = self._place, self._place.node.driver
        if driver is None or driver.table.record.phase is not Phase.SEALING:
            return
        silent, revealed = silent_at(driver.table.record)
        if place.room is None:
            self.failed(silent, revealed)
        elif place.hosting is None:
            place.ask("sealed", silent=tuple(sorted(silent)))
            place.timers.set("sealing", GONE_S, self._is_late)

    def room_is_gone(self) -> None:
        """The host has closed the room, or removed us: give up a table that is not sealed."""
        driver = self._place.node.driver
        if driver is not None and driver.table.record.phase is Phase.SEALING:
            self._gave_up(driver.table)

    def failed(self, silent: Collection[bytes], revealed: bool, by: Collection[bytes] = ()) -> None:
        """Give up a table that is not sealed. After we have shown our number, only our player makes us ready again.

        `by`: who tore it, if nobody was silent.
        """
        node, entry = self._place.node, self._entry
        if node.driver is not None:
            node.abandon(silent)
            entry.renew()
        self._place.timers.cancel("sealing")
        self.torn += revealed
        self._barred = frozenset(silent or by) if revealed else self._barred
        is_kept_bot = node.settings.is_kept_bot  # its keeper is the one who is asked
        entry.is_ready = node.settings.auto_ready and (is_kept_bot or not revealed)
        self._owner.on_torn(silent, revealed, self.torn)
        entry.say_ready()

    def follow(self, room: Room) -> None:
        """Give up our table if the host has: it was not sealed for everyone, and no card was dealt yet."""
        driver = self._place.node.driver
        if driver is None or room.sealing or driver.table.record.round is not None or driver.table.is_newcomer:
            return
        own = room.guest(self._place.own_key)
        if room.match != driver.match or (own is not None and not own.playing):
            self._gave_up(driver.table)

    def _gave_up(self, table: Table) -> None:
        """The host has given our table up. The seats that we miss interrupted the draw, no matter whom the host names; if we miss
        nobody, the host did: it knew what was drawn."""
        record, host = table.record, self._place.host
        silent, _all_signed = silent_at(record) if record.phase is Phase.SEALING else (frozenset[bytes](), True)
        revealed = record.seed is not None or record.from_seat(table.seat, "nonce") is not None
        self.failed(silent, revealed, () if host is None else (host,))
