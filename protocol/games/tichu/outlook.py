"""Estimate a Tichu hand from its player's view: which plays will probably win a trick, and how best to divide the hand.

Uses only the public state and the player's own cards. The cost of a hand is the number of leads that are probably lost until
all its cards are played: each play costs 1, less its chance to win the trick (`Outlook.cost`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import TypeAlias

from protocol.cards import DOG, DRAGON, PHOENIX, Card, Seat
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
    STAIRS,
    STRAIGHT,
    TRIPLE,
    Combo,
    combo,
)
from protocol.games.tichu.plays import groups
from protocol.games.tichu.state import SEATS, TichuState, team
from protocol.values import dataclass

Counts: TypeAlias = tuple[int, ...]
"""The number of cards of each rank, the Mah Jong at 1."""

CONTROL = 0.9
"""The part of its cost that a play saves if it surely wins the trick, because it keeps the lead."""
BOMB_WORTH = 0.5
"""The value of a bomb beyond the lead that it keeps, because it wins a lead back."""
DOG_COST = 0.6
PHOENIX_ALONE_HOLDS = 0.55
"""The chance that a single Phoenix, played at the right moment, wins the trick."""
BOMB_HOLDS = 0.98
WILLING = {PHOENIX: 0.45, DRAGON: 0.55}
"""The chance that a player who can beat a card with these does so."""
WILLING_ACE, WILLING_KING, WILLING_OTHER = 0.7, 0.8, 0.95

MOST_WAYS = 1 << 16
"""How many hands' plays are remembered."""
_numbers = count()


@dataclass(frozen=True, slots=True)
class Item:
    """One play of a plan: its combination, and the ranks that it uses (the Phoenix as the rank that it stands for)."""

    combo: Combo
    ranks: tuple[int, ...]
    cards: tuple[Card, ...] = ()
    """The cards of a bomb of one suit, where suits matter; else empty."""


@dataclass(frozen=True, slots=True)
class HandPlan:
    """A way to play a hand: its cost, its plays, and the rank that the Phoenix stands for (0: alone or not held)."""

    cost: float
    items: tuple[Item, ...]
    phoenix: int = 0


class HandEstimates:
    """The estimates of one seat for one decision. Caches its results."""

    def __init__(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> None:
        seen = {*state.played, *hand}
        self.unseen = [0] * (ACE + 1)
        for card, rank in RANK.items():
            if card not in seen:
                self.unseen[rank] += 1
        self.unseen_special = [card for card in (PHOENIX, DRAGON) if card not in seen]
        self.foes = [each for each in range(SEATS) if team(each) != team(seat)]
        hidden = sum(size for each, size in enumerate(state.hand_sizes) if each != seat) or 1
        self.foe_sizes = [state.hand_sizes[each] for each in self.foes]
        self.foe_parts = [size / hidden for size in self.foe_sizes]
        self._holds: dict[Combo, float] = {}
        self._best: dict[Counts, float] = {}
        self._first: dict[Counts, tuple[Item, Counts] | None] = {}
        """The first play of the cheapest plan for these ranks, and what it leaves."""
        self._costs: dict[int, float] = {}
        """The cost of each combination, by the number that `_ways` gives it."""
        self._plans: dict[tuple[Card, ...], HandPlan] = {}

    # --- what holds ---

    def holds(self, what: Combo) -> float:
        """Return the chance that no opponent beats this play, bombs excepted."""
        if (known := self._holds.get(what)) is None:
            known = self._holds[what] = self._work_out(what)
        return known

    def _work_out(self, what: Combo) -> float:
        if what.kind == BOMB:
            return BOMB_HOLDS
        if what.kind == SINGLE:
            return self._single_holds(what.strength)
        chance = 1.0
        for part, size in zip(self.foe_parts, self.foe_sizes, strict=True):
            if size >= what.size:
                chance *= self._withstands(what, part)
        return chance

    def _single_holds(self, strength: int) -> float:
        if strength == DOG_STRENGTH:
            return 0.0
        part = sum(self.foe_parts)
        chance = 1.0
        for rank in range(strength // 2 + 1, ACE + 1):
            willing = WILLING_ACE if rank == ACE else WILLING_KING if rank == ACE - 1 else WILLING_OTHER
            chance *= (1 - part * willing) ** self.unseen[rank]
        for card in self.unseen_special:
            if strength < DRAGON_STRENGTH:
                chance *= 1 - part * WILLING[card]
        return chance

    def _withstands(self, what: Combo, part: float) -> float:
        """Return the chance that an opponent, who holds this share of the hidden cards, cannot or will not beat it."""
        phoenix = 0.5 * part if PHOENIX in self.unseen_special else 0.0
        chance = 1.0
        if what.kind in (PAIR, TRIPLE, FULL_HOUSE):
            need = 2 if what.kind == PAIR else 3
            rest = 0.7 if what.kind == FULL_HOUSE else 0.75
            for rank in range(what.strength // 2 + 1, ACE + 1):
                having = _at_least(need, self.unseen[rank], part)
                having += phoenix * (_at_least(need - 1, self.unseen[rank], part) - having)
                chance *= 1 - rest * having
            return chance
        single_cards = what.kind == STRAIGHT
        length = what.size if single_cards else what.size // 2
        for high in range(what.strength // 2 + 1, ACE + 1):
            each = [_at_least(1 if single_cards else 2, self.unseen[high - i], part) for i in range(length)]
            having = 1.0
            for one in each:
                having *= one
            if phoenix:
                lowest = min(each)
                having += phoenix * (having / lowest - having if lowest > 0 else 0.0)
            chance *= 1 - 0.8 * having
        return chance

    # --- how a hand falls into plays ---

    def cost(self, hand: Sequence[Card]) -> float:
        """Estimate how many leads are lost until these cards are played."""
        return self.plan(hand).cost

    def plan(self, hand: Sequence[Card]) -> HandPlan:
        """Return the cheapest plan found for a hand."""
        key = tuple(sorted(hand, key=ORDER.__getitem__))
        if (known := self._plans.get(key)) is None:
            known = self._plans[key] = min(self._plans_of(key), key=lambda plan: plan.cost)
        return known

    def _plans_of(self, hand: tuple[Card, ...]) -> Iterator[HandPlan]:
        yield self._by_ranks(hand, ())
        if len(hand) >= SHORTEST_RUN:
            for group in groups(hand, None, bombs_only=True):
                if group.combo.size >= SHORTEST_RUN:
                    cards = group.cards[0]
                    item = Item(group.combo, group.ranks, cards)
                    yield self._by_ranks(tuple(card for card in hand if card not in cards), (item,))

    def _by_ranks(self, hand: tuple[Card, ...], first: tuple[Item, ...]) -> HandPlan:
        """Return the cheapest plan without regard to suits, after plays that are fixed."""
        counts = [0] * (ACE + 1)
        cost = sum(self._item_cost(item.combo) for item in first)
        has_phoenix = False
        alone: list[Item] = list(first)
        for card in hand:
            if (rank := RANK.get(card)) is not None:
                counts[rank] += 1
            elif card == PHOENIX:
                has_phoenix = True
            else:
                what = combo(SINGLE, 1, DOG_STRENGTH if card == DOG else DRAGON_STRENGTH)
                alone.append(Item(what, (), (card,)))
                cost += DOG_COST if card == DOG else self._item_cost(what)
        if not has_phoenix:
            least, items = self._cheapest(tuple(counts))
            return HandPlan(cost + least, (*alone, *items))
        by_itself = Item(combo(SINGLE, 1, 2 * ACE + 1), (), (PHOENIX,))
        best, chosen, first_rank = 1 - CONTROL * PHOENIX_ALONE_HOLDS + self._least(tuple(counts)), tuple(counts), 0
        for rank in _phoenix_places(counts):
            counts[rank] += 1
            with_it = tuple(counts)
            counts[rank] -= 1
            if (least := self._least(with_it)) < best:
                best, chosen, first_rank = least, with_it, rank
        _, items = self._cheapest(chosen)
        return HandPlan(cost + best, (*alone, *(() if first_rank else (by_itself,)), *items), first_rank)

    def _item_cost(self, what: Combo) -> float:
        if what.kind == BOMB:
            return 1 - CONTROL - BOMB_WORTH
        return 1 - CONTROL * self.holds(what)

    def _cheapest(self, counts: Counts) -> tuple[float, tuple[Item, ...]]:
        """Return the cheapest plays for these ranks, and their cost."""
        cost, left, items = self._least(counts), counts, []
        while (chosen := self._first[left]) is not None:
            item, left = chosen
            items.append(item)
        return cost, tuple(items)

    def _least(self, counts: Counts) -> float:
        """Return the cost of the cheapest plays: try each play that uses the lowest rank, and recurse for the rest."""
        best, chosen = 99.0, None
        costs, least = self._costs, self._best
        found = _ways(counts)
        for way in found:
            number, _, rest = way
            if (cost := least.get(rest)) is None:
                cost = self._least(rest)
            if (own := costs.get(number)) is None:
                own = costs[number] = self._item_cost(way[1].combo)
            cost += own
            if cost < best:
                best, chosen = cost, way
        if chosen is None:
            best = 0.0
        self._best[counts] = best
        self._first[counts] = None if chosen is None else chosen[1:]
        return best


def _at_least(need: int, copies: int, part: float) -> float:
    """Return the chance to hold this many of some copies, each of which is held with the chance `part`."""
    if copies < need:
        return 0.0
    none = (1 - part) ** copies
    if need == 1:
        return 1 - none
    one = copies * part * (1 - part) ** (copies - 1)
    if need == 2:
        return 1 - none - one
    two = copies * (copies - 1) / 2 * part**2 * (1 - part) ** (copies - 2)
    return 1 - none - one - two


def _phoenix_places(counts: Sequence[int]) -> list[int]:
    """Return the ranks that the Phoenix may usefully stand for: with one or two cards of that rank, or in a straight."""
    places = []
    for rank in range(2, ACE + 1):
        if counts[rank] in (1, 2):
            places.append(rank)
        elif not counts[rank]:
            low = high = rank
            while low > 1 and counts[low - 1]:
                low -= 1
            while high < ACE and counts[high + 1]:
                high += 1
            if high - low + 1 >= SHORTEST_RUN:
                places.append(rank)
    return places


@lru_cache(maxsize=MOST_WAYS)
def _ways(counts: Counts) -> tuple[tuple[int, Item, Counts], ...]:
    """List all plays, by rank, that use the lowest rank of a hand: the combination's number, the play, and what it leaves.

    The same few hands are looked at again and again, and what they can be divided into depends on nothing else.
    """
    low = next((rank for rank in range(1, ACE + 1) if counts[rank]), 0)
    if not low:
        return ()
    found = []
    for item in _plays_of_lowest(counts, low):
        rest = list(counts)
        for rank in item.ranks:
            rest[rank] -= 1
        found.append((_number(item.combo), item, tuple(rest)))
    return tuple(found)


@cache
def _number(_what: Combo) -> int:
    """Return a number of this combination's own: faster to look up than the combination."""
    return next(_numbers)


def _plays_of_lowest(counts: Counts, low: int) -> Iterator[Item]:
    """Yield all plays, by rank, that use the lowest rank of a hand."""
    held = counts[low]
    yield Item(combo(SINGLE, 1, 2 * low), (low,))
    if low > 1 and held >= 2:
        yield Item(combo(PAIR, 2, 2 * low), (low, low))
        for other in range(low + 1, ACE + 1):
            if counts[other] >= 3:
                yield Item(combo(FULL_HOUSE, 5, 2 * other), (other, other, other, low, low))
        if held >= 3:
            yield Item(combo(TRIPLE, 3, 2 * low), (low, low, low))
            for other in range(low + 1, ACE + 1):
                if counts[other] >= 2:
                    yield Item(combo(FULL_HOUSE, 5, 2 * low), (low, low, low, other, other))
        if held == 4:
            yield Item(combo(BOMB, 4, 2 * low), (low, low, low, low))
        high = low + 1
        while high <= ACE and counts[high] >= 2:
            ranks = tuple(rank for rank in range(low, high + 1) for _ in (0, 1))
            yield Item(combo(STAIRS, len(ranks), 2 * high), ranks)
            high += 1
    high = low + 1
    while high <= ACE and counts[high]:
        if high - low + 1 >= SHORTEST_RUN:
            yield Item(combo(STRAIGHT, high - low + 1, 2 * high), tuple(range(low, high + 1)))
        high += 1
