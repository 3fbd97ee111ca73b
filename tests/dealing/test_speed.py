"""Proofs cost little beyond the group operations that they need: the figures of both come from one run. Beside other tests on a
busy machine such a figure says little: this waits for `make soak`; what is always counted stands in test_costs.py."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

import pytest

from protocol.cards import PACK_52
from protocol.dealing import costs
from protocol.dealing.costs import Ops
from protocol.dealing.elgamal import starting_deck
from protocol.dealing.library import THREE, TWO
from protocol.dealing.shuffle import ShuffleStatement, prove_shuffle, shuffle, verify_shuffle, verify_shuffles
from tests import sodium
from tests.dealing.conftest import Seats, Shuffled, make_shuffled, rng_of


def bare(ops: Ops) -> None:
    """The operations alone, through ctypes."""
    k, p, r = (7**80).to_bytes(32, "little"), TWO, THREE
    for _ in range(ops.mul):
        sodium.crypto_scalarmult_ristretto255(k, p)
    for _ in range(ops.base):
        sodium.crypto_scalarmult_ristretto255_base(k)
    for _ in range(ops.add):
        sodium.crypto_core_ristretto255_add(p, r)


def times(call: Callable[[], object], ops: Ops) -> float:
    """How many times as long the call takes as its bare operations: the best of some, taken in turns,
    in processor time (the machine may be busy with other things)."""

    def seconds(one: Callable[[], object]) -> float:
        start = thread_time()
        one()
        return thread_time() - start

    pairs = [(seconds(call), seconds(lambda: bare(ops))) for _ in range(15)]
    return min(mine for mine, _ in pairs) / min(floor for _, floor in pairs)


@pytest.mark.soak
def test_a_pack_costs_at_most_a_third_more_than_its_group_operations(
    seats: Seats, shuffled: Callable[[int], Shuffled]
) -> None:
    made, rng, joint = shuffled(52), rng_of("speed"), seats.joint
    seed = seats.secrets[0].seed
    arguments = (made.ctx, joint, made.before, made.after)
    assert times(lambda: shuffle(made.ctx, joint, seed, made.before), costs.shuffle(52)) < 1.3
    assert times(lambda: prove_shuffle(*arguments, made.witness, rng), costs.prove_shuffle(52)) < 1.3
    assert times(lambda: verify_shuffle(*arguments, made.proof, rng), costs.verify_shuffle(52)) < 1.3
    items, before = [], starting_deck(PACK_52)
    for seat in range(3):
        one = make_shuffled(seats, 52, seat, before)
        items.append(ShuffleStatement(one.ctx, one.before, one.after, one.proof))
        before = one.after
    assert times(lambda: verify_shuffles(joint, items, rng), costs.verify_shuffles(3, 52, first=True)) < 1.3
