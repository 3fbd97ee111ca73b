"""Decryption shares: a seat removes its layer from cards and proves that it used its key. (PROTOCOL.md, "Shares".)

Statement:  Y = x G and D_i = x A_i for all cards of the batch, by way of A' = Σ w_i A_i and D' = Σ w_i D_i
Commit:     U = r G, V = r A'
Respond:    s = r - c x
Source:     Chaum-Pedersen 1992; the batch as ComputeComposites of RFC 9497, section 2.2.1. Departures: w_1 = 1 (two sums that
            agree for random w_2, w_3 … agree term by term all the same); U and V are sent instead of c, so that the proofs
            of many seats can be checked in one sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from protocol.cards import Card
from protocol.checks import holds
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard, encode_deck
from protocol.dealing.faces import face_of
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import (
    ONE,
    POINT_BYTES,
    SCALAR_BYTES,
    Combination,
    G,
    Point,
    Scalar,
    decode_points,
    decode_scalar,
    encode_points,
    sum_points,
    weighted_sum,
)
from protocol.dealing.hashing import Rng
from protocol.dealing.labels import (
    SHARES_CHALLENGE,
    SHARES_COMMITMENTS,
    SHARES_PROOF,
    SHARES_STATEMENT,
    SHARES_WEIGHTS,
)
from protocol.errors import BadMessage, BadProof
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class ShareProof:
    """U, V, s."""

    u: Point
    v: Point
    s: Scalar


@dataclass(frozen=True, slots=True)
class ProvenShares:
    """A seat's shares D_i of some cards in order, and one proof for all."""

    points: tuple[Point, ...]
    proof: ShareProof

    def encode(self) -> bytes:
        """Encode D_1 … D_m, U, V, s, 32 bytes each."""
        return encode_points([*self.points, self.proof.u, self.proof.v]) + self.proof.s.encode()

    @classmethod
    def decode(cls, data: bytes, count: int) -> ProvenShares:
        """Decode the shares of exactly `count` cards. Raises BadMessage."""
        if len(data) != shares_size(count):
            raise BadMessage(
                "{count} shares must be {expected} bytes long, not {size}",
                count=count,
                expected=shares_size(count),
                size=len(data),
            )
        *row, u, v = decode_points(data[:-SCALAR_BYTES])
        return cls(tuple(row), ShareProof(u, v, decode_scalar(data[-SCALAR_BYTES:])))


@dataclass(frozen=True, slots=True)
class ShareStatement:
    """The claim that these are the shares of the seat with round key Y for these cards."""

    ctx: ProofContext
    y: Point
    cards: Sequence[MaskedCard]
    shares: ProvenShares


class BadShares(BadProof):
    """The shares of one seat among several are wrong. `index` is their position."""

    def __init__(self, index: int, template: str) -> None:
        super().__init__(template)
        self.index = index


def shares_size(count: int) -> int:
    """Return the number of bytes of the shares of this many cards with their proof."""
    return POINT_BYTES * (count + 3)


def prove_shares(ctx: ProofContext, x: Scalar, y: Point, cards: Sequence[MaskedCard], rng: Rng) -> ProvenShares:
    """Compute the shares D_i = x A_i of one or more cards, with the proof that x is the key of Y = x G."""
    if not cards:
        raise ValueError("there is no share of no cards")
    points = tuple(x * card.a for card in cards)
    t, weights = _begin(ctx, y, cards, points)
    (r,) = t.nonces(x.encode(), rng, 1)
    u, v = r * G, r * weighted_sum(weights, [card.a for card in cards])
    return ProvenShares(points, ShareProof(u, v, r - _challenge(t, u, v) * x))


def verify_shares(ctx: ProofContext, y: Point, cards: Sequence[MaskedCard], shares: ProvenShares) -> None:
    """Check that each share is that of Y's key for its card: s G + c Y = U and s A' + c D' = V. Raises BadProof."""
    if not cards or len(shares.points) != len(cards):
        raise BadProof("there is not exactly one share for each card")
    proof = shares.proof
    t, weights = _begin(ctx, y, cards, shares.points)
    c = _challenge(t, proof.u, proof.v)
    known, opened = Combination(), Combination()
    known.add(proof.s, G)
    known.add(c, y)
    known.add(-ONE, proof.u)
    if not holds(known):
        raise BadProof("a share proof does not match the seat's round key")
    opened.add_all(proof.s, weights, [card.a for card in cards])
    opened.add_all(c, weights, shares.points)
    opened.add(-ONE, proof.v)
    if not holds(opened):
        raise BadProof("card shares do not match the seat's round key")


def verify_many_shares(items: Sequence[ShareStatement], rng: Rng) -> None:
    """Check the shares of many seats in one combination, which is faster for the same cards. Raises BadShares with the
    position of the first wrong ones. `rng` weights the equations: it must be the verifier's own, drawn from after the proofs
    arrived."""
    combination = Combination()
    weight = _weights(rng)
    for index, item in enumerate(items):
        if not item.cards or len(item.shares.points) != len(item.cards):
            raise _first_wrong(items[:index]) or BadShares(index, "there is not exactly one share for each card")
        _add_equations(combination, item, weight)
    if not holds(combination):
        *others, _ = items  # where all others hold, it is the last
        raise _first_wrong(others) or BadShares(len(others), "card shares do not match the seat's round key")


def _first_wrong(items: Sequence[ShareStatement]) -> BadShares | None:
    for index, item in enumerate(items):
        try:
            verify_shares(item.ctx, item.y, item.cards, item.shares)
        except BadProof as fault:
            return BadShares(index, fault.template)
    return None


def _add_equations(combination: Combination, item: ShareStatement, weight: Callable[[], Scalar]) -> None:
    """Add s G + c Y - U and s A' + c D' - V, each times a `weight()`."""
    proof, points = item.shares.proof, item.shares.points
    t, weights = _begin(item.ctx, item.y, item.cards, points)
    c = _challenge(t, proof.u, proof.v)
    a, b = weight(), weight()
    combination.add(a * proof.s, G)
    combination.add(a * c, item.y)
    combination.add(-a, proof.u)
    combination.add_all(b * proof.s, weights, [card.a for card in item.cards])
    combination.add_all(b * c, weights, points)
    combination.add(-b, proof.v)


def _weights(rng: Rng) -> Callable[[], Scalar]:
    first = [ONE]
    return lambda: first.pop() if first else Scalar.random(rng)


def _begin(
    ctx: ProofContext, y: Point, cards: Sequence[MaskedCard], points: Sequence[Point]
) -> tuple[Transcript, list[Scalar]]:
    """Return the transcript after the statement, and the weights w_1 = 1, w_2 … w_m."""
    t = Transcript(SHARES_PROOF, ctx)
    t.absorb(SHARES_STATEMENT, y, len(cards), encode_deck(cards), encode_points(points))
    return t, [ONE, *t.challenges(SHARES_WEIGHTS, len(cards) - 1)]


def _challenge(t: Transcript, u: Point, v: Point) -> Scalar:
    t.absorb(SHARES_COMMITMENTS, u, v)
    return t.challenge(SHARES_CHALLENGE)


def open_card(card: MaskedCard, shares: Iterable[Point]) -> Card:
    """Open a card with the shares of all seats: M = B - Σ D_j. Raises BadProof if M is not the point of a card."""
    return _face(card.b - sum_points(shares))


def open_with_secret(x_sum: Scalar, card: MaskedCard) -> Card:
    """Open a card with the sum of all seats' secrets, once they are revealed."""
    return _face(card.b - x_sum * card.a)


def _face(point: Point) -> Card:
    face = face_of(point)
    if face is None:
        raise BadProof("a masked card is not a card of this deck")
    return face
