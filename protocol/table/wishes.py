"""Track the votes to play on without seats that are awaited ("wishes"): who has voted, and when voting opens.

Wishes are sent beside the match, like chat, and change nothing by themselves. Each seat only says what it wishes itself. The
wishes of others count as long as we await that seat too, and lapse when our wait ends.
(PROTOCOL.md, "The wish to go on".)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from protocol.cards import Seat
from protocol.errors import IllegalMove
from protocol.messages import WishOn
from protocol.signed import Signed
from protocol.table.events import WishesChanged
from protocol.table.record import Record
from protocol.table.signer import Signer
from protocol.table.waits import Waits

WISHES_EVERY_S = 1.0
"""The minimum time between reports of other seats' changes, in case somebody changes theirs all the time."""
REPEAT_S = 10.0
"""How often a seat repeats its wish while the table waits, for seats that joined late or missed it."""


@dataclass(frozen=True, slots=True)
class WaitState:
    """The state of a wait: who is awaited, whose wish is needed to play on, who has wished so, and when wishing opens.

    `may_at` is None if too few players would remain.
    """

    awaited: tuple[Seat, ...] = ()
    needed: tuple[Seat, ...] = ()
    by: tuple[Seat, ...] = ()
    may_at: float | None = None


class Wishes:
    """Keeps track of everyone's wishes to play on."""

    def __init__(self, record: Record, signer: Signer, waits: Waits) -> None:
        self._record, self._signer, self._waits = record, signer, waits
        self.own: set[Seat] = set()
        """The seats without which our player wishes to play on. Only wishes of this run of the program."""
        self.is_back = False
        """Whether we came back. The wait may have begun before, so the wishes of others count at once."""
        self._lapsed: dict[tuple[Seat, Seat], int] = {}
        """By (wisher, awaited): the counter up to which a wish is over."""
        self._told = WaitState()
        """The last state that our player was told."""
        self._told_at = self._repeated_at = -REPEAT_S

    # --- what our player wishes ---

    def wish(self, now: float) -> None:
        """Wish to play on without the awaited seats. Raises IllegalMove if that is not possible (yet); nothing changes then."""
        may_from = self._waits.may_wish_from
        standing = self.standing(now)
        if not standing.awaited:
            raise IllegalMove("nobody is missing: there is nothing to vote on")
        if standing.may_at is None:
            raise IllegalMove("too few players would be left to play on: the match waits")
        ripe = [seat for seat, since in may_from.items() if now >= since]
        if not ripe:
            raise IllegalMove("you can vote to play on in {seconds} s", seconds=ceil(min(may_from.values()) - now))
        for seat in sorted(set(ripe) - self.own):
            self._say(seat, True)

    def take_back(self) -> None:
        """Take our player's wishes back."""
        for seat in sorted(self.own):
            self._say(seat, False)

    def end(self, seats: Iterable[Seat]) -> None:
        """End all wishes about seats that are back. Take our own back, for seats that have not noticed the return yet."""
        ended = frozenset(seats)
        for seat in sorted(ended):
            if seat in self.own and not self._record.is_over:
                self._say(seat, False)
            self.own.discard(seat)
        for pair, signed in self._record.wishes.items():
            if pair[1] in ended:
                self._lapsed[pair] = _counter(signed)

    def look(self, now: float) -> WishesChanged | None:
        """Correct wishes of an earlier run of our program, repeat ours, and return what our player has to be told."""
        said = self._said_by(self._signer.seat) if self._record.seed is not None else {}
        for about, signed in said.items():
            message = signed.message
            assert isinstance(message, WishOn)
            self._signer.counter = max(self._signer.counter, message.counter)
            if message.wish != (about in self.own) and not self._record.is_over:
                self._say(about, about in self.own)
        repeated = self._waits.awaiting & said.keys()
        if repeated and now >= self._repeated_at + REPEAT_S:
            self._repeated_at = now
            for about in sorted(repeated):
                self._signer.post(None, said[about].data)
        return self._news(now)

    def _say(self, seat: Seat, wish: bool) -> None:
        """Send our wish about a seat."""
        (self.own.add if wish else self.own.discard)(seat)
        self._signer.say_beside(WishOn(self._signer.count(), seat, wish))

    # --- what all wish ---

    def holds(self, wisher: Seat, awaited: Seat) -> bool:
        """Whether a seat wishes to play on without another, by its latest message, and that wish has not lapsed."""
        signed = self._record.wishes.get((wisher, awaited))
        if signed is None or _counter(signed) <= self._lapsed.get((wisher, awaited), -1):
            return False
        message = signed.message
        return isinstance(message, WishOn) and message.wish

    def standing(self, now: float) -> WaitState:
        """Return the state of our wait."""
        may_from = self._waits.may_wish_from
        if not may_from:
            return WaitState()
        record = self._record
        awaited = tuple(sorted(may_from))
        needed = tuple(seat for seat in record.present if seat not in may_from and not record.member(seat).bot)
        if 2 * (len(record.present) - len(awaited)) <= len(record.present):
            return WaitState(awaited, needed)
        may_at = max(may_from.values())
        by: tuple[Seat, ...] = ()
        if now >= may_at or self.is_back:
            by = tuple(seat for seat in needed if all(self.holds(seat, each) for each in awaited))
        return WaitState(awaited, needed, by, may_at)

    def _said_by(self, seat: Seat) -> dict[Seat, Signed]:
        """Return the latest wishes of a seat, by the seat they are about."""
        return {about: signed for (wisher, about), signed in self._record.wishes.items() if wisher == seat}

    # --- what our player is told ---

    def _news(self, now: float) -> WishesChanged | None:
        standing = self.standing(now)
        if standing == self._told:
            return None
        before, own = self._told, self._signer.seat
        is_only_others = standing.awaited == before.awaited and (own in standing.by) == (own in before.by)
        if is_only_others and now < self._told_at + WISHES_EVERY_S:
            return None
        self._told, self._told_at = standing, now
        since = min((self._waits.late[seat] for seat in standing.awaited), default=0.0)
        return WishesChanged(standing.awaited, since, standing.may_at, standing.needed, standing.by)

    def times(self, now: float) -> list[float]:
        """Return when our player can be told of a change."""
        return [] if self.standing(now) == self._told else [max(self._told_at + WISHES_EVERY_S, now + 0.01)]


def _counter(signed: Signed) -> int:
    message = signed.message
    assert isinstance(message, WishOn)
    return message.counter
