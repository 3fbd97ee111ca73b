"""Time the pauses of a table: between rounds, before a closing move, and after the last certificate.

Pauses are for people; a table of bots has none between rounds. The host chooses their lengths, except for the last one.
(PROTOCOL.md, "Between rounds and at the end".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.table.record import Phase, Record

CLOSE_S = 5.0
"""How long we stay after a match, for seats that do not hold its last certificate yet."""


class Pauses:
    """Tracks when our seat pauses, and until when."""

    def __init__(self, record: Record, now: float) -> None:
        self._record = record
        self.until = now
        """When the pause between rounds ends, even if not everyone is ready."""
        self._rounds_seen = 0
        self._stays_until: float | None = None
        self._has_stayed = False

    def begin_again(self, now: float) -> None:
        """Skip the rest of an earlier pause: the match was restored from its journal."""
        self.until, self._rounds_seen = now, self._record.rounds_closed

    def look_for_round(self, now: float) -> None:
        """Start the pause when a round was closed."""
        if self._record.rounds_closed != self._rounds_seen:
            self._rounds_seen = self._record.rounds_closed
            self.until = now + _between_rounds(self._record)

    def look_for_end(self, now: float) -> None:
        """Start the wait at the end of the match."""
        if self._record.phase is Phase.OVER and self._stays_until is None:
            self._stays_until = now + CLOSE_S
        elif self._stays_until is not None and now >= self._stays_until:
            self._has_stayed = True

    def is_pausing(self, now: float) -> bool:
        """Whether the pause between rounds goes on: its time is not over, and not everyone is ready."""
        number = self._record.rounds_closed + 1
        if all(self._record.ready.get(seat) == number for seat in self._record.present):
            return False
        return now < self.until

    @property
    def may_go(self) -> bool:
        """Whether the match is over, and everyone holds its last certificate or had time to get it."""
        if self._record.phase is Phase.BROKEN:
            return True
        return self._record.phase is Phase.OVER and (self._all_closed or self._has_stayed)

    @property
    def _all_closed(self) -> bool:
        record = self._record
        return not record.ledger.store.silent(record.present, record.epoch, "closed")

    def times(self, now: float) -> list[float]:
        """Return when the current pause ends."""
        if self._record.phase is Phase.BETWEEN and self.until > now:
            return [self.until]
        if self._record.phase is Phase.OVER and self._stays_until is not None and self._stays_until > now:
            return [self._stays_until]
        return []


def _between_rounds(record: Record) -> float:
    return 0.0 if all(member.bot for member in record.roster.members) else record.roster.table.pause / 1000


def grace_of(record: Record, seat: Seat) -> float:
    """Return how long a closing move of this seat waits, in seconds, so that others can still act."""
    others = [record.member(each) for each in record.present if each != seat]
    return 0.0 if all(member.bot for member in others) else record.roster.table.grace / 1000


def closing(record: Record) -> tuple[Seat, float] | None:
    """Return the seat whose closing move is expected now, and how long its client waits before making it, in seconds, counted
    from when the table settled. None if no closing move is expected."""
    seat = record.game.closing_seat(record.state) if record.phase is Phase.PLAYING else None
    if seat is None:
        return None
    grace_s = grace_of(record, seat)
    return (seat, grace_s) if grace_s else None
