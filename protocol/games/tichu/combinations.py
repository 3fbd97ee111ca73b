"""Tichu's combinations: what a set of cards is, for each rank the Phoenix may stand for, and which combination beats which.

Independent of state and hands: `plays` lists the combinations in a hand, `rules` decides when they may be played.

Ranks are numbers from 1 (the Mah Jong) to 14 (the ace). Strengths are counted in half steps, so that they stay whole
numbers: twice the rank, 30 for the Dragon, and an odd number for the Phoenix alone, which is half a step above the single
that it is played on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from protocol.cards import DOG, DRAGON, MAH_JONG, PACK_TICHU, PHOENIX, RANKS, TICHU_SUITS, Card
from protocol.values import dataclass

SINGLE, PAIR, TRIPLE, FULL_HOUSE, STRAIGHT, STAIRS, BOMB = (
    "single",
    "pair",
    "triple",
    "full_house",
    "straight",
    "stairs",
    "bomb",
)
ACE = 14
DOG_STRENGTH, PHOENIX_LED, DRAGON_STRENGTH = 0, 3, 30
SHORTEST_RUN = 5
SMALLEST_BOMB = 4
PHOENIX_RANKS = range(2, ACE + 1)
"""The ranks that the Phoenix may stand for and that may be wished for."""

RANK: dict[Card, int] = {Card(r + s): RANKS.index(r) + 2 for r in RANKS for s in TICHU_SUITS} | {MAH_JONG: 1}
"""The rank of each card but the Dog, the Phoenix and the Dragon."""

ORDER: dict[Card, int] = {
    card: place
    for place, card in enumerate(
        (DOG, MAH_JONG, *(Card(r + s) for r in RANKS for s in TICHU_SUITS), PHOENIX, DRAGON),
    )
}
"""All cards from the lowest to the highest: the Dog, the Mah Jong, 2 to A (jade, sword, pagoda, star), Phoenix, Dragon."""

assert len(ORDER) == len(PACK_TICHU)


@dataclass(frozen=True, slots=True)
class Combo:
    """A combination: its kind, number of cards, and strength in half steps."""

    kind: str
    size: int
    strength: int

    @property
    def rank(self) -> int | float:
        """The strength in whole ranks: 1 to 14, the Dragon 15, a single Phoenix half a rank more, the Dog 0."""
        return self.strength / 2 if self.strength % 2 else self.strength // 2


@dataclass(frozen=True, slots=True)
class Reading:
    """A combination, and the rank that the Phoenix stands for in it (None if it is not in it, or alone)."""

    combo: Combo
    phoenix: int | None = None


@cache
def combo(kind: str, size: int, strength: int) -> Combo:
    """Return the Combo with these values. Cached, since listings need thousands."""
    return Combo(kind, size, strength)


def rank_name(rank: int) -> str:
    """Return the name of a rank from 2 to 14: "2" to "A"."""
    return RANKS[rank - 2]


def rank_of(name: str) -> int | None:
    """Return the rank from 2 to 14 with this name, or None."""
    return RANKS.index(name) + 2 if len(name) == 1 and name in RANKS else None


def beats(new: Combo, top: Combo) -> bool:
    """Return whether a combination beats another: a bomb beats all but higher bombs, others need the same kind and size."""
    if new.kind == BOMB:
        return top.kind != BOMB or (new.size, new.strength) > (top.size, top.strength)
    return new.kind == top.kind and new.size == top.size and new.strength > top.strength


def phoenix_alone(top: Combo | None) -> Combo:
    """Return the single Phoenix: half a rank above the single under it, 1.5 if it is led. It does not beat the Dragon."""
    if top is None or top.kind != SINGLE or top.strength == DRAGON_STRENGTH:
        return combo(SINGLE, 1, PHOENIX_LED)
    return combo(SINGLE, 1, top.strength + 1)


def shape(ranks: Sequence[int]) -> Combo | None:
    """Return the combination of two or more ranks in rising order, without regard to suits; None for four of a kind.

    The Mah Jong's rank stands there once at most, as the Phoenix never takes it: so it can be in a straight only.
    """
    size = len(ranks)
    low, high = ranks[0], ranks[-1]
    if low == high:
        kind = {2: PAIR, 3: TRIPLE}.get(size)
        return combo(kind, size, 2 * high) if kind else None
    if size >= SHORTEST_RUN and all(b == a + 1 for a, b in pairwise(ranks)):
        return combo(STRAIGHT, size, 2 * high)
    if size == 5 and ranks[1] == low and ranks[3] == high and ranks[2] in (low, high):
        return combo(FULL_HOUSE, size, 2 * ranks[2])
    evens, odds = ranks[::2], ranks[1::2]
    if evens == odds and all(b == a + 1 for a, b in pairwise(evens)):
        return combo(STAIRS, size, 2 * high)
    return None


def readings_of(cards: tuple[Card, ...], top: Combo | None) -> tuple[Reading, ...]:
    """Return `readings`."""
    return _readings(cards, top if cards[:1] == (PHOENIX,) else None)


@lru_cache(maxsize=1024)
def _readings(cards: tuple[Card, ...], top: Combo | None) -> tuple[Reading, ...]:
    """Cached, since a play is read again when it is checked, carried out and shown, and most plays are a card or two."""
    return tuple(readings(cards, top))


def readings(cards: Iterable[Card], top: Combo | None = None) -> list[Reading]:
    """List the combinations that these cards can be, the highest first.

    `top` matters only for a single Phoenix, whose strength depends on the single that it is played on.
    """
    cards = tuple(cards)
    if len(set(cards)) != len(cards) or not cards:
        return []
    if len(cards) == 1:
        return [Reading(_single(cards[0], top))]
    if DOG in cards or DRAGON in cards:
        return []
    ranks = sorted(RANK[card] for card in cards if card != PHOENIX)
    if len(ranks) == len(cards):
        found = _bomb(cards, ranks) or shape(ranks)
        return [Reading(found)] if found else []
    stands_for = ((rank, shape(sorted((*ranks, rank)))) for rank in reversed(PHOENIX_RANKS))
    found_readings = [Reading(found, rank) for rank, found in stands_for if found]
    return sorted(found_readings, key=lambda reading: -reading.combo.strength)


def _single(card: Card, top: Combo | None) -> Combo:
    if card == PHOENIX:
        return phoenix_alone(top)
    if card == DOG:
        return combo(SINGLE, 1, DOG_STRENGTH)
    return combo(SINGLE, 1, DRAGON_STRENGTH if card == DRAGON else 2 * RANK[card])


def _bomb(cards: Sequence[Card], ranks: Sequence[int]) -> Combo | None:
    """Return the bomb that these cards are, if any. The Phoenix and the Mah Jong are never part of one."""
    size = len(cards)
    if MAH_JONG in cards:
        return None
    if size == 4 and ranks[0] == ranks[-1]:
        return combo(BOMB, size, 2 * ranks[0])
    if size >= SHORTEST_RUN and len({card[1] for card in cards}) == 1 and ranks[-1] - ranks[0] == size - 1:
        return combo(BOMB, size, 2 * ranks[-1])
    return None
