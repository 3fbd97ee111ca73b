"""Compare several files of one match slot by slot: what a seat told one player may differ from what it told another.

Each file may be valid alone. Two different signed payloads for one slot convict their seat; two signatures over one payload are
reported and convict nobody. (PROTOCOL.md, "Transcript".)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Goodbye, Nonce, Seal, Slot
from protocol.signed import Signed, decode_signed
from protocol.table.roster import Roster
from protocol.table.verify import Report

TWO_VERSIONS = "two-versions"
TWO_SIGNATURES = "two-signatures"
MOST_DIFFERENCES = 20
"""How many differences of a seat are listed: a seat that rewrote a whole match is convicted by the first."""

Place = tuple[int, int, bytes, Slot]
"""Seat, epoch (number and hash), and slot."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot for which one seat signed two things. `files` are the positions of the two files."""

    seat: Seat
    slot: Slot
    files: tuple[int, int]
    what: str
    messages: tuple[bytes, bytes]


def compare(reports: Sequence[Report]) -> list[Difference]:
    """Return where files of one match differ, by seat and in the order of the files. Files of other matches are compared with
    their own kind. Only what bears its seat's signature counts."""
    found: list[Difference] = []
    first: dict[tuple[bytes, Place], tuple[int, bytes]] = {}
    seats = _seating(reports)
    for index, report in enumerate(reports):
        if report.roster is None:
            continue
        table = report.roster.table_id
        for frame in report.frames[1:]:
            place = _place(frame)
            if place is None:
                continue
            known, other = first.setdefault((table, place), (index, frame))
            if other != frame:
                difference = _judged(report.roster, seats.get(table), (known, index), (other, frame))
                if difference is not None:
                    found.append(difference)
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


def _seating(reports: Sequence[Report]) -> dict[bytes, tuple[int, ...]]:
    """Return the seating of each table, from any file that goes far enough."""
    return {
        report.roster.table_id: report.seating
        for report in reports
        if report.roster is not None and report.seating is not None
    }


def _place(frame: bytes) -> Place | None:
    try:
        signed = decode_signed(frame)
    except BadMessage:
        return None
    slot = signed.message.slot
    return None if slot is None else (signed.seat, signed.epoch, signed.epoch_hash, slot)


def _judged(
    roster: Roster, seating: tuple[int, ...] | None, files: tuple[int, int], messages: tuple[bytes, bytes]
) -> Difference | None:
    one, other = (decode_signed(data) for data in messages)
    signers = [_signer(roster, seating, signed) for signed in (one, other)]
    if None in signers or signers[0] != signers[1] or one.table != roster.table_id or other.table != roster.table_id:
        return None
    place = signers[0]
    assert place is not None and one.message.slot is not None
    seat = place if seating is None else seating.index(place)
    what = TWO_SIGNATURES if one.payload == other.payload else TWO_VERSIONS
    return Difference(seat, one.message.slot, files, what, messages)


def _signer(roster: Roster, seating: tuple[int, ...] | None, signed: Signed) -> int | None:
    """Return the place in the roster of whoever signed a message; None if it is none of those that may have."""
    places = []
    if seating is not None and signed.seat < len(seating) and not isinstance(signed.message, (Seal, Nonce)):
        places.append(seating[signed.seat])
    if isinstance(signed.message, (Seal, Nonce, Goodbye)):
        places.append(signed.seat)
    for place in places:
        if place >= len(roster.members):
            continue
        try:
            signed.verify(roster.members[place].key)
        except BadMessage:
            continue
        return place
    return None


def _bounded(found: Sequence[Difference]) -> list[Difference]:
    counts: dict[tuple[Seat, str, tuple[int, int]], int] = {}
    kept = []
    for each in found:
        key = (each.seat, each.what, each.files)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MOST_DIFFERENCES:
            kept.append(each)
    return kept
