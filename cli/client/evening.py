"""Who won how much this evening, for the score sheet. Reads the journal of this person's home: off the event loop, please."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cli.games.titles import game_title
from cli.text import Translator
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.news import Finished

MOST_MATCHES = 50


def evening_of(home: Path, now: float) -> list[Finished]:
    """The matches that were finished since this evening began, the newest first."""
    from cli.client.results import finished_match
    from cli.news import EVENING_ENDS_H
    from p2p.home import read_home
    from p2p.journal import Journal

    found: list[Finished] = []
    with contextlib.suppress(FairdealError, OSError):
        path = read_home(home).journal
        if not path.exists():
            return found
        journal = Journal.read_only(path)
        try:
            for match in journal.finished(MOST_MATCHES):
                found.append(finished_match(match.finished or match.created, match.status, match.result or {}))
        finally:
            journal.close()
    today = time.strftime("%Y-%m-%d", time.localtime(now - EVENING_ENDS_H * 3600))
    return [each for each in found if each.evening == today]


def evening_lines(_: Translator, matches: Iterable[Finished]) -> list[str]:
    """A line for each game, with the teams that have won and how often: "Tichu  Mia+Hanako 2, Jonas+Sam 1"."""
    games: dict[str, Counter[str]] = {}
    for each in matches:
        won = games.setdefault(each.game, Counter())
        if len(each.teams) > 1 and len(each.winners) == len(each.names):
            won[_("draw game")] += 1
            continue
        for team in each.teams:
            if any(seat in each.winners for seat in team):
                won["+".join(each.names[seat] for seat in team if seat < len(each.names))] += 1
    return [
        _(
            "{game}  {wins}",
            game=game_title(_, game),
            wins=_(", ").join(_("{name} {points}", name=name, points=count) for name, count in won.most_common())
            or _("broken off"),
        )
        for game, won in games.items()
    ]
