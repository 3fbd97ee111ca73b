"""The shuffle of a single card: a proof that it is the same card under another mask. (PROTOCOL.md, "One card".)

Statement: (A' - A, B' - B) = (s G, s Y).   Commit: U = r G, V = r Y.   Respond: z = r - c s.
Source: D. Chaum, T. Pedersen, Wallet Databases with Observers, CRYPTO 1992.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import Combination, G, Point, Scalar, decode_point, decode_scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.labels import MASK_CHALLENGE, MASK_COMMITMENTS, MASK_PROOF, MASK_STATEMENT
from protocol.values import dataclass

MASK_PROOF_BYTES: Final = 96


@dataclass(frozen=True, slots=True)
class MaskProof:
    """U, V, z."""

    u: Point
    v: Point
    z: Scalar

    def encode(self) -> bytes:
        """Encode U, V, z as 96 bytes."""
        return self.u.encode() + self.v.encode() + self.z.encode()

    @classmethod
    def decode(cls, data: bytes) -> MaskProof:
        """Decode a proof whose length the caller has checked."""
        return cls(decode_point(data[:32]), decode_point(data[32:64]), decode_scalar(data[64:]))


def _begin(ctx: ProofContext, joint: Point, before: MaskedCard, after: MaskedCard) -> Transcript:
    t = Transcript(MASK_PROOF, ctx)
    t.absorb(MASK_STATEMENT, joint, before.a, before.b, after.a, after.b)
    return t


def _challenge(t: Transcript, u: Point, v: Point) -> Scalar:
    t.absorb(MASK_COMMITMENTS, u, v)
    return t.challenge(MASK_CHALLENGE)


def prove_mask(
    ctx: ProofContext, joint: Point, before: MaskedCard, after: MaskedCard, s: Scalar, rng: Rng
) -> MaskProof:
    """Prove that `after` is `before` re-masked with s."""
    t = _begin(ctx, joint, before, after)
    (r,) = t.nonces(s.encode(), rng, 1)
    u, v = r * G, r * joint
    return MaskProof(u, v, r - _challenge(t, u, v) * s)


def add_mask_equations(
    combination: Combination,
    ctx: ProofContext,
    joint: Point,
    before: MaskedCard,
    after: MaskedCard,
    proof: MaskProof,
    weight: Callable[[], Scalar],
) -> None:
    """Add z G + c (A' - A) - U and z Y + c (B' - B) - V, each times a `weight()`."""
    c = _challenge(_begin(ctx, joint, before, after), proof.u, proof.v)
    for first, last, key, commitment in (
        (before.a, after.a, G, proof.u),
        (before.b, after.b, joint, proof.v),
    ):
        w = weight()
        combination.add(w * proof.z, key)
        combination.add(w * c, last - first)
        combination.add(-w, commitment)
