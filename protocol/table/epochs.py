"""Define epochs, which say who is present and votes, and the rules by which one follows another.

A table starts in epoch 0, with all seats present. A later epoch leaves seats out (or nobody) and begins at a certificate, when
all its seats have signed the same `without`. Which seats hold a key belongs to the round (`round.RoundId.holders`), not to the
epoch. These rules are pure functions of signed messages. (PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.hashing import digest, number
from protocol.messages import Goodbye, Without
from protocol.signed import Signed
from protocol.table.roster import Member
from protocol.table.sitters import Added, check_added, sitters_of
from protocol.values import dataclass, replace

Attempt: TypeAlias = tuple[int, tuple[Seat, ...], tuple[bytes, ...]]
"""An epoch, begun or only signed for: its number, its seats of the epoch before, and the keepers of those that are taken."""

Out: TypeAlias = tuple[Seat, bytes | None]
"""A seat that is out for good, as a `without` names it: by the hash of its goodbye, or by None if it was caught cheating."""

FURTHEST = 1 << 16
"""How far above the last epoch that began a number may be."""
REACH = 1 << 10
"""How far above an epoch that began here a number is answered. Much less than what may be: whoever has answered it may have to go
back to epochs before, and go on from there with numbers that are higher still."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The number of an epoch, the seats that are present in it, and the hash of what began it.

    `sitters`: who took a seat since the seats were drawn, in this epoch or before. `idle_at`: if it changed nobody, the
    certificate at which it began.
    """

    number: int
    present: tuple[Seat, ...]
    hash: bytes
    sitters: Mapping[Seat, Member] = field(default_factory=dict)
    idle_at: bytes | None = None

    @property
    def attempt(self) -> Attempt:
        """Return its number and seats."""
        return self.number, self.present, ()


def first_epoch(table: bytes, seats: int) -> Epoch:
    """Return epoch 0: all seats are present. Its hash covers the roster."""
    return Epoch(0, tuple(range(seats)), digest("epoch", number(0), table))


def next_epoch(table: bytes, withouts: Sequence[Signed], before: Epoch) -> Epoch:
    """Return the epoch that these messages begin: one `without` of each seat that stays, ascending, then of those taken."""
    message, hash = without(withouts[0]), epoch_hash(table, withouts)
    taken = sitters_of(message.added)
    present = tuple(sorted((*message.stay, *taken)))
    return Epoch(message.number, present, hash, {**before.sitters, **taken})


def epoch_hash(table: bytes, withouts: Sequence[Signed]) -> bytes:
    """Return the hash of the epoch that these messages begin, in the order of `next_epoch`."""
    return digest("epoch", number(without(withouts[0]).number), table, *(signed.payload for signed in withouts))


def without(signed: Signed) -> Without:
    """Return the message of a signed `without`."""
    assert isinstance(signed.message, Without)
    return signed.message


def check_form(signed: Signed, seats: int) -> None:
    """Check what does not depend on the match. Raises BadMessage."""
    message = without(signed)
    ours = range(seats)
    for each in (message.stay, message.base, *(stay for _, stay, _ in message.attempts)):
        if list(each) != sorted(set(each)) or any(seat not in ours for seat in each):
            raise BadMessage("seats are listed twice, out of order, or do not exist")
    _check_keepers(message.attempts)
    numbers = [number for number, *_ in message.attempts]
    if not signed.epoch < message.number or numbers != sorted(set(numbers)):
        raise BadMessage("epochs are not numbered in ascending order")
    if any(not signed.epoch < number < message.number for number in numbers):
        raise BadMessage("an earlier attempt has an impossible number")
    if signed.seat not in plan_of(signed).seats or not set(message.stay) <= set(message.base):
        raise BadMessage("a player is listed as staying who was not there before or did not say so")
    gone = [seat for seat, _ in message.out]
    if gone != sorted(set(gone)) or not set(gone) <= set(ours) - set(message.stay):
        raise BadMessage("a player who quit for good is listed twice, out of order, or as still playing")
    if message.added and message.stay != message.base:
        raise BadMessage("seats are taken while nobody leaves")
    check_added(message.added, message.base, seats)


class Plan(NamedTuple):
    """Who is present in an epoch: the seats that stay, and those that are taken."""

    stay: tuple[Seat, ...]
    added: tuple[Added, ...] = ()

    @property
    def taken(self) -> tuple[Seat, ...]:
        """Return the seats that are taken."""
        return tuple(seat for seat, *_ in self.added)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that have to sign for it: those that stay, then those that are taken."""
        return *self.stay, *self.taken

    def attempt(self, number: int) -> Attempt:
        """Return it as an epoch of this number."""
        return number, self.stay, tuple(sorted({keeper for _, _, keeper, _, _ in self.added}))


def plan_of(signed: Signed) -> Plan:
    """Return the plan of a `without`."""
    message = without(signed)
    return Plan(message.stay, message.added)


def attempt_of(signed: Signed) -> Attempt:
    """Return the epoch for which a `without` is."""
    return plan_of(signed).attempt(without(signed).number)


def _check_keepers(attempts: Iterable[Attempt]) -> None:
    if any(list(keepers) != sorted(set(keepers)) for _, _, keepers in attempts):
        raise BadMessage("keepers are listed twice or out of order")


def is_lie(one: Signed, other: Signed) -> bool:
    """Whether the later of two `without`s of one seat conceals the earlier one."""
    earlier, later = sorted((one, other), key=lambda signed: without(signed).number)
    return without(earlier).number > later.epoch and attempt_of(earlier) not in without(later).attempts


# --- who counts ---


@dataclass(frozen=True, slots=True)
class Quorum:
    """Who counts when seats go on alone. Seats of one keeper count once.

    `keepers`: each seat's keeper; its own key for a person. `convicted`: never counted. `goodbyes`: not counted from the epoch
    on that a goodbye names. `bots`: the seats that somebody else keeps.
    """

    keepers: tuple[bytes, ...]
    convicted: frozenset[Seat] = frozenset()
    goodbyes: Mapping[Seat, Goodbye] = field(default_factory=dict)
    bots: frozenset[Seat] = frozenset()

    def people(self, seats: Iterable[Seat]) -> set[bytes]:
        """Return the keepers of these seats."""
        return {self.keepers[seat] for seat in seats}

    def with_company(self, seats: Iterable[Seat]) -> frozenset[Seat]:
        """Return these seats and all others of their keepers: they leave together."""
        people = self.people(seats)
        return frozenset(seat for seat, keeper in enumerate(self.keepers) if keeper in people)

    def bots_left(self, stay: Iterable[Seat], base: Iterable[Seat]) -> frozenset[Seat] | None:
        """Return whom of their company these leave behind: bots whose keepers stay, and so agree. None if they must not."""
        staying = set(stay)
        left = (self.with_company(staying) & set(base)) - staying
        agreeing = self.people(staying - self.bots)
        return left if left <= self.bots and self.people(left) <= agreeing else None

    @property
    def out(self) -> frozenset[Seat]:
        """Return the seats that left for good or were convicted, with their company."""
        return self.with_company({*self.convicted, *self.goodbyes}) if self.convicted or self.goodbyes else frozenset()

    def can_go_on(self, present: Iterable[Seat]) -> bool:
        """Whether at least two of these people are not out for good."""
        return len(self.people(set(present) - self.out)) >= 2

    def _counted(self, attempt: Attempt) -> set[bytes]:
        number, seats, joining = attempt
        gone = {seat for seat, goodbye in self.goodbyes.items() if goodbye.number <= number}
        return (self.people(seats) | set(joining)) - self.people(self.convicted | gone)

    def _holds(self, people: set[bytes], attempt: Attempt, half: bool) -> bool:
        counted = self._counted(attempt)
        both = 2 * len(people & counted)
        return both > len(counted) or (half and both == len(counted))

    def allows(self, wanted: Attempt, base: Attempt, attempts: Iterable[Attempt]) -> bool:
        """Whether this epoch may begin.

        Those who stay are at least two people, or all there are, and more than half of the last epoch that began (`base`); with
        those who join, they are at least half of each later one that any of them signed for (`attempts`).
        """
        _, stay, _ = wanted
        if not set(stay) <= set(base[1]) or self.bots_left(stay, base[1]) is None:
            return False
        known = {*attempts, *(each for seat, bye in self.goodbyes.items() if seat in base[1] for each in bye.attempts)}
        people = self.people(stay)
        enough = (len(people) >= 2 or people == self.people(base[1])) and self._holds(people, base, half=False)
        return enough and self.agrees(wanted, base, known)

    def agrees(self, wanted: Attempt, base: Attempt, attempts: Iterable[Attempt]) -> bool:
        """Whether those of this epoch are at least half of each of these later ones than `base`."""
        number, stay, joining = wanted
        people = self.people(stay) | set(joining)
        return all(self._holds(people, each, half=True) for each in attempts if base[0] < each[0] < number)

    def heeding(self, wanted: Attempt, base: Attempt) -> Quorum:
        """Return who counts without those goodbyes that would keep this epoch from beginning, by what they say was signed: who
        said one counts as somebody who has vanished."""
        quorum = self
        while hindering := {
            seat
            for seat, bye in quorum.goodbyes.items()
            if seat in base[1] and not quorum.agrees(wanted, base, bye.attempts)
        }:
            quorum = replace(
                quorum, goodbyes={seat: bye for seat, bye in quorum.goodbyes.items() if seat not in hindering}
            )
        return quorum


# --- where an epoch begins ---


@dataclass(frozen=True, slots=True)
class Start:
    """Where an epoch begins: the highest certificate of its seats, and the entry above it if all have voted for it.

    `base` and `base_hash` name the epoch of whoever holds that certificate. Where seats are taken nothing is adopted: who asks
    somebody to sit has not voted to close, and does not do so any more.
    """

    base: int
    base_hash: bytes
    height: int
    certificate: bytes
    adopted: bytes | None = None
    """What all have voted for above the certificate. An opening is not adopted: its round would be void at once."""


def start_of(withouts: Sequence[Signed]) -> Start | None:
    """Return where the epoch of these `without`s begins; None if they contradict each other.

    If a seat voted twice, there may be two certificates of one height. Then the epoch begins below it, where all agree, and
    `certificate` is empty.
    """
    withouts = [signed for signed in withouts if signed.seat in without(signed).stay]  # newcomers have no say in it
    top = max(withouts, key=lambda signed: (signed.epoch, without(signed).height))
    best = without(top)
    level = [each for each in withouts if (each.epoch, without(each).height) == (top.epoch, best.height)]
    if any(each.epoch_hash != top.epoch_hash for each in level):
        return None
    if any(without(each).certificate != best.certificate for each in level):
        return Start(top.epoch, top.epoch_hash, best.height - 1, b"")
    votes = {without(each).vote for each in withouts}
    is_alike = len(level) == len(withouts) and len(votes) == 1 and not best.added
    return Start(top.epoch, top.epoch_hash, best.height, best.certificate, next(iter(votes)) if is_alike else None)


def complete(withouts: Mapping[tuple[int, Seat], Signed], above: int) -> list[list[Signed]]:
    """Return the sets of `without`s for numbers above this one that all their seats have signed, highest number first."""
    plans: dict[int, dict[Plan, None]] = {}
    for (each, _), promise in withouts.items():
        if each > above:
            plans.setdefault(each, {})[plan_of(promise)] = None
    found = []
    for each in sorted(plans, reverse=True):
        for plan in plans[each]:
            signed = [withouts.get((each, seat)) for seat in plan.seats]
            said = [one for one in signed if one is not None and plan_of(one) == plan]
            if len(said) == len(signed):
                found.append(said)
    return found


def step_towards(start: Start, table: bytes, epoch: Epoch, sets: Sequence[Sequence[Signed]]) -> Sequence[Signed] | None:
    """Return the one of these sets of `without`s that begins the next epoch after this one on the way to a start in a later
    one; None if the way there is not known."""
    by_hash = {epoch_hash(table, signed): signed for signed in sets}
    while (signed := by_hash.pop(start.base_hash, None)) is not None:
        before = start_of(signed)
        if before is None or (before.base, before.base_hash) == (epoch.number, epoch.hash):
            return signed
        start = before
    return None


def torn_epoch(signed: Sequence[Signed]) -> int | None:
    """Return the number of the epoch in which these `without`s were signed last, if some of them mean another epoch of that
    number: a seat that stayed in it signed two versions of the promise that began it. None otherwise."""
    stay = [each for each in signed if each.seat in without(each).stay]
    top = max((each.epoch for each in stay), default=0)
    return top if len({each.epoch_hash for each in stay if each.epoch == top}) > 1 else None


Waiting: TypeAlias = tuple[Start, Sequence[Signed]]
"""Promises that wait for the way to an epoch that is not known, and where they begin."""


def excludes(waiting: Waiting, plan: Plan, number: int, hash: bytes) -> bool:
    """Whether nothing comes of an epoch of this plan, number and hash because of promises with a higher number that wait: it is
    not on the way there, and somebody has signed for both."""
    start, later = waiting
    is_off_the_way = number > start.base or (number == start.base and hash != start.base_hash)
    return is_off_the_way and bool(set(without(later[0]).stay) & set(plan.seats))


def check_goodbye(signed: Signed, seats: int) -> None:
    """Check what of a goodbye does not depend on the match. Raises BadMessage."""
    message = signed.message
    assert isinstance(message, Goodbye)
    _check_keepers(message.attempts)
    numbers = [number for number, *_ in message.attempts]
    if numbers != sorted(set(numbers)) or max(numbers, default=0) > message.number or message.number < signed.epoch:
        raise BadMessage("epochs are not numbered in ascending order")
    if any(list(stay) != sorted(set(stay)) or max(stay, default=0) >= seats for _, stay, _ in message.attempts):
        raise BadMessage("seats are listed twice, out of order, or do not exist")


def goodbye_hash(signed: Signed) -> bytes:
    """Return the hash by which promises name a goodbye."""
    return _goodbye_hash(signed.payload)


@lru_cache(64)
def _goodbye_hash(payload: bytes) -> bytes:
    return digest("goodbye", payload)


def out_of(withouts: Iterable[Signed]) -> frozenset[Out]:
    """Return who is out for good, as these `without`s name them."""
    return frozenset(each for signed in withouts for each in without(signed).out)


def attempts_of(withouts: Iterable[Signed]) -> set[Attempt]:
    """Return all attempts that these `without`s admit."""
    return {attempt for signed in withouts for attempt in without(signed).attempts}
