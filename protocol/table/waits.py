"""Whom our seat waits for, and since when: what needs no thought is late soon, a move only where nobody can be thinking.

Nothing here is sent or told: the table asks who is late, who is awaited, and when it must look again.
(PROTOCOL.md, "Time" and "Rounds that are stuck".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.table.phases.handlers import owing
from protocol.table.record import Phase, Record

ASK_AFTER_S = 2.0
"""Something is missing for so long: ask for it, and send again what we said."""
OVERDUE_S = 10.0
MOST_RETURNS = 3
"""So often at a height the time of a seat that comes back begins anew: who comes and goes for ever has had theirs."""
STUCK_S = 10.0
"""For so long, with all present, nobody made the move that the game waits for: the round may be broken off."""


class Waits:
    """How long our seat has waited, for whom and for what."""

    def __init__(self, record: Record, now: float) -> None:
        self._record = record
        self.late: dict[Seat, float] = {}
        """Since when each seat has owed what needs no thought."""
        self.awaiting: frozenset[Seat] = frozenset()
        """Who has owed it for so long that our player was told."""
        self._height_since = self._last_ask = now
        self._anew: dict[Seat, tuple[float, int]] = {}
        """Who came back at this height: when last, and how often."""
        self._away: set[Seat] = set()
        self._complete_since = now
        """Since when nobody is away."""
        self._stalled_since: float | None = None
        """Since when the round has been stuck, though moves may still be made."""

    # --- what happens ---

    def begin_again(self, away: Iterable[Seat], now: float) -> None:
        """A match was taken up from its journal: all waits begin now."""
        self._away = set(away)
        self._height_since = self._last_ask = self._complete_since = now
        self._look_for_stall(now)

    def begin_height(self, now: float) -> None:
        """Another height is open: who was late with the one before is not late with this one."""
        self._height_since = now
        self.late.clear()
        self._anew.clear()
        self._look_for_stall(now)

    def come_back(self, seat: Seat, now: float) -> bool:
        """This seat's program was started again: its time for a move begins anew there, and here. False: it says the same again,
        or has come back too often."""
        last, count = self._anew.get(seat, (now - OVERDUE_S, 0))
        if now < last + OVERDUE_S or count >= MOST_RETURNS:
            return False
        self._anew[seat] = (now, count + 1)
        return True

    def lose(self, seat: Seat) -> None:
        """There is no way to this seat."""
        self._away.add(seat)

    def find(self, seat: Seat, now: float) -> None:
        """There is a way to this seat (again)."""
        if seat in self._away:
            self._away.discard(seat)
            self._complete_since = now

    def look(self, late: Iterable[Seat], now: float) -> frozenset[Seat] | None:
        """These seats keep us waiting now. If that changes whom we await: those whose wait is over; else None."""
        self.late = {seat: self.late.get(seat, now) for seat in late}
        overdue = frozenset(seat for seat, since in self.late.items() if now >= since + OVERDUE_S)
        if overdue == self.awaiting:
            return None
        ended, self.awaiting = self.awaiting - overdue, overdue
        return ended

    def due(self, now: float) -> list[Seat]:
        """Whom to ask now for what is missing; all of them at once, and then not for a while."""
        late = [seat for seat, since in self.late.items() if now >= max(self._last_ask, since) + ASK_AFTER_S]
        if late:
            self._last_ask = now
        return sorted(late)

    # --- who keeps us waiting ---

    def owing(self, own: Seat, is_pausing: bool) -> set[Seat]:
        """Return the others who owe what needs no thought."""
        return owing(self._record.now, self._record.ledger, is_pausing) - {own}

    def late_seats(self, own: Seat, is_pausing: bool, now: float) -> set[Seat]:
        """Return the others who owe what needs no thought or, where nobody does, whose move the game waits for and that cannot
        be reached, or had their time: a move needs thought, but these are not thinking."""
        record = self._record
        found = owing(record.now, record.ledger, is_pausing)
        if found or record.phase is not Phase.PLAYING:
            return found - {own}
        movers = set(record.game.awaited(record.state)) - {own}
        return (movers & self._away) | {seat for seat, limit in self._movers_limits().items() if now >= limit} - {own}

    def move_limit(self, seat: Seat) -> float | None:
        """When this seat has had the table's time for a move at this height, as far as we can know (of others we see when they
        come back, not when they sat before their screens); None where it gives all the time."""
        limit = self._record.roster.table.time
        begun = max(self._height_since, self._anew.get(seat, (0.0, 0))[0])
        return begun + limit / 1000 if limit else None

    def _movers_limits(self) -> dict[Seat, float]:
        """When those who have to move have had the table's time for it; their own clients move for them then."""
        record = self._record
        if record.phase is not Phase.PLAYING or record.game.is_stalled(record.state):
            return {}
        limits = {seat: self.move_limit(seat) for seat in record.game.awaited(record.state)}
        return {seat: limit for seat, limit in limits.items() if limit is not None}

    @property
    def may_wish_from(self) -> dict[Seat, float]:
        """From when on one may wish to go on without each seat that is awaited."""
        if self._record.seed is None:
            return {}
        wait_s = OVERDUE_S + self._record.roster.table.leave_after / 1000
        return {seat: self.late[seat] + wait_s for seat in self.awaiting if seat in self.late}

    # --- a round that is stuck ---

    @property
    def stuck_at(self) -> float | None:
        """From when on the round may be broken off: it stands where it may be, and all are present."""
        if self._record.phase is not Phase.PLAYING or self._away or self._stalled_since is None:
            return None
        return max(self._stalled_since, self._complete_since) + STUCK_S

    def _look_for_stall(self, now: float) -> None:
        record = self._record
        if record.phase is Phase.PLAYING and record.game.is_stalled(record.state):
            self._stalled_since = now if self._stalled_since is None else self._stalled_since
        elif record.phase is not Phase.SETTLING:
            self._stalled_since = None

    # --- the clock ---

    def times(self, now: float) -> list[float]:
        """When to look again."""
        times = [since + OVERDUE_S for seat, since in self.late.items() if seat not in self.awaiting]
        if self.late:
            times.append(max(self._last_ask, min(self.late.values())) + ASK_AFTER_S)
        times += [time for time in self.may_wish_from.values() if time > now]
        return times + [limit for limit in self._movers_limits().values() if limit > now]
