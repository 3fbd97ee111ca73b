"""Cards as points: a constant table that every client computes for itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from protocol.cards import ALL_FACES, Card
from protocol.dealing.group import Point, hash_to_group
from protocol.dealing.labels import CARD


@cache
def card_point(face: Card) -> Point:
    """M_face. Nobody knows a logarithm between two of them, or to G. Equal cards of two packs have the same point."""
    if face not in ALL_FACES:
        raise ValueError(f"there is no card {face!r}")
    return hash_to_group(CARD, face.encode())


@cache
def _faces() -> Mapping[Point, Card]:
    return {card_point(face): face for face in sorted(ALL_FACES)}


def face_of(point: Point) -> Card | None:
    """The card of a point; None where it is no card's."""
    return _faces().get(point)
