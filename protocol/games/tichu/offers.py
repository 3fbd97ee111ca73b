"""Tichu's moves for a known hand: which are legal, which are offered, and which is the default.

Only this file enforces wishes, because they depend on the hand: the player's own client checks them at once, the audit later.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, permutations

from protocol.cards import MAH_JONG, PHOENIX, Card, Seat
from protocol.errors import IllegalMove
from protocol.games.offered import LazyOffers
from protocol.games.tichu.combinations import (
    BOMB,
    ORDER,
    SMALLEST_BOMB,
    beats,
    rank_name,
    rank_of,
)
from protocol.games.tichu.moves import GIFTS, CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.games.tichu.plays import ALIKE, Cards, Holding, PlayGroup, can_play_rank, groups, holding
from protocol.games.tichu.plays import WISHES as WISHES
from protocol.games.tichu.rules import judge, may_interrupt
from protocol.games.tichu.state import (
    ALL_CARDS,
    COLLECT,
    GIVE,
    GRAND,
    PLAY,
    SEATS,
    SHOW,
    TichuState,
    is_dragon,
    may_call,
    team,
)

_CALL: tuple[Move, ...] = (CallTichu(),)
_PASS = Pass()
_ONLY_PASS: tuple[Move, ...] = (_PASS,)
PHOENIX_ALONE_BY_DEFAULT = 29
"""The strength of a single Phoenix in the order of default moves: after the aces."""


def check(state: TichuState, seat: Seat, hand: Sequence[Card], move: Move, any_bomb: bool) -> None:
    """Check a move of a seat whose hand is known. Raises IllegalMove."""
    judge(state, seat, move, any_bomb)
    match move:
        case Give(cards):
            if isinstance(cards, int):  # the public form: only its giver can say which
                raise IllegalMove(
                    "pass three different cards: one to the next player, one to your partner, one to the "
                    "previous player"
                )
            _check_held(hand, cards)
        case Show():
            if MAH_JONG not in hand:
                raise IllegalMove("only the player holding the Mah Jong can show it")
        case PlayCombination(cards):
            _check_held(hand, cards)
            if state.wish not in [card[0] for card in cards]:
                _check_wish(state, seat, hand)
        case Pass():
            _check_wish(state, seat, hand)
        case _:
            pass


def _check_held(hand: Sequence[Card], cards: Sequence[Card]) -> None:
    for card in cards:
        if card not in hand:
            raise IllegalMove("{card} is not in your hand", card=card)


def _check_wish(state: TichuState, seat: Seat, hand: Sequence[Card]) -> None:
    if must_meet_wish(state, seat, hand):
        raise IllegalMove("the wish is {rank}, so you must play one", rank=state.wish)


def must_meet_wish(state: TichuState, seat: Seat, hand: Sequence[Card]) -> bool:
    """Return whether there is a wish that this hand, in turn, can meet."""
    if state.wish is None or state.phase != PLAY or state.turn != seat:
        return False
    rank = rank_of(state.wish)
    return rank is not None and can_play_rank(hand, state.combo, rank)


# --- the offers ---


class TichuPlays(LazyOffers[Move]):
    """The plays of some groups, with all wishes if they include the Mah Jong, then other moves. Plays are created lazily."""

    def __init__(self, found: Sequence[PlayGroup], others: Sequence[Move] = ()) -> None:
        self.groups = found
        self.others = tuple(others)
        self._ends = list(accumulate([group.count for group in found]))
        self._plays = self._ends[-1] if found else 0

    @property
    def lazy_count(self) -> int:
        return self._plays

    def create(self, index: int) -> Move:
        place = bisect_right(self._ends, index)
        return self.groups[place].move(index - (self._ends[place - 1] if place else 0))

    def __iter__(self) -> Iterator[Move]:
        for group in self.groups:
            phoenix = phoenix_name(group)
            for cards in group.cards:
                for wish in group.wishes:
                    yield PlayCombination(cards, wish, phoenix)
        yield from self.others

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, PlayCombination):
            return move in self.others
        return any(
            move.cards in group.cards and move.phoenix == phoenix_name(group) and move.wish in group.wishes
            for group in self.groups
            if group.combo.size == len(move.cards)
        )


def phoenix_name(group: PlayGroup) -> str | None:
    """Return the rank that a play says the Phoenix stands for."""
    return None if group.phoenix is None else rank_name(group.phoenix)


class Gifts(LazyOffers[Move]):
    """All ways to pass three cards, then other moves. Created lazily."""

    def __init__(self, hand: Sequence[Card], others: Sequence[Move] = ()) -> None:
        self.hand = tuple(sorted(hand, key=ORDER.__getitem__))
        self.others = tuple(others)
        n = len(self.hand)
        self._gifts = n * (n - 1) * (n - 2)

    @property
    def lazy_count(self) -> int:
        return self._gifts

    def create(self, index: int) -> Move:
        left, chosen = list(self.hand), []
        for rest in ((len(left) - 1) * (len(left) - 2), len(left) - 2, 1):
            place, index = divmod(index, rest)
            chosen.append(left.pop(place))
        return Give(tuple(chosen))

    def __iter__(self) -> Iterator[Move]:
        for cards in permutations(self.hand, GIFTS):
            yield Give(cards)
        yield from self.others

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Give):
            return move in self.others
        if isinstance(move.cards, int) or len(move.cards) != GIFTS or len(set(move.cards)) != GIFTS:
            return False
        return all(card in self.hand for card in move.cards)


def legal(state: TichuState, seat: Seat, hand: Sequence[Card], any_bomb: bool) -> Sequence[Move]:
    """List the moves of a seat: plays, from the lowest kinds, then pass, collect and the call of Tichu."""
    call = _CALL if may_call(state, seat) else ()
    if state.phase == PLAY and state.turn == seat:
        return _in_turn(state, holding(hand), call)
    if state.turn is None:
        return _before_play(state, seat, hand, call)
    others = (*gifts_of(state, seat), *call) if state.turn == seat else call
    if not can_bomb(state, seat, hand, any_bomb):
        return others
    return TichuPlays(groups(hand, state.combo, bombs_only=True), others)


def _in_turn(state: TichuState, held: Holding, call: tuple[Move, ...]) -> Sequence[Move]:
    top, wish = state.combo, state.wish
    if top is None:
        return TichuPlays(_meeting(wish, held.leads), call)
    found = held.answers(top)
    others = (_PASS, *call) if call else _ONLY_PASS
    if not found:
        return others
    if wish is not None:
        found = _meeting(wish, found)
        if rank_of(wish) in found[0].ranks:
            others = call
    if top.kind not in ALIKE:
        return TichuPlays(found, others)
    return (*[move for group in found for move in group.moves], *others)


def can_bomb(state: TichuState, seat: Seat, hand: Sequence[Card], any_bomb: bool) -> bool:
    """Return whether a seat can play a bomb out of turn."""
    bombs, top = holding(hand).bombs, state.combo
    if not bombs or top is None or not may_interrupt(state, seat, any_bomb):
        return False
    return any(beats(bomb.combo, top) for bomb in bombs)


def acting(state: TichuState, hands: Sequence[Sequence[Card]], any_bomb: bool) -> tuple[Seat, ...]:
    """Return the seats with a legal move while there is a seat in turn: that one, then the others by number."""
    turn, top, others = state.turn, state.combo, []
    assert turn is not None
    for seat, size in enumerate(state.hand_sizes):
        if size < SMALLEST_BOMB or seat == turn:
            continue
        if (size == ALL_CARDS and may_call(state, seat)) or (
            top is not None and holding(hands[seat]).bombs and can_bomb(state, seat, hands[seat], any_bomb)
        ):
            others.append(seat)
    return (turn, *others)


def _before_play(state: TichuState, seat: Seat, hand: Sequence[Card], call: tuple[Move, ...]) -> Sequence[Move]:
    if state.phase == GRAND:
        return () if state.decided[seat] else (Grand(False), Grand(True))
    if state.phase == GIVE:
        return call if state.given[seat] else Gifts(hand, call)
    if state.phase == SHOW:
        return (Show(), *call) if MAH_JONG in hand else call
    return ()


def in_turn(state: TichuState, hand: Sequence[Card]) -> list[PlayGroup]:
    """List what the seat in turn can play; if it can meet a wish, only plays that do."""
    return _meeting(state.wish, groups(hand, state.combo))


def _meeting(wish: str | None, found: list[PlayGroup]) -> list[PlayGroup]:
    """Return the plays that meet the wish, or all if there is none or none of them does."""
    if wish is None:
        return found
    rank = rank_of(wish)
    return [group for group in found if rank in group.ranks] or found


def gifts_of(state: TichuState, seat: Seat) -> tuple[Move, ...]:
    """List the ways to collect a trick: one, or one for each opponent if the Dragon wins it."""
    if not is_dragon(state.combo):
        return (Collect(),)
    return tuple(Collect(to) for to in range(SEATS) if team(to) != team(seat))


# --- the default ---


def default(state: TichuState, seat: Seat, hand: Sequence[Card]) -> Move | None:
    """Return the move that is made for a player who does not choose one; None if the seat need not act.

    It never calls, never wishes, and makes no bomb unless a wish leaves nothing else. Cards are ordered: the Dog, the
    Mah Jong, 2 to A and within a rank jade, sword, pagoda, star, the Phoenix, the Dragon.

    - `grand`: no call. `show`: shows, if it holds the Mah Jong. `collect`: takes the trick; one that the Dragon wins goes to
      the next seat. `give`: its three lowest cards, the lowest to the next seat, the second to the partner, the third to the
      previous seat.
    - In turn: of the legal plays that are no bombs (where a wish can be met, those that meet it; bombs only if all of these
      are bombs) the first by: fewer cards; then lower strength, the Phoenix alone counting as 14.5; then the cards, sorted
      from the lowest, compared one by one. If there is none, it passes.
    - The cards are named from the lowest rank to the highest, equal ranks by suit, of a full house the triple first; the
      Phoenix in its place, last among the cards whose rank it has. `phoenix` is always said, unless it is alone.
    """
    if state.phase == GRAND:
        return None if state.decided[seat] else Grand(False)
    if state.phase == GIVE:
        return None if state.given[seat] else Give(tuple(sorted(hand, key=ORDER.__getitem__)[:GIFTS]))
    if state.phase == SHOW:
        return Show() if MAH_JONG in hand else None
    if state.turn != seat:
        return None
    if state.phase == COLLECT:
        return Collect((seat + 1) % SEATS if is_dragon(state.combo) else None)
    return _default_play(state, seat, hand) if state.phase == PLAY else None


def _default_play(state: TichuState, seat: Seat, hand: Sequence[Card]) -> Move:
    found = in_turn(state, hand)
    plain = [group for group in found if group.combo.kind != BOMB]
    if not plain and not must_meet_wish(state, seat, hand):
        return Pass()
    group, cards = min(
        ((group, cards) for group in plain or found for cards in group.cards),
        key=lambda each: _lowest_first(*each),
    )
    return PlayCombination(cards, None, phoenix_name(group))


def _lowest_first(group: PlayGroup, cards: Cards) -> tuple[int, int, list[int]]:
    strength = PHOENIX_ALONE_BY_DEFAULT if cards == (PHOENIX,) else group.combo.strength
    return len(cards), strength, sorted(ORDER[card] for card in cards)
