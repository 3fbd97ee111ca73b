"""`fairdeal scores`: the matches of the evening and before, and who won how often. Reads the journal beside a running client.

A finished match's `result` in the journal is `{"game", "table", "names", "teams", "scores", "winners", "rounds", "match"}`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from cli.clean import clean, clean_name, pad, width
from cli.context import Context
from cli.faults import DONE
from cli.requests import Common
from cli.words import Words
from p2p.home import read_home

EVENING_ENDS_H = 6
"""A match that ends before six in the morning belongs to the evening before."""
MOST_MATCHES = 200


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over, as far as the journal knows."""

    ended: float
    status: str
    game: str
    names: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int

    @property
    def evening(self) -> str:
        return time.strftime("%Y-%m-%d", time.localtime(self.ended - EVENING_ENDS_H * 3600))


def run(request: Common, context: Context) -> int:
    from p2p.journal import Journal

    with closing(Journal.read_only(read_home(context.home).journal)) as journal:
        matches = [
            finished_match(found.finished or found.created, found.status, found.result or {})
            for found in journal.finished(MOST_MATCHES)
        ]
    if request.json:
        context.tell_json({"matches": [as_json(each) for each in matches]})
        return DONE
    for line in score_lines(context.words, matches):
        context.tell(line)
    return DONE


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


def score_lines(_: Words, matches: Iterable[Finished]) -> list[str]:
    """The latest evening first, each with its standings below."""
    evenings: dict[str, list[Finished]] = {}
    for each in matches:
        evenings.setdefault(each.evening, []).append(each)
    if not evenings:
        return [_("No match has been finished here yet: try fairdeal play crazy-eights.")]
    lines: list[str] = []
    for evening, played in evenings.items():
        lines += ["", evening] if lines else [evening]
        column = max(width(each.game) for each in played)
        lines += [f"  {pad(each.game, column)}  {match_line(_, each)}" for each in played]
        wins = Counter(each.names[seat] for each in played for seat in each.winners if seat < len(each.names))
        if wins:
            listed = _(", ").join(_("{name} {points}", name=name, points=count) for name, count in wins.most_common())
            lines.append(_("  Won: {list}", list=listed))
    return lines


def match_line(_: Words, match: Finished) -> str:
    """Who had how much; an arrow for nobody, a word for the winners."""
    parts: list[str] = []
    for team, score in zip(match.teams, match.scores, strict=False):
        named = _.list(match.names[seat] for seat in team if seat < len(match.names))
        won = any(seat in match.winners for seat in team)
        parts.append(
            _("{name} {points} (won)", name=named, points=score)
            if won
            else _("{name} {points}", name=named, points=score)
        )
    line = _(", ").join(parts)
    return line if match.status == "finished" else _("{line} [not finished]", line=line)


def as_json(match: Finished) -> dict[str, object]:
    return {
        "ended": int(match.ended),
        "status": match.status,
        "game": match.game,
        "names": list(match.names),
        "scores": list(match.scores),
        "winners": list(match.winners),
        "rounds": match.rounds,
    }
