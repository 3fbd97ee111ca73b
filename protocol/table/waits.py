"""Track whom our seat waits for, and since when.

Automatic messages are overdue soon, a move only if its player cannot be reached or is out of time. This module sends and
reports nothing: the table asks it who is late, who is awaited, and when to check again.
(PROTOCOL.md, "Time" and "Rounds that are stuck".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.cards import Seat
from protocol.table.phases.handlers import owing
from protocol.table.record import Phase, Record

ASK_SOON_S = 0.25
"""Longer than a seat keeps silent after it has answered (`showing.ANSWER_EVERY_S`)."""
ASK_AFTER_S = 2.0
"""How long a message may be missing before we ask for it and resend ours."""
SHOWN_S = 5.0
"""How long a missed message may take to process, at least on a slow computer."""
OVERDUE_S = 10.0
MOST_RETURNS = 3
"""How many times per height a returning seat gets its full time for a move again."""
STUCK_S = 10.0
"""How long, with everyone present, a stuck round must wait before it may be broken off."""


class Waits:
    """Tracks how long our seat has waited, and for whom."""

    def __init__(self, record: Record, now: float) -> None:
        self._record = record
        self.late: dict[Seat, float] = {}
        """Since when each seat has owed an automatic message."""
        self.awaiting: frozenset[Seat] = frozenset()
        """The seats that have owed a message for so long that our player was told."""
        self._height_since = self._last_ask = now
        self.shown_until = now
        """Until when we wait for the next part of what we missed."""
        self._asked: dict[Seat, float] = {}
        """When each seat was last asked for what it knows and we do not."""
        self._anew: dict[Seat, tuple[float, int]] = {}
        """The seats that came back at this height: when last, and how many times."""
        self._found: dict[Seat, tuple[float, int]] = {}
        """The same for those to which there is a way again."""
        self.reached: set[Seat] = set()
        """The seats to which there is a way, as far as we were told."""
        self.away: set[Seat] = set()
        """The seats to which there is none any more."""
        self._complete_since = now
        """Since when nobody is away."""
        self._stalled_since: float | None = None
        """Since when the round has been stuck, though moves may still be made."""

    # --- what happens ---

    def begin_again(self, away: Iterable[Seat], now: float) -> None:
        """Start all waits now: the match was restored from its journal."""
        self.away = set(away)
        self._height_since = self._last_ask = self._complete_since = now
        self._look_for_stall(now)

    def draw(self, seating: Sequence[Seat]) -> None:
        """Name everybody by seat: until the seats are drawn (`seating`: each seat's place), it is by place in the roster."""
        self.away = {seating.index(place) for place in self.away}
        self.reached = {seating.index(place) for place in self.reached}
        self.late, self.awaiting = {}, frozenset()

    def begin_height(self, now: float) -> None:
        """Reset lateness: another height is open."""
        self._height_since = now
        self.late.clear()
        self._anew.clear()
        self._found.clear()
        self._look_for_stall(now)

    def come_back(self, seat: Seat, now: float) -> bool:
        """Restart a seat's time for a move: its program was started again. Return False for a repetition, or if it has
        returned too often."""
        last, count = self._anew.get(seat, (now - OVERDUE_S, 0))
        if now < last + OVERDUE_S or count >= MOST_RETURNS:
            return False
        self._anew[seat] = (now, count + 1)
        return True

    def lose(self, seat: Seat) -> None:
        """Note that this seat cannot be reached."""
        self.away.add(seat)
        self.reached.discard(seat)

    def find(self, seat: Seat, now: float) -> None:
        """Note that this seat can be reached (again). Its player may think as long as the table waits, unless the way was lost
        too often."""
        self.reached.add(seat)
        if seat in self.away:
            _last, count = self._found.get(seat, (now, 0))
            if count < MOST_RETURNS:
                self._found[seat] = (now, count + 1)
            self.away.discard(seat)
            self._complete_since = now

    def look(self, late: Iterable[Seat], now: float) -> frozenset[Seat] | None:
        """Update who is late. Return the seats whose wait is over, or None if nothing has changed."""
        self.late = {seat: self.late.get(seat, now) for seat in late}
        if not self.late and not self.awaiting:
            return None  # as most of the time
        overdue = frozenset(seat for seat, since in self.late.items() if now >= since + OVERDUE_S)
        if overdue == self.awaiting:
            return None
        ended, self.awaiting = self.awaiting - overdue, overdue
        return ended

    def due(self, now: float, ahead: set[Seat], looks_on: bool) -> list[Seat]:
        """Return the seats to ask for missing messages now: all together, at most every ASK_AFTER_S. Of several that would tell
        the same, one at a time: of those that know more than we do (`ahead`, from which it is removed), and of all if our seat
        only looks on."""
        if now < self._last_ask + ASK_AFTER_S:
            return []
        late = {seat for seat, since in self.late.items() if now >= since + ASK_AFTER_S}
        if guides := ahead | late if looks_on else set(ahead):
            guide = min(guides, key=lambda seat: (self._asked.get(seat, 0.0), seat))
            self._asked[guide] = now
            ahead.discard(guide)
            late = late - guides | {guide}
        if late:
            self._last_ask = now
        return sorted(late)

    def note_shown(self, now: float) -> None:
        """Note that what somebody shows us gets us on: nobody else is asked meanwhile."""
        self._last_ask, self.shown_until = now, now + SHOWN_S

    def is_shown(self, now: float) -> bool:
        """Whether we have been shown something of use lately."""
        return now < self.shown_until

    def ask_soon(self, now: float) -> None:
        """Ask those who know more than we do soon, although somebody was asked only just now."""
        self._last_ask = min(self._last_ask, now - ASK_AFTER_S + ASK_SOON_S)

    # --- who keeps us waiting ---

    def missing(self) -> set[Seat]:
        """Return the seats that have owed something for too long, or owe something and cannot be reached."""
        return set(self.awaiting) | (self.away & self.late.keys())

    def owing(self, own: Seat, is_pausing: bool) -> set[Seat]:
        """Return the other seats that owe an automatic message."""
        return owing(self._record.now, self._record.ledger, is_pausing) - {own}

    def if_all_are_away(self, seats: Iterable[Seat]) -> set[Seat]:
        """Return these seats if none of them can be reached, else nobody."""
        found = set(seats)
        return found if found <= self.away else set()

    def late_seats(self, own: Seat, is_pausing: bool, now: float) -> set[Seat]:
        """Return the other seats that owe an automatic message. If there are none, return the seats whose move is awaited and
        that cannot be reached or are out of time."""
        record = self._record
        found = owing(record.now, record.ledger, is_pausing)
        if found or record.phase is not Phase.PLAYING:
            return found - {own}
        movers = set(record.game.awaited(record.state)) - {own}
        return (movers & self.away) | {seat for seat, limit in self._limits() if now >= limit} - {own}

    def _begun(self, seat: Seat) -> float:
        """Return since when a seat has had time for its move."""
        return max(self._height_since, self._anew.get(seat, (0.0, 0))[0])

    def move_limit(self, seat: Seat) -> float | None:
        """Return when this seat's time for a move runs out, or None if the table has no time limit.

        For other seats this is an estimate: we see when their program returns, not when they are at their screens.
        """
        limit = self._record.roster.table.time
        return self._begun(seat) + limit / 1000 if limit else None

    def _limits(self) -> list[tuple[Seat, float]]:
        """Return when seats that must move are missed.

        Their time may run out: their own clients then move for them. Or a program is there, but nobody plays: that takes the
        table's waiting time, which is not counted again before others may vote.
        """
        record = self._record
        if record.phase is not Phase.PLAYING or record.game.is_stalled(record.state):
            return []
        movers, table = record.game.awaited(record.state), record.roster.table
        wait_s, time_s = max(table.leave_after / 1000, OVERDUE_S), table.time / 1000
        limits = [(seat, max(self._begun(seat), self._found.get(seat, (0.0, 0))[0]) + wait_s) for seat in movers]
        return [*limits, *((seat, self._begun(seat) + time_s) for seat in movers if time_s)]

    @property
    def may_wish_from(self) -> dict[Seat, float]:
        """Return from when on players may vote to play on without each awaited seat."""
        if self._record.seed is None:
            return {}
        wait_s = OVERDUE_S + self._record.roster.table.leave_after / 1000
        return {seat: self.late[seat] + wait_s for seat in self.awaiting if seat in self.late}

    @property
    def stand_in_at(self) -> float:
        """Return when the default move of a seat that left may be made: the others had the table's grace period to act."""
        return self._height_since + self._record.roster.table.grace / 1000

    # --- a round that is stuck ---

    @property
    def stuck_at(self) -> float | None:
        """Return when the round may be broken off: it is stuck and everyone is present. None otherwise."""
        record = self._record
        is_missed = not self.away.isdisjoint(record.present)
        if record.phase is not Phase.PLAYING or is_missed or self._stalled_since is None:
            return None
        if not record.game.is_stalled(record.state):
            return None  # a move was made just now, and the next look is still to come
        return max(self._stalled_since, self._complete_since) + STUCK_S

    def _look_for_stall(self, now: float) -> None:
        record = self._record
        if record.phase is Phase.PLAYING and record.game.is_stalled(record.state):
            self._stalled_since = now if self._stalled_since is None else self._stalled_since
        elif record.phase is not Phase.SETTLING:
            self._stalled_since = None

    # --- the clock ---

    def times(self, now: float) -> list[float]:
        """Return when to look again."""
        times = [since + OVERDUE_S for seat, since in self.late.items() if seat not in self.awaiting]
        if self._record.ahead:
            times.append(max(now + 0.01, self._last_ask + ASK_AFTER_S))
        if self.late:
            times.append(max(self._last_ask, min(self.late.values())) + ASK_AFTER_S)
        times += [time for time in self.may_wish_from.values() if time > now]
        return times + [limit for _, limit in self._limits() if limit > now]
