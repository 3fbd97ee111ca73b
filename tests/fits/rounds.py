"""Rounds of Tichu that normal bots play, and what becomes of them if a seat does something else."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from protocol.cards import Card, Hand, Seat
from protocol.games.game import NORMAL
from protocol.games.local import RandomDealer
from protocol.games.tichu import Tichu
from protocol.games.tichu.moves import Move
from protocol.games.tichu.state import PLAY, TichuState, team

GAME = Tichu(4, {"target": 0})
BOT = GAME.strategy(NORMAL)
LONGEST = 400


@dataclass(frozen=True)
class Decision:
    """A seat in turn, all hands, and the normal bot's move."""

    state: TichuState
    hands: tuple[tuple[Card, ...], ...]
    seat: Seat
    move: Move


def numbers_of(about: str | None, arguments: Sequence[str], rounds: int) -> range:
    """Return the numbers of the rounds that the command line asks for. `rounds`: how many if it does not say."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    chosen = parser.parse_args(arguments)
    return range(chosen.first, chosen.first + chosen.rounds)


def decisions(number: int) -> Iterator[Decision]:
    """Let normal bots play the round of this number, and yield each decision in turn."""
    rng = Random(f"fit/{number}")
    dealer = RandomDealer(GAME, rng)
    state = dealer.carry_out(GAME.start(rng.randrange(4)))
    for _ in range(LONGEST):
        if state.round_points is not None:
            return
        seat, move = _next(dealer, state)
        if state.phase == PLAY and state.turn == seat:
            yield Decision(state, tuple(map(tuple, dealer.hands)), seat, move)
        state = dealer.move(state, seat, move)


def ahead_after(decision: Decision, moves: Sequence[Move]) -> float:
    """Return by how many points the seat's team is ahead in the round if it makes these moves in a row, and everybody plays like
    normal bots after them."""
    dealer = RandomDealer(GAME, Random(0))
    dealer.hands = [Hand(hand) for hand in decision.hands]
    state = decision.state
    for move in moves:
        state = dealer.move(state, decision.seat, move)
    for _ in range(LONGEST):
        if state.round_points is not None:
            break
        state = dealer.move(state, *_next(dealer, state))
    points = state.round_points or (0, 0)
    own = team(decision.seat)
    return float(points[own] - points[1 - own])


def _next(dealer: RandomDealer, state: TichuState) -> tuple[Seat, Move]:
    """Return who moves next, and how."""
    for seat in GAME.to_act(state):
        move: Move | None = BOT.choose(state, seat, dealer.hands[seat], Random(0))
        if move is not None:
            return seat, move
    seat = GAME.awaited(state)[0]
    default = GAME.default(state, seat, dealer.hands[seat])
    assert default is not None, "who is awaited can do something"
    return seat, default
