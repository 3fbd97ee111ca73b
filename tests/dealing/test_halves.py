"""Halves of proofs: whoever checks one sees no difference, and no half serves two."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.dealing.group import G, Scalar
from protocol.dealing.halves import HalfProof, HalfRemask, Unfit, remask_with
from protocol.dealing.once import Once, Used
from protocol.dealing.shuffle import prove_shuffle, verify_shuffle
from protocol.dealing.shuffle_argument import ArgumentProof, begin
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.dealing.conftest import SHUFFLE, Seats, Shuffled, elsewhere, rng_of
from tests.dealing.test_hedging import stuck, words

Make = Callable[[int], Shuffled]
SECRET = b"the seat's"


def half_of(made: Shuffled, name: str = "half") -> HalfProof:
    return HalfProof(made.ctx, SECRET, len(made.before), rng_of(name))


def proof_of(made: Shuffled, half: HalfProof | None, name: str = "proof") -> bytes:
    return prove_shuffle(made.ctx, made.joint, made.before, made.after, made.witness, rng_of(name), half)


def check(made: Shuffled, proof: bytes) -> None:
    verify_shuffle(made.ctx, made.joint, made.before, made.after, proof, rng_of("check"))


# --- it is a proof like any other ---


@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_proof_made_with_a_half_holds(shuffled: Make, n: int) -> None:
    made = shuffled(n)
    whole, halved = proof_of(made, None), proof_of(made, half_of(made))
    check(made, halved)
    assert len(halved) == len(whole)
    assert not words(halved) & words(whole)


def test_a_half_is_what_the_proof_shows(shuffled: Make) -> None:
    """Its commitments are the proof's, and they open to its answers: the equations between them are those of every proof."""
    made = shuffled(5)
    half = half_of(made)
    proof = ArgumentProof.decode(proof_of(made, half), 5)
    again = half_of(made)  # the same seed: only a test may do that
    t = begin(made.ctx, made.joint, made.before, made.after)
    nonces, commitments = again.take(made.ctx, t, made.witness)
    assert (proof.c_d, proof.c_D, proof.c_Delta) == (commitments.c_d, commitments.c_D, commitments.c_Delta)
    assert nonces.commit() == commitments
    assert nonces.Delta[0] == nonces.D[0]
    assert nonces.Delta[-1] == Scalar(0)
    rows = [nonces.r, nonces.r_d, nonces.R_d, nonces.r_D, nonces.r_Delta, nonces.r_a, *nonces.d, *nonces.D]
    rows += nonces.Delta[1:-1]
    assert len({row.encode() for row in rows}) == 6 + 3 * 5 - 2
    assert Scalar(0) not in rows


@pytest.mark.parametrize("n", [0, 1])
def test_few_cards_have_no_half(n: int) -> None:
    with pytest.raises(ValueError, match="fewer than two"):
        HalfProof(SHUFFLE, SECRET, n, rng_of("half"))


@pytest.mark.parametrize("n", [2, 8])
def test_a_hand_is_masked_and_proved_with_what_was_made_ahead(seats: Seats, shuffled: Make, n: int) -> None:
    made, rng = shuffled(n), rng_of("remask")
    half = HalfRemask(made.ctx, made.joint, SECRET, n, rng_of("half"))
    after, witness = remask_with(half, made.ctx, made.joint, made.after, rng)
    assert not half.is_left
    proof = prove_shuffle(made.ctx, made.joint, made.after, after, witness, rng, half.proof)
    verify_shuffle(made.ctx, made.joint, made.after, after, proof, rng_of("check"))
    assert sorted(witness.permutation) == list(range(n))
    other, _ = remask_with(None, made.ctx, made.joint, made.after, rng_of("remask"))
    assert not {card.a for card in after} & {card.a for card in other}


# --- it serves once ---


@attack(
    By.PLAYER,
    "An honest computer, which prepares its proofs while it waits, is made to begin one again with the "
    "same secret numbers.",
    "It does not work: what was prepared is deleted once it is used.",
)
def test_a_half_serves_one_proof(shuffled: Make) -> None:
    """With one d in two proofs, f_i - f'_i = t_π(i) - t'_π'(i) would tell both permutations."""
    made = shuffled(4)
    half = half_of(made)
    first, second = (ArgumentProof.decode(proof_of(made, half, name), 4) for name in ("one", "two"))
    assert {first.c_d, first.c_D, first.c_Delta}.isdisjoint({second.c_d, second.c_D, second.c_Delta})
    check(made, second.encode())
    t = begin(made.ctx, made.joint, made.before, made.after)
    with pytest.raises(Used):
        half.take(made.ctx, t, made.witness)


def test_a_job_that_runs_again_draws_afresh(shuffled: Make) -> None:
    """Also from the same stream of randomness: nothing of the second proof is in the first."""
    made = shuffled(4)
    half = half_of(made)
    first, second = (proof_of(made, half, "the same seed") for _ in range(2))
    assert not words(first) & words(second)
    check(made, first)
    check(made, second)


def test_a_proof_that_fails_half_way_has_used_it_up(shuffled: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shuffled(4)
    half = half_of(made)
    with monkeypatch.context() as patched:
        patched.setattr("protocol.dealing.shuffle_argument._blind", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            proof_of(made, half)
    assert not half.is_left
    check(made, proof_of(made, half))


def test_a_second_hand_gets_other_masks(shuffled: Make) -> None:
    made = shuffled(4)
    half = HalfRemask(made.ctx, made.joint, SECRET, 4, rng_of("half"))
    _, one = remask_with(half, made.ctx, made.joint, made.after, rng_of("remask"))
    _, two = remask_with(half, made.ctx, made.joint, made.before, rng_of("remask"))
    assert not set(one.scalars) & set(two.scalars)
    with pytest.raises(Used):
        half.apply(made.ctx, made.joint, made.after)


@pytest.mark.parametrize("size", [3, 5])
def test_a_half_of_another_size_is_refused(shuffled: Make, size: int) -> None:
    made = shuffled(4)
    half = HalfProof(made.ctx, SECRET, size, rng_of("half"))
    t = begin(made.ctx, made.joint, made.before, made.after)
    with pytest.raises(Unfit):
        half.take(made.ctx, t, made.witness)
    check(made, proof_of(made, half))
    assert half.is_left
    masks = HalfRemask(made.ctx, made.joint, SECRET, size, rng_of("half"))
    with pytest.raises(Unfit):
        masks.apply(made.ctx, made.joint, made.after)


def test_a_half_of_another_place_is_refused(seats: Seats, shuffled: Make) -> None:
    """Its table, round and its epoch, deck and seat are known beforehand; the height and the purpose are not."""
    made = shuffled(2)
    t = begin(made.ctx, made.joint, made.before, made.after)
    refused = 0
    for ctx in elsewhere(made.ctx):
        half = HalfProof(ctx, SECRET, 2, rng_of("half"))
        try:
            half.take(made.ctx, t, made.witness)
        except Unfit:
            refused += 1
    assert refused == 6
    masks = HalfRemask(made.ctx, seats.keys[0].y, SECRET, 2, rng_of("half"))
    with pytest.raises(Unfit):
        masks.apply(made.ctx, made.joint, made.after)


def test_halves_made_in_two_places_share_no_nonce(shuffled: Make) -> None:
    """Also where the generator repeats itself, as after a crash."""
    made = shuffled(4)
    halves = [HalfProof(ctx, SECRET, 4, stuck) for ctx in (made.ctx, replace(made.ctx, step=made.ctx.step + 1))]
    halves += [HalfProof(made.ctx, b"another epoch's", 4, stuck)]
    found = [proof_of(made, half) for half in halves]
    assert not words(found[0]) & words(found[1])
    assert not words(found[0]) & words(found[2])


@pytest.mark.parametrize("n", [2, 5])
def test_two_copies_of_a_computer_say_the_same_of_the_same_cards(shuffled: Make, n: int) -> None:
    """Copied after the half was made; their generators differ since. One d with two challenges would tell the permutation."""
    made = shuffled(n)
    one, two = (proof_of(made, half_of(made), name) for name in ("one copy", "the other"))
    assert one == two
    hands = []
    for name in ("one copy", "the other"):
        half, rng = HalfRemask(made.ctx, made.joint, SECRET, n, rng_of("half")), rng_of(name)
        after, witness = remask_with(half, made.ctx, made.joint, made.after, rng)
        hands.append((after, prove_shuffle(made.ctx, made.joint, made.after, after, witness, rng, half.proof)))
    assert hands[0] == hands[1]


def test_halves_of_two_sizes_share_no_nonce(shuffled: Make) -> None:
    """Also in one place, where the generator repeats itself: the hand may have grown before it was masked."""
    rows = []
    for n in (4, 5):
        made = shuffled(n)
        t = begin(made.ctx, made.joint, made.before, made.after)
        nonces, _ = HalfProof(made.ctx, SECRET, n, stuck).take(made.ctx, t, made.witness)
        masks = HalfRemask(made.ctx, made.joint, SECRET, n, stuck).apply(made.ctx, made.joint, made.after)[1].scalars
        rows.append({*nonces.d, *nonces.D, nonces.r_d, nonces.r_D, nonces.r_Delta, *masks})
    assert not rows[0] & rows[1]


def test_who_is_shown_the_secrets_of_the_round_cannot_make_its_halves(shuffled: Make) -> None:
    """The secret that a half is hashed with is revealed after the round. The fresh bytes never are."""
    made = shuffled(4)
    one, two = (proof_of(made, half_of(made, name), "the same") for name in ("fresh", "guessed"))
    assert not words(one) & words(two)
    hands = [HalfRemask(made.ctx, made.joint, SECRET, 4, rng_of(name)) for name in ("fresh", "guessed")]
    masks = [half.apply(made.ctx, made.joint, made.after)[1].scalars for half in hands]
    assert not set(masks[0]) & set(masks[1])


# --- nothing hands it out twice ---


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps, lambda each: each.__reduce__()])
def test_it_is_never_copied(duplicate: Callable[[object], object]) -> None:
    halves = [Once(1), HalfProof(SHUFFLE, SECRET, 2, stuck), HalfRemask(SHUFFLE, Scalar(2) * G, SECRET, 2, stuck)]
    for each in halves:
        with pytest.raises(TypeError):
            duplicate(each)
        assert "hidden" in repr(each)
        assert not hasattr(each, "__dict__")


def test_a_mask_hides_its_points_too(shuffled: Make) -> None:
    """With s G one finds the old card of each new one."""
    made = shuffled(2)
    for mask in HalfRemask(made.ctx, made.joint, SECRET, 2, stuck)._made.take()[0]:
        assert str(mask) == repr(mask) == "_Mask(hidden)"


def test_one_of_many_threads_gets_it() -> None:
    secrets = [Once(number) for number in range(200)]
    ready = threading.Barrier(8, timeout=30)

    def take_all(_: int) -> list[int]:
        ready.wait()
        found = []
        for each in secrets:
            try:
                found.append(each.take())
            except Used:
                continue
        return found

    with ThreadPoolExecutor(8) as pool:
        found = [number for taken in pool.map(take_all, range(8)) for number in taken]
    assert sorted(found) == list(range(200))


def test_what_is_taken_is_gone() -> None:
    value = [b"secret"]
    each = Once(value)
    assert each.is_left
    assert each.take() is value
    assert not each.is_left
    assert each._left == []


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
def test_a_forked_process_has_none() -> None:
    """The child holds a copy of the memory, which it must not use; the parent goes on with its own."""
    from p2p import workers  # registers what is called after a fork

    assert workers.URGENT_THREADS
    each = Once(b"secret")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        told = b"nothing"
        try:
            each.take()
            told = b"taken"
        except Used:
            told = b"refused"
        finally:
            os.write(write, told)
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b"refused"
    os.waitpid(child, 0)
    assert each.take() == b"secret"
