"""Rows for the group and the proofs.

Each proof has a floor: the group operations that it needs, at what they cost in this run when libsodium is called
directly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from cli.bench.clock import per_call_s, per_unit_s
from cli.bench.rows import Measurement
from protocol.cards import PACK_52, PACK_TICHU, Card
from protocol.dealing import costs
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, starting_deck
from protocol.dealing.group import G, Scalar
from protocol.dealing.halves import HalfProof, HalfRemask
from protocol.dealing.keys import joint_key, make_round_key
from protocol.dealing.library import load
from protocol.dealing.remasking import remask_hand, shuffle
from protocol.dealing.shares import ShareStatement, prove_shares, verify_many_shares, verify_shares
from protocol.dealing.shuffle import ShuffleStatement, prove_shuffle, verify_shuffle, verify_shuffles
from protocol.values import dataclass

CHAIN = 3
HAND = 13
DECKS = {52: PACK_52, 104: PACK_52 * 2, 112: PACK_TICHU * 2}
"""One pack, two packs, and the largest deck: only the number of cards matters."""


@dataclass(frozen=True, slots=True)
class BareCosts:
    """Seconds per bare operation."""

    mul: float
    base: float
    add: float

    def floor_ms(self, ops: costs.Ops) -> float:
        return ops.cost(self.mul, self.base, self.add) * 1000


def bare_operations(for_s: float) -> BareCosts:
    """Measure the group's library alone. Repeated for each row, so that both see the same load."""
    scalar = Scalar.random(os.urandom).encode()
    group = load()
    one, other = (Scalar.random(os.urandom) * G for _ in range(2))
    p, r = one.encode(), other.encode()

    def many(call: Callable[..., object], *values: object) -> Callable[[int], None]:
        def work(count: int) -> None:
            for _ in range(count):
                call(*values)

        return work

    return BareCosts(
        mul=per_unit_s(many(group.mul, scalar, p), 20, for_s),
        base=per_unit_s(many(group.mul_base, scalar), 40, for_s),
        add=per_unit_s(many(group.add, p, r), 100, for_s),
    )


def timed(work: Callable[[], object], ops: costs.Ops, for_s: float) -> tuple[float, str, float]:
    """Return a procedure's time, its unit, and its floor."""
    bare = bare_operations(for_s / 10)
    return per_call_s(work, for_s) * 1000, "ms", bare.floor_ms(ops)


def group_rows(for_s: float) -> Iterator[Measurement]:
    """Yield our own operations beside the bare ones."""
    k, p, r = Scalar.random(os.urandom), Scalar.random(os.urandom) * G, Scalar.random(os.urandom) * G

    def multiply(count: int) -> None:
        for _ in range(count):
            _p = k * p

    def add(count: int) -> None:
        for _ in range(count):
            _p = p + r

    bare = bare_operations(for_s / 4)
    yield Measurement("group.mul", {}, per_unit_s(multiply, 50, for_s) * 1e6, "us", bare.mul * 1e6)
    yield Measurement("group.add", {}, per_unit_s(add, 200, for_s) * 1e6, "us", bare.add * 1e6)


class Setup:
    """A table of three seats before its first deal."""

    def __init__(self, faces: tuple[Card, ...]) -> None:
        self.keys = [make_round_key(context(seat, "key"), bytes([seat]) * 32, os.urandom) for seat in range(CHAIN)]
        self.joint = joint_key([key for _, key in self.keys])
        self.start = starting_deck(faces)

    def shuffled(self, seat: int, deck: Deck) -> tuple[Deck, bytes]:
        ctx = context(seat, "shuffle")
        after, witness = shuffle(ctx, self.joint, self.keys[seat][0].seed, deck)
        return after, prove_shuffle(ctx, self.joint, deck, after, witness, os.urandom)


def context(seat: int, purpose: str) -> ProofContext:
    return ProofContext(bytes(32), 0, 1, 0, 0, seat, purpose)


def shuffle_rows(cards: int, for_s: float) -> Iterator[Measurement]:
    """Yield making, proving and verifying a shuffle of a shuffled deck, half a proof, and verifying a chain of three."""
    setup = Setup(DECKS[cards])
    before, first_proof = setup.shuffled(0, setup.start)
    ctx, seed = context(1, "shuffle"), setup.keys[1][0].seed
    after, witness = shuffle(ctx, setup.joint, seed, before)
    proof = prove_shuffle(ctx, setup.joint, before, after, witness, os.urandom)
    last, last_proof = setup.shuffled(2, after)
    chain = [
        ShuffleStatement(context(0, "shuffle"), setup.start, before, first_proof),
        ShuffleStatement(ctx, before, after, proof),
        ShuffleStatement(context(2, "shuffle"), after, last, last_proof),
    ]

    def row(name: str, work: Callable[[], object], ops: costs.Ops, **more: int) -> Measurement:
        return Measurement(name, {"cards": cards, **more}, *timed(work, ops, for_s))

    yield row("shuffle.make", lambda: shuffle(ctx, setup.joint, seed, before), costs.shuffle(cards))
    yield row(
        "shuffle.prove",
        lambda: prove_shuffle(ctx, setup.joint, before, after, witness, os.urandom),
        costs.prove_shuffle(cards),
    )
    yield row("shuffle.half", lambda: HalfProof(ctx, seed, cards, os.urandom), costs.half_proof(cards))
    yield row(
        "shuffle.verify",
        lambda: verify_shuffle(ctx, setup.joint, before, after, proof, os.urandom),
        costs.verify_shuffle(cards),
    )
    yield row(
        "shuffle.verify_chain",
        lambda: verify_shuffles(setup.joint, chain, os.urandom),
        costs.verify_shuffles(CHAIN, cards, first=True),
        proofs=CHAIN,
    )


def share_rows(cards: int, for_s: float) -> Iterator[Measurement]:
    """Yield proving and verifying the shares of so many cards, and verifying those of nine other seats together."""
    setup = Setup(PACK_52)
    deck = setup.shuffled(0, setup.start)[0][:cards]
    ctx, (secret, key) = context(0, "share"), setup.keys[0]
    shares = prove_shares(ctx, secret.x, key.y, deck, os.urandom)
    others = [make_round_key(context(seat, "key"), bytes([seat]) * 32, os.urandom) for seat in range(9)]
    items = [
        ShareStatement(
            context(seat, "share"), each.y, deck, prove_shares(context(seat, "share"), mine.x, each.y, deck, os.urandom)
        )
        for seat, (mine, each) in enumerate(others)
    ]

    def row(name: str, work: Callable[[], object], ops: costs.Ops, **more: int) -> Measurement:
        return Measurement(name, {"cards": cards, **more}, *timed(work, ops, for_s))

    yield row("share.prove", lambda: prove_shares(ctx, secret.x, key.y, deck, os.urandom), costs.prove_shares(cards))
    yield row("share.verify", lambda: verify_shares(ctx, key.y, deck, shares), costs.verify_shares(cards))
    yield row(
        "share.verify",
        lambda: verify_many_shares(items, os.urandom),
        costs.verify_many_shares(len(items), cards),
        seats=len(items),
    )


def remask_rows(for_s: float) -> Iterator[Measurement]:
    """Yield re-masking a hand with its proof, as every card drawn into a hand requires, and what of it can be done before."""
    setup = Setup(PACK_52)
    hand = setup.shuffled(0, setup.start)[0][:HAND]
    ctx = context(0, "remask")

    def remask() -> None:
        after, witness = remask_hand(setup.joint, hand, os.urandom)
        prove_shuffle(ctx, setup.joint, hand, after, witness, os.urandom)

    def half() -> None:
        HalfRemask(ctx, setup.joint, setup.keys[0][0].seed, HAND, os.urandom)

    yield Measurement("remask", {"cards": HAND}, *timed(remask, costs.shuffle(HAND) + costs.prove_shuffle(HAND), for_s))
    yield Measurement("remask.half", {"cards": HAND}, *timed(half, costs.half_remask(HAND), for_s))
