"""Changes of the match files that only whoever holds the players' keys can make, or that are made at a chosen place: they reach
what changes at random do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from protocol.identity import Identity
from protocol.messages import Echo, Goodbye, Message, MoveProposal, Vote, Without
from protocol.signed import Signed, decode_signed, sign
from protocol.table.epochs import attempt_of, epoch_hash, goodbye_hash
from protocol.table.roster import decode_roster
from protocol.wire import unpack
from tests.table.tables import stream

Change = dict[str, Any]
SEEDS = range(1000)
FAR = 40
"""So many heights above the one that it was for, a vote is for none."""


class Changing:
    """A match's file, and the keys of its players."""

    def __init__(self, files: list[bytes]) -> None:
        self.files = files
        self.said = [(at, decode_signed(data)) for at, data in enumerate(files) if at]
        self._members = decode_roster(unpack(files[0])[1]).members

    def _identity(self, seat: int) -> Identity:
        """The key of a seat; the seats are not drawn by lot."""
        place = self._members[seat].key
        made = (Identity(stream(seed * 100 + seat)(32)) for seed in SEEDS)
        return next(each for each in made if each.public == place)

    def of(self, *kinds: type) -> Iterator[tuple[int, Signed]]:
        """The messages of these kinds, with their places in the file."""
        return ((at, each) for at, each in self.said if isinstance(each.message, kinds))

    def signed(self, old: Signed, **other: Any) -> str:
        """Another version of a message, signed by its seat."""
        message: Any = replace(old.message, **other)
        return self.anew(old, (old.epoch, old.epoch_hash), message)

    def anew(self, old: Signed, epoch: tuple[int, bytes], message: Message) -> str:
        """Another message of the same seat in this epoch, by its number and hash."""
        return sign(self._identity(old.seat), old.table, *epoch, old.seat, message).data.hex()


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


def lone_versions(of: Changing) -> list[Change]:
    """A vote of epoch 0 stands in epoch 1, before the promises that begin epoch 2; then it is followed by another version."""
    old = next(each for _, each in of.of(Vote) if each.seat == 0 and each.epoch == 0)
    assert isinstance(old.message, Vote)
    height = old.message.height + FAR
    one, other = of.signed(old, height=height), of.signed(old, height=height, choice=bytes(32))
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
    early = of.anew(old[0], base, Echo(message.height, bytes(32)))
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
    early = of.anew(old[0], (3, epoch_hash(bye.table, promises)), Echo(message.height, bytes(32)))
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


CRAFTED: dict[str, Callable[[Changing], list[Change]]] = {
    "voted-out": another_face,
    "two-votes": disordered_before_a_conviction,
    "recovered": lambda of: [*lapsing(of), *a_start_that_is_not_there(of), *not_on_the_way(of), *second_goodbyes(of)],
    "recovered-twice": lone_versions,
}
