"""Masked cards: ElGamal under the seats' joint key Y. (PROTOCOL.md, "Masked cards".)

A card M is masked as (A, B) = (r G, M + r Y). Adding (s G, s Y) masks it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from protocol.cards import Card
from protocol.dealing.faces import card_point
from protocol.dealing.group import IDENTITY, POINT_BYTES, G, Point, Scalar, decode_points, encode_points
from protocol.dealing.hashing import hash64
from protocol.dealing.labels import DECK
from protocol.errors import BadMessage
from protocol.values import dataclass

MASKED_CARD_BYTES: Final = 2 * POINT_BYTES


@dataclass(frozen=True, slots=True)
class MaskedCard:
    """A masked card (A, B) = (r G, M + r Y)."""

    a: Point
    b: Point

    def __hash__(self) -> int:
        return hash(self.b)  # all A of a starting deck are the identity; of other cards, B alone tells them apart

    def encode(self) -> bytes:
        return self.a.encode() + self.b.encode()


Deck: TypeAlias = tuple[MaskedCard, ...]
"""Masked cards in order: a deck, or the cards of a hand."""


def starting_deck(faces: Iterable[Card]) -> Deck:
    """Mask faces publicly with r = 0: (identity, M_face) each."""
    return tuple(MaskedCard(IDENTITY, card_point(face)) for face in faces)


def mask_again(joint: Point, card: MaskedCard, s: Scalar) -> MaskedCard:
    """Return the same card under a fresh mask, (A + s G, B + s Y), which only those who know s can recognize."""
    return MaskedCard(card.a + s * G, card.b + s * joint)


def encode_deck(deck: Sequence[MaskedCard]) -> bytes:
    """Encode a deck with 64 bytes a card: A, B."""
    return encode_points([point for card in deck for point in (card.a, card.b)])


def decode_deck(data: bytes, count: int) -> Deck:
    """Decode exactly `count` cards. Refuses the identity: only starting decks have it, and those are never sent."""
    if len(data) != count * MASKED_CARD_BYTES:
        raise BadMessage("{count} masked cards must be {expected} bytes long, not {size}", count=count,
                         expected=count * MASKED_CARD_BYTES, size=len(data))  # fmt: skip
    points = decode_points(data)
    return tuple(MaskedCard(a, b) for a, b in zip(points[::2], points[1::2], strict=True))


def hash_deck(deck: Sequence[MaskedCard]) -> bytes:
    """Hash a deck to 64 bytes, which the seats sign, and to which the next shuffle's expansion is bound."""
    return hash64(DECK, encode_deck(deck))
