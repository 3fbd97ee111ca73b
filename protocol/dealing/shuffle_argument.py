"""Groth's shuffle argument for two or more cards, made non-interactive. (PROTOCOL.md, "Shuffle argument".)

Source: J. Groth, A Verifiable Secret Shuffle of Homomorphic Encryptions, Journal of Cryptology 23 (2010): section 5 for the
shuffle of ciphertexts, section 4 for the shuffle of known contents within it; written additively here. Departures: challenges
are hashed from the transcript, full-size instead of shortened; and the commitment scheme is the generalised Pedersen one over
the same group, with keys H_i that everybody derives, so it needs no set-up.

Statement: E_i = e_π(i) + (R_i G, R_i Y) for some permutation π and scalars R_i. com(a_1 … a_n; r) = r G + Σ a_i H_i.
It is complete for n = 1 too, but there Δ_1 and Δ_n would be the same thing: one card has another proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard, encode_deck
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import (
    Combination,
    G,
    Point,
    Scalar,
    commitment_keys,
    decode_point,
    decode_scalars,
    q,
    weighted_sum,
)
from protocol.dealing.hashing import Rng
from protocol.dealing.labels import (
    SHUFFLE_COMMITMENTS,
    SHUFFLE_E,
    SHUFFLE_LAMBDA,
    SHUFFLE_OPENING,
    SHUFFLE_PRODUCT,
    SHUFFLE_PROOF,
    SHUFFLE_STATEMENT,
    SHUFFLE_WEIGHTS,
    SHUFFLE_X,
)
from protocol.dealing.remasking import ShuffleWitness
from protocol.errors import BadProof
from protocol.values import dataclass, replace

Scalars = tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class ArgumentProof:
    """The prover's messages in order, named as in PROTOCOL.md, with `Delta` for Δ."""

    c: Point
    c_d: Point
    E_d: MaskedCard
    f: Scalars
    Z: Scalar
    c_D: Point
    c_Delta: Point
    c_a: Point
    F: Scalars
    z: Scalar
    F_Delta: Scalars
    z_Delta: Scalar

    def encode(self) -> bytes:
        """Encode c, c_d, E_d, f_1 … f_n, Z, c_D, c_Δ, c_a, F_1 … F_n, z, FΔ_1 … FΔ_(n-1), z_Δ, 32 bytes each, E_d 64."""
        points = (self.c, self.c_d, self.E_d), (self.c_D, self.c_Delta, self.c_a)
        scalars = (*self.f, self.Z), (*self.F, self.z, *self.F_Delta, self.z_Delta)
        row: list[Point | MaskedCard | Scalar] = [*points[0], *scalars[0], *points[1], *scalars[1]]
        return b"".join([value.encode() for value in row])

    @classmethod
    def decode(cls, data: bytes, n: int) -> ArgumentProof:
        """Decode the proof for n cards, whose length the caller has checked. Raises BadMessage."""
        at = 0

        def words(count: int) -> bytes:
            nonlocal at
            begun, at = at, at + 32 * count
            return data[begun:at]

        def point() -> Point:
            return decode_point(words(1))

        def scalars(count: int) -> Scalars:
            return decode_scalars(words(count))

        return cls(
            c=point(), c_d=point(), E_d=MaskedCard(point(), point()), f=scalars(n), Z=scalars(1)[0],
            c_D=point(), c_Delta=point(), c_a=point(), F=scalars(n), z=scalars(1)[0],
            F_Delta=scalars(n - 1), z_Delta=scalars(1)[0],
        )  # fmt: skip


def argument_size(n: int) -> int:
    """Return the number of bytes of a proof for n cards, n > 1."""
    return 32 * (3 * n + 9)


@dataclass(frozen=True, slots=True)
class Commitments:
    """Those of the prover's messages that commit to nonces only."""

    c_d: Point
    c_D: Point
    c_Delta: Point


@dataclass(frozen=True, slots=True)
class ShuffleNonces:
    """The prover's secrets: r, r_d, R_d, r_D, r_Δ, r_a, and the rows d, d' and Δ (Δ_1 = d'_1, Δ_n = 0)."""

    r: Scalar
    r_d: Scalar
    R_d: Scalar
    r_D: Scalar
    r_Delta: Scalar
    r_a: Scalar
    d: Scalars
    D: Scalars
    Delta: Scalars

    def __repr__(self) -> str:
        return "ShuffleNonces(hidden)"

    @classmethod
    def draw(cls, t: Transcript, witness: ShuffleWitness, rng: Rng) -> ShuffleNonces:
        """Draw r, r_d, R_d, r_D, r_Δ, r_a, d_1 … d_n, d'_1 … d'_n, Δ_2 … Δ_(n-1), in this order."""
        n = len(witness.permutation)
        draw = iter(t.nonces(witness.encode(), rng, 6 + 3 * n - 2))
        r, r_d, R_d, r_D, r_Delta, r_a = islice(draw, 6)
        d, D = tuple(islice(draw, n)), tuple(islice(draw, n))
        return cls(r, r_d, R_d, r_D, r_Delta, r_a, d, D, Delta=(D[0], *draw, Scalar(0)))

    def completed(self, rest: Sequence[Scalar]) -> ShuffleNonces:
        """Return them with these r, R_d and r_a: the ones that no commitment of `commit` has in it."""
        r, R_d, r_a = rest
        return replace(self, r=r, R_d=R_d, r_a=r_a)

    @property
    def crossed(self) -> list[Scalar]:
        """Return -Δ_i d'_(i+1) for i = 1 … n-1."""
        return [-(delta * blind) for delta, blind in zip(self.Delta, self.D[1:], strict=False)]

    def commit(self) -> Commitments:
        """Return c_d, c_D and c_Δ: half of a proof's multiplications."""
        H = commitment_keys(len(self.d))
        return Commitments(
            self.r_d * G - weighted_sum(self.d, H),
            self.r_D * G + weighted_sum(self.D, H),
            self.r_Delta * G + weighted_sum(self.crossed, H[:-1]),
        )


# --- the transcript, the same for both sides ---


def begin(ctx: ProofContext, joint: Point, before: Sequence[MaskedCard], after: Sequence[MaskedCard]) -> Transcript:
    """Begin the transcript with the context and statement."""
    t = Transcript(SHUFFLE_PROOF, ctx)
    t.absorb(SHUFFLE_STATEMENT, joint, len(before), encode_deck(before), encode_deck(after))
    return t


def challenge_weights(t: Transcript, c: Point, c_d: Point, E_d: MaskedCard, n: int) -> list[Scalar]:
    """Return t_1 … t_n, after the commitment to the permutation."""
    t.absorb(SHUFFLE_COMMITMENTS, c, c_d, E_d.a, E_d.b)
    return t.challenges(SHUFFLE_WEIGHTS, n)


def challenge_product(t: Transcript, f: Sequence[Scalar], Z: Scalar) -> tuple[Scalar, Scalar]:
    """Return λ and x, after f and Z are fixed."""
    t.absorb(SHUFFLE_OPENING, b"".join([value.encode() for value in f]), Z)
    return t.challenge(SHUFFLE_LAMBDA), t.challenge(SHUFFLE_X)


def challenge_last(t: Transcript, c_D: Point, c_Delta: Point, c_a: Point) -> Scalar:
    """Return e, which is never zero."""
    t.absorb(SHUFFLE_PRODUCT, c_D, c_Delta, c_a)
    return t.challenge(SHUFFLE_E)


# --- prover ---


def prove(
    t: Transcript,
    joint: Point,
    before: Sequence[MaskedCard],
    after: Sequence[MaskedCard],
    witness: ShuffleWitness,
    nonces: ShuffleNonces,
    made: Commitments,
) -> ArgumentProof:
    """Prove that `after` is `before` under the witness. `t` comes from `begin`; `made` are the commitments to the nonces."""
    n, pi, R = len(before), witness.permutation, witness.scalars
    H = commitment_keys(n)
    d, D, Delta, crossed = nonces.d, nonces.D, nonces.Delta, nonces.crossed

    c = nonces.r * G + _sum_by_rank(pi, H)
    E_d = _blind(joint, before, after, witness, nonces)
    weights = challenge_weights(t, c, made.c_d, E_d, n)

    permuted = [weights[position] for position in pi]
    f = tuple([a + b for a, b in zip(permuted, d, strict=True)])
    Z = sum((a * b for a, b in zip(permuted, R, strict=True)), nonces.R_d)
    lam, x = challenge_product(t, f, Z)

    # Known contents: m_i = λ i + t_i, and λ c + c_d + com(f; 0) commits to m_π(1) … m_π(n) with randomness λ r + r_d.
    m = [lam * Scalar(position + 1) + weight for position, weight in zip(pi, permuted, strict=True)]
    shifted = [value - x for value in m]
    a = shifted[0]
    steps = []
    for i in range(n - 1):
        steps.append(Delta[i + 1] - shifted[i + 1] * Delta[i] - a * D[i + 1])
        a = a * shifted[i + 1]
    c_a = nonces.r_a * G + weighted_sum(steps, H[: n - 1])
    e = challenge_last(t, made.c_D, made.c_Delta, c_a)

    return ArgumentProof(
        c, made.c_d, E_d, f, Z, made.c_D, made.c_Delta, c_a,
        F=tuple([e * value + blind for value, blind in zip(m, D, strict=True)]),
        z=e * (lam * nonces.r + nonces.r_d) + nonces.r_D,
        F_Delta=tuple([e * step + cross for step, cross in zip(steps, crossed, strict=True)]),
        z_Delta=e * nonces.r_a + nonces.r_Delta,
    )  # fmt: skip


def _sum_by_rank(pi: Sequence[int], H: Sequence[Point]) -> Point:
    """Return Σ π(i) H_i, with ranks from 1, by 2n additions instead of n multiplications."""
    place = sorted(range(len(pi)), key=pi.__getitem__, reverse=True)
    suffix = total = H[place[0]]
    for i in place[1:]:
        suffix = suffix + H[i]
        total = total + suffix
    return total


def _blind(
    joint: Point,
    before: Sequence[MaskedCard],
    after: Sequence[MaskedCard],
    witness: ShuffleWitness,
    nonces: ShuffleNonces,
) -> MaskedCard:
    """Return E_d = Enc(0; R_d) - Σ d_i E_i. For a starting deck, whose A are all the identity, the A of E_i is the known R_i G,
    so that one multiplication replaces n."""
    if all(card.a.is_identity for card in before):
        known = sum((a * b for a, b in zip(nonces.d, witness.scalars, strict=True)), Scalar(0))
        first = (nonces.R_d - known) * G
    else:
        first = nonces.R_d * G - weighted_sum(nonces.d, [card.a for card in after])
    return MaskedCard(first, nonces.R_d * joint - weighted_sum(nonces.d, [card.b for card in after]))


# --- verifier ---


def add_equations(
    combination: Combination,
    t: Transcript,
    joint: Point,
    before: Sequence[MaskedCard],
    after: Sequence[MaskedCard],
    proof: ArgumentProof,
    weight: Callable[[], Scalar],
) -> None:
    """Check the proof in the field, and add its equations in the group to the combination, each times a `weight()`.

    Raises BadProof where the field's equation fails; the caller sees whether the combination vanishes.
    """
    n, H = len(before), commitment_keys(len(before))
    f, Z, F, z = proof.f, proof.Z, proof.F, proof.z
    weights = challenge_weights(t, proof.c, proof.c_d, proof.E_d, n)
    lam, x = challenge_product(t, f, Z)
    e = challenge_last(t, proof.c_D, proof.c_Delta, proof.c_a)
    _check_product(proof, weights, lam, x, e)

    # Σ f_i E_i + E_d = Σ t_i e_i + Enc(0; Z), for the A's and for the B's
    for before_points, after_points, blind, key in (
        ([card.a for card in before], [card.a for card in after], proof.E_d.a, G),
        ([card.b for card in before], [card.b for card in after], proof.E_d.b, joint),
    ):
        w = weight()
        combination.add_all(w, f, after_points)
        combination.add(w, blind)
        w = -w
        combination.add_all(w, weights, before_points)
        combination.add(w * Z, key)

    # e (λ c + c_d + com(f; 0)) + c_D = com(F; z)  and  e c_a + c_Δ = com(FΔ; z_Δ)
    u, w = weight(), weight()
    ue = u * e
    combination.add(ue * lam, proof.c)
    combination.add(ue, proof.c_d)
    combination.add(u, proof.c_D)
    combination.add(w * e, proof.c_a)
    combination.add(w, proof.c_Delta)
    combination.add(-(u * z + w * proof.z_Delta), G)
    combination.add_all(ue, f, H)
    combination.add_all(-u, F, H)
    combination.add_all(-w, proof.F_Delta, H[:-1])


def _check_product(proof: ArgumentProof, weights: Sequence[Scalar], lam: Scalar, x: Scalar, e: Scalar) -> None:
    """Check v_n = e Π (m_i - x), with v_1 = F_1 - e x, e v_(i+1) = v_i (F_(i+1) - e x) + FΔ_i, and m_i = λ i + t_i."""
    ex, inverse, moved = int(e * x), int(e.inverse()), int(x)
    v = int(proof.F[0]) - ex
    for value, cross in zip(proof.F[1:], proof.F_Delta, strict=True):
        v = (v * (int(value) - ex) + int(cross)) * inverse % q
    product, rank = int(e), -moved
    for weight in weights:
        rank += int(lam)
        product = product * (rank + int(weight)) % q
    if (v - product) % q:
        raise BadProof("a shuffle proof does not show a permutation")
