"""Cards and decks. A face is a short name, the same in files and on the wire. No game's rules belong here.

A name is a rank `2 3 4 5 6 7 8 9 T J Q K A` and suit `c d h s` (`8h`, `Tc`); a joker is `Jk`. Tichu's suits are
`j` jade, `s` sword, `p` pagoda and `k` star; its special cards are `Mah`, `Dog`, `Phx` and `Drg`. The same
card of two decks has the same name. (PROTOCOL.md, "Cards".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NewType, Protocol, TypeAlias

Card = NewType("Card", str)
Seat: TypeAlias = int
"""The number of a seat, 0 to n-1 clockwise. An alias of int, since rules calculate with seats."""


class Known(Protocol):
    """What a game has found out about a hand."""

    def without(self, cards: Sequence[Card]) -> Known:
        """Return what is known of the hand when these cards of it are gone."""


class Hand(list[Card]):
    """A hand that a dealer changes."""

    __slots__ = ("known",)

    known: Known | None
    """What the game has found out about these cards. Whoever changes them sets it to what is known then, or to None."""

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        super().__init__(cards)
        self.known = None


RANKS = "23456789TJQKA"
SUITS = "cdhs"
TICHU_SUITS = "jspk"
JOKER = Card("Jk")
MAH_JONG, DOG, PHOENIX, DRAGON = Card("Mah"), Card("Dog"), Card("Phx"), Card("Drg")
TICHU_SPECIALS = (MAH_JONG, DOG, PHOENIX, DRAGON)

PACK_52: tuple[Card, ...] = tuple(Card(r + s) for s in SUITS for r in RANKS)
PACK_32: tuple[Card, ...] = tuple(Card(r + s) for s in SUITS for r in RANKS[5:])
PACK_TICHU: tuple[Card, ...] = (*(Card(r + s) for s in TICHU_SUITS for r in RANKS), *TICHU_SPECIALS)

ALL_FACES: frozenset[Card] = frozenset((*PACK_52, *PACK_TICHU, JOKER))
