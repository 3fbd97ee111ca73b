"""The outcome of a match as plain data: what `--json` prints, and what the journal keeps for the scores."""

from __future__ import annotations

from typing import Any

from p2p.driver import Driver
from protocol.cards import Seat
from protocol.identity import fingerprint
from protocol.table.places import Place
from protocol.table.record import Record
from protocol.table.result import places_of_match


def _winners(record: Record) -> list[Seat]:
    places = places_of_match(record)
    if any(each.reason is not None for each in places):
        return [each.seat for each in places if each.place == 1]
    return list(record.game.winners(record.scores)) if places else []


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
        "places": [_place(each) for each in places_of_match(record)],
    }


def result_of(driver: Driver, title: str) -> dict[str, Any]:
    """Return what the journal keeps of a match for the scores."""
    return result_of_match(driver.table.record, title)


def result_of_match(record: Record, title: str) -> dict[str, Any]:
    """Return the same of a match that was followed."""
    game = record.game
    names = [record.member(seat).name for seat in range(record.size)]
    return {
        "game": record.roster.game,
        "table": title,
        "names": names,
        "bots": [record.member(seat).bot for seat in range(record.size)],
        "keys": [fingerprint(record.key(seat)) for seat in range(record.size)],
        "teams": [list(team) for team in game.teams],
        "scores": list(record.scores),
        "winners": _winners(record),
        "replaced": [
            {
                "seat": each.seat,
                "name": each.member.name,
                "bot": each.member.bot,
                "key": fingerprint(each.member.key),
                "reason": None if each.reason is None else each.reason.value,
            }
            for each in record.replaced
        ],
        "last": {str(each.seat): each.reason.value for each in places_of_match(record) if each.reason is not None},
        "rounds": record.rounds_closed,
        "match": record.previous.hex(),
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "seat": place.seat,
        "place": place.place,
        "reason": None if place.reason is None else place.reason.value,
    }
