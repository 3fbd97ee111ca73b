"""Fits what the strong bot of Macau Wars values (`FITTED` in `protocol/games/strategies/macau_wars.py`) again.

    python -m tests.fits.macau_wars --rounds 1500

At some decisions another move than the bot's is chosen at random, and the round is played on with each of the two: the same
hands, the same luck, everybody playing like the strong bot. A weight's term in a move is what the move's rating gains if the
weight is one more. The weights are fitted so that ratings differ by as many hundredths as the chance to win does (at four
seats by twice as many). They stay near today's where the rounds say little.

Today's were rounded by hand from a like fit of corrections to the normal bot's rating, to 13,888 moves; this program has
only run on a few rounds yet.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from multiprocessing import Pool
from operator import sub
from random import Random
from typing import Any

from protocol.cards import Card, Hand, Seat
from protocol.games.local import LocalTable, RandomDealer
from protocol.games.macau_wars import MacauWars
from protocol.games.macau_wars.state import MacauState
from protocol.games.shedding import Move
from protocol.games.strategies.macau_wars import FITTED, MacauBot, Weights
from protocol.values import replace
from tests.fits.linear import fit, table

NAMES = tuple(each.name for each in fields(Weights))
NOW: tuple[float, ...] = tuple(getattr(FITTED, name) for name in NAMES)
SEATS = (2, 2, 4)
EVERY = 4
"""One of so many decisions is tried."""
MOST = 4
"""The most moves of which the other one is chosen."""
TRUST = 300.0
"""So many rows' worth of doubt speaks for today's weights."""
LONGEST = 1000
Row = tuple[tuple[float, ...], float]


class Players:
    """The strong bot at all seats, and others of which each values one thing more."""

    def __init__(self, seats: int) -> None:
        self.game = MacauWars(seats, {})
        self.bot = MacauBot(self.game, FITTED)
        more: Any = [{name: value + 1} for name, value in zip(NAMES, NOW, strict=True)]
        self._others = [MacauBot(self.game, replace(FITTED, **each)) for each in more]

    def terms(self, state: MacauState, seat: Seat, hand: Sequence[Card], move: Move) -> list[float]:
        """Return the terms of this move, one a weight."""
        worth = self.bot.worth(state, seat, hand, move)
        return [other.worth(state, seat, hand, move) - worth for other in self._others]

    def next_move(self, state: MacauState, hands: Sequence[Sequence[Card]], rng: Random) -> tuple[Seat, Move]:
        """Return who moves next, and how."""
        for seat in self.game.to_act(state):
            if (move := self.bot.choose(state, seat, hands[seat], rng)) is not None:
                return seat, move
        raise AssertionError("who is in turn can do something")

    def won(self, local: LocalTable, move: Move, luck: str) -> float:
        """Return the share of the win that goes to the seat in turn if it makes this move."""
        rng, state = Random(luck), local.state
        dealer = RandomDealer(self.game, rng)
        dealer.hands, dealer.stock = [Hand(hand) for hand in local.hands], rng.sample(local.stock, len(local.stock))
        own = seat = state.turn
        for _ in range(LONGEST):
            state = dealer.move(state, seat, move)
            if self.game.is_round_over(state):
                winners = self.game.winners(self.game.scores(state))
                return (own in winners) / len(winners)
            seat, move = self.next_move(state, dealer.hands, rng)
        return 1 / self.game.seats


def rows(number: int) -> list[Row]:
    """Play on from some decisions of the round of this number with two moves."""
    players, rng = Players(SEATS[number % len(SEATS)]), Random(f"another/{number}")
    game, found = players.game, []
    local = LocalTable(game, Random(f"fit/{number}"))
    while not local.over:
        state = local.state
        seat, kept = players.next_move(state, local.hands, rng)
        if seat == state.turn and rng.random() < 1 / EVERY:
            hand = local.hands[seat]
            others = [move for move in players.bot.ranked(state, seat, hand)[:MOST] if move != kept]
            if others:
                other, luck = rng.choice(others), str(rng.random())
                more = map(sub, players.terms(state, seat, hand, other), players.terms(state, seat, hand, kept))
                gain = players.won(local, other, luck) - players.won(local, kept, luck)
                found.append((tuple(more), 50.0 * game.seats * gain))
        local.play(seat, kept)
    return found


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args(arguments)
    numbers = range(chosen.first, chosen.first + chosen.rounds)
    with Pool(chosen.processes) as pool:
        found = [row for each in pool.imap(rows, numbers, chunksize=8) for row in each]
    print(f"{len(found)} pairs")
    print(table(NAMES, fit([terms for terms, _ in found], [gain for _, gain in found], NOW, TRUST), NOW))


if __name__ == "__main__":
    main(sys.argv[1:])
