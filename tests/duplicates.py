"""How much stronger one level of a game's bot is than another: each deal is played once from every seat (by every team).

    python -m tests.duplicates tichu --one strong --against normal --deals 100
    python -m tests.duplicates mau-mau --seats 2 --deals 300

Prints, for Tichu, the mean difference of points a round, for the others the share of rounds won (shared wins in parts), with the
95 % interval over deals, and the processor time of a decision.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.cards import Card, Seat
from protocol.games import load
from protocol.games.catalogue import BUILT_IN
from protocol.games.game import AnyGame, Strategy
from protocol.games.local import LocalTable
from protocol.games.memory import Memory, choose
from tests.strength import move_once


class Timed:
    """A strategy whose decisions are timed, in seconds of processor time."""

    def __init__(self, strategy: Strategy, took_s: list[float]) -> None:
        self._strategy, self._took_s = strategy, took_s

    def choose(self, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        begun = time.thread_time()
        move = self._strategy.choose(state, seat, hand, rng)
        self._took_s.append(time.thread_time() - begun)
        return move

    def choose_knowing(self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        begun = time.thread_time()
        move = choose(self._strategy, memory, state, hand, rng)
        self._took_s.append(time.thread_time() - begun)
        return move


def play_round(game: AnyGame, players: Sequence[Strategy], deal: int) -> tuple[int, ...]:
    """Play one round of this deal; return the teams' scores. The bots' random numbers do not touch the deal's."""
    table, rng = LocalTable(game, Random(f"deal/{deal}")), Random(f"bots/{deal}")
    memories = [Memory(seat) for seat in range(game.seats)]
    while not table.over:
        memories = move_once(table, players, memories, rng)
    return table.scores


def measure(game: AnyGame, one: Strategy, other: Strategy, deals: Sequence[int]) -> tuple[float, float]:
    """Return the mean difference a round and half its 95 % interval."""
    ahead: list[float] = []
    for deal in deals:
        pair = 0.0
        for side in (0, 1):
            scores = play_round(game, [one if seat % 2 == side else other for seat in range(game.seats)], deal)
            pair += (scores[side] - scores[1 - side]) / 2
        ahead.append(pair)
    return mean_of(ahead)


def wins(game: AnyGame, one: Strategy, other: Strategy, deals: Sequence[int]) -> tuple[float, float]:
    """Return by how much one's share of the wins is above an even share, and half its 95 % interval. Of each deal, `one`
    plays every team once against `other` in all other seats."""
    ahead: list[float] = []
    for deal in deals:
        share = 0.0
        for team in game.teams:
            scores = play_round(game, [one if seat in team else other for seat in range(game.seats)], deal)
            winners = game.winners(scores)
            winning_teams = sum(any(seat in winners for seat in each) for each in game.teams)
            share += (1 / winning_teams if team[0] in winners else 0.0) / len(game.teams)
        ahead.append(share - 1 / len(game.teams))
    return mean_of(ahead)


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half its 95 % interval."""
    mean = sum(values) / len(values)
    variance = sum((each - mean) ** 2 for each in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=BUILT_IN)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--one", default="strong")
    parser.add_argument("--against", default="normal")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    chosen = parser.parse_args(arguments)
    game = one_round(chosen.game, chosen.seats)
    took_s: list[float] = []
    one, other = Timed(game.strategy(chosen.one), took_s), game.strategy(chosen.against)
    deals = range(chosen.first, chosen.first + chosen.deals)
    if game.name == "tichu":
        mean, interval = measure(game, one, other, deals)
        found = f"{mean:+.1f} points a round (± {interval:.1f}"
    else:
        even = 1 / len(game.teams)
        ahead, interval = wins(game, one, other, deals)
        found = f"{100 * (even + ahead):.1f} % of the rounds, {100 * even:.0f} % being even (± {100 * interval:.1f}"
    took_s.sort()
    print(
        f"{game.name}, {game.seats} seats: {chosen.one} against {chosen.against}: {found}, {len(deals)} deals, each played "
        f"{len(game.teams)} times); a decision took {1000 * took_s[len(took_s) // 2]:.1f} ms in the median, "
        f"{1000 * took_s[len(took_s) * 99 // 100]:.0f} ms at the 99th percentile"
    )


def one_round(name: str, seats: int) -> AnyGame:
    """Return a game whose match is a single round."""
    return load(name, seats, {"target": 1 if name == "mau-mau" else 0})


if __name__ == "__main__":
    main(sys.argv[1:])
