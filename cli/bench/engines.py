"""Rows for the rules: moves a second in random rounds with a trusted dealer, on one core."""

from __future__ import annotations

from random import Random

from cli.bench.clock import now_s
from cli.bench.rows import Row
from protocol.games import LocalTable, load
from protocol.games.catalogue import BUILT_IN

SEATS = 4
SEED = 7
MOST_MOVES = 5000


def engine_row(name: str, for_s: float) -> Row:
    """Whole matches, every move drawn from those offered, until the time is up."""
    rng = Random(SEED)
    game = load(name, SEATS)
    moves = rounds = 0
    begun = now_s()
    while (took := now_s() - begun) < for_s:
        table = LocalTable(game, rng)
        begin = moves
        # A round has a few hundred moves: the clock is asked between them, not at each. Rounds can go in circles.
        while not table.over and table.rounds < 3 and moves - begin < MOST_MOVES:
            seat = rng.choice(table.to_act)
            offered = table.legal(seat)
            table.play(seat, offered[rng.randrange(len(offered))])
            moves += 1
        rounds += table.rounds
    return Row(f"engine.{name}", {"seats": SEATS, "rounds": rounds}, moves / took, "moves/s")


def engine_names() -> tuple[str, ...]:
    return tuple(BUILT_IN)
