"""Check moves of Macau Wars. No rule of this game depends on hidden cards."""

from __future__ import annotations

from protocol.cards import JOKER, PACK_52, Card, Seat
from protocol.errors import IllegalMove
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import (
    CALLED_RANKS,
    NAMES_NEXT,
    WAR_CARDS,
    MacauState,
    faces_of,
    fits,
    is_asked,
    is_war,
    others_in,
    top,
)
from protocol.games.shedding import Draw, Move, Pass, PlayCards

_STANDS_FOR = frozenset(PACK_52)


def judge(game: MacauRules, state: MacauState, seat: Seat, move: Move) -> None:
    """Check a move. Raises IllegalMove with the rule that forbids it."""
    game.check_acting(state, seat, move)
    if isinstance(move, PlayCards):
        _judge_play(game, state, seat, move)
    elif isinstance(move, Draw):
        if is_asked(state):
            raise IllegalMove("fours are answered with fours or a pass: nobody draws")
        if state.penalty:
            return
        if state.drawn:
            raise IllegalMove("only one card may be drawn in a turn: play, or pass")
        if not game.can_draw(state):
            raise IllegalMove("there is nothing to draw: play, or pass")
    elif isinstance(move, Pass):
        if is_asked(state):
            return
        if state.penalty:
            raise IllegalMove("{count} cards are due: add to the war, or draw them", count=state.penalty)
        if not state.drawn and game.can_draw(state):
            raise IllegalMove("draw a card before passing")


def _judge_play(game: MacauRules, state: MacauState, seat: Seat, play: PlayCards) -> None:
    game.check_faces(play.cards)
    if len(play.cards) > state.hand_sizes[seat]:
        raise IllegalMove("{count} cards are more than the hand holds", count=len(play.cards))
    if len(play.stands_for) != play.cards.count(JOKER):
        raise IllegalMove("each joker stands for one card, which its player names")
    for card in play.stands_for:
        if card not in _STANDS_FOR:
            raise IllegalMove("a joker cannot stand for {card}", card=card)
    faces = faces_of(play.cards, play.stands_for)
    for face in faces:
        if face[0] != faces[0][0]:
            raise IllegalMove("several cards are played together only if they are of one value")
    if not fits(state, faces[0]):
        _refuse(state, faces[0])
    if is_war(state):
        for face in faces:
            if face not in WAR_CARDS:
                _refuse(state, face)
    _judge_names(game, state, seat, play, faces[-1])
    if play.call and state.hand_sizes[seat] - len(play.cards) != 1:
        raise IllegalMove("the last-card word goes with the play that leaves one card")


def _refuse(state: MacauState, card: Card) -> None:
    if is_asked(state):
        raise IllegalMove("only fours answer a four: put one, or pass")
    if state.penalty:
        raise IllegalMove(
            "{count} cards are due: only 2, 3, queens and the kings of hearts and spades may be played",
            count=state.penalty,
        )
    if state.rank is not None:
        raise IllegalMove("{card} does not fit: {rank} is called", card=card, rank=state.rank)
    if state.suit is not None:
        raise IllegalMove("{card} does not fit: the suit called is {suit}", card=card, suit=state.suit)
    raise IllegalMove("{card} does not fit {top}: neither suit nor value", card=card, top=top(state))


def _judge_names(game: MacauRules, state: MacauState, seat: Seat, play: PlayCards, upper: Card) -> None:
    """Check that the play names what its top card allows, and nothing else."""
    if ends_round(game, state, seat, len(play.cards)):
        if play.suit is not None or play.rank is not None or play.next is not None:
            raise IllegalMove("the play that ends the round names nothing")
        return
    if play.suit is not None and upper[0] != "A":
        raise IllegalMove("only an ace calls a suit")
    if play.rank is not None:
        if upper[0] != "J":
            raise IllegalMove("only a jack calls a value")
        if play.rank not in CALLED_RANKS:
            raise IllegalMove("a jack calls a value from 5 to T, not {rank}", rank=play.rank)
    if upper != NAMES_NEXT:
        if play.next is not None:
            raise IllegalMove("only the queen of clubs names who plays next")
        return
    may = tuple(others_in(state, seat))
    if play.next is None:
        if len(may) > 1:
            raise IllegalMove("who plays the queen of clubs names who plays next")
    elif play.next not in may:
        raise IllegalMove("seat {seat} cannot be named: another seat that is still in", seat=play.next)


def ends_round(game: MacauRules, state: MacauState, seat: Seat, count: int) -> bool:
    """Return whether a play of this many cards ends the round."""
    return state.hand_sizes[seat] == count and game.is_last_out(state, seat)
