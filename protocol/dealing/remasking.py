"""Shuffling: a permutation and re-masking scalars, expanded from a seed, and what they make of a deck.

A round's shuffle is a function of (seed, context, joint key, incoming deck), so that anyone can do it again when the seed is
revealed. The incoming deck is in it because two shuffles of different decks under one randomness would show the permutation.
(PROTOCOL.md, "Shuffle".)

The time that this takes depends a little on the permutation (numbers drawn again, places in a list). It is spent before anything
is sent, on the shuffler's own machine, and drowned by the multiplications, which take the same time for all scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.dealing.context import Context
from protocol.dealing.elgamal import Deck, MaskedCard, hash_deck, mask_again
from protocol.dealing.group import Point, Scalar
from protocol.dealing.hashing import Rng, Stream
from protocol.dealing.labels import HAND_MASKS, HAND_PERMUTATION, SHUFFLE_MASKS, SHUFFLE_PERMUTATION


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """What only the shuffler knows: after[i] is before[permutation[i]], masked again with scalars[i]. Positions from 0."""

    permutation: tuple[int, ...]
    scalars: tuple[Scalar, ...]

    def __repr__(self) -> str:
        return "ShuffleWitness(hidden)"

    def encode(self) -> bytes:
        """4 bytes a position, 32 a scalar: only ever hashed into nonces."""
        positions = b"".join(position.to_bytes(4, "big") for position in self.permutation)
        return positions + b"".join(s.encode() for s in self.scalars)


def expand_permutation(stream: Stream, n: int) -> tuple[int, ...]:
    """A uniform permutation of 0 … n-1 by Fisher-Yates: i from n-1 down to 1 changes places with j, uniform in 0 … i."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def uniform(stream: Stream, bound: int) -> int:
    """A number below `bound` (at most 2^32), without bias: 4 bytes, big endian, drawn again above the largest multiple."""
    limit = 2**32 - 2**32 % bound
    while (number := int.from_bytes(stream.read(4), "big")) >= limit:
        pass
    return number % bound


def expand_scalars(stream: Stream, n: int) -> tuple[Scalar, ...]:
    """n scalars of 64 bytes each, reduced."""
    return tuple(Scalar.reduce(stream.read(64)) for _ in range(n))


def expand_shuffle(ctx: Context, joint: Point, seed: bytes, before: Sequence[MaskedCard]) -> ShuffleWitness:
    """The witness that a committed seed gives for this deck in this place."""
    n, inputs = len(before), (ctx, joint, seed, hash_deck(before))
    return ShuffleWitness(
        expand_permutation(Stream(SHUFFLE_PERMUTATION, *inputs, expected=4 * n + 32), n),
        expand_scalars(Stream(SHUFFLE_MASKS, *inputs, expected=64 * n), n),
    )


def apply_witness(joint: Point, before: Sequence[MaskedCard], witness: ShuffleWitness) -> Deck:
    """The outgoing deck."""
    return tuple(
        mask_again(joint, before[position], s) for position, s in zip(witness.permutation, witness.scalars, strict=True)
    )


def shuffle(ctx: Context, joint: Point, seed: bytes, deck: Sequence[MaskedCard]) -> tuple[Deck, ShuffleWitness]:
    """A seat's shuffle of the deck, the same every time for the same arguments."""
    witness = expand_shuffle(ctx, joint, seed, deck)
    return apply_witness(joint, deck, witness), witness


def remask_hand(joint: Point, deck: Sequence[MaskedCard], rng: Rng) -> tuple[Deck, ShuffleWitness]:
    """A hand in a new order under fresh masks, for a take. Its randomness is fresh, and never revealed."""
    n, inputs = len(deck), (joint, rng(32), hash_deck(deck))
    witness = ShuffleWitness(
        expand_permutation(Stream(HAND_PERMUTATION, *inputs, expected=4 * n + 32), n),
        expand_scalars(Stream(HAND_MASKS, *inputs, expected=64 * n), n),
    )
    return apply_witness(joint, deck, witness), witness
