"""The rules of Tichu as far as they do not depend on a hand.

`judge` checks a move, `follow` returns the state after it. Whether a wish is met depends on the hand: see `offers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeVar, assert_never

from protocol.cards import DRAGON, MAH_JONG, PACK_TICHU, PHOENIX, Card, Seat
from protocol.errors import IllegalMove
from protocol.games.changing import changed
from protocol.games.game import DealToHand, OpenAll, Outcome
from protocol.games.tichu.combinations import (
    BOMB,
    DOG_STRENGTH,
    SMALLEST_BOMB,
    Combo,
    Reading,
    beats,
    rank_of,
    readings_of,
)
from protocol.games.tichu.moves import GIFTS, CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.games.tichu.state import (
    ALL_CARDS,
    CALLED_GRAND,
    CALLED_TICHU,
    COLLECT,
    ENDED_DOUBLE,
    ENDED_OUT,
    FIRST_CARDS,
    GIVE,
    GRAND,
    OVER,
    PLAY,
    SEATS,
    SHOW,
    TichuState,
    is_dragon,
    is_in,
    may_call,
    next_in,
    seats_after,
    team,
)

CARD_POINTS = {"5": 5, "T": 10, "K": 10}
SPECIAL_POINTS = {DRAGON: 25, PHOENIX: -25}
_POINTS = {card: CARD_POINTS.get(card[0], 0) for card in PACK_TICHU} | SPECIAL_POINTS
DOUBLE_VICTORY = 200
CALL_POINTS = {CALLED_TICHU: 100, CALLED_GRAND: 200}

T = TypeVar("T")


def points(cards: Iterable[Card]) -> int:
    """Return the points of cards; the whole deck has 100."""
    return sum(map(_POINTS.__getitem__, cards))


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the tuple with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])


# --- judging ---


def judge(state: TichuState, seat: Seat, move: Move, any_bomb: bool) -> Reading | None:
    """Check a move on public grounds and return how a play is read. Raises IllegalMove with the rule that forbids it.

    `any_bomb`: bombs out of turn may be played on a bomb out of turn too.
    """
    if not 0 <= seat < SEATS:
        raise IllegalMove("there is no seat {seat} at this table", seat=seat)
    if state.phase == OVER:
        raise IllegalMove("the round is over")
    match move:
        case Grand():
            _judge_grand(state, seat)
        case CallTichu():
            _judge_call(state, seat)
        case Give():
            _judge_give(state, seat, move)
        case Show():
            if state.phase != SHOW:
                raise IllegalMove("the Mah Jong is shown only once, after cards are passed")
        case PlayCombination():
            return _judge_play(state, seat, move, any_bomb)
        case Pass():
            _judge_pass(state, seat)
        case Collect():
            _judge_collect(state, seat, move)
        case _:
            assert_never(move)
    return None


def _judge_grand(state: TichuState, seat: Seat) -> None:
    if state.phase != GRAND:
        raise IllegalMove("you can call Grand Tichu only on your first eight cards")
    if state.decided[seat]:
        raise IllegalMove("you have already answered Grand Tichu")


def _judge_call(state: TichuState, seat: Seat) -> None:
    if state.phase == GRAND:
        raise IllegalMove("you can call Tichu once all 14 cards are dealt")
    if (called := state.calls[seat]) is not None:
        raise IllegalMove("you have already called {call}", call="Grand Tichu" if called == CALLED_GRAND else "Tichu")
    if not may_call(state, seat):
        raise IllegalMove("Tichu must be called before the caller's first card and before the round ends")


def _judge_give(state: TichuState, seat: Seat, move: Give) -> None:
    if state.phase != GIVE:
        raise IllegalMove("cards can be passed only before the first lead")
    if state.given[seat]:
        raise IllegalMove("you have already passed your cards: wait for the other players")
    count = move.cards if isinstance(move.cards, int) else len(move.cards)
    if count != GIFTS or (not isinstance(move.cards, int) and len(set(move.cards)) != GIFTS):
        raise IllegalMove(
            "pass three different cards: one to the next player, one to your partner, one to the previous player"
        )


def _judge_pass(state: TichuState, seat: Seat) -> None:
    _judge_turn(state, seat)
    if state.combo is None:
        raise IllegalMove("you lead, so you can't pass: play something")


def _judge_turn(state: TichuState, seat: Seat) -> None:
    if state.phase in (GRAND, GIVE):
        raise IllegalMove("cards can't be played until everyone has passed theirs")
    if state.phase == SHOW:
        raise IllegalMove("cards can't be played until the Mah Jong is shown")
    if not is_in(state, seat):
        raise IllegalMove("you are already out")
    if state.phase == COLLECT:
        raise IllegalMove("the trick is won and must be collected first")
    if state.turn != seat:
        raise IllegalMove("it is not your turn")


def _judge_collect(state: TichuState, seat: Seat, move: Collect) -> None:
    if state.phase != COLLECT:
        raise IllegalMove("there is no trick to collect yet: not everyone has passed")
    if state.turn != seat:
        raise IllegalMove("another player won this trick")
    if not is_dragon(state.combo):
        if move.to is not None:
            raise IllegalMove("only a trick won with the Dragon is given away")
    elif move.to is None:
        raise IllegalMove("you won the trick with the Dragon: choose which opponent gets it")
    elif not 0 <= move.to < SEATS or team(move.to) == team(seat):
        raise IllegalMove("a trick won with the Dragon must go to an opponent")


def _judge_play(state: TichuState, seat: Seat, move: PlayCombination, any_bomb: bool) -> Reading:
    cards = " ".join(move.cards)
    if len(move.cards) > state.hand_sizes[seat] > 0:
        raise IllegalMove("you have only {count} cards", count=state.hand_sizes[seat])
    if move.wish is not None:
        if MAH_JONG not in move.cards:
            raise IllegalMove("only the player who plays the Mah Jong can make a wish")
        if rank_of(move.wish) is None:
            raise IllegalMove("you can't wish for {wish}: choose a rank from 2 to A", wish=move.wish)
    if move.phoenix is not None and (PHOENIX not in move.cards or len(move.cards) == 1):
        raise IllegalMove("the Phoenix stands for a rank only when played with other cards")
    found = readings_of(move.cards, state.combo)
    if not found:
        if state.phase == PLAY and state.turn == seat:
            raise IllegalMove("{cards} is not a combination", code="no combination", cards=cards)
        _judge_turn(state, seat)
    if move.phoenix is not None:
        found = _as_said(found, move.phoenix)
        if not found:
            raise IllegalMove("the Phoenix can't stand for {rank} in {cards}", cards=cards, rank=move.phoenix)
    if found[0].combo.kind == BOMB and (state.phase == COLLECT or (state.phase == PLAY and state.turn != seat)):
        _judge_interruption(state, seat, any_bomb)
    else:
        _judge_turn(state, seat)
    if reading := _highest(found, state.combo):
        return reading
    if found[0].combo.strength == DOG_STRENGTH:
        raise IllegalMove("the Dog can only be led")
    raise IllegalMove("{cards} can't beat {top}", code="no match", cards=cards, top=" ".join(state.top))


def reading_of(state: TichuState, move: PlayCombination) -> Reading | None:
    """Return how a play is read: as the highest combination that it may be here. `judge` reads a legal play the same way."""
    found = readings_of(move.cards, state.combo)
    return _highest(found if move.phoenix is None else _as_said(found, move.phoenix), state.combo)


def _as_said(found: Sequence[Reading], phoenix: str) -> tuple[Reading, ...]:
    """Return the readings in which the Phoenix stands for this rank."""
    return tuple(reading for reading in found if reading.phoenix == rank_of(phoenix))


def _highest(found: Sequence[Reading], top: Combo | None) -> Reading | None:
    """Return the first reading that beats the cards on the table, if there are any."""
    for reading in found:
        if top is None or beats(reading.combo, top):
            return reading
    return None


def _judge_interruption(state: TichuState, seat: Seat, any_bomb: bool) -> None:
    """Check that a bomb may be played out of turn now, without regard to its strength. Raises IllegalMove."""
    if not is_in(state, seat):
        raise IllegalMove("you are already out")
    if state.closing:
        raise IllegalMove("the round is over: its last trick can't be bombed")
    if state.combo is None:
        raise IllegalMove("a bomb can't be played before the lead")
    if state.interrupting and not any_bomb:
        raise IllegalMove("only the player whose turn it is can beat a bomb played out of turn")


def may_interrupt(state: TichuState, seat: Seat, any_bomb: bool) -> bool:
    """Return whether this seat may play a bomb out of turn now, if it is high enough."""
    top = state.combo
    if top is None or state.closing or (state.interrupting and not any_bomb):
        return False
    if state.hand_sizes[seat] < (top.size if top.kind == BOMB else SMALLEST_BOMB):
        return False
    return state.phase == COLLECT or (state.phase == PLAY and state.turn != seat)


# --- what follows ---


def follow(state: TichuState, seat: Seat, move: Move, reading: Reading | None = None) -> Outcome[TichuState]:
    """Return the state after a legal move, and the demands. `reading`: what `judge` read a play as."""
    match move:
        case PlayCombination():
            reading = reading or reading_of(state, move)
            assert reading is not None
            return _after_play(state, seat, move, reading)
        case Pass():
            return Outcome(_after_pass(state, seat))
        case Collect():
            return _after_collect(state, seat if move.to is None else move.to)
        case Grand(call):
            return _after_grand(state, seat, call)
        case CallTichu():
            return Outcome(changed(state, calls=put(state.calls, seat, CALLED_TICHU)))
        case Give():
            return _after_give(state, seat)
        case Show():
            return Outcome(changed(state, phase=PLAY, turn=seat, mah_jong=seat))
        case _:
            assert_never(move)


@cache
def deal(dealer: Seat, count: int) -> tuple[DealToHand, ...]:
    """Return the demands to deal this many cards to each seat, the dealer last."""
    return tuple(DealToHand(seat, stock=count) for seat in seats_after(dealer))


def _after_grand(state: TichuState, seat: Seat, call: bool) -> Outcome[TichuState]:
    state = changed(
        state,
        decided=put(state.decided, seat, True),
        calls=put(state.calls, seat, CALLED_GRAND) if call else state.calls,
    )
    if not all(state.decided):
        return Outcome(state)
    state = changed(state, phase=GIVE, hand_sizes=(ALL_CARDS,) * SEATS)
    return Outcome(state, deal(state.dealer, ALL_CARDS - FIRST_CARDS))


def _after_give(state: TichuState, seat: Seat) -> Outcome[TichuState]:
    state = changed(state, given=put(state.given, seat, True))
    if not all(state.given):
        return Outcome(state)
    return Outcome(changed(state, phase=SHOW), _EXCHANGE)


def exchange(seat: Seat) -> DealToHand:
    """Return the demand for a seat's new cards, from the next seat, the partner and the previous seat in this order.

    A giver's first card is for the next seat, the second for the partner, the third for the previous seat; so the giver `step`
    seats further on laid out this seat's card with the index 3 - `step`.
    """
    return DealToHand(seat, laid=tuple(((seat + step) % SEATS, GIFTS - step) for step in range(1, SEATS)))


_EXCHANGE = tuple(exchange(each) for each in range(SEATS))


def _after_play(state: TichuState, seat: Seat, move: PlayCombination, reading: Reading) -> Outcome[TichuState]:
    out_of_turn = state.phase == COLLECT or state.turn != seat
    left = state.hand_sizes[seat] - len(move.cards)
    wish = state.wish
    if wish is not None and any(card[0] == wish for card in move.cards):
        wish = None
    if MAH_JONG in move.cards:
        wish = move.wish
    is_dog = reading.combo.strength == DOG_STRENGTH  # it is led, and makes no trick
    state = changed(
        state,
        phase=PLAY,
        turn=next_in(state, (seat + 1) % SEATS if is_dog else seat),
        hand_sizes=put(state.hand_sizes, seat, left),
        out=state.out if left else (*state.out, seat),
        wish=wish,
        played=state.played + move.cards,
        pile=() if is_dog else state.pile + move.cards,
        top=() if is_dog else move.cards,
        combo=None if is_dog else reading.combo,
        owner=None if is_dog else seat,
        interrupting=out_of_turn,
    )
    ended = _ended(state)
    return _end(state, ended) if ended else Outcome(state)


def _after_pass(state: TichuState, seat: Seat) -> TichuState:
    """Pass the turn on. The trick is won when the turn comes back to the player of the top cards, or passes that seat."""
    for each in seats_after(seat):
        if each == state.owner:
            return changed(state, phase=COLLECT, turn=each)
        if is_in(state, each):
            return changed(state, turn=each)
    raise AssertionError("a trick has an owner")


def _after_collect(state: TichuState, taker: Seat) -> Outcome[TichuState]:
    winner = state.owner
    assert winner is not None
    if state.closing:
        return Outcome(_take_trick(state, taker, OVER, None), (OpenAll(),))
    lead = winner if is_in(state, winner) else next_in(state, winner)
    return Outcome(_take_trick(state, taker, PLAY, lead))


def _take_trick(state: TichuState, taker: Seat, phase: str, turn: Seat | None) -> TichuState:
    """Give the trick's points to a seat, clear the table, and go on to this phase and seat."""
    return changed(
        state,
        phase=phase,
        turn=turn,
        captured=put(state.captured, taker, state.captured[taker] + points(state.pile)),
        pile=(),
        top=(),
        combo=None,
        owner=None,
        interrupting=False,
        closing=False,
    )


def _ended(state: TichuState) -> str | None:
    """Return how the round has ended, or None if it has not."""
    if len(state.out) == 2 and team(state.out[0]) == team(state.out[1]):
        return ENDED_DOUBLE
    return ENDED_OUT if len(state.out) == SEATS - 1 else None


def _end(state: TichuState, ended: str) -> Outcome[TichuState]:
    """End the round. The last trick is taken at once, except that the Dragon's player must give it away first."""
    state = changed(state, ended=ended, wish=None)
    if state.owner is not None:
        if ended == ENDED_OUT and is_dragon(state.combo):
            return Outcome(changed(state, phase=COLLECT, turn=state.owner, closing=True))
        return Outcome(_take_trick(state, state.owner, OVER, None), (OpenAll(),))
    return Outcome(changed(state, phase=OVER, turn=None), (OpenAll(),))


# --- the score ---


def score(state: TichuState, hands: Sequence[Sequence[Card]]) -> TichuState:
    """Score the round: the tricks taken, the cards that the last player holds, and the calls."""
    captured = list(state.captured)
    teams = [0, 0]
    if state.ended == ENDED_DOUBLE:
        teams[team(state.out[0])] = DOUBLE_VICTORY
    else:
        first = state.out[0]
        last = next(seat for seat in range(SEATS) if seat not in state.out)
        captured[first] += captured[last]
        captured[last] = 0
        for seat in range(SEATS):
            teams[team(seat)] += captured[seat]
        teams[1 - team(last)] += points(hands[last])
    for seat, call in enumerate(state.calls):
        if call is not None:
            teams[team(seat)] += CALL_POINTS[call] if seat == state.out[0] else -CALL_POINTS[call]
    return changed(
        state,
        captured=tuple(captured),
        round_points=tuple(teams),
        scores=tuple(before + now for before, now in zip(state.scores, teams, strict=True)),
    )
