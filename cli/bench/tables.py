"""Rows that need a table: deals, moves, draws, exchanges. All peers are processes on this computer, with journals."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from cli.bench import dealing, floors
from cli.bench.rows import Measurement
from protocol.cards import Seat
from protocol.dealing.costs import Ops
from protocol.games.catalogue import load
from protocol.games.game import DealToHand, Open, Shuffle
from protocol.values import dataclass

WAIT_S = 120


def measure(
    game: str,
    seats: int,
    *,
    moves: int = 0,
    rounds: int = 1,
    options: dict[str, Any] | None = None,
    draw_below: int | None = None,
    phone: Callable[[str], None] | None = None,
) -> list[Any]:
    """Run a table of processes and return each peer's report.

    It ends at the height `moves`, or, with 0, as soon as the last of its rounds is dealt. `draw_below`: peers with fewer cards
    draw rather than play. `phone` sits down in one of the seats, at the address it gets.
    """
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        port = free_port()
        peers = []
        for number in range(seats - (phone is not None)):
            arguments = {
                "home": str(Path(folder) / str(number)),
                "library": str(Path(folder) / "library"),
                "number": number,
                "port": port,
                "game": game,
                "seats": seats,
                "options": options or {},
                "rounds": rounds,
                "moves": moves,
                **({} if draw_below is None else {"draw_below": draw_below}),
                "phones": phone is not None and number == 0,
            }
            command = [sys.executable, "-m", "cli.bench.peer", json.dumps(arguments)]
            peers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        try:
            if phone is not None and (told := peers[0].stdout) is not None:
                phone(str(json.loads(told.readline())["phones"]))
            return [json.loads(peer.communicate(timeout=WAIT_S)[0]) for peer in peers]
        finally:
            for peer in peers:
                if peer.poll() is None:
                    peer.kill()
                    peer.communicate()


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def deal_rows(game: str, seats: int) -> list[Measurement]:
    """Measure from the sealed table to hands at every seat."""
    took = deal_ms(measure(game, seats))
    return [
        Measurement("deal", {"game": game, "seats": seats}, took, "ms", _deal_floor_ms(game, seats, is_ahead=False))
    ]


def deal_ms(reports: list[Any]) -> float:
    """Return how long the first deal took, from the first seat that had the table sealed to the last that had its hand."""
    took = max(report["dealt"]["1"][1] for report in reports) - min(report["sealed"] for report in reports)
    return float(took * 1000)


def ahead_rows(game: str, seats: int, times: int = 1) -> list[Measurement]:
    """Measure the second deal, whose keys and shuffles were made while the first round was played.

    From the first seat that had the first round closed to the last that had its hand; and the moves of that round, beside those
    of matches of one round, which prepare nothing. The one that ends a round does not count: it shows all hands.
    """
    options = {"target": 100_000}  # else the first round may end the match
    deals, meanwhile, alone = [], [], []
    for _ in range(times):
        reports = measure(game, seats, rounds=2, options=options, draw_below=0)
        closed = min(report["dealt"]["2"][0] for report in reports)
        deals.append((max(report["dealt"]["2"][1] for report in reports) - closed) * 1000)
        meanwhile += plays_ms(reports)
        alone += plays_ms(measure(game, seats, moves=1000, options=options, draw_below=0))
    params = {"game": game, "seats": seats}
    rows = [
        Measurement(
            "deal.ahead", params | {"count": times}, median(deals), "ms", _deal_floor_ms(game, seats, is_ahead=True)
        )
    ]
    for name, plays in (("two rounds", meanwhile), ("one round", alone)):
        rows += _figures("move.ahead", params | {"of": name}, plays)
    return rows


def plays_ms(reports: list[Any]) -> list[float]:
    """Return how long plays took that all peers saw and that ended no round."""
    ends = {height for report in reports for height in report["last"]}
    return [move.took_ms for move in timed_moves(reports) if move.kind == "play" and move.height not in ends]


def move_rows(seats: int, moves: int = 60) -> list[Measurement]:
    """Measure from a seat's move to the last other seat's settled state: plays, and draws into a hand of seven."""
    reports = measure("crazy-eights", seats, moves=moves, options={"hand": 7, "decks": 2, "draw": "one", "target": 0})
    found = [move for move in timed_moves(reports) if not move.recycled]
    params = {"seats": seats, "journal": str(Path(tempfile.gettempdir()))}
    plays = [move.took_ms for move in found if move.kind == "play"]
    draws = [move.took_ms for move in found if move.kind == "draw" and move.held == 8]
    rows = _figures("move", params, plays, _floor_ms(floors.played(seats), seats))
    return rows + _figures("draw", params | {"hand": 7}, draws, _floor_ms(floors.drawn(seats, 8), seats))


def exchange_rows(times: int) -> list[Measurement]:
    """Measure Tichu's exchange: from the last player's three cards to all four hands. Once a match."""
    found = [took for _ in range(times) for took in exchange_ms(measure("tichu", 4, moves=12))]
    each = floors.remasked(4, 14) + floors.taken(4, 14, 3)
    return _figures("exchange", {"game": "tichu", "seats": 4}, found, _floor_ms(each * 4, 4))


def exchange_ms(reports: list[Any]) -> list[float]:
    """Return how long the exchange took: one figure, or none if no exchange was seen.

    All players choose their gifts at once, and all but the first are put forward again, one after another: the last one's begins
    where the one before it has settled at its giver.
    """
    moves = reports[0]["moves"]
    last = max((int(height) for height, (_, kind, _) in moves.items() if kind == "give"), default=0)
    if not last or not all(str(last) in report["settled"] for report in reports):
        return []
    giver = next(report for report in reports if report["seat"] == moves[str(last)][0])
    begun = max(giver["settled"][str(last - 1)], giver["acted"].get(str(last), 0.0))
    return [(max(report["settled"][str(last)] for report in reports) - begun) * 1000]


def recycle_rows(seats: int) -> list[Measurement]:
    """Measure a draw for which the played cards have to be shuffled into the stock first."""
    options = {"hand": 10, "draw": "one", "recycle": True, "target": 0}
    reports = measure("crazy-eights", seats, moves=70, options=options, draw_below=60)
    found = [move for move in timed_moves(reports) if move.recycled]
    if not found:
        return []
    middle = sorted(found, key=lambda move: move.took_ms)[len(found) // 2]
    ops = floors.chain(seats, middle.recycled) + floors.drawn(seats, middle.held)
    params = {"seats": seats, "cards": middle.recycled, "hand": middle.held, "count": len(found)}
    return [Measurement("recycle", params, middle.took_ms, "ms", _floor_ms(ops, seats))]


@dataclass(frozen=True, slots=True)
class Timed:
    """A move as all seats saw it: from its player's decision to the last other seat's settled state."""

    kind: str
    held: int
    """How many cards its player held afterwards."""
    recycled: int
    """How many played cards were shuffled into the stock for it."""
    took_ms: float
    height: int


def timed_moves(reports: list[Any]) -> list[Timed]:
    """Return the moves that all peers saw, from each one's report."""
    found = []
    for report in reports:
        others = [other for other in reports if other is not report]
        for height, start in report["acted"].items():
            if not all(height in other["settled"] and height in other["moves"] for other in others):
                continue
            seat, kind, held = others[0]["moves"][height]
            if seat == report["seat"]:
                end = max(other["settled"][height] for other in others)
                found.append(Timed(kind, held, others[0]["recycled"].get(height, 0), (end - start) * 1000, int(height)))
    return found


def _figures(name: str, params: dict[str, Any], found: list[float], floor: float | None = None) -> list[Measurement]:
    """Return the median and the 99th percentile, in milliseconds; nothing of fewer than two."""
    if len(found) < 2:
        return []
    params = params | {"count": len(found)}
    p99 = quantiles(found, n=100, method="inclusive")[98]
    return [
        Measurement(name, params | {"figure": "median"}, median(found), "ms", floor),
        Measurement(name, params | {"figure": "p99"}, p99, "ms", floor),
    ]


def _deal_floor_ms(name: str, seats: int, *, is_ahead: bool) -> float:
    """Return the floor of a game's first deal, or of one whose deck is ready."""
    game = load(name, seats, {})
    demands = game.start(Seat(0)).demands
    ops = (
        Ops()
        if is_ahead
        else floors.prepared(seats, sum(len(each.faces) for each in demands if isinstance(each, Shuffle)))
    )
    hands = [each.stock for each in demands if isinstance(each, DealToHand)]
    turned_up = sum(isinstance(each, Open) for each in demands)
    return _floor_ms(ops + floors.dealt(seats, max(hands, default=0), turned_up), seats)


def _floor_ms(ops: Ops, seats: int) -> float:
    """Return how long this computer needs for group operations that `seats` processes share."""
    return dealing.bare_operations(0.1).floor_ms(ops) / min(seats, os.cpu_count() or 1)
