"""Decide when our seat promises to go on in another epoch, and with whom.

It does so at once after a goodbye or a conviction, or when a seat has lost its secret of the round, and after a vote that was
carried. When another seat has promised, it
promises the same or, where it misses others, or nobody any more, a higher number. Any choice is safe: what may begin is decided
by `epochs` alone. (PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from protocol.cards import Seat
from protocol.messages import Without
from protocol.signed import Signed
from protocol.table.course import Before, Ground
from protocol.table.epochs import (
    FURTHEST,
    Attempt,
    Epoch,
    Plan,
    attempt_of,
    attempts_of,
    epoch_hash,
    excludes,
    plan_of,
    torn_epoch,
    without,
)
from protocol.table.events import AwaitsCompany, GivenUp
from protocol.table.phases.values import Between, Broken, Closing, Ending, Playing, Sealing, Settling
from protocol.table.record import Record
from protocol.table.sitters import Added
from protocol.table.takers import Takers
from protocol.table.undoing import attempts_since, ground_of, way_back
from protocol.table.waits import OVERDUE_S

DISAGREE_EVERY_S = 2.0
"""How often at most we answer a promise by another one, so that seats with different views do not race."""

MOST_FRUITLESS = 4
"""After so many epochs that left nobody out, with no round scored in between, the next ones begin one at a time: somebody may
call for them without end, and must be missed long enough to be voted out."""
VOTING_S = 60.0
"""How much longer than it takes until others may vote."""


def own_attempts(record: Record, key: bytes, above: int) -> tuple[Attempt, ...]:
    """Return what this key has promised for our seat with numbers above this one."""
    found = record.ledger.departures.of(record.own_seat, key) if record.own_seat is not None else []
    return tuple(sorted(attempt_of(each) for each in found if without(each).number > above))


def may_go_on(record: Record, plan: Plan, making_room: frozenset[Seat] = frozenset()) -> bool:
    """Whether these seats could go on alone, with those that are taken, as far as we know. `making_room`: bots that go alone; any
    other goes, and stays, with its keeper."""
    if not making_room.issuperset(record.quorum.bots_left(plan.stay, record.present) or ()):
        return False
    wanted, base = plan.attempt(record.epoch + FURTHEST), record.ground.epoch.attempt
    attempts = {attempt for seat in plan.stay for attempt in _attempts_by(record, seat)}
    return record.quorum.heeding(wanted, base).allows(wanted, base, attempts)


def _attempts_by(record: Record, seat: Seat) -> set[Attempt]:
    """Return all attempts that the player of a seat has signed for, or says so."""
    said = [each for (_, author), each in record.ledger.departures.withouts.items() if author == seat]
    return {*attempts_of(said), *map(attempt_of, said)}


class Leaving:
    """Decides with whom our seat goes on."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.takers = Takers(record)
        self._disagreed_at = -DISAGREE_EVERY_S
        self._wait_until: float | None = None
        self._epoch, self._calm_until = 0, 0.0
        self._alone_until: float | None = None

    def promise(
        self, own: Seat, voted: Collection[Seat], missing: Collection[Seat], awaited: Collection[Seat], now: float
    ) -> tuple[Without, Epoch] | None:
        """Return our promise, if one is due now, and the epoch in which it is signed.

        `voted`: without whom the vote to play on was carried. `missing`: whom we miss. `awaited`: those of them whom we have
        awaited for too long.
        """
        record, self._wait_until = self._record, None
        if isinstance(record.now, Sealing | Broken):
            return None
        if not record.is_seated:
            return self._accepted(own)
        if self._makes_room(own):
            return None
        if (back := way_back(record, own, awaited)) is not None:
            return self._undone(own, *back)
        self._look_for_epoch(now)
        if not voted and self._has_no_reason:
            return None
        out = record.quorum.out | self._forsaken(own, awaited)
        if own in out:
            return None
        is_calm = now < self._calm_until
        given_up = self._given_up(own, voted, out, is_calm)
        mine = record.ledger.departures.promised
        number, plan = self._wanted(own, mine, given_up, frozenset(missing))
        if not mine < number <= record.epoch + FURTHEST or not may_go_on(
            record, plan, self._making_room(own, plan, missing)
        ):
            return None
        if record.height_of_own > record.certified_height:
            return None  # our home was restored from an older copy: we would deny what we have said
        if is_calm and plan == Plan(record.ground.epoch.present):
            self._wait_until = self._calm_until
            return None
        heard = {plan_of(signed) for key, signed in record.ledger.departures.withouts.items() if key[0] == number}
        if plan not in heard and mine > record.epoch:
            if now < self._disagreed_at + DISAGREE_EVERY_S:
                self._wait_until = self._disagreed_at + DISAGREE_EVERY_S
                return None
            self._disagreed_at = now
        return self._made(own, number, plan)

    @property
    def _has_no_reason(self) -> bool:
        """Whether nothing was heard that could lead to another epoch: most of the time, so it must cost nothing."""
        record = self._record
        departures = record.ledger.departures
        heard = departures.withouts or departures.goodbyes or departures.convicted or record.offers
        return not heard and not record.lost

    def _makes_room(self, own: Seat) -> bool:
        """Whether we are a bot whose keeper's last promise leaves us out: we answer only what it promises next."""
        record = self._record
        if own not in record.bots:
            return False
        promises = record.ledger.departures.withouts
        said = {number: each for (number, seat), each in promises.items() if record.key(seat) == record.keepers[own]}
        return bool(said) and own not in plan_of(said[max(said)]).seats

    def _making_room(self, own: Seat, plan: Plan, missing: Collection[Seat]) -> frozenset[Seat]:
        """Return the bots that this plan of ours leaves out so that somebody can sit there."""
        ours = self.takers.makes_room(own, missing)
        return self.takers.making_room(plan) | ({ours} if ours is not None else set())

    def end_alone(self, now: float) -> None:
        """Break the match off once whoever is left alone has waited long enough for somebody who was sitting down."""
        record = self._record
        if record.left_alone is None or record.is_over:
            self._alone_until = None
        elif self._alone_until is None:
            self._alone_until = now + OVERDUE_S + record.roster.table.leave_after / 1000
            left = record.left_alone
            who = left.seat if left.ending is Ending.GOODBYE else None
            seats = tuple(seat for seat, *_ in record.sitting_down)
            names = tuple(name for _, _, _, name, _ in record.sitting_down)
            record.events.append(AwaitsCompany(who, seats, names, self._alone_until))
        elif now >= self._alone_until:
            record.break_off(record.left_alone)
            record.events.append(GivenUp())

    def times(self, now: float) -> list[float]:
        """Return when a promise is due that must wait, or the match ends for want of players."""
        return [time for time in (self._wait_until, self._alone_until) if time is not None and time > now]

    def owing(self, own: Seat) -> set[Seat] | None:
        """Return the seats that have not promised what we have promised, or not shown us how the epoch began that they name, or
        why somebody is out for good, and those that we leave out while they may return. None if we have promised nothing."""
        record, departures = self._record, self._record.ledger.departures
        mine = departures.withouts.get((departures.promised, own))
        if mine is None:
            return None
        plan = plan_of(mine)
        said = {seat: departures.withouts.get((departures.promised, seat)) for seat in plan.seats}
        silent = {
            seat
            for seat, signed in said.items()
            if signed is None
            or (seat in plan.taken and plan_of(signed) != plan)  # of whoever sat there before
            or not departures.proves(without(signed).out)
            or self._is_unheard_of(signed, mine)
        }
        rest = (
            set(record.present) - set(plan.stay) - (record.quorum.bots_left(plan.stay, record.present) or frozenset())
        )
        return (silent | rest) - (record.quorum.out - set(plan.taken)) - {own}

    def missed(self, own: Seat, late: set[Seat]) -> set[Seat]:
        """Return the seats that we miss: those who are late, and those who keep the others from going on without them. Where the
        rest could not go on without all of these, whoever is late may be so because nobody can go on: then only those who keep
        all from it."""
        if not self._record.ledger.departures.withouts:
            return late  # as most of the time
        hindering = self._hindering(own, late)
        if hindering or not late or may_go_on(self._record, self._rest(late)):
            return late | hindering
        return self._hindering(own, ()) or late

    def _rest(self, gone: Iterable[Seat], added: tuple[Added, ...] = ()) -> Plan:
        """Return the plan to go on without these, and with those who take these seats."""
        record = self._record
        out = record.quorum.with_company(gone) | record.quorum.out
        return Plan(tuple(seat for seat in record.present if seat not in out), added)

    def _hindering(self, own: Seat, late: Collection[Seat]) -> set[Seat]:
        """Return the seats that keep the others from going on without those who are late, though they have promised to: by
        attempts that they name, or by another set of promises in which they name an epoch that is not here. None of it may
        ever have been."""
        record, departures = self._record, self._record.ledger.departures
        mine = departures.withouts.get((departures.promised, own))
        plan = self._rest(late, plan_of(mine).added if mine is not None and not late else ())
        if own not in plan.stay:
            return set()
        wanted, base = plan.attempt(record.epoch + FURTHEST), record.ground.epoch.attempt
        quorum = record.quorum.heeding(wanted, base)
        found = {seat for seat in plan.seats if not quorum.agrees(wanted, base, _attempts_by(record, seat))}
        found = (found | (self._waiting_for_what_never_was(mine) if mine is not None else set())) - {own}
        rest = set(plan.stay) - record.quorum.with_company(found)
        return found if may_go_on(record, Plan(tuple(sorted(rest)))) else set()

    def _waiting_for_what_never_was(self, mine: Signed) -> set[Seat]:
        """Return who names an epoch that is not here, in promises that wait for it and keep ours from beginning anything."""
        record, plan, number = self._record, plan_of(mine), without(mine).number
        said = [record.ledger.departures.withouts.get((number, seat)) for seat in plan.seats]
        ours = [each for each in said if each is not None and plan_of(each) == plan]
        if len(ours) < len(plan.seats):
            return set()
        hash = epoch_hash(record.table, ours)
        found = set[Seat]()
        for waiting in record.waiting:
            if excludes(waiting, plan, number, hash):
                _, theirs = waiting
                is_answered = record.ledger.departures.is_within_reach(without(theirs[0]).number, record.epoch)
                # Whoever signs for a number that nobody answers knows that nothing comes of it.
                found |= {each.seat for each in theirs if not is_answered or self._is_unheard_of(each, mine)}
        return found

    def _is_unheard_of(self, signed: Signed, mine: Signed) -> bool:
        """Whether a promise leads on from an epoch, or a certificate, that is not here and keeps ours from beginning anything.
        Whoever was there can show us all that it takes: it may never have been, even where we know promises for that epoch."""
        record, theirs, ours = self._record, without(signed), without(mine)
        if (signed.epoch, signed.epoch_hash) == (record.epoch, record.epoch_hash):
            is_higher = (signed.epoch, theirs.height) > (mine.epoch, ours.height)
            return is_higher and theirs.certificate not in record.certificates
        if signed.epoch < mine.epoch or signed.epoch_hash == mine.epoch_hash:
            return False
        return signed.epoch_hash not in record.ledger.departures.epochs.values()

    def _forsaken(self, own: Seat, awaited: Collection[Seat]) -> frozenset[Seat]:
        """Return the seats that have lost their secrets, with their company, if the round can be played on where one key is
        missing. Otherwise it is void, and nobody has to go; nor where those who are left, without whom we await, are too few.
        """
        record = self._record
        lost = record.lost
        if not lost:
            return frozenset()
        departures = record.ledger.departures
        leaving = record.quorum.with_company(lost)
        said = departures.within_reach(record.epoch)
        newer = {seat: said[number, seat] for number, seat in sorted(said) if number > departures.promised}
        if own in leaving and any(own in without(each).stay for each in newer.values()):
            return frozenset()  # the others know better whom they miss: we may owe them nothing, nor anybody us
        gone = leaving | (set(awaited) - newer.keys())
        stay = tuple(seat for seat in record.present if seat not in gone)
        return leaving if self._is_recoverable and may_go_on(record, Plan(stay)) else frozenset()

    @property
    def _is_recoverable(self) -> bool:
        now = self._record.now
        return isinstance(now, Playing | Settling) and bool(now.round.splits)

    def _look_for_epoch(self, now: float) -> None:
        """Note until when we do not sign for another epoch that leaves nobody out."""
        record = self._record
        if record.epoch == self._epoch:
            return
        self._epoch = record.epoch
        if record.fruitless > MOST_FRUITLESS:
            self._calm_until = now + OVERDUE_S + record.roster.table.leave_after / 1000 + VOTING_S

    def _given_up(self, own: Seat, voted: Iterable[Seat], out: frozenset[Seat], is_calm: bool) -> frozenset[Seat]:
        """Return without whom we want to go on. A seat that promised a higher number than ours is back, unless we answer none, or
        its promises keep us from going on."""
        record, departures = self._record, self._record.ledger.departures
        heard = departures.within_reach(record.epoch)
        back = {seat for number, seat in heard if number > departures.promised and not is_calm}.intersection(voted)
        if back:
            back -= self._hindering(own, set(voted) - back)
        return (record.quorum.with_company(set(voted) - back) | out) - {own}

    def _wanted(self, own: Seat, mine: int, given_up: frozenset[Seat], late: frozenset[Seat]) -> tuple[int, Plan]:
        """Return the number and the plan that we want to promise; our last promise if it stands."""
        record, missing, last = self._record, late | given_up, self._record.ground.epoch
        promises = record.ledger.departures.within_reach(last.number)
        said = promises.get((mine, own))
        plan = Plan(last.present) if said is None else plan_of(said)
        calls = {key: each for key, each in promises.items() if key[1] in without(each).stay}  # no answers of newcomers
        heard = {key: plan_of(each) for key, each in calls.items() if key[1] not in given_up | {own}}
        top = max((number for number, _ in heard), default=last.number)
        others = [heard[key] for key in sorted(heard) if key[0] == top]
        present = set(last.present)
        signed = [
            each for each in (promises.get((mine, seat)) for seat in plan.seats) if each and plan_of(each) == plan
        ]
        if len(signed) == len(plan.seats) and (torn_epoch(signed) or 0) > last.number:
            return max(top, mine) + 1, self._left(plan, given_up)
        if len(signed) == len(plan.seats) and record.ledger.departures.is_outdated(signed):
            return max(top, mine) + 1, Plan(tuple(seat for seat in last.present if seat not in given_up))
        # An epoch without some of them has begun since we promised, or one in which seats can no longer be taken.
        is_stale = not present.issuperset(plan.stay) or (bool(plan.added) and present != set(plan.stay))
        is_split = top == mine and any(each != plan for each in others)
        if is_split and plan == min(*others, plan) and not is_stale:
            return mine, plan
        if top > mine or is_split or is_stale:
            for theirs in [min(others)] if is_split else others:
                is_open = own in theirs.stay and present.issuperset(theirs.stay) and given_up.isdisjoint(theirs.stay)
                rest = present.difference(theirs.stay)
                if isinstance(record.now, Closing) and (theirs.added or rest & record.bots - missing):
                    return mine, plan  # the closing's last votes are on their way
                rest -= self.takers.making_room(theirs)
                if top < mine or not is_open or not missing.issuperset(rest):
                    continue
                if not theirs.added or self.takers.welcomes(own, top, theirs, late):
                    return top + is_split, theirs
            wanted = present - given_up - (missing - {seat for each in others for seat in each.stay})
            return max(top, mine) + 1, Plan(tuple(sorted(wanted | {own})))
        kept = record.lost - given_up
        if not kept.issubset(plan.stay):  # whoever would go in its place is missing too
            return max(top, mine) + 1, Plan(tuple(seat for seat in last.present if seat not in given_up))
        is_lost = bool(kept) and mine <= last.number
        if is_lost or not given_up.isdisjoint(plan.stay):
            return max(top, mine) + 1, self._left(plan, given_up)
        if not late.isdisjoint(plan.taken):
            self.takers.failed(mine, plan)
            return max(top, mine) + 1, Plan(plan.stay)
        if mine <= record.epoch and (added := self.takers.next(own, late)):
            return self.takers.number(added), Plan(record.present, added)
        if mine <= record.epoch and (seat := self.takers.makes_room(own, late)) is not None:
            return max(top, mine) + 1, Plan(tuple(each for each in record.present if each != seat))
        return mine, plan

    def _left(self, plan: Plan, given_up: frozenset[Seat]) -> Plan:
        """Return what is left of a plan. A bot that made room is back: its keeper has agreed to that plan, not to this one."""
        if given_up.isdisjoint(plan.stay):
            return Plan(plan.stay)
        back = self._record.quorum.bots_left(plan.stay, self._record.ground.epoch.present) or frozenset()
        return Plan(tuple(sorted(back.union(plan.stay) - given_up)))

    def _undone(self, own: Seat, number: int, before: Before) -> tuple[Without, Epoch]:
        """Return our promise to go on from before somebody sat down who is gone."""
        record, epoch = self._record, before.epoch
        assert record.own is not None
        added = [each for each in before.departures.withouts.values() if each.seat == own and plan_of(each).added]
        for each in added:
            self.takers.failed(without(each).number, plan_of(each))
        attempts = attempts_since(record, own, record.own, before)
        return self._made(own, number, Plan(epoch.present), ground_of(record, before), attempts)

    def _accepted(self, own: Seat) -> tuple[Without, Epoch] | None:
        """Return our promise to take a seat, if those who are present ask us to."""
        record, departures = self._record, self._record.ledger.departures
        if not self.takers.wants_seat or not isinstance(record.now, Between) or record.is_seated:
            return None
        calls = [
            each
            for (number, seat), each in departures.within_reach(record.epoch).items()
            if number > departures.promised
            and seat in record.present
            and each.epoch == record.epoch
            and departures.speakers.get((number, own), record.own) == record.own  # nobody else has answered there
            and record.quorum.out.isdisjoint(without(each).stay)  # somebody who called us has left since
        ]
        ours = [each for each in calls if record.own in {key for seat, key, *_ in plan_of(each).added if seat == own}]
        if not ours:
            return None
        call = max(ours, key=lambda each: without(each).number)
        return self._made(own, without(call).number, plan_of(call))

    def _made(
        self,
        own: Seat,
        number: int,
        plan: Plan,
        ground: Ground | None = None,
        attempts: tuple[Attempt, ...] | None = None,
    ) -> tuple[Without, Epoch]:
        record = self._record
        assert record.own is not None
        ground = ground or record.ground
        quorum = record.quorum.heeding(plan.attempt(number), ground.epoch.attempt)
        out = [each for each in record.ledger.departures.out if each[1] is None or each[0] in quorum.goodbyes]
        made = Without(
            number,
            plan.stay,
            ground.epoch.present,
            ground.height,
            ground.certificate,
            ground.vote,
            own_attempts(record, record.own, ground.epoch.number) if attempts is None else attempts,
            tuple(out),
            plan.added,
        )
        return made, ground.epoch
