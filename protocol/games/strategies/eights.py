"""A bot for Crazy Eights, Two-Four-Jack and Mau-Mau. It knows the public state and its own hand, and counts cards.

Every play is rated by what it leaves: how likely the bot can follow at its next turn, how likely the next player cannot, what
the cards kept would cost if somebody else went out. Wild cards are saved for when nothing else fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from protocol.cards import PACK_52, RANKS, SUITS, Card, Seat
from protocol.games.eights import Eights
from protocol.games.shedding import CALL, Move, PlayCards, SheddingState

FOLLOW, STOP, SAVE_WILD, SAVE_DUE, ATTACK, SKIP, AGAIN, COST = 10.0, 8.0, 6.0, 4.0, 8.0, 2.0, 4.0, 0.05
"""Weights of what the bot considers, found by letting bots play each other (tests/strength.py)."""
NEAR_THE_END = 3
"""The size of another hand from which the points left in the bot's own hand matter more."""
SAID = 100.0
"""For saying the last-card word."""
WHIM = 0.3
"""Random variation between nearly equal plays: bots that always do the same could go in circles forever."""

Amounts: TypeAlias = int
"""How many there are of each card, in a byte a card. A deck has at most 216 cards, so that no sum leaves its byte."""
BYTE = 255
FACES: Mapping[Card, Amounts] = {card: 1 << 8 * place for place, card in enumerate(PACK_52)}
BY_SUIT: Mapping[str, Amounts] = {suit: sum(BYTE * FACES[Card(rank + suit)] for rank in RANKS) for suit in SUITS}
BY_RANK: Mapping[str, Amounts] = {rank: sum(BYTE * FACES[Card(rank + suit)] for suit in SUITS) for rank in RANKS}
EITHER: Mapping[Card, Amounts] = {card: BY_SUIT[card[1]] | BY_RANK[card[0]] for card in PACK_52}


def amounts(cards: Iterable[Card]) -> Amounts:
    """Return how many there are of each of these cards. Counting by bytes takes a tenth of the time of a `Counter`, and bots do
    little else when they look ahead."""
    return sum(map(FACES.__getitem__, cards))


def total(cards: Amounts) -> int:
    """Return how many cards these are: the sum of the bytes, as 256 leaves 1 when divided by 255."""
    return cards % BYTE


class EightsBot:
    """A bot that rates every legal play and makes the best one, and draws only if there is none."""

    def __init__(self, game: Eights) -> None:
        self._game = game
        self._deck = amounts(game.deck)

    def choose(self, state: SheddingState, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        """Choose a move. The bot always says the last-card word; out of turn it does nothing else."""
        if seat != state.turn:
            return CALL if state.word == seat else None
        moves = self._game.legal(state, seat, hand)
        plays = [move for move in moves if isinstance(move, PlayCards)]
        if not plays:
            return moves[0]
        if len(plays) == 1:
            return plays[0]
        unseen = self._deck - amounts(hand) - amounts(state.pile)
        return max(plays, key=lambda play: self._worth(state, seat, hand, play, unseen) + WHIM * rng.random())

    def ranked(self, state: SheddingState, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return what the seat in turn can do, the most promising first."""
        unseen = self._deck - amounts(hand) - amounts(state.pile)
        moves = self._game.legal(state, seat, hand)
        plays = [move for move in moves if isinstance(move, PlayCards)]
        plays.sort(key=lambda play: self._worth(state, seat, hand, play, unseen), reverse=True)
        return [*plays, *(move for move in moves if not isinstance(move, PlayCards))]

    def might_make(self, state: SheddingState, seat: Seat, hand: Sequence[Card], play: PlayCards) -> bool:
        """Return whether the bot could choose this play: whether no other is rated better by more than its whim."""
        plays = [each for each in self._game.legal(state, seat, hand) if isinstance(each, PlayCards)]
        if len(plays) <= 1:
            return True
        unseen = self._deck - amounts(hand) - amounts(state.pile)
        most = self._worth(state, seat, hand, play, unseen) + WHIM
        return all(each is play or self._worth(state, seat, hand, each, unseen) <= most for each in plays)

    def _worth(self, state: SheddingState, seat: Seat, hand: Sequence[Card], play: PlayCards, unseen: Amounts) -> float:
        game, card = self._game, play.cards[0]
        left = list(hand)
        left.remove(card)
        worth = SAID if play.call else 0.0
        if not left:
            return worth
        suit, rank = play.suit or card[1], card[0]
        fitting = unseen & (BY_SUIT[suit] | BY_RANK[game.wild] | (0 if play.suit else BY_RANK[rank]))
        in_all, fits = total(unseen), total(fitting)
        others = [each for each in state.present if each not in state.out and each != seat]
        near = 1.0 if len(others) == 1 else 0.5
        if any(other[0] == game.wild for other in left):
            follow = 1.0
        else:
            matching = 0
            for other in left:
                matching |= EITHER[other]
            follow = near * _share(fitting, fits, matching) + (1 - near) * _share(unseen, in_all, matching)
        next_size = state.hand_sizes[self._next(state, seat)]
        stop = (1 - fits / in_all) ** next_size if in_all else 0.0
        worth += FOLLOW * follow + STOP * stop
        if rank == game.wild:
            worth -= SAVE_WILD
        if rank in game.dues:
            worth += ATTACK if next_size < NEAR_THE_END else -SAVE_DUE
        if rank == game.skip:
            worth += SKIP
        if rank == game.again:
            worth += AGAIN
        if min(state.hand_sizes[each] for each in others) <= NEAR_THE_END:
            worth += COST * game.card_cost(card)
        return worth

    def _next(self, state: SheddingState, seat: Seat) -> Seat:
        following = (seat + state.direction) % self._game.seats
        while following not in state.present or following in state.out:
            following = (following + state.direction) % self._game.seats
        return following


def _share(cards: Amounts, in_all: int, matching: Amounts) -> float:
    """Return the share of these cards that are among the matching ones."""
    return total(cards & matching) / in_all if in_all else 0.0
