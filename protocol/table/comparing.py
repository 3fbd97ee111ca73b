"""Compare several files of one match slot by slot: what a seat told one player may differ from what it told another.

Each file may be valid alone. Two different signed payloads for one slot convict whoever signed them, and so do two promises of
which the later conceals the earlier; two signatures over one payload are reported and convict nobody. What its seat has not
signed counts for nothing, as anybody who holds a file could have written it. (PROTOCOL.md, "Several files".)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Goodbye, Nonce, Seal, Slot, Without
from protocol.signed import Signed, decode_signed
from protocol.table.epochs import is_lie
from protocol.table.roster import Roster
from protocol.table.verify import Report

TWO_VERSIONS = "two-versions"
CONCEALED = "concealed"
TWO_SIGNATURES = "two-signatures"
REASONS = {
    TWO_VERSIONS: "two different signed versions of the same message",
    CONCEALED: "a promise to go on that conceals an earlier one",
    TWO_SIGNATURES: "two signatures of one message",
}
MOST_DIFFERENCES = 20
"""How many differences of a seat are listed: a seat that rewrote a whole match is convicted by the first."""

Place = tuple[Seat | None, int | None, bytes, Slot]
"""What may be said once: seat, epoch (number and hash), and slot. A goodbye may name the seat or the place in the roster, and a
promise or a goodbye is said once in all epochs."""


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


@dataclass(frozen=True, slots=True)
class Statement:
    """A message in a file that bears the signature of whoever sat in its seat."""

    file: int
    seat: Seat
    name: str
    key: bytes
    signed: Signed


class Table:
    """The files of one table, with their positions, and what they show together of who sits where."""

    def __init__(self, roster: Roster, files: Sequence[tuple[int, Report]]) -> None:
        self.roster, self.files = roster, files
        self._sitters = {hash: sitters for _, report in files for hash, sitters in report.sitters.items()}
        """By the hash of an epoch, which covers what began it."""
        self._seating = next((report.seating for _, report in files if report.seating is not None), None)

    def speakers(self, signed: Signed) -> Iterator[tuple[Seat, str, bytes]]:
        """Yield who may have signed a message: seat, name and key."""
        message, seat = signed.message, signed.seat
        if not isinstance(message, Seal | Nonce):
            sitters = self._sitters.get(signed.epoch_hash, ())
            if isinstance(message, Without) and (taken := [each for each in message.added if each[0] == seat]):
                key = taken[0][1]
                sitters = next(
                    (all for all in self._sitters.values() if all[seat : seat + 1] and all[seat][1] == key), ()
                )
            if seat < len(sitters):
                yield seat, *sitters[seat]
        if isinstance(message, Seal | Nonce | Goodbye) and seat < len(self.roster.members):
            member = self.roster.members[seat]
            yield seat if self._seating is None else self._seating.index(seat), member.name, member.key


def compare(reports: Sequence[Report]) -> list[Difference]:
    """Return where files of one match differ, by slot and in the order of the files. Files of other matches are compared with
    their own kind."""
    found = []
    for table in _tables(reports):
        for said in _differing(table.files):
            statements = [each for file, signed in said if (each := _stated(table, file, signed)) is not None]
            for one, other in combinations(statements, 2):
                if one.key == other.key and one.file != other.file and (what := _judged(one, other)) is not None:
                    found.append(_difference(one, other, what))
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


def _tables(reports: Sequence[Report]) -> list[Table]:
    found: dict[bytes, tuple[Roster, list[tuple[int, Report]]]] = {}
    for index, report in enumerate(reports):
        if report.roster is not None:
            found.setdefault(report.roster.table_id, (report.roster, []))[1].append((index, report))
    return [Table(roster, files) for roster, files in found.values()]


def _differing(files: Iterable[tuple[int, Report]]) -> list[list[tuple[int, Signed]]]:
    """Return what the files hold, each with its file, for each place at which they do not all hold the same; and all promises
    of each seat, as each may conceal another."""
    said: dict[Place, dict[bytes, list[int]]] = {}
    for index, report in files:
        for frame in report.frames[1:]:
            if (place := _place(frame)) is not None:
                said.setdefault(place, {}).setdefault(frame, []).append(index)
    return [
        [(index, decode_signed(frame)) for frame, indexes in versions.items() for index in indexes]
        for versions in said.values()
        if len(versions) > 1
    ]


def _place(frame: bytes) -> Place | None:
    try:
        signed = decode_signed(frame)
    except BadMessage:
        return None
    if isinstance(signed.message, Goodbye):
        return None, None, b"", (Goodbye.kind,)
    if isinstance(signed.message, Without):
        return signed.seat, None, b"", (Without.kind,)
    slot = signed.message.slot
    return None if slot is None else (signed.seat, signed.epoch, signed.epoch_hash, slot)


def _judged(one: Statement, other: Statement) -> str | None:
    """Return in what two messages of one key contradict each other, or None."""
    if one.signed.message.slot != other.signed.message.slot:
        return CONCEALED if is_lie(one.signed, other.signed) else None
    if one.signed.payload != other.signed.payload:
        return TWO_VERSIONS
    return None if one.signed.data == other.signed.data else TWO_SIGNATURES


def _difference(one: Statement, other: Statement, what: str) -> Difference:
    first, second = sorted((one, other), key=lambda each: each.file)
    slot = second.signed.message.slot
    assert slot is not None
    files, messages = (first.file, second.file), (first.signed.data, second.signed.data)
    return Difference(first.seat, slot, files, what, messages, first.name, first.key)


def _stated(table: Table, file: int, signed: Signed) -> Statement | None:
    """Return a message with whoever signed it, or None if none of those did who may have."""
    if signed.table == table.roster.table_id:
        for seat, name, key in table.speakers(signed):
            try:
                signed.verify(key)
            except BadMessage:
                continue
            return Statement(file, seat, name, key, signed)
    return None


def _bounded(found: Sequence[Difference]) -> list[Difference]:
    counts: dict[tuple[bytes, str, tuple[int, int]], int] = {}
    kept = []
    for each in found:
        key = (each.key, each.what, each.files)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MOST_DIFFERENCES:
            kept.append(each)
    return kept
