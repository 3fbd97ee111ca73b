"""Go from one epoch of a match to the next, and back where nothing came of it.

The promises to go on (`without`) say who is present and where the next epoch begins; `epochs` has the rules as pure functions.
Here they change a match: it returns to the certificate where the epoch begins, or gives up an epoch in which nothing was
certified because others have gone on from the one before. (PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.signed import Signed
from protocol.table import ballot
from protocol.table.course import Abandoned, Before, Checkpoint, Course, Ground, Replaced
from protocol.table.denials import denied_by
from protocol.table.departures import MAX_COMBINATIONS, Departures, departed
from protocol.table.epochs import (
    Out,
    Start,
    attempt_of,
    attempts_of,
    complete,
    epoch_hash,
    excludes,
    next_epoch,
    out_of,
    plan_of,
    start_of,
    step_towards,
    torn_epoch,
    without,
)
from protocol.table.events import Cause, EpochBegan
from protocol.table.ledger import LAST, Convicted
from protocol.table.phases import between, closing, confirming, playing
from protocol.table.phases.between import begun, is_short, short_hash
from protocol.table.phases.closing import closing_hash
from protocol.table.phases.values import (
    Between,
    Closing,
    Confirming,
    Match,
    Now,
    Playing,
    Recovering,
    Settling,
    certified,
    key_of,
    member_of,
)
from protocol.table.places import Departure
from protocol.table.proposals import Proposed
from protocol.table.round import Round
from protocol.table.sitters import Added, check_sitters, gives_way, keeper_of, sitters_of
from protocol.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where an epoch begins, and the entry there that all who stay have voted for, if it counts. `entry`: what is proposed."""

    moment: Checkpoint
    choice: bytes | None = None
    entry: Proposed | None = None


MAX_BEFORE = 8
"""How many epochs in a row may begin here without anything being certified in them, and be given up again."""


class Changes:
    """Changes the epoch of one match."""

    def __init__(self, course: Course) -> None:
        self._course = course

    def _follow(self, start: Start) -> None:
        """Go on in this epoch as far as to where another one begins."""
        course = self._course
        ledger = course.ledger
        if start.base != course.epoch:
            ledger.last_height = None
        elif not course.is_following:
            ledger.last_height = start.height if course.is_bound else None
        elif ledger.last_height is not None:
            ledger.last_height = max(ledger.last_height, start.height)
        course.is_following = True

    def look(self) -> bool:
        """Begin the next epoch if it may begin now; return whether it began. Otherwise note what still counts until it does."""
        course = self._course
        limit = course.is_following, course.ledger.last_height
        has_begun = self._look()
        if not has_begun and (course.is_following, course.ledger.last_height) != limit:
            course.stir_all()  # votes that were not to be counted may be now
        return has_begun

    def _look(self) -> bool:
        """Begin the next epoch, if all its seats have promised it and we hold its start, and the proofs against those whom it
        counts as out for good. Return whether it began.

        Whether it may begin is judged by its promises alone, so that all come to the same result.
        """
        course = self._course
        course.may_change = course.is_following = False
        course.ledger.last_height = None
        if course.seed is None or course.is_over:
            return False
        sets = complete(course.ledger.departures.withouts, course.epoch)
        course.waiting = []
        for signed in sets:
            if not self._has_company(plan_of(signed[0]).stay):
                continue
            plan, number, hash = plan_of(signed[0]), without(signed[0]).number, epoch_hash(course.table, signed)
            if any(excludes(each, plan, number, hash) for each in course.waiting):
                continue
            start = start_of(signed)
            if (torn := torn_epoch(signed)) is not None:
                if torn == course.epoch and course.before and self._may_turn_back(number):
                    self._return_to(len(course.before) - 1, without(signed[0]).number)
                    return True
                course.waiting.append((Start(torn - 1, b"", 0, b""), signed))
            if start is None:
                continue
            if start.base < course.epoch or (start.base == course.epoch and start.base_hash != course.epoch_hash):
                if self._may_turn_back(number) and self._give_up(start, signed):
                    return True
                continue
            step: Sequence[Signed] | None = signed
            if start.base > course.epoch:
                others = course.ledger.departures.other_sets(course.epoch)
                step = step_towards(start, course.table, course.match.epoch, (*others, *sets))
            if step is None:
                course.waiting.append((start, signed))
                self._follow(start)
            elif self._was_given_up(step, without(signed[0]).number):
                continue
            elif (found := self._enter(list(step))) is not None:
                return found
        if course.is_bound and (height := course.height_of_own) > course.certified_height:
            self._follow(Start(course.epoch, course.epoch_hash, height, b""))
        if self._has_ended_elsewhere():
            course.is_following = True  # its last votes count: no epoch begins with that seat below them
        elif course.is_bound and not course.is_following and self._has_other_accusers():
            course.is_following = True
            course.ledger.last_height = course.certified_height  # we only check, and certify nothing
        return False

    def _may_turn_back(self, number: int) -> bool:
        """Whether an epoch may be given up for one of this number: not for one that nobody answers, as what leads to the epoch
        again would need a higher number."""
        return self._course.ledger.departures.is_within_reach(number, self._course.epoch)

    def _has_other_accusers(self) -> bool:
        """Whether somebody whom we have not convicted names a cheat whom we have not either: we may hold the proof, unchecked."""
        departures = self._course.ledger.departures
        return any(
            seat not in departures.convicted
            and not departures.proves(each for each in without(signed).out if each[1] is None)
            for (_, seat), signed in departures.withouts.items()
        )

    def confirm(self) -> bool:
        """End the match where all seats of an epoch that began with its end have said so: in this one, or in one before it, to
        which we return. Return whether something came of it."""
        course = self._course
        if isinstance(course.now, Confirming) and (over := confirming.confirm(course.now, course.ledger)) is not None:
            course.enter(over)
            return True
        for index, each in enumerate(course.before):
            if isinstance(each.moment.now, Confirming) and not confirming.unconfirmed(each.moment.now, each.store.said):
                self._return_to(index)
                return True
        return False

    def _has_company(self, stay: Iterable[Seat]) -> bool:
        """Whether so many people may go on at all: two or more, or all there are in this epoch, or in one that we keep. One alone
        could make the others wait for an epoch that never was, or go back for its sake."""
        course = self._course
        people = {course.keepers[seat] for seat in stay}
        if len(people) >= 2:
            return True
        matches = (course.match, *(each.moment.now.match for each in course.before))
        return any(people == {course.keepers_of(each)[seat] for seat in each.epoch.present} for each in matches)

    def _was_given_up(self, signed: Sequence[Signed], number: int) -> bool:
        """Whether the epoch of these promises, on the way to one of this number, was given up for a higher one, or nothing was
        heard since: it would be given up again, and so on without end."""
        course = self._course
        found = course.abandoned.get(epoch_hash(course.table, signed))
        return found is not None and (number < found.number or course.heard == found.heard)

    def _has_ended_elsewhere(self) -> bool:
        """Whether a seat that is in all epochs for which we have signed says that the match is over in this one."""
        course = self._course
        if course.own is None or course.own_seat is None or isinstance(course.now, Confirming):
            return False
        store, promises = course.ledger.store, course.ledger.departures.of(course.own_seat, course.own)
        seats = set(course.present).intersection(*(plan_of(each).stay for each in promises)) - {course.own_seat}
        return any(store.get(seat, course.epoch, "closed") is not None for seat in seats)

    def _enter(self, signed: list[Signed]) -> bool | None:
        """Begin the epoch of these promises, which follows ours. Return whether it began; None if another one may begin."""
        course = self._course
        start = start_of(signed)
        if start is None:
            return None
        if not course.ledger.departures.proves(out_of(signed)):
            self._follow(start)
            return None
        if not self._is_allowed(signed, course.match, course.ledger.departures):
            return None
        found = self._beginning(start)
        if found is None:
            self._follow(start)
            return False  # somebody of each lower one has signed for this one, and does nothing more there
        if without(signed[0]).added and not isinstance(found.moment.now, Between):
            return None
        self._begin(signed, start, found)
        return True

    def _give_up(self, start: Start, signed: list[Signed]) -> bool:
        """Give up epochs in which nothing is certified, if somebody of them has gone on with others from an earlier one, or from
        another one. Return whether we did.

        A seat that did so never votes in them.
        """
        course = self._course
        known = [i for i, each in enumerate(course.before) if each.epoch.hash == start.base_hash]
        older = [i for i, each in enumerate(course.before) if each.epoch.number < start.base]
        index = next(iter(known or older[-1:]), None)
        if index is None or not set(without(signed[0]).stay) & set(course.present):
            return False
        before = course.before[index]
        if known:
            departures = course.ledger.departures.saved()
            departures.restore(before.departures, self._taken_since(before))
            if not departures.proves(out_of(signed)):
                return False
            if not self._is_allowed(signed, before.moment.now.match, departures):
                return False
        self._return_to(index, without(signed[0]).number)
        return True

    def _return_to(self, index: int, number: int = 0) -> None:
        """Return to one of the epochs before this one, for the sake of a set of promises of this number; drop whatever came after
        it."""
        course = self._course
        before, ledger = course.before[index], course.ledger
        for epoch in (*(each.epoch for each in course.before[index + 1 :]), course.match.epoch):
            course.abandoned[epoch.hash] = Abandoned(number, course.heard)
        course.given_up = self._given_up_with(index)
        taken = self._taken_since(before)
        course.withdrawn = next((each.name for each in map(course.member, taken) if not each.bot), "")
        del course.before[index:]
        moment = before.moment
        ledger.cut(moment.written, moment.heights, moment.block, moment.kept)
        ledger.begin_epoch()
        ledger.store.restore(before.store)
        ledger.kept.update(moment.kept)
        ledger.departures.restore(before.departures, taken)
        course.newcomers, course.replaced = dict(before.newcomers), list(before.replaced)
        course.offers.clear()
        course.ahead.clear()
        course.certificates, course.opened = dict(before.certificates), dict(before.opened)
        course.enter(moment.now)
        for seat in taken:
            ledger.departures.displace(seat, course.key(seat))
        course.stir_all()
        course.may_change = True

    def _given_up_with(self, index: int) -> Ground | None:
        """Return what our promises name when we return to an epoch before this one: the last in which we had a seat. Of epochs in
        which seats were taken nothing came without us, and nobody minds that we go back."""
        course = self._course
        if course.given_up is not None and course.given_up.epoch.number > course.epoch:
            return course.given_up
        moments = [(each.moment.now, each.store.said) for each in course.before[index + 1 :]]
        for now, said in reversed([*moments, (course.now, course.ledger.store.said)]):
            seat, epoch = course.own_seat, now.match.epoch
            is_ours = (
                seat in epoch.present and seat is not None and key_of(course.ledger, now.match, seat) == course.own
            )
            if is_ours and epoch.sitters == course.before[index].epoch.sitters:
                return course.ground_of(now, said)
        return None

    def _taken_since(self, before: Before) -> list[Seat]:
        """Return the seats in which somebody else sits than in an earlier epoch."""
        then, now = before.epoch.sitters, self._course.match.epoch.sitters
        return [seat for seat in now if now[seat] != then.get(seat)]

    def _is_allowed(self, signed: list[Signed], match: Match, departures: Departures) -> bool:
        """Whether the epoch of these promises, whose proofs we hold, may follow the epoch of this match. `departures`: what was
        known of who is out for good before."""
        out = out_of(signed)
        quorum = departures.quorum(self._course.keepers_of(match), out, self._course.bots_of(match))
        is_enough = quorum.allows(attempt_of(signed[0]), match.epoch.attempt, attempts_of(signed))
        return is_enough and self._may_join(without(signed[0]).added, out, match, departures.gone)

    def may_join(self, added: Iterable[Added], out: Iterable[Out]) -> bool:
        """Whether these may take empty seats where these others are out for good."""
        course = self._course
        return self._may_join(added, out, course.match, course.ledger.departures.gone)

    def _may_join(self, added: Iterable[Added], out: Iterable[Out], match: Match, gone: frozenset[bytes]) -> bool:
        present = {seat: member_of(self._course.ledger, match, seat) for seat in match.epoch.present}
        try:
            check_sitters(sitters_of(added), present, gone | self._keys(out, match))
        except BadMessage:
            return False
        return True

    def _keys(self, out: Iterable[Out], match: Match) -> frozenset[bytes]:
        """Return the keys of these seats, and of their keepers. Whose computer serves a phone does not answer for it."""
        members = [member_of(self._course.ledger, match, seat) for seat, _ in out]
        return frozenset(key for member in members for key in (member.key, keeper_of(member)))

    def _beginning(self, start: Start) -> Beginning | None:
        """Return where an epoch begins, or None while we do not hold that."""
        course = self._course
        if not start.certificate:
            below = (each for each in course.certificates.values() if certified(each.now) == start.height)
            return next(map(Beginning, below), None)
        if start.certificate not in course.certificates and start.height == course.height:
            self._count_as(start.certificate)
        if start.certificate not in course.certificates:
            return None
        if start.adopted is None:
            return Beginning(course.certificates[start.certificate])
        moment = course.opened.get(start.certificate)
        return None if moment is None else self._adopting(start, moment, start.adopted)

    def _adopting(self, start: Start, moment: Checkpoint, choice: bytes) -> Beginning | None:
        """Return where an epoch begins whose seats have all voted alike above its start; None while we lack what for."""
        course, now = self._course, moment.now
        if isinstance(now, Playing):
            try:
                entry = playing.entry_of(now, course.ledger, choice)
            except Convicted as found:
                course.convict(found)
                return None
            return None if entry is None else Beginning(moment, choice, entry)
        if isinstance(now, Closing):
            return Beginning(moment, choice) if closing_hash(now, course.ledger) == choice else None
        if isinstance(now, Between) and is_short(now, course.ledger):
            return Beginning(moment, choice) if short_hash(now) == choice else None
        return Beginning(course.certificates[start.certificate])

    def _adopt(self, found: Beginning) -> Now:
        """Commit what all who stay have voted for, if anything. What we know already is not told again."""
        course, ledger = self._course, self._course.ledger
        now, told = found.moment.now, list(ledger.events)
        if found.choice is None:
            return now
        if isinstance(now, Closing):
            now = closing.adopted(now, ledger)
        elif isinstance(now, Between):
            now = between.adopted(now, ledger)
        elif isinstance(now, Playing) and found.entry is not None:
            now = playing.adopted(now, ledger, found.choice, found.entry)
        if certified(course.now) == certified(now) and _is_same_entry(course.now, now):
            ledger.events[:] = told
        return now

    def _count_as(self, certificate: bytes) -> None:
        """Count those versions of the open height's votes that make this certificate, if we hold them.

        A seat that sends different votes to different seats is left out, but the others may have counted another of its votes
        than we, and have acted on it.
        """
        course = self._course
        store, others = course.ledger.store, course.ledger.departures.versions
        votes = {seat: ballot.vote_of(course.match, store, seat) for seat in course.present}
        choices = [
            [
                each
                for each in (vote, *others.get((seat, course.height), ()))
                if each and ballot.stands(course.match, each)
            ]
            for seat, vote in votes.items()
        ]
        for chosen in islice(product(*choices), MAX_COMBINATIONS):
            if ballot.certificate_hash(course.table, course.match, chosen) != certificate:
                continue
            changed = {each.seat for each in chosen if each is not votes[each.seat]}
            if not changed:
                return
            for each in chosen:
                store.said[each.seat, each.epoch, ("vote", course.height)] = each
            names = {("proposal", course.height, seat) for seat in changed}
            course.ledger.desk.drop(names.__contains__)
            if isinstance(course.now, Playing):
                kept = {seat: entry for seat, entry in course.now.proposed.items() if seat not in changed}
                course.enter(replace(course.now, proposed=kept))
            course.stir("vote")
            return

    def _begin(self, signed: list[Signed], start: Start, found: Beginning) -> None:
        """Begin an epoch there. A round that is under way is void, or played on."""
        course = self._course
        ledger, departures, before = course.ledger, course.ledger.departures, course.match.epoch
        epoch = next_epoch(course.table, signed, before)
        left = [seat for seat in before.present if seat not in epoch.present]
        out, moment = out_of(signed), found.moment
        match = moment.now.match
        ledger.cut(moment.written, moment.heights, moment.block, moment.kept)
        now = replace(moment.now, match=replace(match, departed=departed(match.departed, out)))
        now = self._adopt(replace(found, moment=replace(moment, now=now)))
        is_dropped = certified(course.now) >= certified(now) and not _is_same_entry(course.now, now)
        self._remember(moment)
        block, ledger.block = ledger.block, []
        evidence, parting = self._proofs(out)
        if evidence:
            ledger.keep_evidence(evidence)
            ledger.keep_rest()
        for index, each in enumerate((*parting, *signed)):
            ledger.keep((LAST + 2, index), each)
        after, ledger.block = ledger.block, block
        if block:
            ledger.emit(now.match.height)
        causes = {seat: self._cause(seat, now.match.departed, epoch.present) for seat in left}
        departures.gone |= self._keys(out, course.match)
        taken = [seat for seat in epoch.sitters if epoch.sitters[seat].key != course.key(seat)]
        staying = [course.member(seat) for seat in before.present]
        given = tuple(seat for seat in taken if gives_way(course.member(seat), staying))
        is_idle = epoch.present == before.present and not taken
        epoch = replace(epoch, idle_at=start.certificate if is_idle else None)
        is_second = before.idle_at == start.certificate and all(each.epoch == before.number for each in signed)
        course.fruitless += is_idle
        course.replaced += [Replaced(seat, course.member(seat), now.match.departed.get(seat)) for seat in taken]
        is_adopted = found.choice is not None
        may_play_on = bool(start.certificate) and not (is_idle and is_second)
        following = begun(now, epoch, left, ledger, may_play_on=may_play_on, is_adopted=is_adopted)
        ledger.block = after
        doubles = [(departures.other_version(each), each) for each in signed]
        departures.marks[epoch.number] = len(ledger.transcript)
        ledger.emit(following.match.height)
        ledger.begin_epoch()
        departures.begin(epoch, out, taken, self._deniers())
        course.newcomers |= {epoch.sitters[seat].key: seat for seat in taken}
        rooms = course.bots.difference(epoch.present)  # a bot has made room there for who offered it before
        course.offers = {name: each for name, each in course.offers.items() if name[0] in rooms}
        for seat in taken:
            course.hints.pop(seat, None)
        joined = {seat: seat not in taken for seat in epoch.present if seat not in before.present}
        stand_in = following.of if isinstance(following, Recovering) else None
        void = now.round.number if isinstance(now, Settling) and isinstance(following, Between) else None
        began = EpochBegan(
            epoch.number, epoch.present, causes, void, is_dropped, stand_in, joined, given, course.withdrawn
        )
        ledger.events.append(began)
        course.withdrawn, course.left_alone = "", None
        course.ahead.clear()
        course.certificates.clear()
        course.opened.clear()
        course.enter(following)
        for other, each in doubles:
            if other is not None:
                course.convict_of_two(other, each)  # what convicted that seat first may have lapsed
        course.may_change = True

    def _remember(self, moment: Checkpoint) -> None:
        """Keep what this epoch is while the next one begins at this moment. A file holds only what came of it."""
        course = self._course
        if course.own is None:
            return
        certificates, opened = (
            {key: each for key, each in found.items() if each.written <= moment.written}
            for found in (course.certificates, course.opened)
        )
        store, departures = course.ledger.store.saved(), course.ledger.departures.saved()
        before = Before(
            course.match.epoch,
            moment,
            certificates,
            opened,
            store,
            departures,
            dict(course.newcomers),
            tuple(course.replaced),
        )
        course.before = [*course.before, before][-MAX_BEFORE:]

    def _proofs(self, out: Iterable[Out]) -> tuple[tuple[Signed, ...], tuple[Signed, ...]]:
        """Return what proves that these seats are out for good, as far as the transcript does not say so yet: the messages that
        convict, and the goodbyes, by seat."""
        departures = self._course.ledger.departures
        new = sorted({*out} - departures.counted, key=lambda each: (each[0], each[1] or b""))
        evidence = tuple(each for seat, hash in new if hash is None for each in departures.evidence[seat])
        parting = (departures.goodbye(seat, hash) for seat, hash in new if hash is not None)
        return evidence, tuple(each for each in parting if each not in evidence)

    def _deniers(self) -> list[Seat]:
        """Return the seats of which a promise that stands in the transcript denies something else that does: whoever reads the
        file sees it there, and nothing else is added to it that would show it."""
        ledger, convicted = self._course.ledger, self._course.ledger.departures.convicted
        said = {seat: ledger.promises.get(seat, ()) for seat in convicted}
        return [
            seat
            for seat, promises in said.items()
            if any(denied_by(each, self._course.key(seat), ledger) is not None for each in promises)
        ]

    def _cause(self, seat: Seat, departed: Mapping[Seat, Departure], present: Iterable[Seat]) -> Cause:
        """Return why the others (`present`) go on without a seat: also for what another seat of its keeper did."""
        reasons = {departed.get(each) for each in self._course.quorum.with_company([seat])}
        if Departure.CONVICTED in reasons:
            return Cause.CONVICTED
        if Departure.LEFT in reasons:
            return Cause.GOODBYE
        return Cause.ROOM if gives_way(self._course.member(seat), map(self._course.member, present)) else Cause.VOTE


def _is_same_entry(one: Now, other: Now) -> bool:
    """Whether the last entry before both moments is the same, at the same height."""
    if certified(one) != certified(other):
        return False
    if one.round is None or other.round is None:
        return True
    return _course_of(one.round) == _course_of(other.round)


def _course_of(round: Round) -> tuple[object, ...]:
    return round.number, round.is_void, round.history
