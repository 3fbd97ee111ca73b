"""Rows that need a table: deal, move, draw. All peers are processes on this computer, over loopback, with journals."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from cli.bench.rows import Measurement

WAIT_S = 120


def measure(
    game: str,
    seats: int,
    *,
    moves: int = 0,
    rounds: int = 1,
    options: dict[str, Any] | None = None,
    phone: Callable[[str], None] | None = None,
) -> list[Any]:
    """Run a table of processes and return each peer's report. `phone` sits down in one of the seats, at the address it gets."""
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
    return [Measurement("deal", {"game": game, "seats": seats}, deal_ms(measure(game, seats)), "ms")]


def deal_ms(reports: list[Any]) -> float:
    """Return how long the first deal took, from the first seat that had the table sealed to the last that had its hand."""
    took = max(report["dealt"]["1"][1] for report in reports) - min(report["sealed"] for report in reports)
    return float(took * 1000)


def move_rows(seats: int, moves: int = 60) -> list[Measurement]:
    """Measure from a seat's move to the last other seat's settled state: plays, and draws into a hand of seven."""
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
            rows.append(Measurement(name, params | {"figure": "median"}, median(found), "ms"))
            p99 = quantiles(found, n=100, method="inclusive")[98]
            rows.append(Measurement(name, params | {"figure": "p99"}, p99, "ms"))
    return rows
