"""Time the pauses of a table: between rounds, before a closing move, and after the last certificate.

Pauses are for people; a table of bots has none between rounds. The host chooses their lengths, except for the last one.
(PROTOCOL.md, "Between rounds and at the end".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.table.own import Own
from protocol.table.record import Phase, Record
from protocol.table.waits import Waits

CLOSE_S = 5.0
"""How long we stay after a match, for seats that do not know yet how it ended."""
FOLLOW_S = 15.0
"""How long at most, if a seat that was left out is still catching up."""


OFFER_S = 30.0
"""How long people may take an empty seat that the game needs, before a bot does."""
SHORT_S = 60.0
"""How long a seat that the game needs stays empty, before everybody's client votes to end the match."""


class Pauses:
    """Tracks when our seat pauses, and until when."""

    def __init__(self, record: Record, own: Own, waits: Waits, now: float) -> None:
        self._record, self._own, self._waits = record, own, waits
        self.until = now
        """When the pause between rounds ends, even if not everyone is ready, or the wait for a player whom the game needs."""
        self._rounds_seen = 0
        self._awaited_in: int | None = None
        """The epoch in which a player is awaited."""
        self._ended_at: float | None = None
        self._stays_until = now
        self._has_stayed = False
        self._asked: dict[Seat, int] = {}
        """From which height on each seat that was left out asked last, after the end."""

    def begin_again(self, now: float) -> None:
        """Skip the rest of an earlier pause: the match was restored from its journal."""
        self.until, self._rounds_seen = now, self._record.rounds_closed

    def look_for_round(self, now: float) -> None:
        """Start the pause when a round was closed, and the wait when a player is missing."""
        record = self._record
        if record.rounds_closed != self._rounds_seen:
            self._rounds_seen = record.rounds_closed
            self.until = now + _between_rounds(record)
        awaited_in = record.epoch if record.is_waiting_for_players else None
        if awaited_in != self._awaited_in:
            self._awaited_in = awaited_in
            self.until = now if awaited_in is None else now + SHORT_S

    @property
    def offer_until(self) -> float | None:
        """Return until when people may take the empty seat that the game needs; None if there is none."""
        return None if self._awaited_in is None else self.until - SHORT_S + OFFER_S

    def look_for_end(self, now: float) -> set[Seat]:
        """Start the wait at the end of the match. Return, once, the seats that were left out and may lack the end."""
        if not self._record.is_over:
            return set()
        self._has_stayed |= self._ended_at is not None and now >= self._stays_until
        if self._ended_at is not None:
            return set()
        self._ended_at, self._stays_until = now, now + CLOSE_S
        return self._followers

    def asked(self, seat: Seat, height: int, now: float) -> None:
        """Stay longer for a seat that was left out and asks for what follows a greater height: it catches up."""
        if self._ended_at is not None and seat in self._followers and height > self._asked.get(seat, -1):
            self._asked[seat] = height
            self._stays_until = min(now + CLOSE_S, self._ended_at + FOLLOW_S)

    def is_pausing(self, now: float) -> bool:
        """Whether the pause between rounds goes on: its time is not over, and not everyone is ready or a player is missing."""
        if now >= self.until:
            return False
        number = self._record.rounds_closed + 1
        return self._awaited_in is not None or any(
            self._record.ready.get(seat) != number for seat in self._record.present
        )

    @property
    def may_go(self) -> bool:
        """Whether the match is over, and everyone knows how it ended or had time to learn it."""
        return self._record.is_over and (self._has_stayed or not self._awaits_closed())

    def _awaits_closed(self) -> bool:
        """Whether somebody has not said yet that they know how the match ended."""
        record = self._record
        present = record.present if record.phase is Phase.OVER else ()
        return bool(record.ledger.store.silent((*present, *self._followers), record.epoch, "closed"))

    @property
    def _followers(self) -> set[Seat]:
        """The seats that were left out, but want to know how the match ends, and can be reached."""
        record = self._record
        return self._waits.reached - set(record.present) - record.quorum.out - {self._own.seat}

    def times(self, now: float) -> list[float]:
        """Return when the current pause ends."""
        if self._record.phase is Phase.BETWEEN and self.until > now:
            return [self.until]
        if self._ended_at is not None and self._stays_until > now:
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
