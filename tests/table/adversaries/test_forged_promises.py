"""Promises to take a seat bear a key that their author chose: in evidence or in a file, they convict nobody who sits there."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.messages import MAX_ATTEMPTS, Evidence, Without
from protocol.signed import Signed, decode_signed, sign
from protocol.table.record import Record
from protocol.table.verify import Follower, verify
from protocol.values import replace
from protocol.wire import frame, frames
from tests.adversaries.declared import By, attack
from tests.table.tables import stream
from tests.vectors.crafted_matches import Changing, of_who_would_take_a_seat
from tests.vectors.make_matches import FOLDER


@cache
def match() -> Changing:
    return Changing([data for _, data in frames((FOLDER / "voted-out.match").read_bytes())])


def begun() -> tuple[int, Record]:
    """The match as its second epoch has just begun, after so many messages."""
    follower, files = Follower(match().files[0], stream(1)), match().files
    follower.wants_snapshots = False
    at = next(at for at in range(1, len(files)) if follower.feed(files[at]) or follower.record.epoch)
    return at + 1, follower.record


@attack(
    By.PLAYER,
    "A player shows two versions of a promise to sit in somebody else’s seat that they have signed "
    "themselves with a new key.",
)
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("number", [1, 5])
def test_forged_promises_in_evidence_convict_nobody(seat: int, number: int) -> None:
    _, record = begun()
    two: list[Signed] = of_who_would_take_a_seat(match(), seat, number)
    by = match().identity_of(record.seating[0])
    said = Evidence(seat, "two-versions", tuple(each.data for each in two))
    with pytest.raises(BadMessage):
        record.receive(decode_signed(sign(by, record.table, record.epoch, record.epoch_hash, 0, said).data))
    assert not record.ledger.departures.convicted


@attack(
    By.OUTSIDE,
    "A file is given two versions of a promise to sit in somebody’s seat that this player never signed.",
    "When the file is checked: it is not valid.",
)
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("number", [1, 5])
def test_forged_promises_in_a_file_convict_nobody(seat: int, number: int) -> None:
    at, _ = begun()
    two = of_who_would_take_a_seat(match(), seat, number)
    report = verify(b"".join(map(frame, [*match().files[:at], *(each.data for each in two)])), stream(1))
    assert report.failed is not None and not report.convicted


@attack(
    By.PLAYER,
    "Somebody uses a new key to promise again and again to sit in a seat that is taken, so that the "
    "promises of the player who sits there are not heard.",
)
@pytest.mark.parametrize("count", [1, MAX_ATTEMPTS])
def test_forged_promises_are_not_in_the_way_of_who_sits_there(count: int) -> None:
    """One for the number that the player promises, or as many as are held of one seat."""
    of, follower = match(), Follower(match().files[0], stream(1))
    follower.wants_snapshots = False
    at = next(at for at, _ in of.of(Without))
    for data in of.files[1:at]:
        follower.feed(data)
    record, old = follower.record, next(each for _, each in of.of(Without))
    (one, _), who = of_who_would_take_a_seat(of, old.seat, 2), Identity(bytes(range(32)))
    for number in range(2, 2 + count):
        forged: Any = replace(one.message, number=number)  # type: ignore[call-arg]
        assert record.receive(sign(who, record.table, 1, bytes(32), old.seat, forged))
    said = decode_signed(bytes.fromhex(of.signed(old, number=2)))
    assert record.receive(said)
    assert record.ledger.departures.withouts[2, old.seat] is said and not record.ledger.departures.convicted
    assert not record.receive(sign(who, record.table, 1, bytes(32), old.seat, replace(forged, number=2, height=9)))
