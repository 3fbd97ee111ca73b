"""Shuffle a deck with a permutation and re-masking scalars that are expanded from a seed.

A round's shuffle is a function of (seed, context, joint key, incoming deck), so that anyone can do it again when the seed is
revealed. The incoming deck is in it because two shuffles of different decks under one randomness would show the permutation.
(PROTOCOL.md, "Shuffle".)

The time that this takes depends a little on the permutation (numbers drawn again, places in a list). It is spent before anything
is sent, on the shuffler's own machine, and drowned by the multiplications, which take the same time for all scalars.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, hash_deck, mask_again
from protocol.dealing.group import Point, Scalar
from protocol.dealing.hashing import Rng, Stream
from protocol.dealing.labels import HAND_MASKS, HAND_PERMUTATION, SHUFFLE_MASKS, SHUFFLE_PERMUTATION
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """The shuffler's secrets: after[i] is before[permutation[i]], re-masked with scalars[i]. Positions count from 0."""

    permutation: tuple[int, ...]
    scalars: tuple[Scalar, ...]

    def __repr__(self) -> str:
        return "ShuffleWitness(hidden)"

    def encode(self) -> bytes:
        """Encode with 4 bytes a position and 32 a scalar. Used only to derive nonces."""
        positions = b"".join(position.to_bytes(4, "big") for position in self.permutation)
        return positions + b"".join(s.encode() for s in self.scalars)


def expand_permutation(stream: Stream, n: int) -> tuple[int, ...]:
    """Return a uniform permutation of 0 … n-1 by Fisher-Yates: swap i, from n-1 down to 1, with a uniform j in 0 … i."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def uniform(stream: Stream, bound: int) -> int:
    """Return an unbiased number below `bound` (at most 2^32) from 4 big-endian bytes, drawn again above the largest multiple."""
    limit = 2**32 - 2**32 % bound
    while (number := int.from_bytes(stream.read(4), "big")) >= limit:
        pass
    return number % bound


def expand_scalars(stream: Stream, n: int) -> tuple[Scalar, ...]:
    """Return n scalars, each reduced from 64 bytes."""
    return tuple(Scalar.reduce(stream.read(64)) for _ in range(n))


def expand_shuffle(ctx: ProofContext, joint: Point, seed: bytes, before: Sequence[MaskedCard]) -> ShuffleWitness:
    """Expand a committed seed to the witness for this deck and context."""
    n, inputs = len(before), (ctx, joint, seed, hash_deck(before))
    return ShuffleWitness(
        expand_permutation(Stream(SHUFFLE_PERMUTATION, *inputs, expected=4 * n + 32), n),
        expand_scalars(Stream(SHUFFLE_MASKS, *inputs, expected=64 * n), n),
    )


def apply_witness(joint: Point, before: Sequence[MaskedCard], witness: ShuffleWitness) -> Deck:
    """Return the outgoing deck."""
    return tuple(
        mask_again(joint, before[position], s) for position, s in zip(witness.permutation, witness.scalars, strict=True)
    )


def shuffle(ctx: ProofContext, joint: Point, seed: bytes, deck: Sequence[MaskedCard]) -> tuple[Deck, ShuffleWitness]:
    """Shuffle a deck deterministically: the same arguments give the same shuffle."""
    witness = expand_shuffle(ctx, joint, seed, deck)
    return apply_witness(joint, deck, witness), witness


def hand_order(joint: Point, deck: Sequence[MaskedCard], fresh: bytes) -> tuple[int, ...]:
    """Return a permutation for a hand, from 32 fresh bytes."""
    n = len(deck)
    return expand_permutation(Stream(HAND_PERMUTATION, joint, fresh, hash_deck(deck), expected=4 * n + 32), n)


def remask_hand(joint: Point, deck: Sequence[MaskedCard], rng: Rng) -> tuple[Deck, ShuffleWitness]:
    """Shuffle and re-mask a hand that is dealt cards, with fresh random numbers that are never revealed."""
    n, fresh = len(deck), rng(32)
    scalars = expand_scalars(Stream(HAND_MASKS, joint, fresh, hash_deck(deck), expected=64 * n), n)
    witness = ShuffleWitness(hand_order(joint, deck, fresh), scalars)
    return apply_witness(joint, deck, witness), witness
