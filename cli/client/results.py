"""Decode finished matches from the journal."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.clean import clean, clean_name
from cli.news import ASIDE, Finished, FormerPlayer
from protocol.errors import FairdealError
from protocol.table.roster import decode_roster
from protocol.values import replace

FETCHED = "fetched"
"""The role in which a journal keeps matches that others played, and whose files were fetched and checked."""
NEVER_BEGUN = ("torn", "abandoned")
"""How a journal calls tables at which nothing was dealt."""


def finished_match(ended: float, status: str, result: Mapping[str, Any]) -> Finished:
    """Return a match from the journal's result; missing fields stay empty. `ended`: seconds since 1970."""
    names = tuple(clean_name(str(name)) for name in result.get("names") or ())
    teams = tuple(tuple(int(seat) for seat in team) for team in result.get("teams") or ())
    return Finished(
        ended=ended,
        status=status,
        game=clean(str(result.get("game") or "?"), 30),
        names=names,
        teams=teams or tuple((seat,) for seat in range(len(names))),
        scores=tuple(int(score) for score in result.get("scores") or ()),
        winners=tuple(int(seat) for seat in result.get("winners") or ()),
        rounds=int(result.get("rounds") or 0),
        bots=tuple(bool(bot) for bot in result.get("bots") or ()),
        keys=tuple(str(key) for key in result.get("keys") or ()),
        replaced=tuple(
            FormerPlayer(str(each["key"]), clean_name(str(each["name"])), bool(each["bot"]))
            for each in result.get("replaced") or ()
        ),
        left=tuple(clean_name(str(name)) for name in result.get("left") or ()),
    )


def finished_matches(home: Path, most: int, *, fetched: bool = False) -> list[Finished]:
    """The last matches of this home that are over, the newest first; with `fetched`, also those of which it only has the file.
    Raises FairdealError for a journal that cannot be read."""
    from p2p.home import read_home
    from p2p.reading import read_journal

    profile = read_home(home)
    found: list[Finished] = []
    journal = read_journal(profile.journal)
    try:
        for match in journal.finished(most):
            if match.status in NEVER_BEGUN or (match.role == FETCHED and not fetched):
                continue
            each = finished_match(match.finished or match.created, match.status, match.result or {})
            each = replace(each, id=match.id)
            if match.status == ASIDE:  # its hands are still secret
                found.append(
                    replace(each, bots=each.bots or _bots(match.roster), room=str(match.meta.get("room") or ""))
                )
                continue
            path = Path(match.meta.get("transcript") or profile.transcripts / f"{match.id.hex()[:16]}.fairdeal")
            room = str(match.meta.get("room") or "")
            found.append(
                replace(each, bots=each.bots or _bots(match.roster), path=str(path) if path.exists() else "", room=room)
            )
    finally:
        journal.close()
    return found


def _bots(roster: bytes) -> tuple[bool, ...]:
    """Which seats were bots' in a result that does not say it; nothing where that cannot be read."""
    with contextlib.suppress(FairdealError):
        return tuple(member.bot for member in decode_roster(roster).members)
    return ()
