"""Decide when our seat promises to go on in another epoch, and with whom.

It does so at once after a goodbye or a conviction, or when a seat has lost its secret of the round, and after a vote that was
carried. When another seat has promised, it
promises the same or, where it misses others, or nobody any more, a higher number. Any choice is safe: what may begin is decided
by `epochs` alone. (PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from protocol.cards import Seat
from protocol.messages import Proposal, Vote, Without
from protocol.table.ballot import choice_of
from protocol.table.epochs import FURTHEST, Attempt, attempts_of, without
from protocol.table.phases.recovering import missing_key
from protocol.table.phases.values import Broken, Closing, Playing, Sealing, Settling
from protocol.table.record import Record

DISAGREE_EVERY_S = 2.0
"""How often at most we answer a promise by another one, so that seats with different views do not race."""


def own_attempts(record: Record, seat: Seat) -> tuple[Attempt, ...]:
    """Return what our seat has promised since the last epoch."""
    found = (without(signed) for (_, by), signed in record.ledger.departures.withouts.items() if by == seat)
    return tuple(sorted((message.number, message.stay) for message in found))


def may_go_on(record: Record, stay: tuple[Seat, ...]) -> bool:
    """Whether these seats could go on alone, as far as we know."""
    said = record.ledger.departures.withouts.values()
    ours = {(without(signed).number, without(signed).stay) for signed in said if signed.seat in stay}
    attempts = {*attempts_of(signed for signed in said if signed.seat in stay), *ours}
    return record.quorum.allows(stay, record.match.epoch.attempt, attempts, record.epoch + FURTHEST)


class Leaving:
    """Decides with whom our seat goes on."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._disagreed_at = -DISAGREE_EVERY_S
        self._wait_until: float | None = None

    def promise(self, own: Seat, voted: Collection[Seat], missing: Collection[Seat], now: float) -> Without | None:
        """Return our promise, if one is due now.

        `voted`: without whom the vote to play on was carried. `missing`: whom we have awaited for too long.
        """
        record, self._wait_until = self._record, None
        out = record.quorum.out | self._forsaken()
        if isinstance(record.now, Sealing | Broken) or own not in record.present or own in out:
            return None
        given_up = self._given_up(own, voted, out)
        mine = record.ledger.departures.promised
        number, stay = self._wanted(own, mine, given_up, frozenset(missing) | given_up)
        if number <= mine or not may_go_on(record, stay):
            return None
        heard = {without(signed).stay for key, signed in record.ledger.departures.withouts.items() if key[0] == number}
        if stay not in heard and mine > record.epoch:
            if now < self._disagreed_at + DISAGREE_EVERY_S:
                self._wait_until = self._disagreed_at + DISAGREE_EVERY_S
                return None
            self._disagreed_at = now
        return self._made(own, number, stay)

    def times(self, now: float) -> list[float]:
        """Return when a promise is due that must wait."""
        return [self._wait_until] if self._wait_until is not None and self._wait_until > now else []

    def owing(self, own: Seat) -> set[Seat]:
        """Return the seats that have not promised what we have promised, or not shown us why somebody is out for good, and
        those that we leave out while they may return."""
        record, departures = self._record, self._record.ledger.departures
        mine = departures.withouts.get((departures.promised, own))
        if mine is None:
            return set()
        stay = without(mine).stay
        said = {seat: departures.withouts.get((departures.promised, seat)) for seat in stay}
        silent = {seat for seat, signed in said.items() if signed is None or not departures.proves(without(signed).out)}
        return (silent | (set(record.present) - set(stay))) - record.quorum.out - {own}

    def _forsaken(self) -> frozenset[Seat]:
        """Return a seat that has lost its secret, with its company, if the others can play the round on without it. Otherwise the
        round is void, and nobody has to go."""
        record, lost = self._record, self._record.lost
        if len(lost) != 1 or not isinstance(record.now, Playing | Settling):
            return frozenset()
        leaving = record.quorum.with_company(lost)
        epoch = replace(record.match.epoch, present=tuple(seat for seat in record.present if seat not in leaving))
        is_open = missing_key(record.now.round, epoch) in lost and may_go_on(record, epoch.present)
        return leaving if is_open else frozenset()

    def _given_up(self, own: Seat, voted: Iterable[Seat], out: frozenset[Seat]) -> frozenset[Seat]:
        """Return without whom we want to go on. A seat that promised a higher number than ours is back."""
        departures = self._record.ledger.departures
        back = {seat for number, seat in departures.withouts if number > departures.promised}
        return (self._record.quorum.with_company(set(voted) - back) | out) - {own}

    def _wanted(
        self, own: Seat, mine: int, given_up: frozenset[Seat], missing: frozenset[Seat]
    ) -> tuple[int, tuple[Seat, ...]]:
        """Return the number and the seats that we want to promise; our last promise if it stands."""
        record = self._record
        promises = record.ledger.departures.withouts
        said = promises.get((mine, own))
        stay = record.present if said is None else without(said).stay
        heard = {key: without(signed).stay for key, signed in promises.items() if key[1] not in given_up | {own}}
        top = max((number for number, _ in heard), default=record.epoch)
        others = [heard[key] for key in sorted(heard) if key[0] == top]
        present = set(record.present)
        is_stale = not present.issuperset(stay)  # an epoch without some of them has begun since we promised
        is_split = top == mine and any(each != stay for each in others)
        if is_split and stay == min(*others, stay) and not is_stale:
            return mine, stay
        if top > mine or is_split or is_stale:
            for theirs in [min(others)] if is_split else others:
                is_open = own in theirs and present.issuperset(theirs) and given_up.isdisjoint(theirs)
                if top >= mine and is_open and missing.issuperset(_rest(record, theirs)):
                    return top + is_split, theirs
            wanted = present - given_up - (missing - set().union(*others))
            return max(top, mine) + 1, tuple(sorted(wanted | {own}))
        is_lost = bool(record.lost) and mine <= record.epoch
        if is_lost or not given_up.isdisjoint(stay):
            return max(top, mine) + 1, tuple(seat for seat in stay if seat not in given_up)
        return mine, stay

    def _made(self, own: Seat, number: int, stay: tuple[Seat, ...]) -> Without:
        record = self._record
        height = record.certified_height
        said = record.from_seat(own, "vote", height + 1)
        vote = None
        if said is not None and isinstance(said.message, Vote | Proposal) and said.message.previous == record.previous:
            vote = choice_of(said)
        closes = vote is not None and isinstance(record.now, Closing)
        base = record.present
        return Without(
            number,
            stay,
            base,
            height,
            record.previous,
            vote,
            closes,
            own_attempts(record, own),
            record.ledger.departures.out,
        )


def _rest(record: Record, stay: Iterable[Seat]) -> set[Seat]:
    return set(record.present) - set(stay)
