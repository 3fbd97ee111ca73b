"""List what a hand can play: all combinations in it, or those that beat the one on the table.

The same cards read in two ways are two plays. So are different suits of one rank, since different cards stay in the hand.
Plays that differ only in suits form a group, so that wishes, defaults and bots can consider a whole group at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from protocol.cards import DOG, DRAGON, PHOENIX, TICHU_SUITS, Card
from protocol.games.tichu.combinations import (
    ACE,
    BOMB,
    DOG_STRENGTH,
    DRAGON_STRENGTH,
    FULL_HOUSE,
    PAIR,
    RANK,
    SHORTEST_RUN,
    SINGLE,
    STAIRS,
    STRAIGHT,
    TRIPLE,
    Combo,
    beats,
    combo,
    phoenix_alone,
)

Cards = tuple[Card, ...]


class PlayGroup(NamedTuple):
    """Plays that differ in suits only.

    `phoenix` is the rank that the Phoenix stands for, or None; `ranks` are those of the cards themselves, the Phoenix left
    out; `cards` holds each play's cards, the lowest rank first and the Phoenix in its place.
    """

    combo: Combo
    phoenix: int | None
    ranks: tuple[int, ...]
    cards: Sequence[Cards]


BIT: Mapping[Card, int] = {
    card: 1 << 4 * RANK[card] + (TICHU_SUITS.index(card[1]) if RANK[card] > 1 else 0) for card in RANK
} | {card: 1 << place for place, card in enumerate((DOG, PHOENIX, DRAGON))}
"""A bit for each card, four a rank from the lowest, so that a hand is a number; the cards without a rank stand at rank 0."""
_OF_RANK: Sequence[Sequence[Cards]] = [
    [tuple(card for card in RANK if RANK[card] == rank and BIT[card] >> 4 * rank & bits) for bits in range(16)]
    for rank in range(ACE + 1)
]
"""The cards of each rank by suit, for each set of four bits."""
_FIRST_SUIT = sum(1 << 4 * rank for rank in range(2, ACE + 1))
"""The first suit's bit of each rank that a bomb may have."""


def bits_of(cards: Iterable[Card]) -> int:
    """Return different cards as a number."""
    return sum(map(BIT.__getitem__, cards))


class Holding:
    """A hand sorted by rank, computed once for many questions. Not changed afterwards, as it is shared."""

    __slots__ = ("bombs", "has_dog", "has_dragon", "has_phoenix", "ranks")

    def __init__(self, bits: int) -> None:
        self.ranks: Sequence[Cards] = [cards[bits >> 4 * rank & 15] for rank, cards in enumerate(_OF_RANK)]
        """The cards of each rank by suit; the Mah Jong at 1."""
        self.has_dog = bits & BIT[DOG] > 0
        self.has_phoenix = bits & BIT[PHOENIX] > 0
        self.has_dragon = bits & BIT[DRAGON] > 0
        self.bombs: list[PlayGroup] = []
        """All bombs in the hand: four of a kind, then straights."""
        if bits & bits >> 1 & bits >> 2 & bits >> 3 & _FIRST_SUIT:
            _four_of_a_kind(self, self.bombs)
        suited = bits >> 8  # without the Mah Jong
        if suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16:
            _straight_bombs(self, self.bombs)


@lru_cache(maxsize=2048)
def holding(bits: int) -> Holding:
    """Return the hand sorted. Cached, since a seat is asked again and again while others move."""
    return Holding(bits)


def groups(hand: Iterable[Card], top: Combo | None = None, bombs_only: bool = False) -> list[PlayGroup]:
    """List what a hand can lead (without `top`) or play on it, bombs last; with `bombs_only` only bombs."""
    held = holding(bits_of(hand))
    found: list[PlayGroup] = []
    if not bombs_only:
        for kind in _LISTED if top is None else () if top.kind == BOMB else (top.kind,):
            _LISTED[kind](held, top, found)
    if held.bombs:
        found += held.bombs if top is None else [bomb for bomb in held.bombs if beats(bomb.combo, top)]
    return found


def has_bomb(hand: Iterable[Card]) -> bool:
    """Return whether a hand holds any bomb, high enough or not."""
    return bool(holding(bits_of(hand)).bombs)


def can_play_rank(hand: Sequence[Card], top: Combo | None, rank: int) -> bool:
    """Return whether a hand in turn can meet a wish: it has a legal play, bombs included, with a card of this rank."""
    if not holding(bits_of(hand)).ranks[rank]:
        return False
    return top is None or any(rank in group.ranks for group in groups(hand, top))


def _above(top: Combo | None) -> int:
    """Return the strength that a play of the same kind must exceed."""
    return -1 if top is None else top.strength


@cache
def _alike(kind: str, cards: Cards, phoenix: bool = False) -> PlayGroup:
    """Return the singles, pairs or triples of these cards of one rank, with the Phoenix or without. Cached: there are some
    hundreds, and listings need them again and again."""
    size, rank = _SIZES[kind], RANK[cards[0]]
    what = combo(kind, size, 2 * rank)
    if phoenix:
        return PlayGroup(what, rank, (rank,), [(*each, PHOENIX) for each in combinations(cards, size - 1)])
    return PlayGroup(what, None, (rank,), list(combinations(cards, size)))


_SIZES: Mapping[str, int] = {SINGLE: 1, PAIR: 2, TRIPLE: 3}
_THE_DOG = PlayGroup(combo(SINGLE, 1, DOG_STRENGTH), None, (), [(DOG,)])
_THE_DRAGON = PlayGroup(combo(SINGLE, 1, DRAGON_STRENGTH), None, (), [(DRAGON,)])


def _singles(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    above = _above(top)
    if held.has_dog and top is None:
        found.append(_THE_DOG)
    found += [_alike(SINGLE, cards) for cards in held.ranks[above // 2 + 1 :] if cards]
    if held.has_phoenix and above < DRAGON_STRENGTH:
        found.append(PlayGroup(phoenix_alone(top), None, (), [(PHOENIX,)]))
    if held.has_dragon:
        found.append(_THE_DRAGON)


def _pairs(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    for cards in held.ranks[max(2, _above(top) // 2 + 1) :]:
        if len(cards) >= 2:
            found.append(_alike(PAIR, cards))
        if cards and held.has_phoenix:
            found.append(_alike(PAIR, cards, True))


def _triples(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    for cards in held.ranks[max(2, _above(top) // 2 + 1) :]:
        if len(cards) >= 3:
            found.append(_alike(TRIPLE, cards))
        if len(cards) >= 2 and held.has_phoenix:
            found.append(_alike(TRIPLE, cards, True))


def _full_houses(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    lowest = max(2, _above(top) // 2 + 1)
    for triple in range(lowest, ACE + 1):
        threes = held.ranks[triple]
        if len(threes) < 2 or (len(threes) == 2 and not held.has_phoenix):
            continue
        what = combo(FULL_HOUSE, 5, 2 * triple)
        for pair in range(2, ACE + 1):
            if pair == triple or not (twos := held.ranks[pair]):
                continue
            ranks = (triple, pair)
            if len(threes) >= 3 and len(twos) >= 2:
                cards = [three + two for three in combinations(threes, 3) for two in combinations(twos, 2)]
                found.append(PlayGroup(what, None, ranks, cards))
            if held.has_phoenix and len(threes) >= 3:
                cards = [(*three, card, PHOENIX) for three in combinations(threes, 3) for card in twos]
                found.append(PlayGroup(what, pair, ranks, cards))
            if held.has_phoenix and len(twos) >= 2:
                cards = [(*three, PHOENIX, *two) for three in combinations(threes, 2) for two in combinations(twos, 2)]
                found.append(PlayGroup(what, triple, ranks, cards))


def _straights(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    for low, high, gap in _runs(held, top):
        ranks = tuple(rank for rank in range(low, high + 1) if rank != gap)
        what = combo(STRAIGHT, high - low + 1, 2 * high)
        if gap:
            slots = [held.ranks[rank] for rank in ranks]
            slots.insert(gap - low, (PHOENIX,))
            found.append(PlayGroup(what, gap, ranks, list(product(*slots))))
            continue
        cards = list(product(*[held.ranks[rank] for rank in ranks]))
        if low > 1 and _common_suit(held, ranks):
            cards = [each for each in cards if len({card[1] for card in each}) > 1]  # those of one suit are bombs
        if cards:
            found.append(PlayGroup(what, None, ranks, cards))


def _runs(held: Holding, top: Combo | None) -> Iterator[tuple[int, int, int]]:
    """Yield straights as (lowest rank, highest rank, the Phoenix's rank or 0), without regard to suits."""
    size = 0 if top is None else top.size
    lowest_high = SHORTEST_RUN if top is None else top.strength // 2 + 1
    for low in range(1, ACE - SHORTEST_RUN + 2):
        gap = 0
        for high in range(low, ACE + 1):
            if not held.ranks[high]:
                if gap or not held.has_phoenix or high == 1:
                    break
                gap = high
            length = high - low + 1
            if size and length > size:
                break
            if length < (size or SHORTEST_RUN) or high < lowest_high:
                continue
            if gap:
                yield low, high, gap
                continue
            yield low, high, 0
            if held.has_phoenix:
                for each in range(max(low, 2), high + 1):
                    yield low, high, each


def _common_suit(held: Holding, ranks: Sequence[int]) -> bool:
    """Return whether the hand holds some suit in all these ranks."""
    suits = set(TICHU_SUITS)
    for rank in ranks:
        suits &= {card[1] for card in held.ranks[rank]}
        if not suits:
            return False
    return True


def _stairs(held: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    steps = 0 if top is None else top.size // 2
    lowest_high = 3 if top is None else top.strength // 2 + 1
    for low in range(2, ACE):
        gap = 0
        for high in range(low, ACE + 1):
            if len(held.ranks[high]) < 2:
                if gap or not held.has_phoenix or not held.ranks[high]:
                    break
                gap = high
            length = high - low + 1
            if steps and length > steps:
                break
            if length < (steps or 2) or high < lowest_high:
                continue
            if not gap:
                found.append(_stair(held, low, high, 0))
            if held.has_phoenix:
                found.extend(_stair(held, low, high, each) for each in ([gap] if gap else range(low, high + 1)))


def _stair(held: Holding, low: int, high: int, gap: int) -> PlayGroup:
    """Return the stairs from one rank to another, with the Phoenix for a card of rank `gap` (0 for none)."""
    ranks = tuple(range(low, high + 1))
    slots: list[list[Cards]] = [
        [(card, PHOENIX) for card in held.ranks[rank]] if rank == gap else list(combinations(held.ranks[rank], 2))
        for rank in ranks
    ]
    cards = [sum(each, ()) for each in product(*slots)]
    return PlayGroup(combo(STAIRS, 2 * len(ranks), 2 * high), gap or None, ranks, cards)


def _four_of_a_kind(held: Holding, found: list[PlayGroup]) -> None:
    for rank in range(2, ACE + 1):
        if len(held.ranks[rank]) == 4:
            found.append(PlayGroup(combo(BOMB, 4, 2 * rank), None, (rank,), [held.ranks[rank]]))


def _straight_bombs(held: Holding, found: list[PlayGroup]) -> None:
    suits: dict[str, list[Card | None]] = {}
    for rank, cards in enumerate(held.ranks[2:], 2):
        for card in cards:
            suits.setdefault(card[1], [None] * (ACE + 1))[rank] = card
    for row in suits.values():
        if len(row) - row.count(None) < SHORTEST_RUN:
            continue
        for low in range(2, ACE - SHORTEST_RUN + 2):
            run: list[Card] = []
            for high in range(low, ACE + 1):
                if (held_card := row[high]) is None:
                    break
                run.append(held_card)
                length = high - low + 1
                if length >= SHORTEST_RUN:
                    what = combo(BOMB, length, 2 * high)
                    found.append(PlayGroup(what, None, tuple(range(low, high + 1)), [tuple(run)]))


_LISTED: Mapping[str, Callable[[Holding, Combo | None, list[PlayGroup]], None]] = {
    SINGLE: _singles,
    PAIR: _pairs,
    TRIPLE: _triples,
    FULL_HOUSE: _full_houses,
    STRAIGHT: _straights,
    STAIRS: _stairs,
}
"""What lists the plays of each kind that are no bombs, in the order of the list."""
