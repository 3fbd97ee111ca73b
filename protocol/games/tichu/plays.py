"""List what a hand can play: all combinations in it, or those that beat the one on the table.

The same cards read in two ways are two plays. So are different suits of one rank, since different cards stay in the hand.
Plays that differ only in suits form a group, so that wishes, defaults and bots can consider a whole group at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from protocol.cards import DOG, DRAGON, PHOENIX, TICHU_SUITS, Card
from protocol.games.tichu.combinations import (
    ACE,
    BOMB,
    DOG_STRENGTH,
    DRAGON_STRENGTH,
    FULL_HOUSE,
    ORDER,
    PAIR,
    RANK,
    SHORTEST_RUN,
    SINGLE,
    SMALLEST_BOMB,
    STAIRS,
    STRAIGHT,
    TRIPLE,
    Combo,
    beats,
    combo,
    phoenix_alone,
)

Cards = tuple[Card, ...]


class Group(NamedTuple):
    """Plays that differ in suits only.

    `phoenix` is the rank that the Phoenix stands for, or None; `ranks` are those of the cards themselves, the Phoenix left
    out; `cards` holds each play's cards, the lowest rank first and the Phoenix in its place.
    """

    combo: Combo
    phoenix: int | None
    ranks: tuple[int, ...]
    cards: Sequence[Cards]


class Holding:
    """A hand sorted by rank, computed once for many questions. Not changed afterwards, as it is shared."""

    __slots__ = ("bombs", "cards", "has_dog", "has_dragon", "has_phoenix", "ranks")

    def __init__(self, hand: Iterable[Card]) -> None:
        self.cards: list[Card] = sorted(hand, key=ORDER.__getitem__)
        self.ranks: list[list[Card]] = [[] for _ in range(ACE + 1)]
        """The cards of each rank by suit; the Mah Jong at 1."""
        self.has_dog = self.has_dragon = self.has_phoenix = False
        for card in self.cards:
            if (rank := RANK.get(card)) is not None:
                self.ranks[rank].append(card)
            elif card == PHOENIX:
                self.has_phoenix = True
            elif card == DOG:
                self.has_dog = True
            else:
                self.has_dragon = True
        self.bombs: list[Group] = []
        """All bombs in the hand: four of a kind, then straights."""
        if len(self.cards) >= SMALLEST_BOMB:
            _four_of_a_kind(self, self.bombs)
            _straight_bombs(self, self.bombs)


@lru_cache(maxsize=512)
def holding(hand: Cards) -> Holding:
    """Return the hand sorted. Cached, since a seat is asked again and again while others move."""
    return Holding(hand)


def groups(hand: Iterable[Card], top: Combo | None = None, bombs_only: bool = False) -> list[Group]:
    """List what a hand can lead (without `top`) or play on it, bombs last; with `bombs_only` only bombs."""
    held = holding(tuple(hand))
    found: list[Group] = []
    if not bombs_only:
        for kind in _LISTED if top is None else () if top.kind == BOMB else (top.kind,):
            _LISTED[kind](held, top, found)
    if held.bombs:
        found += held.bombs if top is None else [bomb for bomb in held.bombs if beats(bomb.combo, top)]
    return found


def can_play_rank(hand: Sequence[Card], top: Combo | None, rank: int) -> bool:
    """Return whether a hand in turn can meet a wish: it has a legal play, bombs included, with a card of this rank."""
    if not holding(tuple(hand)).ranks[rank]:
        return False
    return top is None or any(rank in group.ranks for group in groups(hand, top))


def _above(top: Combo | None) -> int:
    """Return the strength that a play of the same kind must exceed."""
    return -1 if top is None else top.strength


def _singles(held: Holding, top: Combo | None, found: list[Group]) -> None:
    above = _above(top)
    if held.has_dog and top is None:
        found.append(Group(combo(SINGLE, 1, DOG_STRENGTH), None, (), [(DOG,)]))
    for rank, cards in enumerate(held.ranks):
        if cards and 2 * rank > above:
            found.append(Group(combo(SINGLE, 1, 2 * rank), None, (rank,), [(card,) for card in cards]))
    if held.has_phoenix and above < DRAGON_STRENGTH:
        found.append(Group(phoenix_alone(top), None, (), [(PHOENIX,)]))
    if held.has_dragon:
        found.append(Group(combo(SINGLE, 1, DRAGON_STRENGTH), None, (), [(DRAGON,)]))


def _pairs(held: Holding, top: Combo | None, found: list[Group]) -> None:
    for rank in range(max(2, _above(top) // 2 + 1), ACE + 1):
        if not (cards := held.ranks[rank]):
            continue
        what = combo(PAIR, 2, 2 * rank)
        if len(cards) >= 2:
            found.append(Group(what, None, (rank,), list(combinations(cards, 2))))
        if held.has_phoenix:
            found.append(Group(what, rank, (rank,), [(card, PHOENIX) for card in cards]))


def _triples(held: Holding, top: Combo | None, found: list[Group]) -> None:
    for rank in range(max(2, _above(top) // 2 + 1), ACE + 1):
        if len(cards := held.ranks[rank]) < 2:
            continue
        what = combo(TRIPLE, 3, 2 * rank)
        if len(cards) >= 3:
            found.append(Group(what, None, (rank,), list(combinations(cards, 3))))
        if held.has_phoenix:
            found.append(Group(what, rank, (rank,), [(*two, PHOENIX) for two in combinations(cards, 2)]))


def _full_houses(held: Holding, top: Combo | None, found: list[Group]) -> None:
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
                found.append(Group(what, None, ranks, cards))
            if held.has_phoenix and len(threes) >= 3:
                cards = [(*three, card, PHOENIX) for three in combinations(threes, 3) for card in twos]
                found.append(Group(what, pair, ranks, cards))
            if held.has_phoenix and len(twos) >= 2:
                cards = [(*three, PHOENIX, *two) for three in combinations(threes, 2) for two in combinations(twos, 2)]
                found.append(Group(what, triple, ranks, cards))


def _straights(held: Holding, top: Combo | None, found: list[Group]) -> None:
    for low, high, gap in _runs(held, top):
        ranks = tuple(rank for rank in range(low, high + 1) if rank != gap)
        what = combo(STRAIGHT, high - low + 1, 2 * high)
        if gap:
            slots = [held.ranks[rank] for rank in ranks]
            slots.insert(gap - low, [PHOENIX])
            found.append(Group(what, gap, ranks, list(product(*slots))))
            continue
        cards = list(product(*[held.ranks[rank] for rank in ranks]))
        if low > 1 and _common_suit(held, ranks):
            cards = [each for each in cards if len({card[1] for card in each}) > 1]  # those of one suit are bombs
        if cards:
            found.append(Group(what, None, ranks, cards))


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


def _stairs(held: Holding, top: Combo | None, found: list[Group]) -> None:
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


def _stair(held: Holding, low: int, high: int, gap: int) -> Group:
    """Return the stairs from one rank to another, with the Phoenix for a card of rank `gap` (0 for none)."""
    ranks = tuple(range(low, high + 1))
    slots: list[list[Cards]] = [
        [(card, PHOENIX) for card in held.ranks[rank]] if rank == gap else list(combinations(held.ranks[rank], 2))
        for rank in ranks
    ]
    cards = [sum(each, ()) for each in product(*slots)]
    return Group(combo(STAIRS, 2 * len(ranks), 2 * high), gap or None, ranks, cards)


def _four_of_a_kind(held: Holding, found: list[Group]) -> None:
    for rank in range(2, ACE + 1):
        if len(held.ranks[rank]) == 4:
            found.append(Group(combo(BOMB, 4, 2 * rank), None, (rank,), [tuple(held.ranks[rank])]))


def _straight_bombs(held: Holding, found: list[Group]) -> None:
    suits: dict[str, list[Card | None]] = {}
    for card in held.cards:
        if (rank := RANK.get(card, 0)) > 1:
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
                    found.append(Group(what, None, tuple(range(low, high + 1)), [tuple(run)]))


_LISTED: Mapping[str, Callable[[Holding, Combo | None, list[Group]], None]] = {
    SINGLE: _singles,
    PAIR: _pairs,
    TRIPLE: _triples,
    FULL_HOUSE: _full_houses,
    STRAIGHT: _straights,
    STAIRS: _stairs,
}
"""What lists the plays of each kind that are no bombs, in the order of the list."""
