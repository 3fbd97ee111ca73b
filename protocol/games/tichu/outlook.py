"""Estimate a Tichu hand from its player's view: which plays will probably win a trick, and how best to divide the hand.

Uses only the public state and the player's own cards. The cost of a hand is the number of leads that are probably lost until
all its cards are played: each play costs 1, less its chance to win the trick (`Outlook.cost`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from protocol.cards import DOG, DRAGON, PACK_TICHU, PHOENIX, Card, Seat
from protocol.games.tichu.combinations import (
    ACE,
    BOMB,
    DOG_STRENGTH,
    DRAGON_STRENGTH,
    FULL_HOUSE,
    PAIR,
    SHORTEST_RUN,
    SINGLE,
    STAIRS,
    STRAIGHT,
    TRIPLE,
    Combo,
    combo,
)
from protocol.games.tichu.plays import BIT, PlayGroup, bits_of, bombs_in
from protocol.games.tichu.state import SEATS, TichuState, team
from protocol.values import dataclass

Counts: TypeAlias = int
"""The number of cards of each rank, four bits a rank, the Mah Jong's at 1: it can be added to and looked up quickly."""

Chances: TypeAlias = Sequence[Sequence[float]]
"""The chances to hold at least so many of so many copies."""

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
FULL_HOUSE_FOLLOWS, ALIKE_FOLLOW, RUN_FOLLOWS = 0.7, 0.75, 0.8
"""The chance that a player who can beat such a combination does so."""

AGED = 10
"""After this many cards who imagines a round lets its players estimate their hands anew."""
MOST_WAYS = 1 << 16
"""How many hands' plays are remembered."""

_ALL_BITS = bits_of(PACK_TICHU)
_RANKED = ~15
"""The bits of the cards that have a rank."""
_ODD_BITS = sum(5 << 4 * rank for rank in range(ACE + 1))
_PAIRS_OF_BITS = sum(3 << 4 * rank for rank in range(ACE + 1))
_GUARDS = sum(8 << 4 * rank for rank in range(ACE + 1))
"""A bit above each rank's number, which is at most 4: what is subtracted from more than is there, takes it away."""


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
        bits = _ALL_BITS & ~(bits_of(state.played) | bits_of(hand))
        counts = _counts(bits)
        self.unseen = [counts >> 4 * rank & 15 for rank in range(ACE + 1)]
        self.unseen_special = [card for card in (PHOENIX, DRAGON) if bits & BIT[card]]
        self.foes = [each for each in range(SEATS) if team(each) != team(seat)]
        hidden = sum(size for each, size in enumerate(state.hand_sizes) if each != seat) or 1
        self.foe_sizes = [state.hand_sizes[each] for each in self.foes]
        self.foe_parts = [size / hidden for size in self.foe_sizes]
        self._having = [_chances(part) for part in self.foe_parts]
        self._holds: list[float | None] = [None] * len(_COMBOS)
        """The chance that each combination holds, by its number."""
        self._least_costs: dict[Counts, float] = {0: 0.0}
        """The cost of the cheapest plan for these ranks."""
        self._costs: list[float | None] = [None] * len(_COMBOS)
        """The cost of each combination, by its number."""
        self._hands: dict[int, float] = {}
        """The cost of each hand, by its bits."""

    # --- what holds ---

    def holds(self, what: Combo) -> float:
        """Return the chance that no opponent beats this play, bombs excepted."""
        return self._holding(_NUMBERS[what])

    def _holding(self, number: int) -> float:
        if (known := self._holds[number]) is None:
            known = self._holds[number] = self._work_out(number)
        return known

    def _work_out(self, number: int) -> float:
        """Combinations are beaten by those of the next height and all that beat these."""
        what, above = _COMBOS[number], _ABOVE[number]
        if what.kind == SINGLE:
            return self._single_holds(what.strength)
        if above is None:
            return BOMB_HOLDS if what.kind == BOMB else 1.0
        chance = self._holding(above)
        for part, size, having in zip(self.foe_parts, self.foe_sizes, self._having, strict=True):
            if size >= what.size:
                chance *= self._withstands(what, what.strength // 2 + 1, part, having)
        return chance

    def _single_holds(self, strength: int) -> float:
        if strength == DOG_STRENGTH:
            return 0.0
        part = sum(self.foe_parts)
        if strength >= 2 * ACE:
            chance = 1.0
            for card in self.unseen_special:
                if strength < DRAGON_STRENGTH:
                    chance *= 1 - part * WILLING[card]
            return chance
        rank = strength // 2 + 1
        willing = WILLING_ACE if rank == ACE else WILLING_KING if rank == ACE - 1 else WILLING_OTHER
        return self.holds(combo(SINGLE, 1, 2 * rank)) * (1 - part * willing) ** self.unseen[rank]

    def _withstands(self, what: Combo, high: int, part: float, at_least: Chances) -> float:
        """Return the chance that an opponent, who holds this share of the hidden cards, cannot or will not play the same
        combination with this rank as the highest."""
        phoenix = 0.5 * part if PHOENIX in self.unseen_special else 0.0
        if what.kind in (PAIR, TRIPLE, FULL_HOUSE):
            need, copies = (2 if what.kind == PAIR else 3), self.unseen[high]
            having = at_least[need][copies]
            having += phoenix * (at_least[need - 1][copies] - having)
            return 1 - (FULL_HOUSE_FOLLOWS if what.kind == FULL_HOUSE else ALIKE_FOLLOW) * having
        chances, length = (at_least[1], what.size) if what.kind == STRAIGHT else (at_least[2], what.size // 2)
        having = lowest = 1.0
        for copies in self.unseen[high - length + 1 : high + 1]:
            if (each := chances[copies]) < lowest:
                lowest = each
            having *= each
        if phoenix and lowest > 0:
            having += phoenix * (having / lowest - having)
        return 1 - RUN_FOLLOWS * having

    # --- how a hand falls into plays ---

    def cost(self, hand: Sequence[Card]) -> float:
        """Estimate how many leads are lost until these cards are played."""
        return self.cost_of(bits_of(hand))

    def cost_of(self, bits: int) -> float:
        """Estimate how many leads are lost until these cards are played, given as `plays.bits_of` does."""
        if (known := self._hands.get(bits)) is None:
            known = self._by_ranks(bits, 0.0)[0]
            for bomb in _suited_bombs(bits):
                known = min(known, self._by_ranks(bits - bits_of(bomb.cards[0]), self._item_cost(bomb.combo))[0])
            self._hands[bits] = known
        return known

    def plan(self, hand: Sequence[Card]) -> HandPlan:
        """Return the cheapest plan found for a hand."""
        bits = bits_of(hand)
        plans = [self._planned(bits, ())]
        for bomb in _suited_bombs(bits):
            cards = bomb.cards[0]
            plans.append(self._planned(bits - bits_of(cards), (Item(bomb.combo, bomb.ranks, cards),)))
        return min(plans, key=lambda plan: plan.cost)

    def _planned(self, bits: int, first: tuple[Item, ...]) -> HandPlan:
        """Return the cheapest plan without regard to suits, after plays that are fixed."""
        cost, counts, phoenix = self._by_ranks(bits, sum(self._item_cost(item.combo) for item in first))
        alone = [*first]
        if bits & BIT[DOG]:
            alone.append(Item(combo(SINGLE, 1, DOG_STRENGTH), (), (DOG,)))
        if bits & BIT[DRAGON]:
            alone.append(Item(combo(SINGLE, 1, DRAGON_STRENGTH), (), (DRAGON,)))
        if bits & BIT[PHOENIX] and not phoenix:
            alone.append(Item(combo(SINGLE, 1, 2 * ACE + 1), (), (PHOENIX,)))
        return HandPlan(cost, (*alone, *self._cheapest(counts)), phoenix)

    def _by_ranks(self, bits: int, cost: float) -> tuple[float, Counts, int]:
        """Return the cost of the cheapest plan without regard to suits, after plays of this cost, the ranks with the Phoenix
        in its place, and that place (0: alone or not held)."""
        counts = _counts(bits)
        if bits & BIT[DOG]:
            cost += DOG_COST
        if bits & BIT[DRAGON]:
            cost += self._item_cost(combo(SINGLE, 1, DRAGON_STRENGTH))
        if not bits & BIT[PHOENIX]:
            return cost + self._least(counts), counts, 0
        best, chosen, place = 1 - CONTROL * PHOENIX_ALONE_HOLDS + self._least(counts), counts, 0
        for rank in _phoenix_places(counts):
            with_it = counts + (1 << 4 * rank)
            if (least := self._least(with_it)) < best:
                best, chosen, place = least, with_it, rank
        return cost + best, chosen, place

    def _item_cost(self, what: Combo) -> float:
        return self._number_cost(_NUMBERS[what])

    def _number_cost(self, number: int) -> float:
        if _COMBOS[number].kind == BOMB:
            return 1 - CONTROL - BOMB_WORTH
        return 1 - CONTROL * self._holding(number)

    def _cheapest(self, counts: Counts) -> list[Item]:
        """Return the cheapest plays for these ranks."""
        items = []
        while counts:
            _, item, counts = min(_ways(counts), key=lambda way: self._least(way[2]) + self._number_cost(way[0]))
            items.append(item)
        return items

    def _least(self, counts: Counts) -> float:
        """Return the cost of the cheapest plays: try each play that uses the lowest rank, and recurse for the rest."""
        costs, least = self._costs, self._least_costs
        if (best := least.get(counts)) is not None:
            return best
        best = 99.0
        for number, _, rest in _ways(counts):
            if (cost := least.get(rest)) is None:
                cost = self._least(rest)
            if (own := costs[number]) is None:
                own = costs[number] = self._number_cost(number)
            cost += own
            if cost < best:
                best = cost
        least[counts] = best
        return best


class Estimates:
    """Estimates of hands in one imagined deal. They serve for several moves, and until the next AGED cards for all of its
    futures."""

    def __init__(self, own: tuple[TichuState, Seat, HandEstimates] | None = None) -> None:
        """`own`: what a seat estimates before the deal is imagined; it is the same in all of them."""
        self._known: dict[tuple[Seat, int], HandEstimates] = {}
        if own is not None:
            state, seat, outlook = own
            self._known[seat, len(state.played) // AGED] = outlook

    def __call__(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> HandEstimates:
        place = seat, len(state.played) // AGED
        if (outlook := self._known.get(place)) is None:
            outlook = self._known[place] = HandEstimates(state, seat, hand)
        return outlook


def _counts(bits: int) -> Counts:
    """Return how many cards of each rank there are."""
    bits &= _RANKED
    bits -= bits >> 1 & _ODD_BITS
    return (bits & _PAIRS_OF_BITS) + (bits >> 2 & _PAIRS_OF_BITS)


def _suited_bombs(bits: int) -> list[PlayGroup]:
    """Return the bombs of one suit."""
    bombs = bombs_in(bits)
    return [bomb for bomb in bombs if bomb.combo.size >= SHORTEST_RUN] if bombs else bombs


def _chances(part: float) -> Chances:
    """Return the chances to hold at least 0 to 3 of 0 to 4 copies, each of which is held with the chance `part`."""
    lost, rows = 1 - part, []
    for copies in range(5):
        none = lost**copies
        one = copies * part * lost ** (copies - 1) if copies else 0.0
        two = copies * (copies - 1) / 2 * part**2 * lost ** (copies - 2) if copies > 1 else 0.0
        rows.append((1.0, 1 - none, 1 - none - one if copies > 1 else 0.0, 1 - none - one - two if copies > 2 else 0.0))
    return list(zip(*rows, strict=True))


@lru_cache(maxsize=MOST_WAYS)
def _phoenix_places(counts: Counts) -> tuple[int, ...]:
    """Return the ranks that the Phoenix may usefully stand for: with one or two cards of that rank, or in a straight."""
    held, places = [counts >> 4 * rank & 15 for rank in range(ACE + 2)], []
    for rank in range(2, ACE + 1):
        if held[rank] in (1, 2):
            places.append(rank)
        elif not held[rank]:
            low = high = rank
            while low > 1 and held[low - 1]:
                low -= 1
            while held[high + 1]:
                high += 1
            if high - low + 1 >= SHORTEST_RUN:
                places.append(rank)
    return tuple(places)


# --- the plays of ranks ---


def _plays_of_lowest(low: int) -> Iterator[Item]:
    """Yield all plays, by rank, whose lowest rank this is."""
    yield Item(combo(SINGLE, 1, 2 * low), (low,))
    if low > 1:
        yield Item(combo(PAIR, 2, 2 * low), (low, low))
        for other in range(low + 1, ACE + 1):
            yield Item(combo(FULL_HOUSE, 5, 2 * other), (other, other, other, low, low))
        yield Item(combo(TRIPLE, 3, 2 * low), (low, low, low))
        for other in range(low + 1, ACE + 1):
            yield Item(combo(FULL_HOUSE, 5, 2 * low), (low, low, low, other, other))
        yield Item(combo(BOMB, 4, 2 * low), (low, low, low, low))
        for high in range(low + 1, ACE + 1):
            ranks = tuple(rank for rank in range(low, high + 1) for _ in (0, 1))
            yield Item(combo(STAIRS, len(ranks), 2 * high), ranks)
    for high in range(low + SHORTEST_RUN - 1, ACE + 1):
        yield Item(combo(STRAIGHT, high - low + 1, 2 * high), tuple(range(low, high + 1)))


_PLAYS: Sequence[Sequence[tuple[Item, Counts]]] = [
    [(item, sum(1 << 4 * rank for rank in item.ranks)) for item in _plays_of_lowest(low)] if low else []
    for low in range(ACE + 1)
]
"""All plays whose lowest rank this is, and the cards that they need."""
_SINGLES = [combo(SINGLE, 1, strength) for strength in range(DRAGON_STRENGTH + 1)]
_SUITED = [combo(BOMB, size, 2 * high) for size in range(SHORTEST_RUN, ACE) for high in range(size + 1, ACE + 1)]
_COMBOS: Sequence[Combo] = list(
    dict.fromkeys((*_SINGLES, *_SUITED, *(item.combo for plays in _PLAYS for item, _ in plays)))
)
"""All combinations, each of which has its place for a number: faster to look up than the combination."""
_NUMBERS = {what: number for number, what in enumerate(_COMBOS)}
_ABOVE = [
    None if what.kind == BOMB else _NUMBERS.get(combo(what.kind, what.size, what.strength + 2)) for what in _COMBOS
]
"""The number of the combination that is one rank higher, if there is one; of bombs none."""


@cache
def _plays_with(low: int, held: int) -> Sequence[tuple[int, Item, Counts]]:
    """List the plays whose lowest rank this is, with so many cards of it or fewer: the combination's number, the play, and the
    cards that it needs."""
    return [(_NUMBERS[item.combo], item, need) for item, need in _PLAYS[low] if need >> 4 * low & 15 <= held]


@lru_cache(maxsize=MOST_WAYS)
def _ways(counts: Counts) -> tuple[tuple[int, Item, Counts], ...]:
    """List all plays, by rank, that use the lowest rank of a hand: the combination's number, the play, and what it leaves.

    The same few hands are looked at again and again, and what they can be divided into depends on nothing else.
    """
    low = ((counts & -counts).bit_length() - 1) // 4
    guarded = counts | _GUARDS
    return tuple(
        (number, item, counts - need)
        for number, item, need in _plays_with(low, counts >> 4 * low & 15)
        if guarded - need & _GUARDS == _GUARDS
    )
