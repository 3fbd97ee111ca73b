"""Rows that need a whole table: deal, move, draw. All peers are processes of this machine, over loopback, with journals."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from cli.bench.rows import Row

WAIT_S = 120


def measure(
    game: str, seats: int, *, moves: int = 0, rounds: int = 1, options: dict[str, Any] | None = None
) -> list[Any]:
    """Run a table of processes and return each peer's report."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        port = free_port()
        peers = []
        for number in range(seats):
            orders = {
                "home": str(Path(folder) / str(number)),
                "library": str(Path(folder) / "library"),
                "number": number,
                "port": port,
                "game": game,
                "seats": seats,
                "options": options or {},
                "rounds": rounds,
                "moves": moves,
            }
            command = [sys.executable, "-m", "cli.bench.peer", json.dumps(orders)]
            peers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        try:
            return [json.loads(peer.communicate(timeout=WAIT_S)[0]) for peer in peers]
        finally:
            for peer in peers:
                if peer.poll() is None:
                    peer.kill()
                    peer.communicate()


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def deal_rows(game: str, seats: int) -> list[Row]:
    """From the sealed table to hands at every seat."""
    reports = measure(game, seats)
    took = max(report["dealt"]["1"][1] for report in reports) - min(report["sealed"] for report in reports)
    return [Row("deal", {"game": game, "seats": seats}, took * 1000, "ms")]


def move_rows(seats: int, moves: int = 60) -> list[Row]:
    """From a seat's move to the last other seat's settled state: plays, and draws into a hand of seven."""
    reports = measure(
        "crazy-eights", seats, moves=moves, options={"hand": 7, "decks": 2 if seats > 5 else 1, "target": 0}
    )
    plays, draws = [], []
    for report in reports:
        for height, start in report["acted"].items():
            others = [other for other in reports if other is not report]
            if not all(height in other["settled"] and height in other["moves"] for other in others):
                continue
            seat, kind, held = others[0]["moves"][height]
            if seat != report["seat"]:
                continue
            took = (max(other["settled"][height] for other in others) - start) * 1000
            if kind == "play":
                plays.append(took)
            elif kind == "draw" and held == 8:
                draws.append(took)
    rows = []
    for name, found in (("move", plays), ("draw", draws)):
        if len(found) > 1:
            params = {"seats": seats, "journal": str(Path(tempfile.gettempdir())), "count": len(found)}
            if name == "draw":
                params["hand"] = 7
            rows.append(Row(name, params | {"figure": "median"}, median(found), "ms"))
            p99 = quantiles(found, n=100, method="inclusive")[98]
            rows.append(Row(name, params | {"figure": "p99"}, p99, "ms"))
    return rows


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:]] or [4]
    for size in sizes:
        for row in (*deal_rows("crazy-eights", size), *move_rows(size)):
            print(row, os.getloadavg()[0])
