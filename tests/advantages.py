"""How much more a strategy wins than another one does in its place, told move by move.

Whole rounds say little about a small gain. So a strategy's rounds are only walked through: for each of its moves that the other
strategy would not have made, the round is played to its end with either, everybody going on as without the strategy: with the
hands as they really are, and the stock shuffled anew some times. What the moves bring adds up, in the mean, to what the
strategy does (S. Kakade and J. Langford, "Approximately Optimal Approximate Reinforcement Learning", 2002), and varies much
less.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.cards import Card, Hand, Seat
from protocol.games.game import AnyGame, Strategy
from protocol.games.local import LocalTable, RandomDealer
from protocol.games.memory import Memory, choose
from tests.strength import after

SHUFFLES = 8
"""How often the stock is shuffled anew to tell what a move brings."""
LONGEST = 300
"""A round is broken off after so many moves, and counts as even."""


class Playing:
    """A game of single rounds, and who sits where without the strategy that is measured: bots that need no memory."""

    def __init__(self, game: AnyGame, bots: Sequence[Strategy]) -> None:
        self.game, self.bots = game, bots

    def next_move(self, state: Any, hands: Sequence[Sequence[Card]], rng: Random) -> tuple[Seat, Any]:
        """Return who moves next, and how."""
        for seat in self.game.to_act(state):
            if (move := self.bots[seat].choose(state, seat, hands[seat], rng)) is not None:
                return seat, move
        seat = self.game.awaited(state)[0]
        return seat, self.game.default(state, seat, hands[seat])

    def won(
        self, state: Any, hands: Sequence[Sequence[Card]], stock: Sequence[Card], seat: Seat, move: Any, luck: int
    ) -> float:
        """Return which share of the win this seat's team gets if the seat makes this move. `luck`: for the chance in it."""
        game, rng, acting = self.game, Random(luck), seat
        dealer = RandomDealer(game, rng)
        dealer.hands, dealer.stock = [Hand(hand) for hand in hands], list(stock)
        for _ in range(LONGEST):
            state = dealer.move(state, acting, move)
            if game.is_round_over(state):
                return share(game, state, seat)
            acting, move = self.next_move(state, dealer.hands, rng)
        return 1 / len(game.teams)

    def advantage(self, one: Strategy, own: Seat, deal: int) -> float:
        """Let `one` sit at this seat in this deal; return by how much more of the win its moves bring."""
        table, rng, found = LocalTable(self.game, Random(f"deal/{deal}")), Random(f"bots/{deal}/{own}"), 0.0
        memories = [Memory(seat) for seat in range(self.game.seats)]
        while not table.over:
            state, hands, before = table.state, table.hands, rng.getstate()
            seat, move = self.next_move(state, hands, rng)
            if seat == own:
                rng.setstate(before)  # so that it knows what the bot in its place would have done
                kept, move = move, choose(one, memories[own], state, hands[own], rng)
                if move != kept:
                    found += self._gain(table, own, move, kept, deal)
            memories = after(self.game, memories, state, seat, move)
            table.play(seat, move)
        return found

    def _gain(self, table: LocalTable, seat: Seat, move: Any, kept: Any, deal: int) -> float:
        gain = 0.0
        for luck in range(SHUFFLES):
            stock = Random(f"{deal}/{luck}").sample(table.stock, len(table.stock))
            rest = table.state, table.hands, stock, seat
            gain += self.won(*rest, move, luck) - self.won(*rest, kept, luck)
        return gain / SHUFFLES


def share(game: AnyGame, state: Any, seat: Seat) -> float:
    """Return which share of the win the seat's team has in a finished round."""
    winners = game.winners(game.scores(state))
    winning = [team for team in game.teams if any(each in winners for each in team)]
    return 1 / len(winning) if any(seat in team for team in winning) else 0.0


def advantages(game: AnyGame, one: Strategy, base: Strategy, deals: Sequence[int]) -> list[float]:
    """Return for each deal by how much more than an even share `one` wins against `base` at all other seats, in the mean over
    all seats."""
    playing = Playing(game, [base] * game.seats)
    return [sum(playing.advantage(one, seat, deal) for seat in range(game.seats)) / game.seats for deal in deals]
