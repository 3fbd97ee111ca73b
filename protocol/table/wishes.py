"""Track the votes to play on without seats that are awaited ("wishes"): who has voted, and when voting opens.

Wishes are sent beside the match, like chat, and change nothing by themselves. Each seat only says what it wishes itself. The
wishes of others count as long as we await that seat too, and lapse when our wait ends.
(PROTOCOL.md, "The wish to go on".)
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from protocol.cards import Seat
from protocol.errors import IllegalMove
from protocol.messages import Opinion, WishOn
from protocol.signed import Signed
from protocol.table.epochs import Plan
from protocol.table.events import WishesChanged
from protocol.table.leaving import may_go_on
from protocol.table.record import Record
from protocol.table.signer import Signer
from protocol.table.waits import Waits
from protocol.values import dataclass

WISHES_EVERY_S = 1.0
"""The minimum time between reports of other seats' changes, in case somebody changes theirs all the time."""
ABSTAIN_S = 60.0
"""How long after the first vote silence counts as an abstention."""
REPEAT_S = 10.0
"""How often a seat repeats its wish while the table waits, for seats that joined late or missed it."""


@dataclass(frozen=True, slots=True)
class WaitState:
    """The state of a wait: who is awaited, who votes on playing on, who is for it and who against, and when voting opens.

    `may_at` is None if too few players would remain.
    """

    awaited: tuple[Seat, ...] = ()
    needed: tuple[Seat, ...] = ()
    by: tuple[Seat, ...] = ()
    may_at: float | None = None
    against: tuple[Seat, ...] = ()


NOBODY = WaitState()
"""Nobody is awaited."""


class Wishes:
    """Keeps track of everyone's wishes to play on."""

    def __init__(self, record: Record, signer: Signer, waits: Waits) -> None:
        self._record, self._signer, self._waits = record, signer, waits
        self.own: dict[Seat, Opinion] = {}
        """Our player's votes about seats. Only votes of this run of the program."""
        self._first_vote_at: float | None = None
        self.is_back = False
        """Whether we came back. The wait may have begun before, so the wishes of others count at once."""
        self._lapsed: dict[tuple[Seat, Seat], int] = {}
        """By (wisher, awaited): the counter up to which a wish is over."""
        self._told = NOBODY
        """The last state that our player was told."""
        self._told_at = self._repeated_at = -REPEAT_S

    # --- what our player wishes ---

    def wish(self, now: float, opinion: Opinion = Opinion.FOR) -> None:
        """Vote on playing on without the awaited seats. Raises IllegalMove if that is not possible (yet); nothing changes
        then."""
        may_from = self._waits.may_wish_from
        standing = self.standing(now)
        if not standing.awaited:
            raise IllegalMove("nobody is missing: there is nothing to vote on")
        if standing.may_at is None:
            raise IllegalMove("too few players would be left to play on: the match waits")
        ripe = [seat for seat, since in may_from.items() if now >= since]
        if not ripe:
            raise IllegalMove("you can vote to play on in {seconds} s", seconds=ceil(min(may_from.values()) - now))
        for seat in sorted(seat for seat in ripe if self.own.get(seat) is not opinion):
            self._say(seat, opinion)

    def begin_epoch(self) -> None:
        """Forget all votes: an epoch has begun."""
        self.own.clear()
        self._lapsed.clear()
        self._first_vote_at = None

    def take_back(self) -> None:
        """Take our player's wishes back."""
        for seat in sorted(self.own):
            self._say(seat, Opinion.NONE)

    def end(self, seats: Iterable[Seat]) -> None:
        """End all wishes about seats that are back. Take our own back, for seats that have not noticed the return yet."""
        ended = frozenset(seats)
        for seat in sorted(ended):
            if seat in self.own and not self._record.is_over:
                self._say(seat, Opinion.NONE)
            self.own.pop(seat, None)
        for pair, signed in self._record.wishes.items():
            if pair[1] in ended:
                self._lapsed[pair] = _counter(signed)

    def look(self, now: float) -> WishesChanged | None:
        """Correct wishes of an earlier run of our program, repeat ours, and return what our player has to be told."""
        record = self._record
        if not self._waits.awaiting and not record.wishes and self._told == NOBODY:
            self._first_vote_at = None
            return None  # as most of the time
        said = self._said_by(self._signer.seat) if record.seed is not None and record.is_seated else {}
        for about, signed in said.items():
            message = signed.message
            assert isinstance(message, WishOn)
            self._signer.counter = max(self._signer.counter, message.counter)
            opinion = self.own.get(about, Opinion.NONE)
            if message.wish != opinion and not self._record.is_over:
                self._say(about, opinion)
        repeated = self._waits.awaiting & said.keys()
        if repeated and now >= self._repeated_at + REPEAT_S:
            self._repeated_at = now
            for about in sorted(repeated):
                self._signer.post(None, said[about].data)
        standing = self.standing(now)
        voted = bool(standing.by)
        if not voted or self._first_vote_at is None:
            self._first_vote_at = now if voted else None
        return self._news(standing, now)

    def carried(self, now: float) -> tuple[Seat, ...]:
        """Return the seats without which the vote to play on is carried: nobody is against it, and all are for it, or silent
        for ABSTAIN_S after the first vote."""
        standing = self.standing(now)
        if standing.may_at is None or now < standing.may_at or standing.against:
            return ()
        if set(standing.by) >= set(standing.needed):
            return standing.awaited
        is_long = self._first_vote_at is not None and now >= self._first_vote_at + ABSTAIN_S
        return standing.awaited if is_long and standing.by else ()

    def _say(self, seat: Seat, opinion: Opinion) -> None:
        """Send our vote about a seat."""
        self.own[seat] = opinion
        if opinion is Opinion.NONE:
            del self.own[seat]
        self._signer.say_beside(WishOn(self._signer.count(), seat, int(opinion)))

    # --- what all wish ---

    def opinion(self, voter: Seat, awaited: Seat) -> Opinion:
        """Return a seat's vote on playing on without another, by its latest message, unless that has lapsed."""
        signed = self._record.wishes.get((voter, awaited))
        if signed is None or _counter(signed) <= self._lapsed.get((voter, awaited), -1):
            return Opinion.NONE
        message = signed.message
        return Opinion(message.wish) if isinstance(message, WishOn) else Opinion.NONE

    def standing(self, now: float) -> WaitState:
        """Return the state of our wait."""
        if not self._waits.awaiting or not (may_from := self._waits.may_wish_from):
            return NOBODY
        record, awaited = self._record, tuple(sorted(may_from))
        if not record.is_seated:  # a seat that was left out has no vote, and somebody else may sit there
            others = self._waits.if_all_are_away(set(record.present) - {self._signer.seat})
            return WaitState(awaited) if others and others <= set(awaited) else NOBODY
        leaving = record.quorum.with_company(awaited) | record.quorum.out
        needed = tuple(seat for seat in record.present if seat not in leaving and not record.member(seat).bot)
        stay = tuple(seat for seat in record.present if seat not in leaving)
        if not may_go_on(record, Plan(stay)):
            return WaitState(awaited, needed)
        may_at = max(may_from.values())
        by: tuple[Seat, ...] = ()
        against: tuple[Seat, ...] = ()
        if now >= may_at or self.is_back:
            said = {seat: {self.opinion(seat, each) for each in awaited} for seat in needed}
            by = tuple(seat for seat, votes in said.items() if votes == {Opinion.FOR})
            against = tuple(seat for seat, votes in said.items() if Opinion.AGAINST in votes)
        return WaitState(awaited, needed, by, may_at, against)

    def _said_by(self, seat: Seat) -> dict[Seat, Signed]:
        """Return the latest wishes of a seat, by the seat they are about."""
        return {about: signed for (wisher, about), signed in self._record.wishes.items() if wisher == seat}

    # --- what our player is told ---

    def _news(self, standing: WaitState, now: float) -> WishesChanged | None:
        if standing == self._told:
            return None
        before, own = self._told, self._signer.seat
        mine = [own in each for each in (standing.by, before.by, standing.against, before.against)]
        is_only_others = standing.awaited == before.awaited and mine[0] == mine[1] and mine[2] == mine[3]
        if is_only_others and now < self._told_at + WISHES_EVERY_S:
            return None
        self._told, self._told_at = standing, now
        since = min((self._waits.late[seat] for seat in standing.awaited), default=0.0)
        silent_until = None if self._first_vote_at is None else self._first_vote_at + ABSTAIN_S
        return WishesChanged(
            standing.awaited, since, standing.may_at, standing.needed, standing.by, standing.against, silent_until
        )

    def times(self, now: float) -> list[float]:
        """Return when our player can be told of a change, or silence becomes an abstention."""
        times = [] if self._first_vote_at is None else [self._first_vote_at + ABSTAIN_S]
        if self.standing(now) != self._told:
            times.append(max(self._told_at + WISHES_EVERY_S, now + 0.01))
        return [time for time in times if time > now]


def _counter(signed: Signed) -> int:
    message = signed.message
    assert isinstance(message, WishOn)
    return message.counter
