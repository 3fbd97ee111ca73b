"""Rows for the group and the proofs, each proof beside its floor: the group operations that it needs, at the cost that one of
them has in this run when libsodium is called and nothing else is done."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cli.bench.clock import per_call_s, per_unit_s
from cli.bench.rows import Row
from protocol.cards import PACK_52, PACK_TICHU, Card
from protocol.dealing import costs
from protocol.dealing.context import Context
from protocol.dealing.elgamal import Deck, starting_deck
from protocol.dealing.group import G, Scalar
from protocol.dealing.keys import joint_key, make_round_key
from protocol.dealing.library import load
from protocol.dealing.remasking import remask_hand, shuffle
from protocol.dealing.shares import ShareStatement, prove_shares, verify_many_shares, verify_shares
from protocol.dealing.shuffle import ShuffleStatement, prove_shuffle, verify_shuffle, verify_shuffles

CHAIN = 3
HAND = 13
DECKS = {52: PACK_52, 104: PACK_52 * 2, 112: PACK_TICHU * 2}
"""One pack, two packs, and the largest deck there is: the faces do not matter, their number does."""


@dataclass(frozen=True, slots=True)
class Bare:
    """Seconds of one bare operation."""

    mul: float
    base: float
    add: float

    def floor_ms(self, ops: costs.Ops) -> float:
        return ops.cost(self.mul, self.base, self.add) * 1000


def bare_operations(for_s: float) -> Bare:
    """libsodium alone, called as cheaply as Python can. Taken anew beside each row, so that both see the same machine."""
    scalar = Scalar.random(os.urandom).encode()
    sodium = load().sodium
    one, other = (Scalar.random(os.urandom) * G for _ in range(2))
    p, r, out = one.encode(), other.encode(), (ctypes.c_char * 32)()

    def many(call: Callable[..., object], *values: object) -> Callable[[int], None]:
        def work(count: int) -> None:
            for _ in range(count):
                call(*values)

        return work

    return Bare(
        mul=per_unit_s(many(sodium.crypto_scalarmult_ristretto255, out, scalar, p), 20, for_s),
        base=per_unit_s(many(sodium.crypto_scalarmult_ristretto255_base, out, scalar), 40, for_s),
        add=per_unit_s(many(sodium.crypto_core_ristretto255_add, out, p, r), 100, for_s),
    )


def timed(work: Callable[[], object], ops: costs.Ops, for_s: float) -> tuple[float, str, float]:
    """A procedure's time, its unit, and its floor."""
    bare = bare_operations(for_s / 10)
    return per_call_s(work, for_s) * 1000, "ms", bare.floor_ms(ops)


def group_rows(for_s: float) -> Iterator[Row]:
    """Our own operations beside the bare ones."""
    k, p, r = Scalar.random(os.urandom), Scalar.random(os.urandom) * G, Scalar.random(os.urandom) * G

    def multiply(count: int) -> None:
        for _ in range(count):
            _p = k * p

    def add(count: int) -> None:
        for _ in range(count):
            _p = p + r

    bare = bare_operations(for_s / 4)
    yield Row("group.mul", {}, per_unit_s(multiply, 50, for_s) * 1e6, "us", bare.mul * 1e6)
    yield Row("group.add", {}, per_unit_s(add, 200, for_s) * 1e6, "us", bare.add * 1e6)


class Scene:
    """A table of three seats before its first deal."""

    def __init__(self, faces: tuple[Card, ...]) -> None:
        self.keys = [make_round_key(context(seat, "key"), bytes([seat]) * 32, os.urandom) for seat in range(CHAIN)]
        self.joint = joint_key([key for _, key in self.keys])
        self.start = starting_deck(faces)

    def shuffled(self, seat: int, deck: Deck) -> tuple[Deck, bytes]:
        ctx = context(seat, "shuffle")
        after, witness = shuffle(ctx, self.joint, self.keys[seat][0].seed, deck)
        return after, prove_shuffle(ctx, self.joint, deck, after, witness, os.urandom)


def context(seat: int, purpose: str) -> Context:
    return Context(bytes(32), 0, 1, 0, 0, seat, purpose)


def shuffle_rows(cards: int, for_s: float) -> Iterator[Row]:
    """Making, proving and verifying one shuffle of a deck that somebody has shuffled already, and a chain of three."""
    scene = Scene(DECKS[cards])
    before, first_proof = scene.shuffled(0, scene.start)
    ctx, seed = context(1, "shuffle"), scene.keys[1][0].seed
    after, witness = shuffle(ctx, scene.joint, seed, before)
    proof = prove_shuffle(ctx, scene.joint, before, after, witness, os.urandom)
    last, last_proof = scene.shuffled(2, after)
    chain = [
        ShuffleStatement(context(0, "shuffle"), scene.start, before, first_proof),
        ShuffleStatement(ctx, before, after, proof),
        ShuffleStatement(context(2, "shuffle"), after, last, last_proof),
    ]

    def row(name: str, work: Callable[[], object], ops: costs.Ops, **more: int) -> Row:
        return Row(name, {"cards": cards, **more}, *timed(work, ops, for_s))

    yield row("shuffle.make", lambda: shuffle(ctx, scene.joint, seed, before), costs.shuffle(cards))
    yield row(
        "shuffle.prove",
        lambda: prove_shuffle(ctx, scene.joint, before, after, witness, os.urandom),
        costs.prove_shuffle(cards),
    )
    yield row(
        "shuffle.verify",
        lambda: verify_shuffle(ctx, scene.joint, before, after, proof, os.urandom),
        costs.verify_shuffle(cards),
    )
    yield row(
        "shuffle.verify_chain",
        lambda: verify_shuffles(scene.joint, chain, os.urandom),
        costs.verify_shuffles(CHAIN, cards, first=True),
        proofs=CHAIN,
    )


def share_rows(cards: int, for_s: float) -> Iterator[Row]:
    """Proving and verifying the shares of a take of so many cards, and those of nine other seats together."""
    scene = Scene(PACK_52)
    deck = scene.shuffled(0, scene.start)[0][:cards]
    ctx, (secret, key) = context(0, "share"), scene.keys[0]
    shares = prove_shares(ctx, secret.x, key.y, deck, os.urandom)
    others = [make_round_key(context(seat, "key"), bytes([seat]) * 32, os.urandom) for seat in range(9)]
    items = [
        ShareStatement(
            context(seat, "share"), each.y, deck, prove_shares(context(seat, "share"), mine.x, each.y, deck, os.urandom)
        )
        for seat, (mine, each) in enumerate(others)
    ]

    def row(name: str, work: Callable[[], object], ops: costs.Ops, **more: int) -> Row:
        return Row(name, {"cards": cards, **more}, *timed(work, ops, for_s))

    yield row("share.prove", lambda: prove_shares(ctx, secret.x, key.y, deck, os.urandom), costs.prove_shares(cards))
    yield row("share.verify", lambda: verify_shares(ctx, key.y, deck, shares), costs.verify_shares(cards))
    yield row(
        "share.verify",
        lambda: verify_many_shares(items, os.urandom),
        costs.verify_many_shares(len(items), cards),
        seats=len(items),
    )


def remask_rows(for_s: float) -> Iterator[Row]:
    """Re-masking a hand with its proof, as every take into a hand needs it."""
    scene = Scene(PACK_52)
    hand = scene.shuffled(0, scene.start)[0][:HAND]
    ctx = context(0, "remask")

    def remask() -> None:
        after, witness = remask_hand(scene.joint, hand, os.urandom)
        prove_shuffle(ctx, scene.joint, hand, after, witness, os.urandom)

    yield Row("remask", {"cards": HAND}, *timed(remask, costs.shuffle(HAND) + costs.prove_shuffle(HAND), for_s))
