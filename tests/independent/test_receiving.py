"""What both verifiers do with messages that no client sends so, such as evidence that shows nothing new."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Closed, Evidence, Message, Nonce, Vote, Without
from protocol.signed import Signed, decode_signed
from protocol.values import replace
from tests.independent.encoding import frames
from tests.independent.test_matches import assert_same, file
from tests.vectors import make_matches
from tests.vectors.crafted_matches import Changing

NAME = "closed-by-promises"


@pytest.fixture(scope="module")
def of() -> Changing:
    return Changing(list(frames((make_matches.FOLDER / f"{NAME}.match").read_bytes())))


def by(of: Changing, seat: int, message: Message) -> bytes:
    """A message of this seat in epoch 0."""
    old = next(each for _, each in of.said if each.seat == seat and each.message.kind == "vote")
    return bytes.fromhex(of.anew(old, (old.epoch, old.epoch_hash), message))


def versions(of: Changing, kind: type, seat: int) -> tuple[int, Signed, bytes]:
    """A message of this seat, not at the first height, the place behind it, and another version."""
    at, old = next(
        (at, each) for at, each in of.of(kind) if each.seat == seat and getattr(each.message, "height", 2) > 1
    )
    changed: dict[str, Any] = {"choice": bytes(32)} if kind is Vote else {"nonce": bytes(32)}
    return at + 1, old, bytes.fromhex(of.signed(old, **changed))


def shown(of: Changing, seat: int, accused: int, *messages: bytes, what: str = "two-versions") -> bytes:
    return by(of, seat, Evidence(accused, what, messages))


def test_who_shows_the_same_thing_twice_is_not_convicted_of_two_versions(of: Changing) -> None:
    """Evidence is no promise: a seat may send any number of it. Whoever holds it could otherwise make a file that convicts it."""
    at, old, other = versions(of, Vote, 1)
    first, second = shown(of, 0, 1, old.data, other), shown(of, 0, 1, old.data, other, what="again")
    assert assert_same(file([*of.files[:at], first])).evidence == [("two-versions", 1)]
    found = assert_same(file([*of.files[:at], first, second]))
    assert found.evidence == [("two-versions", 1)]
    assert not found.ok


def test_the_seat_and_the_word_of_evidence_are_for_people(of: Changing) -> None:
    """Who is convicted, and of what, is said by the messages in it."""
    at, old, other = versions(of, Vote, 1)
    two, _, twice = versions(of, Vote, 2)
    wrong = shown(of, 0, 1, decode_signed(of.files[two - 1]).data, twice, what="share")
    found = assert_same(file([*of.files[: max(at, two)], shown(of, 0, 1, old.data, other), wrong]))
    assert found.evidence == [("two-versions", 1), ("two-versions", 2)]


def test_evidence_is_read_until_it_convicts(of: Changing) -> None:
    """What stands behind that in it may be anything; what stands before it may not."""
    at, old, other = versions(of, Vote, 1)
    foreign = bytes.fromhex(of.anew(old, (0, bytes(32)), replace(old.message, height=1)))  # type: ignore[call-arg]
    found = assert_same(file([*of.files[:at], shown(of, 0, 1, old.data, other, foreign)]))
    assert (found.ok, found.evidence) == (True, [("two-versions", 1)])
    found = assert_same(file([*of.files[:at], shown(of, 0, 1, foreign, old.data, other)]))
    assert (found.ok, found.evidence) == (False, [])


def test_evidence_may_hold_only_the_version_that_the_file_does_not(of: Changing) -> None:
    _, _, other = versions(of, Vote, 1)
    end = next(at for at, _ in of.of(Without))
    assert assert_same(file([*of.files[:end], shown(of, 0, 1, other)])).evidence == [("two-versions", 1)]


def test_before_the_seats_are_drawn_only_seals_and_nonces_are_evidence(of: Changing) -> None:
    _, old, other = versions(of, Vote, 1)
    found = assert_same(file([*of.files[:3], shown(of, 0, 1, old.data, other)]))
    assert (found.ok, found.evidence) == (False, [])


def test_a_second_nonce_convicts_in_a_later_epoch_too(of: Changing) -> None:
    later = Changing(list(frames((make_matches.FOLDER / "voted-out.match").read_bytes())))
    at = next(at for at, each in later.said if each.epoch == 1)
    found = assert_same(file([*later.files[: at + 1], versions(later, Nonce, 0)[2]]))
    assert found.evidence == [("two-versions", 0)]


def test_two_ends_that_somebody_claims_are_no_evidence(of: Changing) -> None:
    """A `closed` binds nobody, and a file could not hold the second one."""
    end = next(at for at, _ in of.of(Without))
    both = [by(of, 1, Closed(value)) for value in (bytes(32), b"\1" * 32)]
    for put in ([shown(of, 0, 1, *both)], both):
        found = assert_same(file([*of.files[:end], *put]))
        assert (found.ok, found.evidence, found.place) == (False, [], end)
