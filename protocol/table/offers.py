"""Offer to take our seat (again), while nobody sits in it, or a bot that gives way.

(PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.messages import TakeSeat
from protocol.table.record import Record
from protocol.table.roster import Member
from protocol.table.signer import Signer
from protocol.table.sitters import keeper_of
from protocol.table.takers import Takers

EVERY_S = 5.0
"""How often at most the same offer is repeated."""


class Offers:
    """Says in each epoch, between rounds, and now and then, that our player would sit in our seat."""

    def __init__(
        self, record: Record, signer: Signer, takers: Takers, taking: tuple[Seat, Member] | None, now: float
    ) -> None:
        """`taking`: the seat that we would take, and we as its player, if somebody else sat in it when the table was sealed."""
        self._record, self._signer, self._takers = record, signer, takers
        self.taking = taking
        self._moment: tuple[int, int] | None = None
        """When we offered last: in which epoch, after how many rounds."""
        self._at = now
        self._count = 0

    @property
    def would_sit(self) -> bool:
        """Whether our player would take our seat (again), which is empty, or which a bot gives to a person who is new here."""
        record = self._record
        if record.is_seated or record.is_over or record.seed is None:
            return False
        seat = self._signer.seat
        is_new_person = self.taking is not None and not self.taking[1].bot
        is_free = seat not in record.present or (is_new_person and record.gives_way(seat))
        return is_free and self._takers.wants_seat and record.own not in record.ledger.departures.gone

    def times(self, now: float) -> list[float]:
        """Return when the next offer is due, if one is."""
        return [max(self._at + EVERY_S, now + 0.01)] if self.would_sit else []

    def look(self, now: float) -> None:
        """Send the offer that is due, if any."""
        if not self.would_sit:
            return
        record, seat = self._record, self._signer.seat
        moment = record.epoch, record.rounds_closed
        if moment == self._moment and now < self._at + EVERY_S:
            return
        self._moment, self._at = moment, now
        member = record.member(seat) if self.taking is None else self.taking[1]
        self._count += 1
        number = record.ledger.departures.promised
        keeper = keeper_of(member)  # one who plays by phone comes back alone
        self._signer.send(TakeSeat(self._count, number, member.key, keeper, member.name, member.bot))
