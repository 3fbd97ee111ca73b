"""List the legal moves of a hand in Macau Wars, one for each effect, and choose the default move.

Several cards of one rank may be played together: the first must match, the last one takes effect and ends on top, the order
between them does not matter. With jokers, calls and long hands there are thousands of plays, so they are counted without being
created, and created lazily.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product
from typing import NamedTuple, overload

from protocol.cards import JOKER, RANKS, SUITS, Card, Seat
from protocol.games.macau_wars.judge import ends_round
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import (
    CALLED_RANKS,
    NAMES_NEXT,
    WAR_CARDS,
    MacauState,
    Turn,
    faces_of,
    fits,
    fitting,
    is_asked,
    is_war,
    others_in,
)
from protocol.games.shedding import CALL, CARD_ORDER, DRAW, PASS, Move, PlayCards


class Names(NamedTuple):
    """What a play names."""

    suit: str | None = None
    rank: str | None = None
    next: Seat | None = None


@dataclass(frozen=True, slots=True)
class Group:
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


class Plays(Sequence[Move]):
    """All plays of a hand in turn, the lowest value first, then fewer cards first; then other moves."""

    def __init__(
        self, game: MacauRules, state: MacauState, seat: Seat, hand: Sequence[Card], others: Sequence[Move]
    ) -> None:
        self._game, self._state, self._seat = game, state, seat
        self._hand = tuple(hand)
        self._others = tuple(others)
        self._war, self._fitting = is_war(state), fitting(state)
        self._groups: tuple[Group, ...] | None = None
        self._bounds: list[int] | None = None

    # --- the sequence ---

    def __bool__(self) -> bool:
        return bool(self._others) or len(self) > 0

    def __len__(self) -> int:
        return self._ends()[-1] + len(self._others)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        bounds = self._ends()
        if index >= bounds[-1]:
            return self._others[index - bounds[-1]]
        place = bisect_right(bounds, index) - 1
        index -= bounds[place]
        for play in self._plays(self.groups[place]):
            if index == 0:
                return play
            index -= 1
        raise AssertionError("a group holds as many plays as were counted")

    def __iter__(self) -> Iterator[Move]:
        for group in self.groups:
            yield from self._plays(group)
        yield from self._others

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, PlayCards):
            return move in self._others
        if JOKER in move.cards and len(move.stands_for) != move.cards.count(JOKER):
            return False
        if not self._game.is_legal(self._state, self._seat, self._hand, move):
            return False
        return move == canonical(self._state, self._seat, move)

    def _ends(self) -> list[int]:
        """How many plays there are before each group, and in all."""
        if self._bounds is None:
            self._bounds = [0, *accumulate(self._count(group) for group in self.groups)]
        return self._bounds

    # --- what there is ---

    @property
    def groups(self) -> tuple[Group, ...]:
        """All cards that may be played together, whether or not one of them fits first."""
        if self._groups is None:
            self._groups = tuple(groups(self._state, self._hand))
        return self._groups

    def _pairs(self, group: Group) -> Iterator[tuple[End, End | None]]:
        """First and last card of each play of this group; no last where there is one card."""
        firsts = [_end(card) for card in dict.fromkeys(group.cards) if card in self._fitting]
        meant: Sequence[End] = ()
        if group.jokers:
            meant = _joker_ends(self._war, group.value)
            firsts += [end for end in meant if end.face in self._fitting]
        for first in firsts:
            if len(group) == 1:
                yield first, None
                continue
            left = list(group.cards)
            if first.card != JOKER:
                left.remove(first.card)
            for card in dict.fromkeys(left):
                yield first, _end(card)
            if group.jokers > (first.card == JOKER):
                for end in meant:
                    yield first, end

    def _count(self, group: Group) -> int:
        ways = sum(len(self._names(group, (last or first).face)) for first, last in self._pairs(group))
        return ways * len(self._words(group))

    def _plays(self, group: Group) -> Iterator[PlayCards]:
        words = self._words(group)
        between = stands_for(self._war, group.value)[:1]
        for first, last in self._pairs(group):
            ends = (first,) if last is None else (first, last)
            middle = list(group.cards)
            for end in ends:
                if end.card != JOKER:
                    middle.remove(end.card)
            jokers = group.jokers - sum(end.card == JOKER for end in ends)
            cards = (first.card, *middle, *[JOKER] * jokers, *(end.card for end in ends[1:]))
            faces = (first.face, *middle, *between * jokers, *(end.face for end in ends[1:]))
            meant = tuple(face for card, face in zip(cards, faces, strict=True) if card == JOKER)
            for names in self._names(group, faces[-1]):
                for call in words:
                    yield PlayCards(cards, names.suit, names.rank, meant, names.next, call)

    def _names(self, group: Group, upper: Card) -> Sequence[Names]:
        if upper[0] not in "AJ" and upper != NAMES_NEXT:
            return _NOTHING
        if ends_round(self._game, self._state, self._seat, len(group)):
            return _NOTHING
        if upper[0] == "A":
            return _SUITS
        if upper[0] == "J":
            return _RANKS
        return [Names(next=seat) for seat in others_in(self._state, self._seat)]

    def _words(self, group: Group) -> tuple[bool, ...]:
        return (True, False) if len(self._hand) - len(group) == 1 else (False,)


_NOTHING = (Names(),)
_SUITS = (Names(), *(Names(suit=suit) for suit in SUITS))
_RANKS = (Names(), *(Names(rank=rank) for rank in CALLED_RANKS))


def groups(state: MacauState, hand: Sequence[Card]) -> Iterator[Group]:
    """Yield the sets of cards of one rank in a hand, with any number of jokers, by rank, then by size."""
    held = Counter(hand)
    jokers = held.pop(JOKER, 0)
    war, fitting_now = is_war(state), fitting(state)
    values = {card[0] for card in held}
    for value in RANKS:
        if not (jokers or value in values):
            continue
        faces = stands_for(war, value)
        own = [card for card in faces if card in held]
        if fitting_now.isdisjoint(faces if jokers else own):
            continue
        if len(own) == 1 and not jokers and held[own[0]] == 1:
            yield Group(value, (own[0],), 0)
            continue
        found = [
            Group(value, tuple(card for card, count in zip(own, counts, strict=True) for _ in range(count)), extra)
            for counts in product(*(range(held[card] + 1) for card in own))
            for extra in range(jokers + 1)
            if extra or any(counts)
        ]
        found.sort(key=lambda group: (len(group), group.jokers))
        yield from found


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
    return Plays(game, state, seat, hand, (without_cards(game, state),))


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
        named = Turn(game, state).after(seat)
    return PlayCards((card,), stands_for=meant, next=named, call=state.hand_sizes[seat] == 2)
