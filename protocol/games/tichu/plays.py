"""List what a hand can play: all combinations in it, or those that beat the one on the table.

The same cards read in two ways are two plays. So are different suits of one rank, since different cards stay in the hand.
Plays that differ only in suits form a group, so that wishes, defaults and bots can consider a whole group at once.

A hand is looked at as a number, so that what it can do is found once and then looked up: what the cards of one rank can be
played as, which straights its ranks allow, and what answers a combination.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from math import prod
from typing import overload

from protocol.cards import DOG, DRAGON, PHOENIX, TICHU_SUITS, Card, Hand
from protocol.games.tichu.combinations import (
    ACE,
    BOMB,
    DOG_STRENGTH,
    DRAGON_STRENGTH,
    FULL_HOUSE,
    PAIR,
    PHOENIX_RANKS,
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
    rank_name,
)
from protocol.games.tichu.moves import PlayCombination

Cards = tuple[Card, ...]


_NO_WISH = (None,)
WISHES: tuple[str | None, ...] = (None, *(rank_name(rank) for rank in PHOENIX_RANKS))


class PlayGroup:
    """Plays that differ in suits only.

    `phoenix` is the rank that the Phoenix stands for, or None; `ranks` are those of the cards themselves, the Phoenix left
    out; `cards` holds each play's cards, the lowest rank first and the Phoenix in its place.
    """

    __slots__ = ("_moves", "cards", "combo", "count", "phoenix", "ranks", "wishes")

    def __init__(self, combo: Combo, phoenix: int | None, ranks: tuple[int, ...], cards: Sequence[Cards]) -> None:
        self.combo, self.phoenix, self.ranks, self.cards = combo, phoenix, ranks, cards
        self.wishes = WISHES if 1 in ranks else _NO_WISH
        """The wishes that may go with each play."""
        self.count = len(cards) * len(self.wishes)
        """The number of moves, with all wishes."""
        self._moves: list[PlayCombination] | None = None

    @property
    def moves(self) -> list[PlayCombination]:
        """All plays as moves. Kept, since most groups are offered again and again."""
        if self._moves is None:
            self._moves = [self.move(index) for index in range(self.count)]
        return self._moves

    def move(self, index: int) -> PlayCombination:
        """Return one of the plays as a move."""
        which, wish = divmod(index, len(self.wishes))
        phoenix = None if self.phoenix is None else rank_name(self.phoenix)
        return PlayCombination(self.cards[which], self.wishes[wish], phoenix)


class Choices(Sequence[Cards]):
    """All ways to take one card of each slot, in the order of `product`; made when asked for, as there can be thousands."""

    def __init__(self, slots: Sequence[Cards]) -> None:
        self._slots = slots
        self._count = prod(map(len, slots))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Cards]:
        return product(*self._slots)

    @overload
    def __getitem__(self, index: int) -> Cards: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cards]: ...
    def __getitem__(self, index: int | slice) -> Cards | Sequence[Cards]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        chosen = []
        for slot in reversed(self._slots):
            index, place = divmod(index, len(slot))
            chosen.append(slot[place])
        return tuple(reversed(chosen))


# --- hands as numbers ---

BIT: Mapping[Card, int] = {
    card: 1 << 4 * RANK[card] + (TICHU_SUITS.index(card[1]) if RANK[card] > 1 else 0) for card in RANK
} | {card: 1 << place for place, card in enumerate((DOG, PHOENIX, DRAGON))}
"""A bit for each card, four a rank from the lowest, so that a hand is a number; the cards without a rank stand at rank 0."""
_DOG, _PHOENIX, _DRAGON = BIT[DOG], BIT[PHOENIX], BIT[DRAGON]
_RANKS = [15 << 4 * rank for rank in range(ACE + 1)]
"""The four bits of each rank."""
_FIRST_SUIT = sum(1 << 4 * rank for rank in range(2, ACE + 1))
"""The first suit's bit of each rank that a bomb may have."""


def bits_of(cards: Iterable[Card]) -> int:
    """Return different cards as a number."""
    return sum(map(BIT.__getitem__, cards))


class OfRank:
    """Cards of one rank, and what they can be played as."""

    __slots__ = (
        "bits",
        "cards",
        "count",
        "pair",
        "pair_with_phoenix",
        "place",
        "rank",
        "single",
        "triple",
        "triple_with_phoenix",
    )

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.cards: Cards = tuple(card for card in RANK if BIT[card] & bits)
        """By suit."""
        self.rank, self.count = RANK[self.cards[0]], len(self.cards)
        self.place = 1 << self.rank
        """A bit for the rank."""
        self.single, self.pair, self.triple = (self._alike(*what) for what in ((SINGLE, 1), (PAIR, 2), (TRIPLE, 3)))
        self.pair_with_phoenix, self.triple_with_phoenix = (
            self._alike(kind, size, PHOENIX) for kind, size in ((PAIR, 1), (TRIPLE, 2))
        )

    def _alike(self, kind: str, size: int, *phoenix: Card) -> PlayGroup:
        cards = [(*each, *phoenix) for each in combinations(self.cards, size)]
        what = combo(kind, size + len(phoenix), 2 * self.rank)
        return PlayGroup(what, self.rank if phoenix else None, (self.rank,), cards)


_of_rank = cache(OfRank)
"""Cached for each of the 15 sets of four suits, and for each rank."""


class Holding:
    """A hand sorted by rank, and what can be found out about it once for many questions."""

    __slots__ = ("_leads", "bits", "bombs", "has_phoenix", "ranks")

    def __init__(self, bits: int, bombs: Sequence[PlayGroup], among: Iterable[int] = _RANKS[1:]) -> None:
        """`among`: the ranks that it may hold, each as its cards."""
        self.bits = bits
        self.bombs = bombs
        """All bombs in the hand: four of a kind, then straights."""
        self.ranks = [_of_rank(cards) for rank in among if (cards := bits & rank)]
        """The ranks of which there are cards, from the lowest; the Mah Jong is one of rank 1."""
        self.has_phoenix = bits & _PHOENIX > 0
        self._leads: list[PlayGroup] | None = None

    def without(self, cards: Sequence[Card]) -> Holding:
        """See `protocol.cards.Known`."""
        bits = self.bits - bits_of(cards)
        return Holding(bits, bombs_in(bits) if self.bombs else (), [each.bits for each in self.ranks])

    @property
    def leads(self) -> list[PlayGroup]:
        """All that the hand can lead, bombs last."""
        if self._leads is None:
            found = self._leads = []
            for listed in _LISTED.values():
                listed(self, None, found)
            found += self.bombs
        return self._leads

    def answers(self, top: Combo) -> list[PlayGroup]:
        """List what beats these cards, bombs last."""
        found: list[PlayGroup] = []
        if top.kind != BOMB:
            _LISTED[top.kind](self, top, found)
        if self.bombs:
            found += [bomb for bomb in self.bombs if beats(bomb.combo, top)]
        return found


def holding(hand: Iterable[Card]) -> Holding:
    """Return what is known of a hand. A `Hand` keeps it until its cards change."""
    if not isinstance(hand, Hand):
        return _found_out(hand)
    known = hand.known
    if not isinstance(known, Holding):
        known = hand.known = _found_out(hand)
    return known


def _found_out(hand: Iterable[Card]) -> Holding:
    bits = bits_of(hand)
    return Holding(bits, bombs_in(bits))


# --- listing ---


def groups(hand: Iterable[Card], top: Combo | None = None, bombs_only: bool = False) -> list[PlayGroup]:
    """List what a hand can lead (without `top`) or play on it, bombs last; with `bombs_only` only bombs."""
    held = holding(hand)
    if bombs_only:
        return [bomb for bomb in held.bombs if top is None or beats(bomb.combo, top)]
    return [*held.leads] if top is None else held.answers(top)


def can_play_rank(hand: Sequence[Card], top: Combo | None, rank: int) -> bool:
    """Return whether a hand in turn can meet a wish: it has a legal play, bombs included, with a card of this rank."""
    held = holding(hand)
    if not held.bits & _RANKS[rank]:
        return False
    return top is None or any(rank in group.ranks for group in held.answers(top))


def _above(top: Combo | None) -> int:
    """Return the lowest rank, from 2, of a play of the same kind that is higher."""
    return 2 if top is None else max(2, top.strength // 2 + 1)


def _singles(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    if top is None:
        if hand.bits & _DOG:
            found.append(_THE_DOG)
        found += [each.single for each in hand.ranks]
    else:
        above = top.strength // 2
        found += [each.single for each in hand.ranks if each.rank > above]
    if hand.has_phoenix and (top is None or top.strength < DRAGON_STRENGTH):
        found.append(_the_phoenix(phoenix_alone(top)))
    if hand.bits & _DRAGON:
        found.append(_THE_DRAGON)


def _pairs(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    low = _above(top)
    if not hand.has_phoenix:
        found += [each.pair for each in hand.ranks if each.count >= 2 and each.rank >= low]
        return
    for each in hand.ranks:
        if each.rank >= low:
            if each.count >= 2:
                found.append(each.pair)
            found.append(each.pair_with_phoenix)


def _triples(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    low = _above(top)
    for each in hand.ranks:
        if each.count >= 2 and each.rank >= low:
            if each.count >= 3:
                found.append(each.triple)
            if hand.has_phoenix:
                found.append(each.triple_with_phoenix)


def _full_houses(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    low, least = _above(top), 2 if hand.has_phoenix else 3
    for three in hand.ranks:
        if three.count < least or three.rank < low:
            continue
        what = combo(FULL_HOUSE, 5, 2 * three.rank)
        for two in hand.ranks:
            if two is three or two.rank == 1:
                continue
            ranks = (three.rank, two.rank)
            if three.count >= 3 and two.count >= 2:
                found.append(PlayGroup(what, None, ranks, _joined(three.triple, two.pair)))
            if hand.has_phoenix and three.count >= 3:
                found.append(PlayGroup(what, two.rank, ranks, _joined(three.triple, two.pair_with_phoenix)))
            if hand.has_phoenix and two.count >= 2:
                found.append(PlayGroup(what, three.rank, ranks, _joined(three.triple_with_phoenix, two.pair)))


def _joined(*parts: PlayGroup) -> list[Cards]:
    """Return all cards that consist of one play of each group."""
    return [sum(each, ()) for each in product(*[part.cards for part in parts])]


def _straights(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    present = sum([each.place for each in hand.ranks])
    if not (hand.has_phoenix or present & present >> 1 & present >> 2 & present >> 3 & present >> 4):
        return
    cards = {each.rank: each.cards for each in hand.ranks}
    suited = _has_suited_run(hand.bits)
    for what, phoenix, ranks in _runs(present, hand.has_phoenix, top):
        slots = [cards[rank] for rank in ranks]
        ways: Sequence[Cards]
        if phoenix is not None:
            slots.insert(phoenix + what.size - 1 - what.strength // 2, (PHOENIX,))
            ways = Choices(slots)
        elif suited and ranks[0] > 1 and _common_suit(slots):  # those of one suit are bombs
            ways = [each for each in product(*slots) if len({card[1] for card in each}) > 1]
        else:
            ways = Choices(slots)
        if ways:
            found.append(PlayGroup(what, phoenix, ranks, ways))


@lru_cache(maxsize=4096)
def _runs(present: int, has_phoenix: bool, top: Combo | None) -> Sequence[tuple[Combo, int | None, tuple[int, ...]]]:
    """List straights as combination, the Phoenix's rank, and the other ranks, without regard to suits. `present`: a bit for each
    rank in the hand. Cached, since hands with other suits or more of a rank have the same ones."""
    shortest, longest = (SHORTEST_RUN, ACE) if top is None else (top.size, top.size)
    lowest_high = SHORTEST_RUN if top is None else top.strength // 2 + 1
    found: list[tuple[Combo, int | None, tuple[int, ...]]] = []
    for low in range(1, ACE - SHORTEST_RUN + 2):
        gap = None
        for high in range(low, min(ACE, low + longest - 1) + 1):
            if not present >> high & 1:
                if gap or not has_phoenix or high == 1:
                    break
                gap = high
            if high - low + 1 < shortest or high < lowest_high:
                continue
            what, ranks = combo(STRAIGHT, high - low + 1, 2 * high), tuple(range(low, high + 1))
            if not gap:
                found.append((what, None, ranks))
            if has_phoenix:
                stands_for = [gap] if gap else ranks[1:] if low == 1 else ranks
                found += [(what, each, tuple([rank for rank in ranks if rank != each])) for each in stands_for]
    return found


def _common_suit(slots: Sequence[Cards]) -> bool:
    """Return whether some suit is in all slots."""
    suits = set(TICHU_SUITS)
    for cards in slots:
        suits &= {card[1] for card in cards}
    return bool(suits)


def _stairs(hand: Holding, top: Combo | None, found: list[PlayGroup]) -> None:
    plain = [each for each in hand.ranks if each.rank > 1]
    pairs = sum([each.place for each in plain if each.count >= 2])
    beside = sum([each.place for each in plain]) if hand.has_phoenix else pairs
    if not pairs & (beside >> 1 | beside << 1):
        return
    steps = 0 if top is None else top.size // 2
    lowest_high = 3 if top is None else top.strength // 2 + 1
    for first, lowest in enumerate(plain):
        gap = 0
        for last, each in enumerate(plain[first:], first):
            length = last - first + 1
            if each.rank != lowest.rank + length - 1:
                break
            if each.count < 2:
                if gap or not hand.has_phoenix:
                    break
                gap = each.rank
            if steps and length > steps:
                break
            if length < (steps or 2) or each.rank < lowest_high:
                continue
            run = plain[first : last + 1]
            if not gap:
                found.append(_stair(run, 0))
            if hand.has_phoenix:
                found.extend(_stair(run, rank) for rank in ([gap] if gap else range(lowest.rank, each.rank + 1)))


def _stair(run: Sequence[OfRank], gap: int) -> PlayGroup:
    """Return the stairs of these ranks, with the Phoenix for a card of rank `gap` (0 for none)."""
    cards = _joined(*[each.pair_with_phoenix if each.rank == gap else each.pair for each in run])
    what, ranks = combo(STAIRS, 2 * len(run), 2 * run[-1].rank), tuple([each.rank for each in run])
    return PlayGroup(what, gap or None, ranks, cards)


@cache
def _the_phoenix(what: Combo) -> PlayGroup:
    """Return the Phoenix alone, as this single."""
    return PlayGroup(what, None, (), [(PHOENIX,)])


_THE_DOG = PlayGroup(combo(SINGLE, 1, DOG_STRENGTH), None, (), [(DOG,)])
_THE_DRAGON = PlayGroup(combo(SINGLE, 1, DRAGON_STRENGTH), None, (), [(DRAGON,)])
_LISTED: Mapping[str, Callable[[Holding, Combo | None, list[PlayGroup]], None]] = {
    SINGLE: _singles,
    PAIR: _pairs,
    TRIPLE: _triples,
    FULL_HOUSE: _full_houses,
    STRAIGHT: _straights,
    STAIRS: _stairs,
}
"""What lists the plays of each kind that are no bombs, in the order of the list."""
ALIKE = (SINGLE, PAIR, TRIPLE)
"""The kinds of cards of one rank, of which a hand holds few."""


# --- bombs ---


def _bombs(bits: int) -> list[PlayGroup]:
    """List all bombs of a hand: four of a kind, then straights."""
    found: list[PlayGroup] = []
    if bits & bits >> 1 & bits >> 2 & bits >> 3 & _FIRST_SUIT:
        _four_of_a_kind(bits, found)
    if _has_suited_run(bits):
        _straight_bombs(bits, found)
    return found


bombs_in = lru_cache(maxsize=2048)(_bombs)
"""Cached, since bots ask for the same hands again and again."""


def _has_suited_run(bits: int) -> bool:
    """Return whether a hand holds a straight of one suit."""
    bits >>= 8  # without the Mah Jong
    return bits & bits >> 4 & bits >> 8 & bits >> 12 & bits >> 16 > 0


def _four_of_a_kind(bits: int, found: list[PlayGroup]) -> None:
    for rank in range(2, ACE + 1):
        if bits & _RANKS[rank] == _RANKS[rank]:
            cards = _of_rank(_RANKS[rank]).cards
            found.append(PlayGroup(combo(BOMB, SMALLEST_BOMB, 2 * rank), None, (rank,), [cards]))


def _straight_bombs(bits: int, found: list[PlayGroup]) -> None:
    suits: dict[str, list[Card | None]] = {}
    for rank in range(2, ACE + 1):
        for card in _of_rank(bits & _RANKS[rank]).cards if bits & _RANKS[rank] else ():
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
