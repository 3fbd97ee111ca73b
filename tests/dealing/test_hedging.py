"""A generator that repeats itself (a copied machine, a broken one): what was proved with it gives no secret away."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.dealing.group import Scalar
from protocol.dealing.mask_proof import MaskProof
from protocol.dealing.recovery import split
from protocol.dealing.remasking import remask_hand
from protocol.dealing.shares import prove_shares
from protocol.dealing.shuffle import prove_shuffle, verify_shuffle
from protocol.dealing.shuffle_argument import ArgumentProof
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.dealing.conftest import SHUFFLE, Seats, Shuffled, key_context, rng_of

Make = Callable[[int], Shuffled]


def stuck(count: int) -> bytes:
    """The same bytes each time it is asked."""
    return b"\7" * count


def words(proof: bytes) -> set[bytes]:
    return {proof[at : at + 32] for at in range(0, len(proof), 32)}


@pytest.mark.parametrize("n", [1, 2, 4])
def test_shuffles_in_two_places_share_no_nonce(shuffled: Make, n: int) -> None:
    """With one d for two challenges, f_i - f'_i = t_π(i) - t'_π(i) would tell π; with one r, Z - Z' would tell the masks."""
    made = shuffled(n)
    places = [made.ctx, replace(made.ctx, step=made.ctx.step + 1)]
    one, two = (prove_shuffle(ctx, made.joint, made.before, made.after, made.witness, stuck) for ctx in places)
    assert not words(one) & words(two)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_same_proof_is_no_second_answer(shuffled: Make, n: int) -> None:
    """The same statement with the same bytes is the same proof to the last byte: there are not two answers to one nonce."""
    made = shuffled(n)
    one, two = (prove_shuffle(made.ctx, made.joint, made.before, made.after, made.witness, stuck) for _ in range(2))
    assert one == two


@attack(
    By.PLAYER,
    "An honest computer is made to shuffle or prove twice with the same secret numbers.",
    "It does not work: the numbers depend on what they are used for.",
)
def test_two_shuffles_of_a_deck_share_no_nonce(seats: Seats, shuffled: Make) -> None:
    """The witness counts too: who knows the generator's bytes and the statement does not know the nonces."""
    made = shuffled(4)
    other = replace(made.witness, scalars=tuple(s + Scalar(1) for s in made.witness.scalars))
    one, two = (prove_shuffle(made.ctx, made.joint, made.before, made.after, w, stuck) for w in (made.witness, other))
    assert ArgumentProof.decode(one, 4).c_d != ArgumentProof.decode(two, 4).c_d
    single = shuffled(1)
    other = replace(single.witness, scalars=(single.witness.scalars[0] + Scalar(1),))
    pair = [
        prove_shuffle(single.ctx, single.joint, single.before, single.after, w, stuck) for w in (single.witness, other)
    ]
    assert MaskProof.decode(pair[0]).u != MaskProof.decode(pair[1]).u


def test_a_share_given_twice_tells_the_key_to_nobody(seats: Seats, shuffled: Make) -> None:
    """In two places with stuck bytes: x = (s - s') / (c' - c) needs one U for both."""
    made, x, y = shuffled(4), seats.secrets[0].x, seats.keys[0].y
    places = [SHUFFLE, replace(SHUFFLE, step=SHUFFLE.step + 1)]
    one, two = (prove_shares(ctx, x, y, made.after, stuck) for ctx in places)
    assert one.points == two.points
    assert {one.proof.u, one.proof.v}.isdisjoint({two.proof.u, two.proof.v})
    assert prove_shares(SHUFFLE, x, y, made.after, stuck) == one
    fewer = prove_shares(SHUFFLE, x, y, made.after[:3], stuck)
    assert fewer.proof.u != one.proof.u


def test_hands_masked_with_stuck_bytes_differ_where_they_differ(seats: Seats, shuffled: Make) -> None:
    """Two hands under the same masks would be each other's difference: the masks depend on the hand."""
    made = shuffled(4)
    _, one = remask_hand(seats.joint, made.after, stuck)
    _, two = remask_hand(seats.joint, (*made.after[:3], made.before[0]), stuck)
    assert not set(one.scalars) & set(two.scalars)


def test_a_key_is_sealed_with_a_nonce_of_its_own_each_time(seats: Seats) -> None:
    receivers = {seat: seats.keys[seat].y for seat in (1, 2, 3)}
    places = [key_context(0), replace(key_context(0), round=9)]
    one, two = (split(ctx, seats.secrets[0].x, receivers, stuck) for ctx in places)
    us = [share.u for made in (one, two) for share in made.values()]
    assert len(set(us)) == len(us)


@pytest.mark.slow
def test_proofs_are_made_and_checked_in_several_threads(shuffled: Make) -> None:
    """The library computes outside of the interpreter's lock: no buffer is shared between calls."""
    made = shuffled(7)

    def prove(index: int) -> bytes:
        ctx = replace(made.ctx, step=index)
        proof = prove_shuffle(ctx, made.joint, made.before, made.after, made.witness, rng_of(f"thread {index}"))
        verify_shuffle(ctx, made.joint, made.before, made.after, proof, rng_of(f"check {index}"))
        return proof

    with ThreadPoolExecutor(6) as pool:
        side_by_side = list(pool.map(prove, range(24)))
    assert side_by_side == [prove(index) for index in range(24)]
