"""Tell this evening's matches for the score sheet, from the journal. Blocks: call it off the event loop.

The journal keeps the result of every match that this client played, as its own table computed it, and of those of its room whose
files it has fetched and checked (`cli.client.room_evening`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from cli.client.results import finished_matches
from cli.news import ASIDE, Finished, PlayerStanding, Tonight, same_evening
from protocol.errors import FairdealError
from protocol.values import replace

MOST_MATCHES = 200


def evening_of(home: Path, now: float, room: str | None = None) -> list[Finished]:
    """Return the matches finished since this evening began, newest first: a long gap begins a new one.

    `now`: seconds since 1970. `room`: only those of the room with this id (hexadecimal).
    """
    found: list[Finished] = []
    with contextlib.suppress(FairdealError, OSError):
        after = now
        for each in finished_matches(home, MOST_MATCHES, fetched=room is not None):
            if not same_evening(each.ended, after):
                break
            after = each.ended
            found.append(each)
    return [each for each in found if room is None or each.room == room]


def tonight(matches: Sequence[Finished]) -> Tonight:
    """Return how the evening stands, over all games."""
    return Tonight(tally(matches), tuple(each for each in matches if each.status == ASIDE))


def tally(matches: Iterable[Finished]) -> tuple[PlayerStanding, ...]:
    """Return how often each player played and won, the most victories first. A player is a key; names are the latest."""
    found: dict[str, PlayerStanding] = {}
    for match in sorted(matches, key=lambda match: match.ended):
        if match.status == ASIDE:
            continue
        for seat, (key, name) in enumerate(zip(match.keys, match.names, strict=False)):
            bot = seat < len(match.bots) and match.bots[seat]
            before = found.get(key, PlayerStanding(key, name, bot))
            won = match.status == "finished" and seat in match.winners
            found[key] = replace(before, name=name, played=before.played + 1, won=before.won + won)
        for gone in match.replaced:  # last, whatever came of the seat
            if gone.key not in match.keys:
                before = found.get(gone.key, PlayerStanding(gone.key, gone.name, gone.bot))
                found[gone.key] = replace(before, name=gone.name, played=before.played + 1)
    return tuple(sorted(found.values(), key=lambda each: (-each.won, -each.played, each.name.casefold(), each.key)))
