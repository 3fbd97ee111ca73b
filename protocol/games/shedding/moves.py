"""The moves of the shedding games."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from protocol.cards import JOKER, RANKS, SUITS, Card, Seat
from protocol.values import dataclass

CARD_ORDER: Mapping[str, int] = {
    **{rank + suit: 4 * RANKS.index(rank) + SUITS.index(suit) for rank in RANKS for suit in SUITS},
    JOKER: 4 * len(RANKS),
}
"""Cards from low to high: by rank from 2 to A, then by suit (clubs, diamonds, hearts, spades); the joker last."""


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play cards onto the pile in this order, the last one on top.

    `suit`, `rank` and `next` are what the player names, `stands_for` the card that each joker stands for, `call` whether the
    last-card word is said with the play. Each game uses some of these.
    """

    cards: tuple[Card, ...]
    suit: str | None = None
    rank: str | None = None
    stands_for: tuple[Card, ...] = ()
    next: Seat | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one card, or all cards that are due."""


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without playing."""


@dataclass(frozen=True, slots=True)
class Call:
    """Say the last-card word by itself, after the play."""


Move: TypeAlias = PlayCards | Draw | Pass | Call
DRAW, PASS, CALL = Draw(), Pass(), Call()
PLAIN: Mapping[str, Move] = {"draw": DRAW, "pass": PASS, "call": CALL}
PLAIN_NAMES: Mapping[Move, str] = {move: name for name, move in PLAIN.items()}


@cache
def one_card(card: Card, suit: str | None = None, call: bool = False) -> PlayCards:
    """Return the play of a single card. Cached, since simulations ask for millions."""
    return PlayCards((card,), suit=suit, call=call)
