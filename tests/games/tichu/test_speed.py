"""How fast the engine is. The bounds are wide, for slow and busy machines; `-s` prints what was measured."""

from __future__ import annotations

import time
from random import Random

from protocol.cards import PACK_TICHU
from protocol.games.local import LocalTable
from protocol.games.tichu import Tichu
from protocol.games.tichu.plays import groups

HANDS = 1000
MOST_MS = 3.0
LEAST_MOVES_A_SECOND = 2000


def test_all_plays_of_a_hand_are_listed_quickly() -> None:
    rng = Random(1)
    hands = [rng.sample(PACK_TICHU, 14) for _ in range(HANDS)]
    game = Tichu(4)
    state = game.lead_state(0, [hands[0], PACK_TICHU[:1], PACK_TICHU[1:2], PACK_TICHU[2:3]], ())
    begun = time.process_time()
    plays = sum(len(group.cards) for hand in hands for group in groups(hand))
    listed_ms = (time.process_time() - begun) * 1000 / HANDS
    begun = time.process_time()
    moves = sum(len(list(game.legal(state, 0, hand))) for hand in hands)
    offered_ms = (time.process_time() - begun) * 1000 / HANDS
    print(f"\n{plays / HANDS:.0f} plays of 14 cards listed in {listed_ms:.3f} ms;", end=" ")
    print(f"as {moves / HANDS:.0f} moves with all wishes in {offered_ms:.3f} ms")
    assert listed_ms < MOST_MS
    assert offered_ms < MOST_MS


def test_random_moves_are_made_quickly() -> None:
    rng, moves = Random(1), 0
    begun = time.process_time()
    for seed in range(20):
        table = LocalTable(Tichu(4, {"target": 0}), Random(seed))
        while not table.over:
            seat = rng.choice(table.to_act)
            offers = table.legal(seat)
            table.play(seat, offers[rng.randrange(len(offers))])
            moves += 1
    speed = moves / (time.process_time() - begun)
    print(f"\n{speed:.0f} moves a second, offers for all four seats included")
    assert speed > LEAST_MOVES_A_SECOND


def test_the_engine_alone_is_quick() -> None:
    """Judging and applying the moves of recorded rounds, without listing any."""
    game, log = Tichu(4, {"target": 0}), []
    for seed in range(20):
        rng = Random(seed)
        table = LocalTable(game, rng)
        while not table.over:
            seat = rng.choice(table.to_act)
            offers = table.legal(seat)
            move = offers[rng.randrange(len(offers))]
            log.append((table.state, seat, table.hands[seat], move))
            table.play(seat, move)
    begun = time.process_time()
    for state, seat, hand, move in log:
        game.check(state, seat, hand, move)
        game.apply(state, seat, move)
    speed = len(log) / (time.process_time() - begun)
    print(f"\n{speed:.0f} moves a second checked against the hand and applied")
    assert speed > LEAST_MOVES_A_SECOND
