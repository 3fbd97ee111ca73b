"""Who plays together at a table that is still being filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocol.errors import BadOption
from protocol.games.catalogue import game_class


def announced_teams(game: str, seats: int, options: Mapping[str, object]) -> Sequence[Sequence[int]]:
    """The teams by seats as people sit now; none where each plays alone, or where partners are drawn by lot."""
    if options.get("teams") == "lot":
        return ()
    try:
        teams = game_class(game)(seats, options).teams
    except BadOption:
        return ()
    return teams if any(len(team) > 1 for team in teams) else ()
