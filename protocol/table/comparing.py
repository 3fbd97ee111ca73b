"""Compare several files of one match slot by slot: what a seat told one player may differ from what it told another.

Each file may be valid alone. Two different signed payloads for one slot (but of a `closed`) convict their signer, and so does a
promise that conceals an earlier one, or a vote; two signatures over one payload are reported and convict nobody. What its seat
has not signed counts for nothing, as anybody who holds a file could have written it. (PROTOCOL.md, "Several files".)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Closed, Goodbye, Nonce, Seal, Slot, Without
from protocol.signed import Signed, decode_signed
from protocol.table.denials import denies
from protocol.table.departures import CONCEALED as CONCEALED
from protocol.table.departures import TWO_VERSIONS as TWO_VERSIONS
from protocol.table.epochs import is_lie
from protocol.table.roster import Roster
from protocol.table.verify import Report
from protocol.values import dataclass

TWO_SIGNATURES = "two-signatures"
REASONS = {
    TWO_VERSIONS: "two different signed versions of the same message",
    CONCEALED: "a promise to go on that conceals an earlier one, a vote, or a later epoch",
    TWO_SIGNATURES: "two signatures of one message",
}
MOST_DIFFERENCES = 20
"""How many differences of a seat are listed: a seat that rewrote a whole match is convicted by the first."""

Place = tuple[Seat | None, int | None, bytes, Slot]
"""What may be said once: seat, epoch (number and hash), and slot. A goodbye may name the seat or the place in the roster, and is
said once in all epochs; all promises of a seat stand together."""

Sitters = tuple[tuple[str, bytes], ...]
"""The name and key of each seat's player."""

Found = tuple[int, Signed]
"""A message, and the position of its file."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What one seat signed that differs between two files. `files` are their positions; `name` and `key` are those of whoever
    signed: somebody else may sit there later."""

    seat: Seat
    slot: Slot
    files: tuple[int, int]
    what: str
    messages: tuple[bytes, bytes]
    name: str
    key: bytes


class SeatHolder(NamedTuple):
    """Somebody who sat in a seat."""

    seat: Seat
    name: str
    key: bytes


class ComparedTable:
    """The files of one table, with their positions, and what they show together of who sits where."""

    def __init__(self, roster: Roster, files: Sequence[tuple[int, Report]]) -> None:
        self.roster, self.files = roster, files
        self._sitters = {hash: sitters for _, report in files for hash, sitters in report.sitters.items()}
        """By the hash of an epoch, which covers what began it."""
        self._seating = next((report.seating for _, report in files if report.seating is not None), None)
        self._signers: dict[bytes, SeatHolder | None] = {}

    def signer(self, signed: Signed) -> SeatHolder | None:
        """Return who signed a message, or None if none of those did who may have."""
        if signed.data not in self._signers:
            self._signers[signed.data] = next((each for each in self._speakers(signed) if signed.is_by(each.key)), None)
        return self._signers[signed.data]

    def _speakers(self, signed: Signed) -> Iterator[SeatHolder]:
        message, seat = signed.message, signed.seat
        if signed.table != self.roster.table_id:
            return
        if not isinstance(message, Seal | Nonce):
            taken = [key for at, key, *_ in message.added if at == seat] if isinstance(message, Without) else []
            sitters = self._epoch_of(seat, taken[0]) if taken else self._sitters.get(signed.epoch_hash, ())
            if seat < len(sitters):
                yield SeatHolder(seat, *sitters[seat])
        if isinstance(message, Seal | Nonce | Goodbye) and seat < len(self.roster.members):
            member = self.roster.members[seat]
            yield SeatHolder(seat if self._seating is None else self._seating.index(seat), member.name, member.key)

    def _epoch_of(self, seat: Seat, key: bytes) -> Sitters:
        """Return who sits where in an epoch in which this key sits in this seat, or nobody."""
        return next((all for all in self._sitters.values() if seat < len(all) and all[seat][1] == key), ())


def compare(reports: Sequence[Report]) -> list[Difference]:
    """Return where files of one match differ, by slot and in the order of the files. Files of other matches are compared with
    their own kind."""
    found = []
    for table in _tables(reports):
        for pair in _pairs(table.files):
            one, other = sorted(pair, key=lambda each: each[0])
            if one[0] == other[0] or (what := _judged(one[1], other[1])) is None:
                continue
            signer = table.signer(one[1])
            if signer is not None and signer == table.signer(other[1]):
                found.append(_difference(one, other, what, signer))
    return _bounded(found)


def contradictory(reports: Sequence[Report]) -> list[tuple[int, int]]:
    """Return pairs of files that each show a whole match of the same table, but not the same one."""
    whole = [(index, report) for index, report in enumerate(reports) if report.roster is not None and report.over]
    return [
        (i, j)
        for at, (i, one) in enumerate(whole)
        for j, other in whole[at + 1 :]
        if one.roster is not None
        and other.roster is not None
        and one.roster.table_id == other.roster.table_id
        and one.match != other.match
    ]


def _tables(reports: Sequence[Report]) -> list[ComparedTable]:
    found: dict[bytes, tuple[Roster, list[tuple[int, Report]]]] = {}
    for index, report in enumerate(reports):
        if report.roster is not None:
            found.setdefault(report.roster.table_id, (report.roster, []))[1].append((index, report))
    return [ComparedTable(roster, files) for roster, files in found.values()]


def _pairs(files: Iterable[tuple[int, Report]]) -> Iterator[tuple[Found, Found]]:
    """Yield what may contradict each other: different messages at one place, and each promise with each vote of its epoch, and
    with something of each later one."""
    said: dict[Place, dict[bytes, list[Found]]] = {}
    for index, report in files:
        for frame in report.frames[1:]:
            if (signed := _slotted(frame)) is not None:
                said.setdefault(_place(signed), {}).setdefault(frame, []).append((index, signed))
    votes: dict[tuple[Seat, bytes], list[Found]] = {}
    spoken: dict[Seat, dict[tuple[bytes, int], Found]] = {}
    """By seat: something that it said in each epoch, of each file."""
    for (seat, epoch, epoch_hash, slot), versions in said.items():
        if seat is not None and slot[0] == "vote":
            votes.setdefault((seat, epoch_hash), []).extend(chain.from_iterable(versions.values()))
        if seat is not None and epoch:
            for found in chain.from_iterable(versions.values()):
                spoken.setdefault(seat, {}).setdefault((epoch_hash, found[0]), found)
    for versions in said.values():
        for one, other in combinations(versions.values(), 2):
            yield from product(one, other)
        for each in chain.from_iterable(versions.values()):
            if isinstance(each[1].message, Without):
                yield from ((each, vote) for vote in votes.get((each[1].seat, each[1].epoch_hash), ()))
                later = (found for found in spoken.get(each[1].seat, {}).values() if found[1].epoch > each[1].epoch)
                yield from ((each, found) for found in later)


def _slotted(frame: bytes) -> Signed | None:
    try:
        signed = decode_signed(frame)
    except BadMessage:
        return None
    return None if signed.message.slot is None else signed


def _place(signed: Signed) -> Place:
    slot = signed.message.slot
    assert slot is not None
    if isinstance(signed.message, Goodbye):
        return None, None, b"", slot
    if isinstance(signed.message, Without):
        return signed.seat, None, b"", (Without.kind,)
    return signed.seat, signed.epoch, signed.epoch_hash, slot


def _judged(one: Signed, other: Signed) -> str | None:
    """Return in what two messages contradict each other if one key has signed both, or None."""
    promises = [each for each in (one, other) if isinstance(each.message, Without)]
    if len(promises) == 1 and not isinstance(one.message, Goodbye) and not isinstance(other.message, Goodbye):
        said = other if promises[0] is one else one
        return CONCEALED if denies(promises[0], said) else None
    match one.message, other.message:
        case Without(number=first), Without(number=second) if first != second:
            return CONCEALED if is_lie(one, other) else None
    if one.payload != other.payload:
        # An end binds nobody: its epoch may be given up.
        return None if isinstance(one.message, Closed) else TWO_VERSIONS
    return None if one.data == other.data else TWO_SIGNATURES


def _difference(one: Found, other: Found, what: str, signer: SeatHolder) -> Difference:
    slot = other[1].message.slot
    assert slot is not None
    return Difference(
        signer.seat, slot, (one[0], other[0]), what, (one[1].data, other[1].data), signer.name, signer.key
    )


def _bounded(found: Sequence[Difference]) -> list[Difference]:
    counts: dict[tuple[bytes, str, tuple[int, int]], int] = {}
    kept = []
    for each in found:
        key = (each.key, each.what, each.files)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MOST_DIFFERENCES:
            kept.append(each)
    return kept
