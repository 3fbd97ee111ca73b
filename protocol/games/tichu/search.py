"""A bot that plays Tichu by trying its moves: it imagines deals that fit what it knows and plays each of them to the end.

The search knows the public state and the bot's own hand, nothing else: the cards not yet seen are dealt at random to the
others (determinization: M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001). All
players in it play like `TeamPlayer`, whose move is kept unless another is clearly better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from protocol.cards import MAH_JONG, PACK_TICHU, Card, Seat
from protocol.games.game import AnyGame, Strategy
from protocol.games.local import RandomDealer
from protocol.games.tichu.moves import CallTichu, Move
from protocol.games.tichu.plays import groups
from protocol.games.tichu.state import PLAY, SEATS, TichuState, is_in, may_call, team

WORK = 600
"""How much is played in the imagination for one decision: moves tried, times deals, times cards in all hands."""
FEWEST_DEALS, MOST_DEALS = 4, 24
"""How many deals a decision is tried on, as far as the work allows."""
FEWEST_MOVES, MOST_MOVES = 2, 4
"""How many moves are tried, as far as the work allows; a call of Tichu is tried besides."""
SURENESS = 1.0
"""By how many standard errors another move must be ahead of the one that is kept otherwise."""
LONGEST = 400
"""An imagined round is broken off after this many moves, and counts as even."""

Rank = Callable[[TichuState, Seat, Sequence[Card]], Sequence[Move]]
"""Returns moves worth a try, the most promising first."""


class Searcher:
    """Tries its moves on imagined deals. `base`: how everybody plays in them, and the move that is kept in doubt."""

    def __init__(self, game: AnyGame, base: Strategy, rank: Rank, work: int = WORK) -> None:
        self._game, self._base, self._rank, self._work = game, base, rank, work

    def choose(self, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        kept: Move | None = self._base.choose(state, seat, hand, rng)
        if state.phase != PLAY or state.turn != seat or kept is None:
            return kept
        moves = self._candidates(state, seat, hand, kept)
        return kept if len(moves) == 1 else moves[self._best(state, seat, hand, moves, rng)]

    def _candidates(self, state: TichuState, seat: Seat, hand: Sequence[Card], kept: Move) -> list[Move]:
        found = [kept, *self._rank(state, seat, hand)]
        moves: list[Move] = []
        for move in found:
            if move not in moves:
                moves.append(move)
        affordable = self._work // (FEWEST_DEALS * sum(state.hand_sizes))
        moves = moves[: min(max(affordable, FEWEST_MOVES), MOST_MOVES)]
        if may_call(state, seat) and CallTichu() not in moves:
            moves.append(CallTichu())
        return moves

    def _best(self, state: TichuState, seat: Seat, hand: Sequence[Card], moves: Sequence[Move], rng: Random) -> int:
        """Return the place of the best move; the first one unless another is clearly ahead."""
        gains: list[list[float]] = [[] for _ in moves]
        wanted = self._work // (len(moves) * sum(state.hand_sizes))
        for _ in range(min(max(wanted, FEWEST_DEALS), MOST_DEALS)):
            hands = imagined(state, seat, hand, rng)
            values = [self._outcome(state, seat, hands, move, rng) for move in moves]
            for each, value in zip(gains, values, strict=True):
                each.append(value - values[0])
        best, ahead = 0, 0.0
        for place, each in enumerate(gains):
            mean = sum(each) / len(each)
            variance = sum((gain - mean) ** 2 for gain in each) / max(1, len(each) - 1)
            if mean - SURENESS * math.sqrt(variance / len(each)) > 0 and mean > ahead:
                best, ahead = place, mean
        return best

    def _outcome(
        self, state: TichuState, seat: Seat, hands: Sequence[Sequence[Card]], move: Move, rng: Random
    ) -> float:
        """Play one deal to its end after this move; return the points by which the seat's team is ahead in the round."""
        game = self._game
        dealer = RandomDealer(game, rng)
        dealer.hands = [list(each) for each in hands]
        state = dealer.move(state, seat, move)
        bombers = [bool(groups(each, None, bombs_only=True)) for each in hands]
        for _ in range(LONGEST):
            if state.round_points is not None:
                break
            each, chosen = self._next(state, dealer.hands, bombers, rng)
            state = dealer.move(state, each, chosen)
        points = state.round_points or (0, 0)
        return float(points[team(seat)] - points[1 - team(seat)])

    def _next(
        self, state: TichuState, hands: Sequence[Sequence[Card]], bombers: Sequence[bool], rng: Random
    ) -> tuple[Seat, Move]:
        """Return who moves next in an imagined deal, and how. `bombers`: who held a bomb when it began; only they interrupt."""
        awaited = self._game.awaited(state)
        for seat in self._game.to_act(state):
            if seat in awaited or bombers[seat]:
                move = self._base.choose(state, seat, hands[seat], rng)
                if move is not None:
                    return seat, move
        default: Move | None = self._game.default(state, awaited[0], hands[awaited[0]])
        assert default is not None, "who is awaited can do something"
        return awaited[0], default


def imagined(state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random) -> list[list[Card]]:
    """Return hands for all seats that fit the public state and this hand: a shown Mah Jong stays where it is."""
    seen = {*hand, *state.played}
    unseen = [card for card in PACK_TICHU if card not in seen]
    rng.shuffle(unseen)
    hands: list[list[Card]] = [[] for _ in range(SEATS)]
    hands[seat] = list(hand)
    if MAH_JONG in unseen and state.mah_jong is not None and state.mah_jong != seat and is_in(state, state.mah_jong):
        unseen.remove(MAH_JONG)
        hands[state.mah_jong].append(MAH_JONG)
    for each in range(SEATS):
        while len(hands[each]) < state.hand_sizes[each]:
            hands[each].append(unseen.pop())
    return hands
