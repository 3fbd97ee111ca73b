"""Card faces as points of the group: a constant table that each client computes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from protocol.cards import ALL_FACES, Card
from protocol.dealing.group import Point, hash_to_group
from protocol.dealing.labels import CARD


@cache
def card_point(face: Card) -> Point:
    """Return M_face. Nobody knows a logarithm between two such points, or to G. The same card of two decks has one point."""
    if face not in ALL_FACES:
        raise ValueError(f"there is no card {face!r}")
    return hash_to_group(CARD, face.encode())


@cache
def _faces() -> Mapping[Point, Card]:
    return {card_point(face): face for face in sorted(ALL_FACES)}


def face_of(point: Point) -> Card | None:
    """Return the card with this point, or None."""
    return _faces().get(point)
