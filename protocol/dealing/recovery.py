"""Split a seat's round key into additive shares, one sealed to each other seat, so that together they can replace the seat.

x = Σ s_k over the receivers k; public S_k = s_k G with Σ S_k = Y. Sealed to k's round key: E = e G with a proof of knowledge
of e, and c = s_k + H(E, e Y_k). The proof of knowledge is checked before anything else is done with E: one who knows e knows
e Y_k, so that a complaint, which publishes x_k E, tells nothing new and cannot be made to decrypt somebody's card.
The context of each sealed share names its receiver. (PROTOCOL.md, "Recovery".)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from protocol.cards import Seat
from protocol.checks import holds
from protocol.dealing import sums
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import (
    ONE,
    Combination,
    G,
    Point,
    Scalar,
    decode_points,
    decode_scalars,
    hash_to_scalar,
    sum_points,
)
from protocol.dealing.hashing import Rng
from protocol.dealing.labels import (
    RECOVERY_CHALLENGE,
    RECOVERY_COMMITMENTS,
    RECOVERY_PROOF,
    RECOVERY_SEAL,
    RECOVERY_STATEMENT,
)
from protocol.dealing.shares import ProvenShares, prove_shares, verify_shares
from protocol.errors import BadMessage, BadProof
from protocol.values import dataclass, replace

SEALED_SHARE_BYTES: Final = 160


@dataclass(frozen=True, slots=True)
class SealedShare:
    """The public S = s G, and s sealed to one receiver as (E, c), with the proof of knowledge (U, z) of e."""

    S: Point
    E: Point
    u: Point
    z: Scalar
    c: Scalar

    def encode(self) -> bytes:
        """Encode S, E, U, z, c as 160 bytes."""
        return b"".join([value.encode() for value in (self.S, self.E, self.u)]) + self.z.encode() + self.c.encode()

    @classmethod
    def decode(cls, data: bytes) -> SealedShare:
        if len(data) != SEALED_SHARE_BYTES:
            raise BadMessage(
                "a sealed share must be {expected} bytes long, not {count}",
                expected=SEALED_SHARE_BYTES,
                count=len(data),
            )
        (S, E, u), (z, c) = decode_points(data[:96]), decode_scalars(data[96:])
        return cls(S, E, u, z, c)


Split: TypeAlias = Mapping[Seat, SealedShare]
"""The shares of a round key, by receiver."""


@dataclass(frozen=True, slots=True)
class SplitStatement:
    """What a seat claims by its split: its shares of the key Y, sealed to these receivers, who are given by their round keys.
    `ctx` is the seat's, without a receiver."""

    ctx: ProofContext
    y: Point
    receivers: Mapping[Seat, Point]
    sealed: Split


class BadRecovery(BadProof):
    """A seat's part in a recovery is wrong. `seat` is at fault."""

    def __init__(self, seat: Seat, template: str, **fields: object) -> None:
        super().__init__(template, **fields)
        self.seat = seat


def split(ctx: ProofContext, x: Scalar, receivers: Mapping[Seat, Point], rng: Rng) -> dict[Seat, SealedShare]:
    """Split x among the receivers, who are given by their round keys. `ctx` is the sender's, without a receiver."""
    seats = sorted(receivers)
    if not seats:
        raise ValueError("a key is shared out among one seat at least")
    last = Scalar(0)
    while not last:  # a share of zero would be refused; it never comes up
        shares = [Scalar.random(rng) for _ in seats[1:]]
        last = x - sum(shares, Scalar(0))
    return {seat: _seal(ctx, x, s, seat, receivers[seat], rng) for seat, s in zip(seats, [*shares, last], strict=True)}


def _seal(ctx: ProofContext, x: Scalar, s: Scalar, seat: Seat, y: Point, rng: Rng) -> SealedShare:
    ctx = replace(ctx, receiver=seat)
    e = Scalar.random(rng)
    S, E = s * G, e * G
    c = s + _pad(ctx, E, e * y)
    t = _begin(ctx, y, S, E, c)
    (r,) = t.nonces(x.encode() + s.encode() + e.encode(), rng, 1)
    u = r * G
    return SealedShare(S, E, u, r - _challenge(t, u) * e, c)


def _pad(ctx: ProofContext, E: Point, common: Point) -> Scalar:
    """Return the pad that hides a share. Only the sender and the receiver can compute the point e Y_k = x_k E."""
    return hash_to_scalar(RECOVERY_SEAL, ctx, E, common)


def _begin(ctx: ProofContext, y: Point, S: Point, E: Point, c: Scalar) -> Transcript:
    t = Transcript(RECOVERY_PROOF, ctx)
    t.absorb(RECOVERY_STATEMENT, y, S, E, c)
    return t


def _challenge(t: Transcript, u: Point) -> Scalar:
    t.absorb(RECOVERY_COMMITMENTS, u)
    return t.challenge(RECOVERY_CHALLENGE)


def verify_split(ctx: ProofContext, y: Point, receivers: Mapping[Seat, Point], sealed: Split) -> None:
    """Check that the public parts add up to Y, that each receiver has a share, and that the sender knows each e: z G + γ E = U.
    Raises BadProof. Only the receiver can check whether a share opens (`open_share`)."""
    if set(sealed) != set(receivers):
        raise BadProof("a round key was not split among all the other seats")
    if sum_points(share.S for share in sealed.values()) != y:
        raise BadProof("the shares of a round key do not add up to the key")
    for seat, share in sealed.items():
        t = _begin(replace(ctx, receiver=seat), receivers[seat], share.S, share.E, share.c)
        if share.z * G + _challenge(t, share.u) * share.E != share.u:
            raise BadProof("a sealed share of a round key has no valid proof from its sender")


def verify_splits(items: Mapping[Seat, SplitStatement], rng: Rng) -> None:
    """Check the splits of several seats: with the compiled module in one combination, else one by one, as libsodium multiplies
    less so. Raises BadRecovery with the first seat whose split is wrong. `rng` weights the equations: it must be the verifier's
    own, drawn from after the splits arrived."""
    if sums.compiled() is not None and all(set(item.sealed) == set(item.receivers) for item in items.values()):
        combination = Combination()
        for item in items.values():
            _add_split(combination, item, rng)
        if holds(combination):
            return
    for seat, item in items.items():
        try:
            verify_split(item.ctx, item.y, item.receivers, item.sealed)
        except BadProof as fault:
            raise BadRecovery(seat, fault.template, **fault.fields) from fault


def _add_split(combination: Combination, item: SplitStatement, rng: Rng) -> None:
    """Add Σ S - Y, and z G + γ E - U for each receiver, each times a random weight."""
    weight = Scalar.random(rng)
    combination.add_all(weight, [ONE] * len(item.sealed), [share.S for share in item.sealed.values()])
    combination.add(-weight, item.y)
    for seat, share in item.sealed.items():
        t = _begin(replace(item.ctx, receiver=seat), item.receivers[seat], share.S, share.E, share.c)
        weight = Scalar.random(rng)
        combination.add(weight * share.z, G)
        combination.add(weight * _challenge(t, share.u), share.E)
        combination.add(-weight, share.u)


def open_share(ctx: ProofContext, receiver: Seat, x: Scalar, share: SealedShare) -> Scalar:
    """Open the share sealed to the receiver with the round secret x, after the split was verified; `ctx` is the sender's.
    Raises BadProof if it does not open; then the receiver complains."""
    return _open(replace(ctx, receiver=receiver), x * share.E, share)


def _open(ctx: ProofContext, common: Point, share: SealedShare) -> Scalar:
    s = share.c - _pad(ctx, share.E, common)
    if s * G != share.S:
        raise BadProof("a share of a round key cannot be opened")
    return s


def complain(ctx: ProofContext, x: Scalar, y: Point, share: SealedShare, rng: Rng) -> ProvenShares:
    """Prove that a share sealed to us does not open, by revealing x E, proved like a card share. `ctx` is the complaint's."""
    return prove_shares(ctx, x, y, (MaskedCard(share.E, share.S),), rng)


def uphold(
    ctx: ProofContext, y: Point, complaint: ProvenShares, sealing: ProofContext, receiver: Seat, share: SealedShare
) -> None:
    """Check the complaint of the receiver with round key Y. If it is right, the share's sender is at fault; if not, BadProof
    is raised and the complainer is at fault. `ctx` is the complaint's context, `sealing` the sender's."""
    verify_shares(ctx, y, (MaskedCard(share.E, share.S),), complaint)
    try:
        _open(replace(sealing, receiver=receiver), complaint.points[0], share)
    except BadProof:
        return
    raise BadProof("a seat complained about a share that can be opened")


def recover(y: Point, sealed: Split, opened: Mapping[Seat, Scalar]) -> Scalar:
    """Recover the secret of Y from the shares that its receivers published. Raises BadRecovery with the first seat that
    published a wrong one. For a receiver whose own secret is known, `open_share` reads its share."""
    for seat in sorted(sealed):
        if seat not in opened or opened[seat] * G != sealed[seat].S:
            raise BadRecovery(seat, "a published share is not the one of the round key")
    x = sum((opened[seat] for seat in sorted(sealed)), Scalar(0))
    if x * G != y:
        raise BadProof("the shares of a round key do not add up to the key")
    return x


def encode_split(sealed: Split) -> bytes:
    """Encode the sealed shares in the order of the receivers, 160 bytes each."""
    return b"".join(sealed[seat].encode() for seat in sorted(sealed))


def decode_split(data: bytes, receivers: Sequence[Seat]) -> dict[Seat, SealedShare]:
    """Decode one sealed share for each receiver. Raises BadMessage."""
    seats = sorted(receivers)
    expected = len(seats) * SEALED_SHARE_BYTES
    if len(data) != expected:
        raise BadMessage("sealed shares must be {expected} bytes long, not {count}", expected=expected, count=len(data))
    return {
        seat: SealedShare.decode(data[at : at + SEALED_SHARE_BYTES])
        for seat, at in zip(seats, range(0, expected, SEALED_SHARE_BYTES), strict=True)
    }
