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
            raise IllegalMove("play a four or pass: you can't draw against fours")
        if state.penalty:
            return
        if state.drawn:
            raise IllegalMove("you can draw only one card per turn: play or pass")
        if not game.can_draw(state):
            raise IllegalMove("there is nothing to draw: play or pass", code="no stock")
    elif isinstance(move, Pass):
        if is_asked(state):
            return
        if state.penalty:
            raise IllegalMove(
                "the penalty is {count} cards: draw them or add to the war", code="penalty", count=state.penalty
            )
        if not state.drawn and game.can_draw(state):
            raise IllegalMove("draw a card before passing")


def _judge_play(game: MacauRules, state: MacauState, seat: Seat, play: PlayCards) -> None:
    game.check_faces(play.cards)
    if len(play.cards) > state.hand_sizes[seat]:
        raise IllegalMove("the hand doesn't hold {count} cards", count=len(play.cards))
    if len(play.stands_for) != play.cards.count(JOKER):
        raise IllegalMove("each joker stands for one card: say which")
    for card in play.stands_for:
        if card not in _STANDS_FOR:
            raise IllegalMove("a joker cannot stand for {card}", card=card)
    faces = faces_of(play.cards, play.stands_for)
    for face in faces:
        if face[0] != faces[0][0]:
            raise IllegalMove("cards played together must have the same rank")
    if not fits(state, faces[0]):
        _refuse(state, faces[0])
    if is_war(state):
        for face in faces:
            if face not in WAR_CARDS:
                _refuse(state, face)
    _judge_names(game, state, seat, play, faces[-1])
    if play.call and state.hand_sizes[seat] - len(play.cards) != 1:
        raise IllegalMove("call “last card” with the play that leaves one card")


def _refuse(state: MacauState, card: Card) -> None:
    if is_asked(state):
        raise IllegalMove("only fours answer a four: play one or pass", code="only fours")
    if state.penalty:
        raise IllegalMove(
            "the penalty is {count} cards: only 2, 3, queens and the kings of hearts and spades can be played",
            code="penalty",
            count=state.penalty,
        )
    if state.rank is not None:
        raise IllegalMove("{card} doesn't match: the rank asked for is {rank}", card=card, rank=state.rank)
    if state.suit is not None:
        raise IllegalMove("{card} doesn't match: the suit asked for is {suit}", card=card, suit=state.suit)
    raise IllegalMove("{card} doesn't match {top} in suit or rank", card=card, top=top(state))


def _judge_names(game: MacauRules, state: MacauState, seat: Seat, play: PlayCards, upper: Card) -> None:
    """Check that the play names what its top card allows, and nothing else."""
    if ends_round(game, state, seat, len(play.cards)):
        if play.suit is not None or play.rank is not None or play.next is not None:
            raise IllegalMove("the play that ends the round can't ask for anything")
        return
    if play.suit is not None and upper[0] != "A":
        raise IllegalMove("only an ace asks for a suit")
    if play.rank is not None:
        if upper[0] != "J":
            raise IllegalMove("only a jack asks for a rank")
        if play.rank not in CALLED_RANKS:
            raise IllegalMove("a jack asks for a rank from 5 to T, not {rank}", rank=play.rank)
    if upper != NAMES_NEXT:
        if play.next is not None:
            raise IllegalMove("only the queen of clubs chooses the next player")
        return
    may = tuple(others_in(state, seat))
    if play.next is None:
        if len(may) > 1:
            raise IllegalMove("choose the next player when you play the queen of clubs")
    elif play.next not in may:
        raise IllegalMove("{seat} can't play next: choose another player who still has cards", seat=play.next)


def ends_round(game: MacauRules, state: MacauState, seat: Seat, count: int) -> bool:
    """Return whether a play of this many cards ends the round."""
    return state.hand_sizes[seat] == count and game.is_last_out(state, seat)
