"""The outcome of a match as plain data: what `--json` prints, and what the journal keeps for the scores."""

from __future__ import annotations

from typing import Any

from p2p.driver import Driver
from protocol.identity import fingerprint
from protocol.table.record import Phase


def report_of(driver: Driver, path: str, verified: bool) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    record = driver.table.record
    return {
        "game": record.roster.game,
        "seats": record.size,
        "seat": driver.table.seat,
        "rounds": record.rounds_closed,
        "scores": list(record.scores),
        "match": record.previous.hex(),
        "transcript": path,
        "verified": verified,
        "words": " ".join(record.words),
    }


def result_of(driver: Driver, title: str) -> dict[str, Any]:
    """Return what the journal keeps of a match for the scores."""
    record, game = driver.table.record, driver.table.game
    names = [record.member(seat).name for seat in range(record.size)]
    winners = list(game.winners(record.scores)) if record.phase is Phase.OVER else []
    return {
        "game": record.roster.game,
        "table": title,
        "names": names,
        "bots": [record.member(seat).bot for seat in range(record.size)],
        "keys": [fingerprint(record.key(seat)) for seat in range(record.size)],
        "teams": [list(team) for team in game.teams],
        "scores": list(record.scores),
        "winners": winners,
        "rounds": record.rounds_closed,
        "match": record.previous.hex(),
    }
