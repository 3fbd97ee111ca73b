"""Keep what ends an epoch: promises to go on without somebody, goodbyes, and convictions.

These messages are valid across epochs, and are kept until the epoch that they lead to has begun. (PROTOCOL.md,
"Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import islice, product

from protocol.cards import Seat
from protocol.messages import MAX_ATTEMPTS, Goodbye
from protocol.signed import Signed
from protocol.table.epochs import REACH, Epoch, Out, Quorum, goodbye_hash, is_lie, plan_of, without
from protocol.table.events import Accused
from protocol.table.places import Departure

TWO_VERSIONS = "two-versions"
"""What a seat is accused of that signed two different messages for one slot."""
CONCEALED = "concealed"
"""What a seat is accused of whose promise hides an earlier one, or something else that it has said."""
MAX_JUMP = 16
"""How far above all others a number may be and still be answered, in the upper half of those that can be held."""
MAX_VERSIONS = 8
"""How many versions of one vote, or promise, are kept: a seat that sends more to its friends only makes itself be left out."""
MAX_COMBINATIONS = 256
"""How many combinations of such versions are tried; more than one seat with two versions of its vote is rare."""


class Departures:
    """What was heard about going on without a seat."""

    def __init__(self) -> None:
        self.epochs: dict[int, bytes] = {}
        """The hash of each epoch that began."""
        self.marks: dict[int, int] = {}
        """The index in the transcript at which each epoch's beginning stands."""
        self.withouts: dict[tuple[int, Seat], Signed] = {}
        """By number and seat: only those above the epoch that runs."""
        self.speakers: dict[tuple[int, Seat], bytes] = {}
        """The key that signed each of them: a seat that is taken has another than before."""
        self.displaced: dict[tuple[int, bytes], Signed] = {}
        """By number and key: promises of seats that were left out, where the newcomer has promised the same number."""
        self.gone: frozenset[bytes] = frozenset()
        """The keys, and their keepers, of players who are out for good: they never sit again."""
        self.taken_in: dict[Seat, int] = {}
        """The epoch in which each seat that somebody took was taken last."""
        self.promised = 0
        """The highest epoch for which our own seat has signed: it counts no vote of a lower one any more."""
        self.goodbyes: dict[Seat, Signed] = {}
        """The first of each seat. Another one convicts it."""
        self.counted: frozenset[Out] = frozenset()
        """Who is out for good, as the promises of the epochs that began name them: only these count in the result."""
        self.caught = 0
        """How many convictions the epochs that began have named, each once; also those of whoever sat where others sit now."""
        self._by_hash: dict[tuple[Seat, bytes], Signed] = {}
        """Goodbyes by who left and hash. (A payload alone does not say who: it may name the place in the roster.)"""
        self.convicted: dict[Seat, Accused] = {}
        self.evidence: dict[Seat, tuple[Signed, ...]] = {}
        self.versions: dict[tuple[Seat, int], list[Signed]] = {}
        """By seat and height: votes that differ from the one that we count. The others may have counted one of these."""
        self.others: dict[tuple[int, Seat, bytes], list[Signed]] = {}
        """By number, seat and key: promises that differ from the one that we hold. Others may have begun with one of these."""

    @property
    def out(self) -> tuple[Out, ...]:
        """Return who is out for good, as far as we have heard, ascending by seat."""
        if not self.goodbyes and not self.convicted:
            return ()
        seats = sorted({*self.goodbyes, *self.convicted})
        return tuple((seat, None if seat in self.convicted else goodbye_hash(self.goodbyes[seat])) for seat in seats)

    def keep_goodbye(self, seat: Seat, signed: Signed) -> bool:
        """Keep a seat's goodbye. Return whether it is the first: of others, one is kept."""
        if len([who for who, _hash in self._by_hash if who == seat]) < 2:
            self._by_hash[seat, goodbye_hash(signed)] = signed
        return self.goodbyes.setdefault(seat, signed) is signed

    def proves(self, out: Iterable[Out]) -> bool:
        """Whether we hold these goodbyes, each of that seat, and have convicted these seats ourselves."""
        return all(seat in self.convicted if hash is None else (seat, hash) in self._by_hash for seat, hash in out)

    def is_outdated(self, signed: Iterable[Signed]) -> bool:
        """Whether one of these promises names as out for good who sat, when it was signed, where somebody else sits now: what
        proved that is forgotten, so nothing ever begins with them."""
        return any(each.epoch < self.taken_in.get(seat, 0) for each in signed for seat, _ in without(each).out)

    def goodbye(self, seat: Seat, hash: bytes) -> Signed:
        """Return the goodbye of this seat and hash."""
        return self._by_hash[seat, hash]

    def quorum(self, keepers: tuple[bytes, ...], out: Iterable[Out], bots: frozenset[Seat]) -> Quorum:
        """Return who counts where these seats are out for good, each of which we can prove. `bots`: see `Quorum`."""
        said = [(seat, self.goodbye(seat, hash).message) for seat, hash in out if hash is not None]
        goodbyes: dict[Seat, Goodbye] = {}
        for seat, message in said:
            assert isinstance(message, Goodbye)
            if seat not in goodbyes or (message.number, message.attempts) > (
                goodbyes[seat].number,
                goodbyes[seat].attempts,
            ):
                goodbyes[seat] = message
        return Quorum(keepers, frozenset(seat for seat, hash in out if hash is None), goodbyes, bots)

    def of(self, seat: Seat, speaker: bytes) -> list[Signed]:
        """Return what this key has promised for this seat."""
        found = [each for key, each in self.withouts.items() if key[1] == seat and self.speakers[key] == speaker]
        return found + [each for (_, key), each in self.displaced.items() if (each.seat, key) == (seat, speaker)]

    def within_reach(self, above: int) -> dict[tuple[int, Seat], Signed]:
        """Return the promises for numbers above this epoch's that are answered. Whoever names one at the end of those that can be
        held would else leave no higher one to the others."""
        found: dict[tuple[int, Seat], Signed] = {}
        reached = above + REACH
        for key in sorted(self.withouts):
            signed = self.withouts[key]
            if self.epochs.get(signed.epoch) == signed.epoch_hash:  # it may have been given up since
                reached = max(reached, signed.epoch + REACH)
            if key[0] > reached + MAX_JUMP:
                break
            reached = max(reached, key[0])
            if key[0] > above:
                found[key] = signed
        return found

    def is_within_reach(self, number: int, above: int) -> bool:
        """Whether a promise for this number above this epoch's is answered: see `within_reach`."""
        return any(number == each for each, _ in self.within_reach(above))

    def add(self, number: int, signed: Signed, speaker: bytes) -> Signed | None:
        """Keep a promise of this key for this epoch. Return an earlier one that it contradicts by concealing it, or None."""
        ours = self.of(signed.seat, speaker)
        if (held := self.withouts.get((number, signed.seat))) is not None:
            self.displaced[number, self.speakers[number, signed.seat]] = held
        self.withouts[number, signed.seat] = signed
        self.speakers[number, signed.seat] = speaker
        return next((each for each in ours if is_lie(each, signed)), None)

    def displace(self, seat: Seat, holder: bytes) -> None:
        """Have what others than its holder have promised as the players of this seat be in nobody's way: they never sat there."""
        self._set_aside(
            key
            for key, each in self.withouts.items()
            if key[1] == seat and seat in without(each).stay and self.speakers[key] != holder
        )

    def _set_aside(self, keys: Iterable[tuple[int, Seat]]) -> None:
        """Let promises bind only those who signed them, and be in nobody's way."""
        for key in list(keys):
            self.displaced[key[0], self.speakers.pop(key)] = self.withouts.pop(key)

    def is_full(self, seat: Seat, holder: bytes, is_holder: bool) -> bool:
        """Whether its holder has promised more often for a seat than its later promises can tell; or if not `is_holder`, whether
        others have, who would sit there."""
        said = (by == holder for (_, author), by in self.speakers.items() if author == seat)
        return sum(each == is_holder for each in said) >= MAX_ATTEMPTS

    def keep_version(self, height: int, signed: Signed) -> bool:
        """Keep another version of a seat's vote; return False if it is known, or one too many."""
        found = self.versions.setdefault((signed.seat, height), [])
        if len(found) >= MAX_VERSIONS or any(each.payload == signed.payload for each in found):
            return False
        found.append(signed)
        return True

    def keep_other(self, number: int, signed: Signed) -> bool:
        """Keep another version of a promise that we hold; return False if it is known, or one too many."""
        found = self.others.setdefault((number, signed.seat, self.speakers[number, signed.seat]), [])
        if len(found) >= MAX_VERSIONS or any(each.payload == signed.payload for each in found):
            return False
        found.append(signed)
        return True

    def other_version(self, signed: Signed) -> Signed | None:
        """Return another version of a promise, by the same key, if we hold one."""
        name = without(signed).number, signed.seat
        versions = [self.withouts[name], *self.others.get((*name, self.speakers[name]), ())]
        return next((each for each in versions if each.payload != signed.payload), None)

    def other_sets(self, above: int) -> list[list[Signed]]:
        """Return the sets of promises for numbers above this one that all their seats have signed, with other versions than those
        that we hold."""
        found: list[list[Signed]] = []
        for number in sorted({number for number, *_ in self.others if number > above}):
            said = {
                seat: [each, *self.others.get((number, seat, self.speakers[number, seat]), ())]
                for (which, seat), each in self.withouts.items()
                if which == number
            }
            for plan in dict.fromkeys(plan_of(each) for versions in said.values() for each in versions):
                choices = [[each for each in said.get(seat, ()) if plan_of(each) == plan] for seat in plan.seats]
                found += map(list, islice(product(*choices), MAX_COMBINATIONS))
        return found

    def saved(self) -> Departures:
        """Return a copy of what was heard, for `restore`."""
        found = copy(self)
        found.epochs, found.marks = dict(self.epochs), dict(self.marks)
        found.withouts, found.speakers = dict(self.withouts), dict(self.speakers)
        found.displaced, found.taken_in = dict(self.displaced), dict(self.taken_in)
        found.goodbyes, found._by_hash = dict(self.goodbyes), dict(self._by_hash)
        found.convicted, found.evidence = dict(self.convicted), dict(self.evidence)
        found.versions = {key: list(versions) for key, versions in self.versions.items()}
        found.others = {key: list(versions) for key, versions in self.others.items()}
        return found

    def restore(self, saved: Departures, taken: Iterable[Seat] = ()) -> None:
        """Return to the epoch of that moment. What was heard since then still counts, but of who sits in these seats that were
        `taken` since: there nobody has heard of them."""
        self._forget(taken)
        self.epochs, self.marks = dict(saved.epochs), dict(saved.marks)
        self.gone, self.counted, self.taken_in = saved.gone, saved.counted, dict(saved.taken_in)
        self.caught = saved.caught
        self.withouts = saved.withouts | self.withouts
        self.speakers = saved.speakers | self.speakers
        self.displaced = saved.displaced | self.displaced
        self.goodbyes, self._by_hash = saved.goodbyes | self.goodbyes, saved._by_hash | self._by_hash
        self.convicted, self.evidence = saved.convicted | self.convicted, saved.evidence | self.evidence
        self.versions = {key: list(versions) for key, versions in saved.versions.items()}
        self.others |= {key: list(versions) for key, versions in saved.others.items() if key not in self.others}
        for seat, evidence in list(self.evidence.items()):
            is_plain = self.convicted[seat].what == CONCEALED  # anybody can check it
            if not is_plain and any(self.epochs.get(each.epoch) != each.epoch_hash for each in evidence):
                del self.convicted[seat], self.evidence[seat]  # of an epoch that never was nobody could check it

    def _forget(self, seats: Iterable[Seat]) -> None:
        """Forget what was known against who sat in these seats."""
        for seat in seats:
            for about in (self.goodbyes, self.convicted, self.evidence):
                about.pop(seat, None)
            self.counted = frozenset(each for each in self.counted if each[0] != seat)
            self._by_hash = {name: each for name, each in self._by_hash.items() if name[0] != seat}

    def begin(
        self, epoch: Epoch, out: Iterable[Out] = (), taken: Sequence[Seat] = (), shown: Iterable[Seat] = ()
    ) -> None:
        """Drop what led to an epoch that has begun, or to a lower one.

        `out`: who is out for good, as its promises name them. Other convictions lapse: what they rest on is no part of the
        match, and could not be checked any more. Two versions of a message are checked at any time. `shown`: what convicts these
        stands in the transcript. `taken`: seats in which
        somebody else sits from now on: what others promised for them is in nobody's way.
        """
        self.epochs[epoch.number] = epoch.hash
        self.caught += sum(hash is None for _, hash in {*out} - self.counted)
        self.counted |= {*out}
        lasting = {*shown, *(seat for seat, hash in self.counted if hash is None)}
        for seat in [each for each, accused in self.convicted.items() if accused.what != TWO_VERSIONS]:
            if seat not in lasting:
                del self.convicted[seat], self.evidence[seat]
        self._forget(taken)
        self.taken_in |= dict.fromkeys(taken, epoch.number)
        self._set_aside(key for key, by in self.speakers.items() if key[1] in taken and by != epoch.sitters[key[1]].key)
        self.versions.clear()
        self.withouts = {key: signed for key, signed in self.withouts.items() if key[0] > epoch.number}
        self.speakers = {key: speaker for key, speaker in self.speakers.items() if key in self.withouts}
        self.displaced = {key: signed for key, signed in self.displaced.items() if key[0] > epoch.number}
        self.others = {key: versions for key, versions in self.others.items() if key[0] > epoch.number}

    def said(self) -> Iterable[Signed]:
        """Return all that others have to know of this."""
        return *self.goodbyes.values(), *self.withouts.values()


def departed(before: Mapping[Seat, Departure], out: Iterable[Out]) -> dict[Seat, Departure]:
    """Return who stands last in the result, and why, once these seats are out for good too."""
    found = dict(before)
    # Who was caught comes last: that counts most.
    for seat, hash in sorted(out, key=lambda each: (each[1] is None, each[0])):
        if hash is None or found.get(seat) is not Departure.CONVICTED:
            found[seat] = Departure.CONVICTED if hash is None else Departure.LEFT
    return found
