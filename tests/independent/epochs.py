"""Which epoch may follow another, from PROTOCOL.md, "Going on without a seat", alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.independent.encoding import Message, demand, digest, is_key, n

FURTHEST = 1 << 16
"""So far above the last epoch a number may be."""

Attempt = tuple[int, tuple[int, ...], tuple[bytes, ...]]
Out = tuple[int, bytes | None]


@dataclass(frozen=True)
class Member:
    key: bytes
    keeper: bytes
    bot: bool


@dataclass(frozen=True)
class Epoch:
    number: int
    present: tuple[int, ...]
    hash: bytes
    sitters: Mapping[int, Member] = field(default_factory=dict)
    """Who took a seat after the draw."""
    idle_at: bytes | None = None
    """If it changed nobody, the certificate at which it began."""


def epoch_of(table: bytes, withouts: Sequence[Message], before: Epoch) -> Epoch:
    """The epoch that these begin, one of each seat that stays, ascending, then one of each that is taken."""
    number = withouts[0]["number"]
    hash = digest("epoch", n(number), table, *(each.payload for each in withouts))
    taken = sitters_of(withouts[0])
    return Epoch(number, tuple(sorted((*withouts[0]["stay"], *taken))), hash, {**before.sitters, **taken})


def sitters_of(message: Message) -> dict[int, Member]:
    """Who takes which seat."""
    return {seat: Member(key, keeper, bot) for seat, key, keeper, _, bot in message["added"]}


Plan = tuple[tuple[int, ...], tuple[tuple[Any, ...], ...]]
"""Who stays, and who takes which seat."""


def plan_of(message: Message) -> Plan:
    return tuple(message["stay"]), tuple(tuple(each) for each in message["added"])


def attempt_of(message: Message) -> Attempt:
    keepers = tuple(sorted({keeper for _, _, keeper, _, _ in message["added"]}))
    return message["number"], tuple(message["stay"]), keepers


def attempts(message: Message) -> list[Attempt]:
    return [(number, tuple(seats), tuple(keepers)) for number, seats, keepers in message["attempts"]]


def _ascends(values: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(values))


def check_without(message: Message, size: int) -> None:
    """The form of a `without`, whatever the match is."""
    stay, number, tried = message["stay"], message["number"], attempts(message)
    for seats in (stay, message["base"], *(seats for _, seats, _ in tried)):
        demand(_ascends(seats) and all(seat < size for seat in seats), "seats that do not ascend or do not exist")
    demand(
        message.epoch < number and _ascends([each for each, *_ in tried]), "epochs are not numbered in ascending order"
    )
    demand(all(message.epoch < each < number for each, *_ in tried), "an attempt with a number that it cannot have")
    demand(all(list(keepers) == sorted(set(keepers)) for *_, keepers in tried), "keepers that do not ascend")
    taken = [seat for seat, *_ in message["added"]]
    demand(message.seat in (*stay, *taken) and set(stay) <= set(message["base"]), "who goes on was there before")
    gone = [seat for seat, _ in message["out"]]
    demand(_ascends(gone) and all(seat < size and seat not in stay for seat in gone), "who is out, and goes on")
    demand(_ascends(taken) and all(seat < size and seat not in message["base"] for seat in taken), "no empty seat")
    demand(not taken or stay == message["base"], "seats are taken while nobody leaves")
    demand(len({key for _, key, *_ in message["added"]}) == len(taken), "one key takes two seats")
    for _, key, keeper, _, bot in message["added"]:
        demand(is_key(key) and is_key(keeper) and (bot or keeper == key), "nobody who could sit")


def out_of(withouts: Iterable[Message]) -> set[Out]:
    """Who is out for good, as these name them."""
    return {(seat, hash) for message in withouts for seat, hash in message["out"]}


def check_goodbye(message: Message, size: int) -> None:
    """The form of a `goodbye`, whatever the match is."""
    tried = attempts(message)
    demand(_ascends([each for each, *_ in tried]), "epochs are not numbered in ascending order")
    demand(all(each <= message["number"] for each, *_ in tried) and message["number"] >= message.epoch, "a number")
    for _, seats, keepers in tried:
        demand(list(keepers) == sorted(set(keepers)), "keepers that do not ascend")
        demand(_ascends(seats) and all(seat < size for seat in seats), "seats that do not ascend or do not exist")


def conceals(one: Message, other: Message) -> bool:
    """Whether the later `without` of a seat does not name its earlier one."""
    earlier, later = sorted((one, other), key=lambda each: int(each["number"]))
    said = attempt_of(earlier)
    return bool(said[0] > later.epoch and said not in attempts(later))


def denies(promise: Message, said: Message) -> bool:
    """Whether a `without` denies what its seat has said besides, in the epoch that it names or in a later one."""
    if said.slot is None or said.kind in ("without", "goodbye"):
        return False
    if said.epoch != promise.epoch:
        begun = next((each for each in attempts(promise) if each[0] == said.epoch), None)
        may_go_back = begun is not None and (begun[2] or _accuses(promise, begun[1]))
        return promise.epoch < said.epoch < promise["number"] and not may_go_back
    if said.present != promise.present or said.slot[0] != "vote":
        return False
    if said["height"] != promise["height"] + 1:
        return said["height"] > promise["height"] and not _accuses(promise, promise["base"])
    choice = said["choice"] if said.kind == "vote" else digest("proposal", said.payload)
    return bool(said["previous"] == promise["certificate"] and choice != promise["vote"])


def _accuses(promise: Message, seats: Iterable[int]) -> bool:
    return any(seat in seats and hash is None for seat, hash in promise["out"])


def keeper_of(member: Member) -> bytes:
    """Who is responsible for a seat; a phone is its own keeper, whoever serves its page."""
    return member.keeper if member.bot else member.key


def may_join(taken: Mapping[int, Member], present: Iterable[Member], gone: Iterable[bytes]) -> bool:
    """Whether these may take seats beside those who are present; `gone`: the keys and keepers of who is out for good."""
    here, new, out = list(present), list(taken.values()), set(gone)
    if {each.key for each in new} & {each.key for each in here} or any({each.key, each.keeper} & out for each in new):
        return False
    joining = {each.keeper for each in new} - {keeper_of(each) for each in here}
    return len(joining) <= 1 and joining <= {each.key for each in new}


@dataclass(frozen=True)
class Quorum:
    """Who counts. `keepers` by seat; all seats of one keeper count once."""

    keepers: Sequence[bytes]
    convicted: Iterable[int]
    goodbyes: Mapping[int, Message]
    bots: Collection[int]
    """The seats that somebody else keeps."""

    def people(self, seats: Iterable[int]) -> set[bytes]:
        return {self.keepers[seat] for seat in seats}

    def company(self, seats: Iterable[int]) -> set[int]:
        """These seats and all others of their keepers."""
        people = self.people(seats)
        return {seat for seat, keeper in enumerate(self.keepers) if keeper in people}

    @property
    def out(self) -> set[int]:
        return self.company({*self.convicted, *self.goodbyes})

    def can_go_on(self, present: Iterable[int]) -> bool:
        return len(self.people(set(present) - self.out)) >= 2

    def _share(self, people: set[bytes], attempt: Attempt) -> tuple[int, int]:
        """How many of an attempt's keepers are among these, and how many there are."""
        number, seats, joining = attempt
        gone = {seat for seat, goodbye in self.goodbyes.items() if goodbye["number"] <= number}
        counted = (self.people(seats) | {*joining}) - self.people({*self.convicted, *gone})
        return len(people & counted), len(counted)

    def allows(self, withouts: Sequence[Message], base: Epoch) -> bool:
        """Whether these begin an epoch after `base`."""
        number, stay, before = withouts[0]["number"], set(withouts[0]["stay"]), set(base.present)
        people, keepers = self.people(stay), self.people(stay - {*self.bots})
        left = (self.company(stay) & before) - stay
        if not stay <= before or any(seat not in self.bots or self.keepers[seat] not in keepers for seat in left):
            return False
        if len(people) < 2 and people != self.people(before):
            return False
        those, all_of_them = self._share(people, (base.number, base.present, ()))
        if 2 * those <= all_of_them:
            return False
        tried = {each for message in withouts for each in attempts(message)}
        tried |= {each for seat, message in self.goodbyes.items() if seat in before for each in attempts(message)}
        people |= {*attempt_of(withouts[0])[2]}
        shares = [self._share(people, each) for each in tried if base.number < each[0] < number]
        return all(2 * those >= all_of_them for those, all_of_them in shares)


@dataclass(frozen=True)
class Start:
    """Where an epoch begins. `certificate` is empty if there are two: then it is the one of `height`, below both. `adopted`: what
    all have voted for above it."""

    base: int
    base_hash: bytes
    height: int
    certificate: bytes
    adopted: bytes | None


def start_of(withouts: Sequence[Message]) -> Start | None:
    """None if they name two epochs of one number."""
    withouts = [each for each in withouts if each.seat in each["stay"]]
    epoch = max(each.epoch for each in withouts)
    highest = max(each["height"] for each in withouts if each.epoch == epoch)
    top = [each for each in withouts if (each.epoch, each["height"]) == (epoch, highest)]
    if len({each.present for each in top}) > 1:
        return None
    first = top[0]
    if len({each["certificate"] for each in top}) > 1:
        return Start(epoch, first.present, highest - 1, b"", None)
    votes = {each["vote"] for each in withouts}
    is_alike = len(top) == len(withouts) and len(votes) == 1 and not first["added"]
    return Start(epoch, first.present, highest, first["certificate"], votes.pop() if is_alike else None)


def torn_epoch(withouts: Sequence[Message]) -> int | None:
    """The number of their last epoch, if they name two of this number: who stayed in it has signed two versions."""
    stay = [each for each in withouts if each.seat in each["stay"]]
    top = max(each.epoch for each in stay)
    return top if len({each.present for each in stay if each.epoch == top}) > 1 else None


def complete(withouts: Mapping[tuple[int, int], Message]) -> list[list[Message]]:
    """The sets that all their seats have signed, by number and seat; the highest number first."""
    plans: dict[int, list[Plan]] = {}
    for (number, _), message in withouts.items():
        if plan_of(message) not in plans.setdefault(number, []):
            plans[number].append(plan_of(message))
    found = []
    for number in sorted(plans, reverse=True):
        for plan in plans[number]:
            seats = [*plan[0], *(seat for seat, *_ in plan[1])]
            said = [each for seat in seats if (each := withouts.get((number, seat))) and plan_of(each) == plan]
            if len(said) == len(seats):
                found.append(said)
    return found
