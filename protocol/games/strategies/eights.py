"""A bot for Crazy Eights, Two-Four-Jack and Mau-Mau: it plays what fits, dear cards first, and saves its wild ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from protocol.cards import Card, Seat
from protocol.games.eights import Eights, State
from protocol.games.shedding import CALL, Call, Move, Play


class EightsBot:
    """Rates every play that is offered and takes the best; draws only when nothing fits."""

    def __init__(self, game: Eights) -> None:
        self._game = game

    def choose(self, state: State, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        """The word is never forgotten; out of turn there is nothing but the word."""
        if seat != state.turn:
            return CALL if state.word == seat else None
        moves = self._game.legal(state, seat, hand)
        plays = [move for move in moves if isinstance(move, Play)]
        if not plays:
            return next((move for move in moves if not isinstance(move, Call)), None)
        return max(plays, key=lambda play: self._worth(state, seat, hand, play))

    def _worth(self, state: State, seat: Seat, hand: Sequence[Card], play: Play) -> float:
        """How good a play is: points shed, cards that can follow it, and what it does to the next player."""
        game, card = self._game, play.cards[0]
        left = list(hand)
        left.remove(card)
        if not left:
            return 1000.0 + play.call
        suit = play.suit or card[1]
        follow = sum(other[1] == suit or (other[0] == card[0] and not play.suit) for other in left)
        wild = sum(other[0] == game.wild for other in left)
        worth = 3.0 * follow + 2.0 * wild + 100.0 * play.call
        if card[0] == game.wild:
            worth -= 12.0
        if card[0] in (game.skip, *game.dues):
            worth += 4.0 if _next_size(game, state, seat) > 2 else 10.0
        if card[0] == game.again:
            worth += 6.0
        return worth


def _next_size(game: Eights, state: State, seat: Seat) -> int:
    """How many cards the seat after this one holds."""
    following = seat
    while True:
        following = (following + state.direction) % game.seats
        if following in state.present and following not in state.out:
            return state.hand_sizes[following]
