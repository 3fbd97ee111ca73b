"""Prove shuffles, and check one proof or a whole chain. (PROTOCOL.md, "Shuffle".)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from protocol.checks import holds
from protocol.dealing import shuffle_argument as argument
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import ONE, Combination, Point, Scalar
from protocol.dealing.halves import HalfProof, Unfit
from protocol.dealing.hashing import Rng
from protocol.dealing.mask_proof import MASK_PROOF_BYTES, MaskProof, add_mask_equations, prove_mask
from protocol.dealing.once import Used
from protocol.dealing.remasking import ShuffleWitness, remask_hand, shuffle
from protocol.errors import BadMessage, BadProof
from protocol.values import dataclass

__all__ = [
    "BadShuffle",
    "ShuffleStatement",
    "ShuffleWitness",
    "proof_size",
    "prove_shuffle",
    "remask_hand",
    "shuffle",
    "verify_shuffle",
    "verify_shuffles",
]


@dataclass(frozen=True, slots=True)
class ShuffleStatement:
    """The claim that `after` is a shuffle of `before`, with its encoded proof."""

    ctx: ProofContext
    before: Sequence[MaskedCard]
    after: Sequence[MaskedCard]
    proof: bytes


class BadShuffle(BadProof):
    """Proofs of some shuffles among several are wrong. `index` is the position of the first, `others` are those of the rest."""

    def __init__(self, index: int, template: str, others: tuple[int, ...] = ()) -> None:
        super().__init__(template)
        self.index, self.others = index, others


def proof_size(n: int) -> int:
    """Return the number of bytes of the proof for n cards; 0 for no cards."""
    if n == 0:
        return 0
    return MASK_PROOF_BYTES if n == 1 else argument.argument_size(n)


def prove_shuffle(
    ctx: ProofContext,
    joint: Point,
    before: Sequence[MaskedCard],
    after: Sequence[MaskedCard],
    witness: ShuffleWitness,
    rng: Rng,
    half: HalfProof | None = None,
) -> bytes:
    """Prove in zero knowledge that `after` is `before` in another order under new masks. `half` is used up, if it is left and
    fits; else everything is made here."""
    n = len(before)
    if n == 0:
        return b""
    if n == 1:
        return prove_mask(ctx, joint, before[0], after[0], witness.scalars[0], rng).encode()
    t = argument.begin(ctx, joint, before, after)
    nonces, made = _nonces(ctx, t, witness, rng, half)
    return argument.prove(t, joint, before, after, witness, nonces, made).encode()


def _nonces(
    ctx: ProofContext, t: Transcript, witness: ShuffleWitness, rng: Rng, half: HalfProof | None
) -> tuple[argument.ShuffleNonces, argument.Commitments]:
    if half is not None:
        with suppress(Used, Unfit):
            return half.take(ctx, t, witness)
    nonces = argument.ShuffleNonces.draw(t, witness, rng)
    return nonces, nonces.commit()


def verify_shuffle(
    ctx: ProofContext,
    joint: Point,
    before: Sequence[MaskedCard],
    after: Sequence[MaskedCard],
    proof: bytes,
    rng: Rng,
) -> None:
    """Check a proof that `after` is a shuffle of `before`. Raises BadProof. `rng` weights the equations: it must be the
    verifier's own, drawn from after the proof arrived."""
    combination = Combination()
    _add(combination, joint, ShuffleStatement(ctx, before, after, proof), _weights(rng))
    if not holds(combination):
        raise BadProof("a shuffle proof is not valid")


def verify_shuffles(joint: Point, items: Sequence[ShuffleStatement], rng: Rng) -> None:
    """Check several shuffles under one joint key in one combination, in which points that they share (commitment keys, decks
    between two shuffles) cost only once. Raises BadShuffle with the positions of all that fail."""
    if any(len(item.proof) != proof_size(len(item.before)) for item in items):
        raise _all_wrong(joint, items, rng)
    combination = Combination()
    weight = _weights(rng)
    for item in items:
        try:
            _add(combination, joint, item, weight)
        except BadProof as fault:
            raise _all_wrong(joint, items, rng) from fault
    if not holds(combination):
        raise _all_wrong(joint, items, rng)


def _all_wrong(joint: Point, items: Sequence[ShuffleStatement], rng: Rng) -> BadShuffle:
    """Check the proofs of a combination that failed one by one: each is wrong or not whatever the others are."""
    found: list[tuple[int, str]] = []
    for index, item in enumerate(items):
        if not found and index == len(items) - 1 and len(item.proof) == proof_size(len(item.before)):
            found.append((index, "a shuffle proof is not valid"))  # as all others hold, it is the last
            break
        try:
            verify_shuffle(item.ctx, joint, item.before, item.after, item.proof, rng)
        except BadProof as fault:
            found.append((index, fault.template))
    (first, template), *others = found
    return BadShuffle(first, template, tuple(index for index, _ in others))


def _weights(rng: Rng) -> Callable[[], Scalar]:
    """Yield the weights of equations: 1 for the first, then random ones."""
    first = [ONE]
    return lambda: first.pop() if first else Scalar.random(rng)


def _add(combination: Combination, joint: Point, item: ShuffleStatement, weight: Callable[[], Scalar]) -> None:
    """Check sizes, encoding and the equations in the field, and add those in the group to the combination."""
    n = len(item.before)
    if len(item.after) != n:
        raise BadProof("a shuffle changed the number of cards")
    if len(item.proof) != proof_size(n):
        raise BadProof("a shuffle proof has the wrong size")
    try:
        if n == 1:
            mask = MaskProof.decode(item.proof)
        elif n > 1:
            proof = argument.ArgumentProof.decode(item.proof, n)
    except BadMessage as fault:
        raise BadProof("a shuffle proof is malformed") from fault
    if n == 1:
        add_mask_equations(combination, item.ctx, joint, item.before[0], item.after[0], mask, weight)
    elif n > 1:
        t = argument.begin(item.ctx, joint, item.before, item.after)
        argument.add_equations(combination, t, joint, item.before, item.after, proof, weight)
