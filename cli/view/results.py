"""Results of finished matches in words: for `fairdeal scores`, the list of replays, and a table without a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cli.clean import pad, width
from cli.games.titles import game_title
from cli.news import ASIDE, Finished, Tonight, evenings
from cli.text import Translator


def score_lines(_: Translator, matches: Iterable[Finished]) -> list[str]:
    """The latest evening first, each with its standings below."""
    found = evenings(matches)
    if not found:
        return [_("No finished matches here yet. Try: fairdeal play crazy-eights")]
    lines: list[str] = []
    for played in found:
        day = played[-1].day
        lines += ["", day] if lines else [day]
        games = [game_title(_, each.game) for each in played]
        column = max(map(width, games))
        lines += [f"  {pad(game, column)}  {match_line(_, each)}" for game, each in zip(games, played, strict=True)]
        wins = Counter(each.names[seat] for each in played for seat in each.winners if seat < len(each.names))
        if wins:
            listed = _(", ").join(_("{name} {points}", name=name, points=count) for name, count in wins.most_common())
            lines.append(_("  Won: {list}", list=listed))
    return lines


def match_line(_: Translator, match: Finished) -> str:
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
    line = " · ".join(parts)  # a comma may stand between the names of a team
    if match.status == ASIDE and match.left:
        return _("{line} [not finished: {names} left]", line=line, names=_.list(match.left))
    return line if match.status == "finished" else _("{line} [not finished]", line=line)


def result_lines(_: Translator, match: Finished, is_valid: bool) -> list[str]:
    """How one match ended, what the check of its file has shown, and where the file is."""
    return [
        _("{game}: {result}", game=game_title(_, match.game), result=match_line(_, match)),
        _("Every deal and every move was rechecked: the result stands.")
        if is_valid
        else _("The recheck FAILED: run fairdeal verify on the transcript to see why."),
        _("Transcript: {path}", path=match.path),
    ]


def evening_lines(_: Translator, matches: Iterable[Finished]) -> list[str]:
    """A line for each game, with the teams that have won and how often: "Tichu  Mia+Hanako 2, Jonas+Sam 1"."""
    games: dict[str, Counter[str]] = {}
    matches = list(matches)
    for each in matches:
        if each.status == ASIDE:
            continue
        won = games.setdefault(each.game, Counter())
        if len(each.teams) > 1 and len(each.winners) == len(each.names):
            won[_("tie")] += 1
            continue
        for team in each.teams:
            if any(seat in each.winners for seat in team):
                won["+".join(each.names[seat] for seat in team if seat < len(each.names))] += 1
    return [
        _(
            "{game}  {wins}",
            game=game_title(_, game),
            wins=_(", ").join(_("{name} {points}", name=name, points=count) for name, count in won.most_common())
            or _("not finished"),
        )
        for game, won in games.items()
    ] + [
        _("{game}  {wins}", game=aside_told(_, each), wins=_("not finished"))
        for each in matches
        if each.status == ASIDE
    ]


def tally_line(_: Translator, tonight: Tonight) -> str:
    """How often each has won this evening, over all games, and what is unfinished; empty before the first match."""
    told, standings = [], tonight.standings
    if standings:
        matches = max(each.played for each in standings)
        won = _(", ").join(_("{name} {points}", name=each.name, points=each.won) for each in standings)
        if tonight.by:
            told.append(
                _.n(
                    "Tonight, {n} match, according to {name}: {won}",
                    "Tonight, {n} matches, according to {name}: {won}",
                    matches,
                    name=tonight.by,
                    won=won,
                )
            )
        else:
            told.append(_.n("Tonight, {n} match: {won}", "Tonight, {n} matches: {won}", matches, won=won))
    if tonight.aside:
        listed = _(", ").join(aside_told(_, each) for each in tonight.aside)
        told.append(_("Unfinished: {matches}", matches=listed))
    return " · ".join(told)


def aside_told(_: Translator, match: Finished) -> str:
    """A match that was put aside, and whom it waits for."""
    game = game_title(_, match.game)
    return _("{game} ({names} left)", game=game, names=_.list(match.left)) if match.left else game
