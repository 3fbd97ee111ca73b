"""Finished matches of this home, as the journal keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli.clean import clean, clean_name
from cli.news import Finished


def finished_match(ended: float, status: str, result: Mapping[str, Any]) -> Finished:
    """A match from the journal's result; what is missing there stays empty."""
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
    )
