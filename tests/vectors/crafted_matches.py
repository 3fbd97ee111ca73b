"""Changes of the match files that only whoever holds the players' keys can make, or that are made at a chosen place: they reach
what changes at random do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from protocol.identity import Identity
from protocol.messages import (
    MAX_ATTEMPTS,
    Chat,
    Closed,
    Echo,
    Evidence,
    Goodbye,
    Lost,
    Message,
    MoveProposal,
    Vote,
    Without,
)
from protocol.signed import Signed, decode_signed, sign
from protocol.table.epochs import attempt_of, epoch_hash, goodbye_hash, without
from protocol.table.roster import decode_roster
from protocol.table.verify import Follower
from protocol.values import replace
from protocol.wire import pack, unpack
from tests.table.tables import stream

Change = dict[str, Any]
SEEDS = range(1000)
FAR = 40
"""So many heights above the one that a vote was for, there is none."""


class Changing:
    """A match's file, and the keys of its players."""

    def __init__(self, files: list[bytes]) -> None:
        self.files = files
        self.said = [(at, decode_signed(data)) for at, data in enumerate(files) if at]
        self._members = decode_roster(unpack(files[0])[1]).members

    @cached_property
    def seating(self) -> tuple[int, ...]:
        """The place in the roster of whoever drew each seat."""
        follower = Follower(self.files[0], stream(1))
        follower.wants_snapshots = False
        for data in self.files[1:]:
            if follower.record.seed is not None:
                break
            follower.feed(data)
        return tuple(follower.record.seating)

    def identity_of(self, place: int) -> Identity:
        """The key of a place in the roster."""
        made = (Identity(stream(seed * 100 + place)(32)) for seed in SEEDS)
        return next(each for each in made if each.public == self._members[place].key)

    def of(self, *kinds: type) -> Iterator[tuple[int, Signed]]:
        """The messages of these kinds, with their places in the file."""
        return ((at, each) for at, each in self.said if isinstance(each.message, kinds))

    def signed(self, old: Signed, **other: Any) -> str:
        """Another version of a message, signed by its seat."""
        message: Any = replace(old.message, **other)
        return self.anew(old, (old.epoch, old.epoch_hash), message)

    def anew(self, old: Signed, epoch: tuple[int, bytes], message: Message) -> str:
        """Another message of the same seat in this epoch, by its number and hash."""
        return sign(self.identity_of(self.seating[old.seat]), old.table, *epoch, old.seat, message).data.hex()

    def start(self) -> int:
        """The place behind the votes for the entry at which the first epoch starts, if it adopts none."""
        height = next(each.message.height for _, each in self.of(Without))  # type: ignore[attr-defined]
        return 1 + max(
            at
            for at, each in self.of(Vote, MoveProposal)
            if isinstance(each.message, Vote | MoveProposal) and each.message.height == height
        )

    def epoch_of(self, promises: list[Signed]) -> tuple[int, bytes]:
        """The epoch that these begin."""
        return attempt_of(promises[0])[0], epoch_hash(promises[0].table, promises)

    def following(self, promises: list[str]) -> str:
        """A message of the epoch that these begin, in which it has no effect."""
        said = [decode_signed(bytes.fromhex(data)) for data in promises]
        message = said[0].message
        assert isinstance(message, Without)
        return self.anew(said[0], self.epoch_of(said), Echo(message.height + 1, bytes(32)))


def another_face(of: Changing) -> list[Change]:
    """The file ends with a play that claims another card of the suit than the one that opens."""
    at, old = next(
        (at, each)
        for at, each in of.of(MoveProposal)
        if isinstance(each.message, MoveProposal) and each.message.opening and each.message.move["cards"][0][0] != "8"
    )
    assert isinstance(old.message, MoveProposal)
    move = old.message.move
    card = move["cards"][0]
    found = []
    for rank in "23":
        put = [of.signed(old, move={**move, "cards": [rank + card[1:]]})]
        if rank != card[0]:
            found.append({"at": at, "remove": len(of.files) - at, "put": put})
    return found


def disordered_before_a_conviction(of: Changing) -> list[Change]:
    """Two votes of one height exchange their places, at each of the heights before an epoch that names a conviction; then two
    messages that the conviction left over."""
    first, _ = next(of.of(Without))
    votes = [
        (at, each.message.height)
        for at, each in of.of(Vote, MoveProposal)
        if at < first and isinstance(each.message, Vote | MoveProposal)
    ]
    pairs = {height: at for (at, height), (_, after) in pairwise(votes) if height == after}
    return [{"at": at, "remove": 2, "put": [at + 1, at]} for at in (*pairs.values(), first - 2)]


def other_version_first(of: Changing) -> list[Change]:
    """The version of a vote that did not count stands before the one that did."""
    places = dict[Any, int]()
    for at, each in of.of(Vote, MoveProposal):
        first = places.setdefault((each.seat, each.epoch, each.message.slot), at)
        if first != at:
            return [{"at": first, "remove": at - first + 1, "put": [at, *range(first, at)]}]
    raise AssertionError("no seat has voted twice")


def lone_versions(of: Changing) -> list[Change]:
    """An echo of epoch 0 stands in epoch 1, before the promises that begin epoch 2; then it is followed by another version."""
    old = next(each for _, each in of.of(Vote) if each.seat == 0 and each.epoch == 0)
    assert isinstance(old.message, Vote)
    height = old.message.height + FAR
    epoch = (old.epoch, old.epoch_hash)
    one, other = (of.anew(old, epoch, Echo(height, hash)) for hash in (old.message.choice, bytes(32)))
    at = next(at for at, each in of.of(Without) if each.epoch == 1)
    return [{"at": at, "remove": 0, "put": put} for put in ([one], [one, other])]


def lapsing(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes, for which the others leave it out; at the same time seat 2 signs for a later epoch, and conceals
    that it signed for this one. Nobody names that, so it lapses, and when seat 3 leaves too there are two who can go on. In the
    other file this one leaves before it lapses."""
    at, bye = next(of.of(Goodbye))
    epoch = [(each.seat, bytes.fromhex(of.signed(each, out=((bye.seat, None),)))) for _, each in of.of(Without)]
    promises = [decode_signed(data) for _, data in epoch]
    number, stay = attempt_of(promises[0])[:2]
    lie = of.signed(promises[1], number=number + 1)
    base = (number, epoch_hash(bye.table, promises))
    left = of.anew(promises[-1], base, Goodbye(number, ((number, stay, ()),)))
    early = of.anew(promises[-1], (0, bye.epoch_hash), Goodbye(number, ((number, stay, ()),)))
    head = [at, of.signed(bye, number=number + 1), *(data.hex() for _, data in epoch[:-1]), lie]
    last = epoch[-1][1].hex()
    return [{"at": at, "remove": len(of.files) - at, "put": [*head, *put]} for put in ([last, left], [early, last])]


def not_lapsing(of: Changing) -> list[Change]:
    """As in the first file of `lapsing`, but what seat 2 signs for this epoch denies its votes, which stand in the file: that
    does not lapse, and when seat 3 leaves too nobody is left to go on with."""
    at, bye = next(of.of(Goodbye))
    lie = {"height": 0, "certificate": bye.table, "vote": None}
    said = [of.signed(each, out=((bye.seat, None),), **(lie if each.seat == 2 else {})) for _, each in of.of(Without)]
    promises = [decode_signed(bytes.fromhex(data)) for data in said]
    tried = attempt_of(promises[0])
    left = of.anew(promises[-1], of.epoch_of(promises), Goodbye(tried[0], (tried,)))
    return [{"at": at, "remove": len(of.files) - at, "put": [at, of.signed(bye, number=tried[0] + 1), *said, left]}]


def a_promise_left_over(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes, and the others go on without it, in an epoch with the number 2: seat 2 had signed for another
    one before, of which nothing came. That stands in the file with what convicts seat 1. Then another epoch begins there."""
    at, bye = next(of.of(Goodbye))
    old, out, tried = [each for _, each in of.of(Without)], ((bye.seat, None),), (1, (0, 2), ())
    early = next(of.signed(each, stay=tried[1], out=out, vote=None) for each in old if each.seat == 2)
    first = [of.signed(each, number=2, out=out, vote=None, attempts=(tried,) if each.seat == 2 else ()) for each in old]
    promises = [decode_signed(bytes.fromhex(data)) for data in first]
    top = max((without(each) for each in promises), key=lambda each: each.height)
    then = replace(top, number=3, base=top.stay, vote=None, attempts=())
    second = [of.anew(each, of.epoch_of(promises), then) for each in promises]
    put = [of.files[at].hex(), of.signed(bye, number=3), early, *first, *second]
    return [{"at": of.start(), "remove": len(of.files) - of.start(), "put": put}]


def a_start_that_is_not_there(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes; the others sign for two epochs, of which the later one would start at a certificate that nobody
    has. So the earlier one does not begin either, and a message of it has no place there."""
    at, bye = next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    first = [of.signed(each, out=((bye.seat, None),)) for each in old]
    promises = [decode_signed(bytes.fromhex(data)) for data in first]
    tried = attempt_of(promises[0])
    then = {"number": tried[0] + 1, "attempts": (tried,), "certificate": bytes(32), "height": 1}
    later = [of.signed(each, **then) for each in promises]
    base = (tried[0], epoch_hash(bye.table, promises))
    message = old[0].message
    assert isinstance(message, Without)
    early = of.anew(bye, base, Echo(message.height, bytes(32)))
    put = [at, of.signed(bye, number=tried[0] + 1), *later, *first, early]
    return [{"at": at, "remove": len(of.files) - at, "put": put}]


def not_on_the_way(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes; the others sign for an epoch, and for a later one that follows another one, which has a lower
    number than both and which nobody shows. So the first does not begin, and a message of it has no place there."""
    at, bye = next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    unknown = (2, bytes(32))
    first = [of.signed(each, out=((bye.seat, None),), number=3) for each in old]
    promises = [decode_signed(bytes.fromhex(data)) for data in first]
    tried, later = attempt_of(promises[0]), list[str]()
    for each in promises:
        message = each.message
        assert isinstance(message, Without)
        following = replace(message, number=4, attempts=(tried,), base=message.stay)
        later.append(of.anew(each, unknown, following))
    message = old[0].message
    assert isinstance(message, Without)
    early = of.anew(bye, (3, epoch_hash(bye.table, promises)), Echo(message.height, bytes(32)))
    put = [at, of.signed(bye, number=4), *later, *first, early]
    return [{"at": at, "remove": len(of.files) - at, "put": put}]


def second_goodbyes(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes, and the others name the second one. The file holds both, or only that one, or both and a
    message of the epoch that this begins."""
    at, bye = next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    second = of.signed(bye, number=bye.message.number + 1)  # type: ignore[attr-defined]
    named = goodbye_hash(decode_signed(bytes.fromhex(second)))
    promises = [of.signed(each, out=((bye.seat, named),)) for each in old]
    message = old[0].message
    assert isinstance(message, Without)
    epoch = (message.number, epoch_hash(bye.table, [decode_signed(bytes.fromhex(data)) for data in promises]))
    echo = of.anew(old[0], epoch, Echo(message.height, bytes(32)))
    files = [[at, second, *promises], [second, *promises], [second, *promises, echo], [second, at, *promises, echo]]
    return [{"at": at, "remove": len(of.files) - at, "put": put} for put in files]


def rosters(of: Changing) -> list[Change]:
    """The roster is not one that a table could have, or asks for rules that nobody knows."""
    whole = unpack(unpack(of.files[0])[1])
    first, *others = whole["members"]
    changed = [
        {**whole, "more": 1},
        {**whole, "rules": whole["rules"] + 1},
        {**whole, "options": {**whole["options"], "target": -1}},
        {**whole, "options": {key: value for key, value in whole["options"].items() if key != "hand"}},
        {**whole, "table": {**whole["table"], "more": 1}},
        {**whole, "members": [first, *others, first]},
        {**whole, "members": [{**first, "key": bytes([1, *bytes(31)])}, *others]},
        {**whole, "members": [{**first, "more": 1}, *others]},
        {**whole, "members": [{**first, "name": "a" * 65}, *others]},
    ]
    frames = [pack(["r", pack(each)]) for each in changed] + [pack(["s", pack(whole)])]
    return [{"at": 0, "remove": len(of.files), "put": [each.hex()]} for each in frames]


def strangers_to_a_file(of: Changing) -> list[Change]:
    """`lost` among what was said last, at the end of a file that ends early, and where it goes on; what never stands there."""
    end = len(of.files)
    at, old = next((at, each) for at, each in of.of(Vote) if each.seat == 1)
    epoch = (old.epoch, old.epoch_hash)
    lost = of.anew(old, epoch, Lost(1))
    found: list[Change] = [
        {"at": end, "remove": 0, "put": [lost]},
        {"at": at + 1, "remove": end - at - 1, "put": [lost]},
        {"at": at, "remove": 0, "put": [lost]},
    ]
    for message in (Closed(bytes(32)), Chat(1, "hello")):
        said = of.anew(old, epoch, message)
        found += [{"at": at + 1, "remove": end - at - 1, "put": [said]}, {"at": end, "remove": 0, "put": [said]}]
    return found


def evidence(of: Changing) -> list[Change]:
    """Seat 0 shows two votes of seat 1, one that the file has and another one, that one alone, or nothing new; it shows it again;
    it adds a message of no epoch behind what convicts, or before it; or before the seats are drawn."""
    end = next(at for at, _ in of.of(Without))
    where, old = next((at, each) for at, each in of.of(Vote) if each.seat == 1 and each.message.slot[-1] != 1)  # type: ignore[index]
    one, other = old.data, bytes.fromhex(of.signed(old, choice=bytes(32)))
    stray = bytes.fromhex(of.anew(old, (0, bytes(32)), old.message))
    by = next(each for _, each in of.of(Vote) if each.seat == 0)

    def shown(*messages: bytes, accused: int = 1, what: str = "two-versions") -> str:
        return of.anew(by, (by.epoch, by.epoch_hash), Evidence(accused, what, messages))

    puts = [
        [shown(one, other)],
        [shown(other)],
        [shown(one)],
        [shown(one, other), shown(one, other, what="again")],
        [shown(one, other, accused=2, what="share")],
        [shown(one, other, stray)],
        [shown(stray, one, other)],
    ]
    changes: list[Change] = [{"at": end, "remove": len(of.files) - end, "put": put} for put in puts]
    for at in (where + 1, 3):
        changes.append({"at": at, "remove": len(of.files) - at, "put": [shown(one, other)]})
    return changes


def attempts(of: Changing) -> list[Change]:
    """The seats that go on name an earlier attempt: of the seat that they leave out, so that less than half of it goes on; of one
    of them and that seat; and of the number that they sign for. The file ends with a message of the epoch, which is refused if
    that has not begun."""
    at = of.start()
    old = [each for _, each in of.of(Without)]
    found = []
    for number, seats in ((1, (1,)), (1, (0, 1)), (2, (0, 1))):
        said = [of.signed(each, number=2, attempts=((number, seats, ()),), vote=None) for each in old]
        found.append({"at": at, "remove": len(of.files) - at, "put": [*said, of.following(said)]})
    return found


def duties_behind_the_start(of: Changing) -> list[Change]:
    """The epoch adopts nothing; the file holds what the entry at its start demanded, which the epoch has dropped."""
    at, _ = next(of.of(Without))
    said = [of.signed(each, vote=None) for _, each in of.of(Without)]
    return [{"at": at, "remove": len(of.files) - at, "put": said}]


def numbers_of_a_goodbye(of: Changing) -> list[Change]:
    """Seat 1 says goodbye, and the others go on, though none of an earlier attempt stays but for seat 1: it counts in that unless
    its goodbye names no higher number than the attempt's."""
    at, (_, bye) = of.start(), next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    found = []
    for number in (1, 2):
        left = of.signed(bye, number=number)
        out = ((bye.seat, goodbye_hash(decode_signed(bytes.fromhex(left)))),)
        then = {"number": 3, "attempts": ((1, (bye.seat,), ()),), "out": out, "vote": None}
        said = [of.signed(each, **then) for each in old]
        found.append({"at": at, "remove": len(of.files) - at, "put": [left, *said, of.following(said)]})
    return found


def lower_starts(of: Changing) -> list[Change]:
    """Seat 1 has signed two votes, and the others go on from one of the last three certificates, or from the one below them."""
    start, (at, bye) = of.start(), next(of.of(Goodbye))
    follower = Follower(of.files[0], stream(1))
    follower.wants_snapshots = False
    certificates = dict[int, bytes]()
    for data in of.files[1:at]:
        follower.feed(data)
        certificates[follower.record.certified_height] = follower.record.previous
    vote = next(each for _, each in of.of(Vote) if each.seat == bye.seat)
    other = of.signed(vote, choice=bytes(32))
    found = []
    for height in sorted(certificates)[-1:-5:-1]:
        then = {"height": height, "certificate": certificates[height], "vote": None, "out": ((bye.seat, None),)}
        said = [of.signed(each, **then) for _, each in of.of(Without)]
        found.append({"at": start, "remove": len(of.files) - start, "put": [other, *said]})
    return found


def two_versions_last(of: Changing) -> list[Change]:
    """As in `lapsing`, but seat 2 signs two promises for one later epoch: that does not lapse, and when seat 3 leaves too nobody
    is left to go on with."""
    start, (at, bye) = of.start(), next(of.of(Goodbye))
    said = [of.signed(each, out=((bye.seat, None),), vote=None) for _, each in of.of(Without)]
    promises = [decode_signed(bytes.fromhex(data)) for data in said]
    tried = attempt_of(promises[0])
    two = [of.signed(promises[1], number=tried[0] + 1, attempts=(tried,), height=height) for height in (1, 2)]
    left = of.anew(promises[-1], of.epoch_of(promises), Goodbye(tried[0], (tried,)))
    put = [at, of.signed(bye, number=tried[0] + 1), *said[:-1], *two, said[-1], left]
    return [{"at": start, "remove": len(of.files) - start, "put": put}]


def two_certificates(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes; of the others, one names another certificate of the last height: the epoch begins below it."""
    start, (at, bye) = of.start(), next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    then: list[dict[str, Any]] = [{"vote": None}, {"vote": None, "certificate": bytes(32)}, {"vote": None}]
    said = [of.signed(each, out=((bye.seat, None),), **more) for each, more in zip(old, then, strict=True)]
    put = [at, of.signed(bye, number=2), *said, of.following(said)]
    return [{"at": start, "remove": len(of.files) - start, "put": put}]


def on_the_way(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes; the others sign for an epoch, and for one that follows it; in this order, or in the other."""
    start, (at, bye) = of.start(), next(of.of(Goodbye))
    said = [of.signed(each, out=((bye.seat, None),), number=3, vote=None) for _, each in of.of(Without)]
    promises = [decode_signed(bytes.fromhex(data)) for data in said]
    later = []
    for each in promises:
        message = each.message
        assert isinstance(message, Without)
        following = replace(message, number=4, base=message.stay, vote=None)
        later.append(of.anew(each, of.epoch_of(promises), following))
    head = [at, of.signed(bye, number=4)]
    puts = [*said, *later], [*later, *said]
    return [{"at": start, "remove": len(of.files) - start, "put": [*head, *put, of.following(later)]} for put in puts]


def company(of: Changing) -> list[Change]:
    """A bot of seat 2 has taken seat 1. The others leave out both, or the bot alone, as its keeper agrees."""
    begun = max(each.epoch for _, each in of.said)
    at, first = next((at, each) for at, each in of.said if each.epoch == begun)
    old = {each.seat: each for _, each in of.of(Without) if each.message.number == begun}  # type: ignore[attr-defined]
    found = []
    for stay in ((0, 3), (0, 2, 3)):
        said = []
        for seat in stay:
            message = old[seat].message
            assert isinstance(message, Without)
            then = replace(
                message, number=begun + 1, stay=stay, base=(0, 1, 2, 3), vote=None, attempts=(), out=(), added=()
            )
            said.append(of.anew(old[seat], (begun, first.epoch_hash), then))
        found.append({"at": at, "remove": len(of.files) - at, "put": [*said, of.following(said)]})
    return found


def without_a_keeper(of: Changing) -> list[Change]:
    """The epoch adopts nothing. Where there are four, the bot of whoever is left out stays, too: no such epoch begins."""
    at, old = of.start(), [each for _, each in of.of(Without)]
    said = [of.signed(each, vote=None) for each in old]
    puts = [[*said, of.following(said)]]
    message = old[0].message
    assert isinstance(message, Without)
    if 3 in message.base:
        then = replace(message, stay=(*message.stay, 3), vote=None)
        epoch, bot = (old[0].epoch, old[0].epoch_hash), next(each for _, each in of.of(Vote) if each.seat == 3)
        more = [of.anew(each, epoch, then) for each in (*old, bot)]
        puts.append([*more, of.following(more)])
    return [{"at": at, "remove": len(of.files) - at, "put": put} for put in puts]


def of_who_sat_there(of: Changing) -> list[Change]:
    """Where somebody else sits in seat 1, whoever sat there shows another version of an old vote: nobody is convicted."""
    begun = max(each.epoch for _, each in of.said)
    at = next(at for at, each in of.said if each.epoch == begun)
    vote = next(each for _, each in of.of(Vote) if each.seat == 1)
    return [{"at": at, "remove": len(of.files) - at, "put": [of.signed(vote, choice=bytes(32))]}]


def confirmations(of: Changing) -> list[Change]:
    """The end of the match is confirmed by all, in order; of another end, or by who was left out, it counts for nothing."""
    (at, one), (_, other) = list(of.of(Closed))[-2:]
    false = of.signed(one, certificate=bytes(32))
    gone = next(each for _, each in of.of(Vote) if each.seat not in (one.seat, other.seat))
    left_out = of.anew(gone, (one.epoch, one.epoch_hash), one.message)
    begun = next(each for _, each in of.of(Without) if each.epoch not in (0, one.epoch))
    earlier = of.anew(one, (begun.epoch, begun.epoch_hash), one.message)
    return [
        {"at": at, "remove": 2, "put": [at + 1, at]},
        {"at": at, "remove": 1, "put": [false]},
        {"at": at, "remove": 0, "put": [false]},
        {"at": at, "remove": 0, "put": [left_out]},
        {"at": at, "remove": 2, "put": [left_out]},
        {"at": at, "remove": 0, "put": [earlier]},
        {"at": at, "remove": 2, "put": []},
    ]


def under_the_key_of_a_place(of: Changing) -> list[Change]:
    """The seats are drawn by lot. A goodbye that was said before names a place in the roster, and bears that place's key: who
    drew another seat by it leaves. So it is not the seat of that number that the others go on without, and under a third
    key it means nothing. Two of them convict who has signed them, and not who sits in the seat of that number; two of which each
    has signed one are no evidence."""
    at, (_, bye) = of.start(), next(of.of(Goodbye))
    old = next(each for _, each in of.of(Without))
    place = next(place for place, each in enumerate(of.seating) if each != place)
    found = []
    for key in (place, of.seating[place], next(each for each in of.seating if each not in (place, of.seating[place]))):
        said = sign(of.identity_of(key), bye.table, 0, bye.epoch_hash, place, bye.message)
        leaves = of.seating.index(key)
        for named in sorted({leaves, place}):
            stay = tuple(seat for seat in range(len(of.seating)) if seat != named)
            then = replace(old.message, stay=stay, out=((named, goodbye_hash(said)),), vote=None)  # type: ignore[call-arg]
            promises = [of.anew(replace(old, seat=seat), (old.epoch, old.epoch_hash), then) for seat in stay]
            put = [said.data.hex(), *promises, of.following(promises)]
            found.append({"at": at, "remove": len(of.files) - at, "put": put})
    one, other, own = (
        sign(of.identity_of(key), bye.table, 0, bye.epoch_hash, place, Goodbye(number))
        for key, number in ((place, 0), (place, 1), (of.seating[place], 1))
    )
    shown = Evidence(place, "two-versions", (one.data, own.data))
    evidence = sign(of.identity_of(of.seating[bye.seat]), bye.table, 0, bye.epoch_hash, bye.seat, shown)
    for put in ([one.data.hex(), other.data.hex()], [evidence.data.hex()]):
        found.append({"at": at, "remove": len(of.files) - at, "put": put})
    return found


def many_promises(of: Changing) -> list[Change]:
    """A seat has promised 255 or 256 numbers, each from an epoch of its own, and then conceals all of them: of one seat 256 are
    held, so that the last one convicts it, or is not heard."""
    at, old = of.start(), [each for _, each in of.of(Without)][-1]
    found = []
    for count in (MAX_ATTEMPTS - 1, MAX_ATTEMPTS):
        then = [{"number": 2 + number, "vote": None} for number in range(count)]
        said = [of.anew(old, (1 + number, bytes(32)), replace(old.message, **more)) for number, more in enumerate(then)]
        last = of.signed(old, number=1000, vote=None)
        found.append({"at": at, "remove": len(of.files) - at, "put": [*said, last]})
    return found


def a_phone_among_those_who_come(of: Changing) -> list[Change]:
    """Somebody by phone takes the seat: of who is no bot the keeper is the own key, though another computer serves the page."""
    at, old = next((at, each) for at, each in of.of(Without) if each.message.added)  # type: ignore[attr-defined]
    ((seat, key, keeper, name, is_bot),) = old.message.added  # type: ignore[attr-defined]
    server = of.identity_of(0).public
    whom = [(seat, key, server, name, False), (seat, key, key, name, True), (seat, key, key, name, is_bot)]
    return [
        {"at": at, "remove": len(of.files) - at, "put": [of.signed(old, added=(each,))]}
        for each in whom
        if each != (seat, key, keeper, name, is_bot)
    ]


def a_bot_that_makes_room(of: Changing) -> list[Change]:
    """The keeper goes and its bots stay; one bot goes and the other alone stays; both go and their keeper stays."""
    at, old = next((at, each) for at, each in of.of(Without))
    message = old.message
    assert isinstance(message, Without)
    votes = {each.seat: each for _, each in of.of(Vote) if each.epoch == old.epoch}
    found = []
    for stay in ((1, 2), (1,), (0,)):
        then = replace(message, stay=stay)
        said = [of.anew(votes[seat], (old.epoch, old.epoch_hash), then) for seat in stay]
        found.append({"at": at, "remove": len(of.files) - at, "put": [*said, of.following(said)]})
    return found


def of_who_would_take_a_seat(of: Changing, seat: int, number: int) -> list[Signed]:
    """Two versions of a promise for this epoch, by somebody who would take this seat."""
    old, who = next(each for _, each in of.of(Without)), Identity(bytes(range(32)))
    others = tuple(each for each in range(len(of.seating)) if each != seat)
    joining = (seat, who.public, who.public, "New", False)
    then = replace(old.message, number=number, stay=others, base=others, added=(joining,), attempts=(), vote=None)  # type: ignore[call-arg]
    said = (replace(then, height=height) for height in (1, 2))  # type: ignore[call-arg]
    return [sign(who, old.table, old.epoch, old.epoch_hash, seat, each) for each in said]


def forged_promises(of: Changing) -> list[Change]:
    """In epoch 1 there are two versions of a promise of somebody who would take a seat: a present one, or the empty one, for this
    epoch or a later one; as they are, or in evidence. They convict nobody who sits there."""
    at = 1 + max(at for at, _ in of.of(Without))
    begun = next(each for _, each in of.said if each.epoch == 1)
    gone = next(seat for seat in range(len(of.seating)) if all(each.seat != seat for _, each in of.of(Without)))
    found = []
    for seat in (0, gone):
        for number in (1, 5):
            two = of_who_would_take_a_seat(of, seat, number)
            shown = Evidence(seat, "two-versions", tuple(each.data for each in two))
            evidence = of.anew(begun, (1, begun.epoch_hash), shown)
            for put in ([each.data.hex() for each in two], [evidence]):
                found.append({"at": at, "remove": len(of.files) - at, "put": put})
    return found


CRAFTED: dict[str, Callable[[Changing], list[Change]]] = {
    "left-by-one-of-two": lambda of: [*rosters(of), *strangers_to_a_file(of)],
    "closed-by-promises": lambda of: [*evidence(of), *strangers_to_a_file(of)[1:3]],
    "confirmed-later": confirmations,
    "taken-by-a-newcomer": lambda of: [*of_who_sat_there(of), *a_phone_among_those_who_come(of)],
    "void-by-lot": under_the_key_of_a_place,
    "taken-by-a-bot": company,
    "given-by-a-bot": a_bot_that_makes_room,
    "left-with-a-bot": without_a_keeper,
    "left-by-a-keeper": without_a_keeper,
    "voted-out": lambda of: [
        *another_face(of),
        *attempts(of),
        *duties_behind_the_start(of),
        *many_promises(of),
        *forged_promises(of),
    ],
    "two-votes": lambda of: [*disordered_before_a_conviction(of), *other_version_first(of)],
    "recovered": lambda of: [
        *lapsing(of),
        *not_lapsing(of),
        *a_promise_left_over(of),
        *a_start_that_is_not_there(of),
        *not_on_the_way(of),
        *second_goodbyes(of),
        *numbers_of_a_goodbye(of),
        *lower_starts(of),
        *two_versions_last(of),
        *on_the_way(of),
        *two_certificates(of),
    ],
    "recovered-twice": lone_versions,
}
