"""Many checks answered together: one wrong answer among them is found, whatever the others are."""

from __future__ import annotations

import os
import pickle

import pytest

from protocol.cards import PACK_52
from protocol.checks import Check, at_once, deciding, holds
from protocol.dealing.elgamal import MaskedCard, starting_deck
from protocol.dealing.group import Combination, G, Point, Scalar
from protocol.dealing.seed_claim import SeedClaim
from protocol.dealing.shares import prove_shares, verify_shares
from protocol.dealing.shuffle import shuffle
from protocol.dealing.together import all_hold
from protocol.errors import BadProof
from protocol.identity import Identity, SignatureClaim
from protocol.values import replace
from tests.dealing.conftest import SHUFFLE, Libsodium, Seats, make_shuffled, rng_of


def point(number: int) -> Point:
    return Scalar(3**number) * G


def vanishing(number: int) -> Combination:
    found = Combination()
    for each in range(5):
        found.add(Scalar(each + 2), point(number + each))
    found.add(Scalar(-1), found.total())
    return found


def signature() -> SignatureClaim:
    identity = Identity(bytes(range(32)))
    return SignatureClaim(identity.public, b"label\0message", identity.sign(b"label", b"message"))


def test_all_hold(module: Libsodium | None) -> None:
    checks: list[Check] = [vanishing(1), signature(), vanishing(5)]
    assert all_hold(checks, os.urandom)
    assert module is None or module.count == 1
    assert all_hold([], os.urandom)


def test_a_sum_that_does_not_vanish_is_found_among_others(module: Libsodium | None) -> None:
    wrong = vanishing(9)
    wrong.add(Scalar(1), G)
    for at in range(3):
        checks: list[Check] = [vanishing(1), vanishing(5)]
        assert not all_hold([*checks[:at], wrong, *checks[at:]], os.urandom)


def test_two_wrong_sums_do_not_make_up_for_each_other(module: Libsodium | None) -> None:
    one, other = vanishing(1), vanishing(1)
    one.add(Scalar(7), G)
    other.add(Scalar(-7), G)
    together = Combination()
    together.add_combination(Scalar(1), one)
    together.add_combination(Scalar(1), other)
    assert together.vanishes()
    assert not all_hold([one, other], os.urandom)


def test_a_signature_that_is_not_valid_is_found_among_others(module: Libsodium | None) -> None:
    right = signature()
    wrong = SignatureClaim(right.public, right.message, right.signature[:-1] + b"\0")
    assert not all_hold([vanishing(1), right, wrong, vanishing(5)], os.urandom)


def seed_claim(seats: Seats) -> SeedClaim:
    seed, before = seats.secrets[0].seed, make_shuffled(seats, 4).after
    return SeedClaim(SHUFFLE, seats.joint, seed, before, shuffle(SHUFFLE, seats.joint, seed, before)[0])


def test_a_shuffle_is_what_its_seed_leads_to(module: Libsodium | None, seats: Seats) -> None:
    claim = seed_claim(seats)
    from_start = replace(claim, before=starting_deck(PACK_52[:4]))
    from_start = replace(from_start, after=shuffle(SHUFFLE, seats.joint, claim.seed, from_start.before)[0])
    assert claim.holds() and from_start.holds()
    assert all_hold([vanishing(1), claim, from_start, vanishing(5)], os.urandom)


def test_a_shuffle_that_its_seed_does_not_lead_to_is_found_among_others(module: Libsodium | None, seats: Seats) -> None:
    """Also if its cards are the same: they are in another order, or under other masks."""
    claim = seed_claim(seats)
    first, second, *others = claim.after
    other_masks = Scalar(5) * G, Scalar(5) * seats.joint
    masked = MaskedCard(first.a + other_masks[0], first.b + other_masks[1])
    back = MaskedCard(second.a - other_masks[0], second.b - other_masks[1])
    for wrong in (
        replace(claim, seed=bytes(32)),
        replace(claim, joint=G),
        replace(claim, ctx=replace(claim.ctx, seat=1)),
        replace(claim, after=(second, first, *others)),
        replace(claim, after=(masked, back, *others)),
        replace(claim, after=(MaskedCard(first.a + G, first.b), MaskedCard(second.a - G, second.b), *others)),
        replace(claim, after=(MaskedCard(first.a + G, first.b - G), second, *others)),
        replace(claim, after=claim.after[:-1]),
        replace(claim, after=(*claim.after, first)),
    ):
        assert not wrong.holds()
        assert not all_hold([claim, wrong, vanishing(5)], os.urandom)


def test_checks_can_be_sent_to_another_process(seats: Seats) -> None:
    wrong = vanishing(1)
    wrong.add(Scalar(1), G)
    checks = [vanishing(1), signature(), wrong, seed_claim(seats)]
    again: list[Check] = pickle.loads(pickle.dumps(checks))
    assert [each.holds() for each in again] == [True, True, False, True]
    assert [each.weight for each in again] == [6, 2, 7, 8]


def test_who_decides_later_sees_each_check_of_its_own_thread(seats: Seats) -> None:
    made = make_shuffled(seats, 3)
    secret, key = seats.secrets[0], seats.keys[0]
    shares = prove_shares(SHUFFLE, secret.x, key.y, made.after, rng_of("shares"))
    seen: list[Check] = []

    def later(check: Check) -> bool:
        seen.append(check)
        return True

    with deciding(later):
        verify_shares(SHUFFLE, seats.keys[1].y, made.after, shares)  # they are another seat's
        with deciding(at_once):
            assert not holds(seen[0])
    assert len(seen) == 2 and not any(each.holds() for each in seen)
    with pytest.raises(BadProof):
        verify_shares(SHUFFLE, seats.keys[1].y, made.after, shares)
    assert len(seen) == 2
