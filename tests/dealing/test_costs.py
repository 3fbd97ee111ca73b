"""The table of costs is what the procedures do, counted by a group that counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from protocol.cards import PACK_52
from protocol.dealing import costs
from protocol.dealing.costs import Ops
from protocol.dealing.elgamal import starting_deck
from protocol.dealing.halves import HalfProof, HalfRemask, remask_with
from protocol.dealing.keys import make_round_key, verify_round_key
from protocol.dealing.library import Library
from protocol.dealing.recovery import open_share, recover, split, verify_split
from protocol.dealing.shares import (
    ShareStatement,
    open_card,
    open_with_secret,
    prove_shares,
    verify_many_shares,
    verify_shares,
)
from protocol.dealing.shuffle import ShuffleStatement, prove_shuffle, shuffle, verify_shuffle, verify_shuffles
from protocol.values import replace
from tests.dealing.conftest import IDENTITIES, SHUFFLE, Seats, Shuffled, key_context, make_shuffled, rng_of

Count = Callable[[Callable[[], object]], Ops]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How many operations of the library a call makes."""
    counted = {"mul": 0, "base": 0, "add": 0}

    def instrument(name: str, kind: str) -> None:
        real = getattr(Library, name)

        def counting(*args: object) -> object:
            counted[kind] += 1
            return real(*args)

        monkeypatch.setattr(Library, name, counting)

    instrument("mul", "mul")
    instrument("mul_base", "base")
    instrument("add", "add")
    instrument("sub", "add")

    def of(call: Callable[[], object]) -> Ops:
        before = dict(counted)
        call()
        return Ops(**{kind: counted[kind] - before[kind] for kind in counted})

    return of


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 52])
def test_shuffles(count: Count, seats: Seats, n: int, first: bool) -> None:
    joint, rng = seats.joint, rng_of("costs")
    made = make_shuffled(seats, n, before=starting_deck(PACK_52[:n]) if first else None)
    before, after, witness = made.before, made.after, made.witness
    assert count(lambda: shuffle(SHUFFLE, joint, bytes(32), before)) == costs.shuffle(n, first)
    assert count(lambda: prove_shuffle(SHUFFLE, joint, before, after, witness, rng)) == costs.prove_shuffle(n, first)
    assert count(lambda: verify_shuffle(made.ctx, joint, before, after, made.proof, rng)) == costs.verify_shuffle(
        n, first
    )


@pytest.mark.parametrize("n", [2, 3, 13])
def test_what_is_made_ahead_is_saved_later(count: Count, seats: Seats, n: int) -> None:
    made, rng = make_shuffled(seats, n), rng_of("costs")
    ctx, joint, before, after, witness = made.ctx, made.joint, made.before, made.after, made.witness
    half = HalfProof(ctx, b"secret", n, rng)
    assert count(lambda: HalfProof(ctx, b"secret", n, rng)) == costs.half_proof(n)
    with_half = count(lambda: prove_shuffle(ctx, joint, before, after, witness, rng, half))
    assert with_half + costs.half_proof(n) == costs.prove_shuffle(n)
    masks = HalfRemask(ctx, joint, b"secret", n, rng)
    assert count(lambda: HalfRemask(ctx, joint, b"secret", n, rng)) == costs.half_remask(n)
    with_masks = count(lambda: remask_with(masks, ctx, joint, before, rng))
    assert with_masks + costs.half_remask(n) == costs.shuffle(n) + costs.half_proof(n)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("n", [1, 2, 52])
def test_a_chain(count: Count, seats: Seats, n: int, first: bool) -> None:
    made = [make_shuffled(seats, n, before=starting_deck(PACK_52[:n]) if first else None)]
    for seat in (1, 2):
        made.append(make_shuffled(seats, n, seat, made[-1].after))
    items = [ShuffleStatement(one.ctx, one.before, one.after, one.proof) for one in made]
    joint = seats.joint
    assert count(lambda: verify_shuffles(joint, items, rng_of("costs"))) == costs.verify_shuffles(3, n, first)


@pytest.mark.slow
def test_what_a_seat_saves_that_does_not_check_its_own_proofs(count: Count, seats: Seats) -> None:
    """Multiplications of a seat that checks a chain of four shuffles, and four seats' shares of seven cards."""
    made = [make_shuffled(seats, 52, before=starting_deck(PACK_52))]
    for seat in (1, 2, 3):
        made.append(make_shuffled(seats, 52, seat, made[-1].after))
    chain = [ShuffleStatement(one.ctx, one.before, one.after, one.proof) for one in made]
    joint, rng = seats.joint, rng_of("costs")
    assert count(lambda: verify_shuffles(joint, chain, rng)).mul == 548
    without = [[one for one in chain if one is not own] for own in chain]
    assert [count(partial(verify_shuffles, joint, items, rng)).mul for items in without] == [489, 541, 541, 437]

    cards = made[0].after[:7]
    shares = [
        ShareStatement(ctx, key.y, cards, prove_shares(ctx, secret.x, key.y, cards, rng))
        for ctx, secret, key in zip(
            [replace(SHUFFLE, purpose="share", seat=seat) for seat in range(4)], seats.secrets, seats.keys, strict=True
        )
    ]
    assert count(lambda: verify_many_shares(shares, rng)).mul == 46
    assert count(lambda: verify_many_shares(shares[1:], rng)).mul == 36


def test_a_chain_of_three_packs_costs_what_the_design_asks() -> None:
    """The bases of a chain are shared: about 491 multiplications instead of 801."""
    assert costs.verify_shuffles(3, 52).mul == 489
    assert 3 * costs.verify_shuffle(52).mul == 801
    assert costs.prove_shuffle(52).mul <= 7 * 52


@pytest.mark.parametrize("m", [1, 2, 13])
def test_shares(count: Count, seats: Seats, shuffled: Callable[[int], Shuffled], m: int) -> None:
    cards, rng = shuffled(13).after[:m], rng_of("costs")
    contexts = [replace(SHUFFLE, purpose="share", seat=seat) for seat in range(4)]
    xs, ys = [secret.x for secret in seats.secrets], [key.y for key in seats.keys]
    assert count(lambda: prove_shares(contexts[0], xs[0], ys[0], cards, rng)) == costs.prove_shares(m)
    shares = [prove_shares(ctx, x, y, cards, rng) for ctx, x, y in zip(contexts, xs, ys, strict=True)]
    assert count(lambda: verify_shares(contexts[0], ys[0], cards, shares[0])) == costs.verify_shares(m)
    items = [ShareStatement(ctx, y, cards, one) for ctx, y, one in zip(contexts, ys, shares, strict=True)]
    for k in (1, 3, 4):
        assert count(partial(verify_many_shares, items[:k], rng)) == costs.verify_many_shares(k, m)
    assert count(lambda: open_card(cards[0], [one.points[0] for one in shares])) == costs.open_card(4)
    assert count(lambda: open_with_secret(seats.x_sum, cards[0])) == costs.open_with_secret()


def test_keys_and_recovery(count: Count, seats: Seats) -> None:
    rng, ctx = rng_of("costs"), key_context(0)
    key, x = seats.keys[0], seats.secrets[0].x
    assert count(lambda: make_round_key(ctx, IDENTITIES[0], rng)) == costs.make_round_key()
    assert count(lambda: verify_round_key(ctx, IDENTITIES[0], key)) == costs.verify_round_key()
    receivers = {seat: seats.keys[seat].y for seat in (1, 2, 3)}
    assert count(lambda: split(ctx, x, receivers, rng)) == costs.split(3)
    sealed = split(ctx, x, receivers, rng)
    assert count(lambda: verify_split(ctx, key.y, receivers, sealed)) == costs.verify_split(3)
    assert count(lambda: open_share(ctx, 2, seats.secrets[2].x, sealed[2])) == costs.open_share()
    opened = {seat: open_share(ctx, seat, seats.secrets[seat].x, sealed[seat]) for seat in receivers}
    assert count(lambda: recover(key.y, sealed, opened)) == costs.recover(3)


def test_ops_add_up() -> None:
    assert Ops(1, 2, 3) * 2 + Ops(add=1) == Ops(2, 4, 7)
    assert Ops(1, 2, 3).cost(mul=50, base=16, add=14) == 50 + 32 + 42
