"""Rows for the rules: moves per second in random rounds with a trusted dealer, on one core."""

from __future__ import annotations

from random import Random

from cli.bench.clock import now_s
from cli.bench.rows import Measurement
from protocol.games import LocalTable, load
from protocol.games.catalogue import BUILT_IN

SEATS = 4
SEED = 7
MOST_MOVES = 5000


def engine_row(name: str, for_s: float) -> Measurement:
    """Play random matches until the time is up."""
    rng = Random(SEED)
    random_bits = rng.getrandbits  # several times faster than `choice`
    game = load(name, SEATS)
    moves = rounds = 0
    begun = now_s()
    while (took := now_s() - begun) < for_s:
        table = LocalTable(game, rng)
        # Check the clock between matches, and limit those that would never end.
        for _ in range(MOST_MOVES):
            seats = table.to_act
            if not seats:
                break
            seat = seats[0] if len(seats) == 1 else seats[random_bits(30) % len(seats)]
            offered = table.legal(seat)
            table.play(seat, offered[random_bits(30) % len(offered)])
            moves += 1
        rounds += table.rounds
    return Measurement(f"engine.{name}", {"seats": SEATS, "rounds": rounds}, moves / took, "moves/s")


def engine_names() -> tuple[str, ...]:
    return tuple(BUILT_IN)
