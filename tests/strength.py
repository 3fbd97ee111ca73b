"""How strong a game's bot is: it plays one seat (one team) against random or greedy players, in every seat equally often.

    python -m tests.strength crazy-eights --seats 4 --matches 400 --option target=0

Prints the share of matches won, shared wins counted in parts, with a 95 % interval, beside the share of an equal player.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from protocol.games import LocalTable, load
from protocol.games.game import LEVELS, AnyGame, Strategy
from protocol.games.memory import Made, Memory, choose

MAX_MOVES = 20_000
PATIENCE = 20
"""Moves that a table may stay stalled before the round is broken off."""


class RandomPlayer:
    """Any legal move; out of turn it acts every second time."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, state: Any, seat: int, hand: Sequence[Any], rng: Random) -> Any | None:
        moves = self._game.legal(state, seat, hand)
        if not moves or (seat not in self._game.awaited(state) and rng.random() < 0.5):
            return None
        return moves[rng.randrange(len(moves))]


class GreedyPlayer:
    """The move of a seat that nobody plays, with the last-card word said: the lowest card that fits."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, state: Any, seat: int, hand: Sequence[Any], rng: Random) -> Any | None:
        default = self._game.default(state, seat, hand)
        if default is None:
            moves = self._game.legal(state, seat, hand)
            return next((move for move in moves if self._game.encode(move) == {"do": "call"}), None)
        data = self._game.encode(default)
        if data.get("do") == "play" and data.get("call") is False:
            for keys in ({"call": True}, {"call": True, "suit": None}):
                called = self._game.decode({**data, **keys})
                if self._game.is_legal(state, seat, hand, called):
                    return called
        return default


PLAYERS: dict[str, Callable[[AnyGame], Strategy]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "bot": lambda game: game.strategy(),
    **{level: (lambda game, level=level: game.strategy(level)) for level in LEVELS},  # type: ignore[misc]
}


def move_once(table: LocalTable, players: Sequence[Strategy], memories: Sequence[Memory], rng: Random) -> list[Memory]:
    """Make the next move: the first that a bot wants, or the default of whoever is awaited. Return what each seat remembers."""
    game, state = table.game, table.state
    for seat in table.to_act:
        move = choose(players[seat], memories[seat], state, table.hands[seat], rng)
        if move is not None:
            break
    else:
        seat = game.awaited(state)[0]
        move = game.default(state, seat, table.hands[seat])
    remembered = after(game, memories, state, seat, move)
    table.play(seat, move)
    return remembered


def after(game: AnyGame, memories: Sequence[Memory], state: Any, seat: int, move: Any) -> list[Memory]:
    """Return what each seat remembers after this move of one of them."""
    return [each.then(Made(state, seat, move if each.seat == seat else game.public(move))) for each in memories]


def play_match(game: AnyGame, players: Sequence[Strategy], rng: Random) -> LocalTable:
    """A whole match, seat i played by players[i]."""
    table = LocalTable(game, rng)
    stalled = rounds = 0
    for _ in range(MAX_MOVES):
        if table.over:
            return table
        if table.rounds != rounds:
            rounds, memories = table.rounds, [Memory(seat) for seat in range(game.seats)]
        stalled = stalled + 1 if table.is_stalled else 0
        if stalled > PATIENCE:  # a Tichu table is stalled until the Mah Jong is shown
            table.break_off()
        memories = move_once(table, players, memories, rng)
    return table


@dataclass(frozen=True)
class Result:
    """The share of matches won by the one against the others."""

    matches: int
    share: float
    interval: float
    fair: float
    unfinished: int


def measure(
    game: AnyGame, one: Callable[[AnyGame], Strategy], others: Callable[[AnyGame], Strategy], matches: int, seed: int
) -> Result:
    """`one` plays each team in turn, `others` all the rest."""
    shares: list[float] = []
    unfinished = 0
    for number in range(matches):
        team = game.teams[number % len(game.teams)]
        players = [one(game) if seat in team else others(game) for seat in range(game.seats)]
        table = play_match(game, players, Random(f"{seed}/{number}"))
        if not table.over:
            unfinished += 1
            continue
        winners = game.winners(table.scores)
        winning_teams = sum(any(seat in winners for seat in each) for each in game.teams)
        shares.append(1 / winning_teams if team[0] in winners else 0.0)
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1)
    return Result(len(shares), mean, 1.96 * math.sqrt(variance / len(shares)), 1 / len(game.teams), unfinished)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", choices=PLAYERS, default="bot")
    parser.add_argument("--against", choices=PLAYERS, nargs="*", default=["random", "greedy"])
    parser.add_argument("--option", action="append", default=[], metavar="KEY=JSON")
    chosen = parser.parse_args(arguments)
    options: dict[str, object] = {}
    for option in chosen.option:
        key, _, value = option.partition("=")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    game = load(chosen.game, chosen.seats, options)
    for opponent in chosen.against:
        begun = time.perf_counter()
        result = measure(game, PLAYERS[chosen.one], PLAYERS[opponent], chosen.matches, chosen.seed)
        print(
            f"{game.name}, {game.seats} seats, {options or 'default options'}: {chosen.one} against {opponent}: "
            f"{100 * result.share:.1f} % of {result.matches} matches (± {100 * result.interval:.1f}, "
            f"an equal player {100 * result.fair:.1f} %), {time.perf_counter() - begun:.1f} s"
            + (f", {result.unfinished} without an end" if result.unfinished else "")
        )


if __name__ == "__main__":
    main(sys.argv[1:])
