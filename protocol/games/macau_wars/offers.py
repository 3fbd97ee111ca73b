"""List the legal moves of a hand in Macau Wars, one for each effect, and choose the default move.

Several cards of one rank may be played together: the first must match, the last one takes effect and ends on top, the order
between them does not matter. Without jokers there are usually few plays, and the same ones as in positions before: these are
kept. With jokers, calls and long hands there are thousands, so they are counted without being created, and created lazily.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, product
from typing import NamedTuple

from protocol.cards import JOKER, RANKS, SUITS, Card, Seat
from protocol.games.macau_wars.judge import ends_round
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import (
    CALLED_RANKS,
    NAMES_NEXT,
    WAR_CARDS,
    MacauState,
    faces_of,
    fits,
    fitting,
    is_asked,
    is_war,
    others_in,
)
from protocol.games.offered import LazyOffers
from protocol.games.shedding import CALL, CARD_ORDER, DRAW, PASS, Move, PlayCards, next_in
from protocol.values import dataclass

MOST_KEPT = 3
"""How many cards of one value have few enough plays (some hundred) to keep all of them."""
MANY = 99
"""Stands for the size of a hand in which more than one card is left after any play."""


class NamedChoices(NamedTuple):
    """What a play names."""

    suit: str | None = None
    rank: str | None = None
    next: Seat | None = None


@dataclass(frozen=True, slots=True)
class ValueGroup:
    """Cards of one value that may be played together: these of the hand, in order, and so many jokers."""

    value: str
    cards: tuple[Card, ...]
    jokers: int

    def __len__(self) -> int:
        return len(self.cards) + self.jokers


class End(NamedTuple):
    """The first or the last card of a play, and its face: a joker's is what it stands for."""

    card: Card
    face: Card


class Setting(NamedTuple):
    """What decides, besides the cards, which plays there are."""

    war: bool
    size: int
    """The number of cards in hand."""
    is_last: bool
    """Whether the round ends when this hand is used up."""
    others: tuple[Seat, ...]
    """Whom a queen of clubs may name."""


_USUAL = Setting(False, MANY, False, ()), Setting(True, MANY, False, ())
"""Outside of a war and in one, where nothing else matters: no word is due, the round goes on, nobody is named."""


class MacauPlays(LazyOffers[Move]):
    """All plays of a hand in turn, the lowest value first, then fewer cards first; then other moves."""

    def __init__(
        self, game: MacauRules, state: MacauState, seat: Seat, hand: Sequence[Card], others: Sequence[Move]
    ) -> None:
        self.others = tuple(others)
        self._game, self._state, self._seat = game, state, seat
        self._hand = tuple(hand)
        self._setting = Setting(is_war(state), len(hand), game.is_last_out(state, seat), (*others_in(state, seat),))
        self._war, self._fitting = self._setting.war, fitting(state)
        self._jokers = self._hand.count(JOKER)
        self._held: list[tuple[str, tuple[Card, ...]]] | None = None
        self._bounds: list[int] | None = None

    # --- the sequence ---

    def __bool__(self) -> bool:
        return bool(self.others) or len(self) > 0

    @property
    def lazy_count(self) -> int:
        return self._ends()[-1]

    def create(self, index: int) -> Move:
        bounds = self._ends()
        place = bisect_right(bounds, index) - 1
        index -= bounds[place]
        for group in sets_of(*self.held[place], self._jokers):
            words = _words(group, self._setting)
            for first, last in _pairs(group, self._war, _of_value(group.value, self._fitting)):
                names = _names(group, (last or first).face, self._setting)
                if index < len(names) * len(words):
                    which, word = divmod(index, len(words))
                    return _play(group, first, last, names[which], words[word], self._war)
                index -= len(names) * len(words)
        raise AssertionError("the cards of a value have as many plays as were counted")

    def __iter__(self) -> Iterator[Move]:
        for group in chain.from_iterable(sets_of(value, own, self._jokers) for value, own in self.held):
            yield from _plays(group, _of_value(group.value, self._fitting), self._setting)
        yield from self.others

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, PlayCards):
            return move in self.others
        if JOKER in move.cards and len(move.stands_for) != move.cards.count(JOKER):
            return False
        if not self._game.is_legal(self._state, self._seat, self._hand, move):
            return False
        return move == canonical(self._state, self._seat, move)

    def _ends(self) -> list[int]:
        """How many plays there are before those of each value, and in all."""
        if self._bounds is None:
            self._bounds = [0, *accumulate([self._count(value, own) for value, own in self.held])]
        return self._bounds

    # --- what there is ---

    @property
    def held(self) -> list[tuple[str, tuple[Card, ...]]]:
        """The values that may be played, the lowest first, with the cards of each, by suit. One of them fits first, or a joker
        does."""
        if self._held is None:
            fitting_held = self._fitting if self._jokers else self._fitting.intersection(self._hand)
            rows: dict[str, list[Card]] = {}
            for card in self._hand:
                if card != JOKER:
                    rows.setdefault(card[0], []).append(card)
            self._held = [(value, _own(self._war, value, rows.get(value, ()))) for value in _values(fitting_held)]
        return self._held

    def _count(self, value: str, own: tuple[Card, ...]) -> int:
        """How many plays of a value there are: quickly, where enough cards are left that nobody says the last-card word, and
        all plays name as much."""
        ways = _WAYS.get(value, 1)
        if ways and len(self._hand) - 1 > len(own) + self._jokers:
            if len(own) == 1 and not self._jokers:
                return ways
            return ways * _plain_count(value, own, self._jokers, self._war, _of_value(value, self._fitting))
        return sum([self._count_of_set(group) for group in sets_of(value, own, self._jokers)])

    def _count_of_set(self, group: ValueGroup) -> int:
        pairs = _pairs(group, self._war, _of_value(group.value, self._fitting))
        names = sum([len(_names(group, (last or first).face, self._setting)) for first, last in pairs])
        return names * len(_words(group, self._setting))


_NOTHING = (NamedChoices(),)
_SUITS = (NamedChoices(), *(NamedChoices(suit=suit) for suit in SUITS))
_RANKS = (NamedChoices(), *(NamedChoices(rank=rank) for rank in CALLED_RANKS))
_WAYS = {"A": len(_SUITS), "J": len(_RANKS), NAMES_NEXT[0]: 0}
"""How much any play of these values may name, unless it is the last one; 0: that depends on the card on top."""


def _plays(group: ValueGroup, fitting_now: frozenset[Card], setting: Setting) -> Iterator[PlayCards]:
    """Yield all plays of these cards together."""
    words = _words(group, setting)
    for first, last in _pairs(group, setting.war, fitting_now):
        for names in _names(group, (last or first).face, setting):
            for call in words:
                yield _play(group, first, last, names, call, setting.war)


@lru_cache(maxsize=2048)
def _kept_plays(
    value: str, own: tuple[Card, ...], fitting_now: frozenset[Card], setting: Setting
) -> tuple[PlayCards, ...]:
    """Return all plays of these cards of one value."""
    return tuple(play for group in sets_of(value, own, 0) for play in _plays(group, fitting_now, setting))


def _play(group: ValueGroup, first: End, last: End | None, names: NamedChoices, call: bool, war: bool) -> PlayCards:
    """Return a play of this group: the cards between the first and the last are sorted, with the jokers behind them."""
    ends = (first,) if last is None else (first, last)
    middle = list(group.cards)
    jokers = group.jokers
    for end in ends:
        if end.card == JOKER:
            jokers -= 1
        else:
            middle.remove(end.card)
    cards = (first.card, *middle, *[JOKER] * jokers, *[end.card for end in ends[1:]])
    meant: tuple[Card, ...] = ()
    if group.jokers:
        lowest = stands_for(war, group.value)[0]
        meant = (*[lowest] * jokers, *[end.face for end in ends[1:] if end.card == JOKER])
        meant = (first.face, *meant) if first.card == JOKER else meant
    return PlayCards(cards, names.suit, names.rank, meant, names.next, call)


def _names(group: ValueGroup, upper: Card, setting: Setting) -> Sequence[NamedChoices]:
    if group.value not in "AJ" and upper != NAMES_NEXT:
        return _NOTHING
    if setting.is_last and setting.size == len(group):
        return _NOTHING
    if upper[0] == "A":
        return _SUITS
    if upper[0] == "J":
        return _RANKS
    return [NamedChoices(next=seat) for seat in setting.others]


def _words(group: ValueGroup, setting: Setting) -> tuple[bool, ...]:
    return (True, False) if setting.size - len(group) == 1 else (False,)


def _own(war: bool, value: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return those of these cards of one value that may be played, by suit."""
    if len(cards) == 1 and not war:
        return (cards[0],)
    may = stands_for(war, value)
    return tuple(sorted([card for card in cards if card in may], key=CARD_ORDER.__getitem__))


@lru_cache(maxsize=4096)
def _of_value(value: str, cards: frozenset[Card]) -> frozenset[Card]:
    """Return those of these cards that have a value: what is cached by them is found again, whatever the others are."""
    return frozenset(card for card in cards if card[0] == value)


@lru_cache(maxsize=4096)
def _values(cards: frozenset[Card]) -> tuple[str, ...]:
    """Return the values of these cards, the lowest first."""
    return tuple(sorted({card[0] for card in cards}, key=RANKS.index))


@lru_cache(maxsize=4096)
def sets_of(value: str, cards: tuple[Card, ...], jokers: int) -> tuple[ValueGroup, ...]:
    """Return all sets of these cards of one value, in order by suit, with any number of jokers: smaller ones first. Cached,
    since hands keep their cards for many turns."""
    held = Counter(cards)
    found = [
        ValueGroup(value, tuple(card for card, count in zip(held, counts, strict=True) for _ in range(count)), extra)
        for counts in product(*(range(count + 1) for count in held.values()))
        for extra in range(jokers + 1)
        if extra or any(counts)
    ]
    found.sort(key=lambda group: (len(group), group.jokers))
    return tuple(found)


@lru_cache(maxsize=4096)
def _pairs(group: ValueGroup, war: bool, fitting_now: frozenset[Card]) -> tuple[tuple[End, End | None], ...]:
    """Return the first and the last card of each play of a group; no last where there is one card."""
    firsts = [_end(card) for card in dict.fromkeys(group.cards) if card in fitting_now]
    meant: Sequence[End] = ()
    if group.jokers:
        meant = _joker_ends(war, group.value)
        firsts += [end for end in meant if end.face in fitting_now]
    if len(group) == 1:
        return tuple((first, None) for first in firsts)
    found: list[tuple[End, End | None]] = []
    for first in firsts:
        left = list(group.cards)
        if first.card != JOKER:
            left.remove(first.card)
        found += [(first, _end(card)) for card in dict.fromkeys(left)]
        if group.jokers > (first.card == JOKER):
            found += [(first, end) for end in meant]
    return tuple(found)


@lru_cache(maxsize=4096)
def _plain_count(value: str, own: tuple[Card, ...], jokers: int, war: bool, fitting_now: frozenset[Card]) -> int:
    """Return how many plays there are of these cards and jokers, whatever they name."""
    return sum(len(_pairs(group, war, fitting_now)) for group in sets_of(value, own, jokers))


@cache
def stands_for(war: bool, value: str) -> tuple[Card, ...]:
    """Return the cards of this rank that may be played, so that a joker may stand for them: in a war only some kings."""
    every = (Card(value + suit) for suit in SUITS)
    return tuple(card for card in every if card in WAR_CARDS or not war)


@cache
def _end(card: Card) -> End:
    return End(card, card)


@cache
def _joker_ends(war: bool, value: str) -> tuple[End, ...]:
    return tuple(End(JOKER, face) for face in stands_for(war, value))


def canonical(state: MacauState, seat: Seat, play: PlayCards) -> PlayCards:
    """Return the play that represents all with the same effect: the cards between the first and the last are sorted, with
    jokers behind them that stand for the lowest possible card, and the only seat that can be named is named."""
    faces = faces_of(play.cards, play.stands_for)
    pairs = list(zip(play.cards, faces, strict=True))
    middle = pairs[1:-1]
    own = sorted((card for card, _ in middle if card != JOKER), key=CARD_ORDER.__getitem__)
    meant = stands_for(is_war(state), faces[0][0])[0]
    pairs[1:-1] = [(card, card) for card in own] + [(JOKER, meant)] * (len(middle) - len(own))
    named = play.next
    if named is None and faces[-1] == NAMES_NEXT:
        may = tuple(others_in(state, seat))
        named = may[0] if len(may) == 1 and state.hand_sizes[seat] != len(faces) else None
    cards = tuple(card for card, _ in pairs)
    return PlayCards(
        cards, play.suit, play.rank, tuple(face for card, face in pairs if card == JOKER), named, play.call
    )


def legal(game: MacauRules, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
    """List plays, then the draw, then the pass; out of turn, the last-card word if it is still in time."""
    if seat != state.turn:
        return (CALL,) if state.word == seat else ()
    other = without_cards(game, state)
    if JOKER in hand:
        return MacauPlays(game, state, seat, hand, (other,))
    moves: list[Move] = []
    war, fitting_now, size = is_war(state), fitting(state), len(hand)
    for value in _values(fitting_now.intersection(hand)):
        own = _own(war, value, [card for card in hand if card[0] == value])
        if len(own) > MOST_KEPT:
            return MacauPlays(game, state, seat, hand, (other,))
        setting = _USUAL[war]
        if size - len(own) <= 1 or value == NAMES_NEXT[0]:
            is_last = size == len(own) and game.is_last_out(state, seat)
            setting = Setting(war, size, is_last, tuple(others_in(state, seat)))
        moves += _kept_plays(value, own, _of_value(value, fitting_now), setting)
    moves.append(other)
    return moves


def without_cards(game: MacauRules, state: MacauState) -> Move:
    """Return what the seat in turn may do instead of playing: always exactly one move."""
    if is_asked(state):
        return PASS
    if state.penalty or (game.can_draw(state) and not state.drawn):
        return DRAW
    return PASS


def default(game: MacauRules, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Move | None:
    """Return the play of the lowest matching card alone, by rank from 2 to A, then by suit (clubs, diamonds, hearts, spades);
    a joker only if no other card matches, as the lowest card that does. It calls nothing, says the last-card word if it is due,
    and a queen of clubs names the next player. Else a draw if allowed, else a pass. Fours are answered in the same way."""
    if seat != state.turn:
        return None
    fitting = [card for card in hand if card != JOKER and fits(state, card)]
    meant: tuple[Card, ...] = ()
    if fitting:
        card = face = min(fitting, key=CARD_ORDER.__getitem__)
    elif JOKER in hand:
        every = (Card(value + suit) for value in RANKS for suit in SUITS)
        card, face = JOKER, next(each for each in every if fits(state, each))
        meant = (face,)
    else:
        return without_cards(game, state)
    named = None
    if face == NAMES_NEXT and not ends_round(game, state, seat, 1):
        named = next_in(state, seat)
    return PlayCards((card,), stands_for=meant, next=named, call=state.hand_sizes[seat] == 2)
