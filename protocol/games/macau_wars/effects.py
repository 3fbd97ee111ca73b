"""Apply moves of Macau Wars: wars, skips, calls, fours, turns alone, and who plays next."""

from __future__ import annotations

from typing import assert_never

from protocol.cards import JOKER, Card, Seat
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import NAMES_NEXT, MacauState, Turn, faces_of, is_asked, others_in
from protocol.games.shedding import Call, Draw, Move, Pass, PlayCards, draw

KING_CARDS = 5


def take_effect(game: MacauRules, turn: Turn, state: MacauState, seat: Seat, move: Move) -> None:
    """Change the turn as a legal move does. `state` is the one before the move."""
    if isinstance(move, Call):
        game.say_word(turn, seat)
    elif isinstance(move, PlayCards):
        _play(game, turn, state, seat, move)
    elif isinstance(move, Draw):
        draw(game, turn, seat, state.penalty or 1)
        turn.drawn = True
        if state.penalty or not game.plays_drawn:
            turn.penalty = 0
            _end_turn(game, turn, seat)
    elif isinstance(move, Pass):
        if is_asked(state):
            _decline(game, turn, seat)
        elif _is_blocked(turn, seat):
            turn.end("blocked")
        else:
            _end_turn(game, turn, seat)
    else:
        assert_never(move)


def _is_blocked(turn: Turn, seat: Seat) -> bool:
    """Count a pass, and return whether every seat still in has passed without a card played or drawn in between.

    Seats are counted, not passes: a seat that plays alone may pass several times, and a named one plays before its turn.
    """
    earlier = turn.passed if turn.passes else ()
    turn.passed = earlier if seat in earlier else (*earlier, seat)
    turn.passes = len(turn.passed)
    return turn.passes >= turn.still_in


# --- a play ---


def _play(game: MacauRules, turn: Turn, state: MacauState, seat: Seat, play: PlayCards) -> None:
    faces = faces_of(play.cards, play.stands_for)
    upper = faces[-1]
    turn.pile += play.cards
    turn.stands = upper if play.cards[-1] == JOKER else None
    turn.change_hand(seat, -len(faces))
    turn.passes = 0
    turn.passed = ()
    _call(game, turn, seat, play, upper)
    if not turn.hand_sizes[seat]:
        last_out = game.is_last_out(turn, seat)
        turn.out += (seat,)
        if last_out:
            turn.end("out")
            return
    if upper[0] == "4" and not state.solo:
        following = _put_fours(turn, seat, len(faces))
    else:
        following = _act(turn, seat, upper, len(faces), _named(state, seat, play) if upper == NAMES_NEXT else None)
    game.open_word(turn, seat, play.call, following)
    _pass_on(game, turn, seat, following)


def _named(state: MacauState, seat: Seat, play: PlayCards) -> Seat:
    """Return whom a queen of clubs names; the play does not say it where only one other seat is still in."""
    return play.next if play.next is not None else min(others_in(state, seat))


def _call(game: MacauRules, turn: Turn, seat: Seat, play: PlayCards, upper: Card) -> None:
    """Update the call. Jacks and aces make a new one, or none. A card that meets a call ends it, unless it holds for a turn of
    each player: then its caller's next turn ends it."""
    stands_on = turn.caller is not None and turn.caller != seat and upper[0] == turn.rank
    if not stands_on:
        turn.clear_call()
        turn.suit, turn.rank = play.suit, play.rank
        if game.calls_for_a_round and play.rank is not None:
            turn.caller = seat


def _put_fours(turn: Turn, seat: Seat, count: int) -> Seat:
    """Apply fours, except during turns alone: ask all others, beginning with the next seat."""
    turn.fours += count
    turn.last = seat
    turn.last_call = False
    turn.answered = 0
    return turn.after(seat)


def _act(turn: Turn, seat: Seat, upper: Card, count: int, named: Seat | None) -> Seat:
    """Apply the other effects of a play, and return who acts next. `named` is whom a queen of clubs names."""
    rank = upper[0]
    if rank in "23":
        turn.penalty += int(rank) * count
    elif upper in ("Kh", "Ks"):
        turn.penalty += KING_CARDS
    elif upper == "Qh":
        turn.penalty = 0
    elif upper == "Qs":
        turn.direction = -turn.direction
    if turn.solo:
        turn.solo += count if rank == "4" else 0
        if turn.solo > 1:
            return _act_alone(turn, seat, upper, named)
    following = turn.after(seat) if turn.named is None else turn.named
    if upper == "Qd":
        following = turn.after(following)
    elif named is not None:
        following = named
    elif upper == "Ks":
        following = turn.before(seat)
    if turn.solo:
        turn.clear_fours()
    return following


def _act_alone(turn: Turn, seat: Seat, upper: Card, named: Seat | None) -> Seat:
    """Use up one of the turns alone, in which the next and the previous player are the same; return who acts next."""
    turn.solo -= 2 if upper == "Qd" else 1
    if named is not None:
        turn.named = named
    if turn.solo > 0 and seat not in turn.out:
        return seat
    return _leave_solo(turn, seat)


def _leave_solo(turn: Turn, seat: Seat) -> Seat:
    """End the turns alone, and return who acts next."""
    following = turn.after(seat) if turn.named is None else turn.named
    turn.clear_fours()
    return following


# --- the end of a turn ---


def _end_turn(game: MacauRules, turn: Turn, seat: Seat) -> None:
    """End a turn without a play."""
    if turn.caller == seat:
        turn.clear_call()
    following = turn.after(seat)
    if turn.solo:
        turn.solo -= 1
        following = seat if turn.solo else _leave_solo(turn, seat)
    _pass_on(game, turn, seat, following)


def _decline(game: MacauRules, turn: Turn, seat: Seat) -> None:
    """Note that a seat answers with no four."""
    turn.answered += 1
    last = turn.last
    assert last is not None
    if turn.answered < turn.still_in - (last not in turn.out):
        following = turn.after(seat)
    elif not turn.last_call:
        turn.last_call = True
        turn.answered = 0
        following = turn.after(last)
    elif last in turn.out:
        turn.clear_fours()
        following = turn.after(last)
    else:
        turn.solo = turn.fours
        following = last
    _pass_on(game, turn, seat, following)


def _pass_on(game: MacauRules, turn: Turn, seat: Seat, following: Seat) -> None:
    """Begin the turn of `following`. A call for a turn of each player whose caller is out lapses when play passes that seat."""
    if turn.caller is not None and turn.caller in turn.out:
        passed = seat
        while passed != following:
            passed = (passed + turn.direction) % game.seats
            if passed == turn.caller:
                turn.clear_call()
                break
    game.begin_turn(turn, following)
