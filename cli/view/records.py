"""Matches of this machine: a list to choose a replay from, with the evening's scores below."""

from __future__ import annotations

import time
from collections.abc import Sequence

from cli.games.titles import game_title
from cli.news import Do, Finished, Unfinished
from cli.text import Translator
from cli.view.effects import Tell
from cli.view.inputs import Act, Choose, Input
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.results import match_line, score_lines
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Offer, Row
from protocol.values import dataclass

MOST_SCORES = 8


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match: its file, when it was (year first), the other cells of its row, and all points in a line. One that waits for
    its end has no file yet."""

    path: str
    when: str
    cells: tuple[str, ...]
    about: str = ""
    match: str = ""
    """The id of one that can be taken up again."""


def short_names(_: Translator, names: Sequence[str], bots: Sequence[bool]) -> str:
    """Who played, the people by name: "Mira, 2 bots"."""
    people = [name for name, is_bot in zip(names, bots, strict=False) if not is_bot]
    others = len(names) - len(people)
    return _(", ").join([*people, _.n("{n} bot", "{n} bots", others)] if others else people)


def won_by(_: Translator, match: Finished) -> str:
    """Who has won, in a word or two."""
    if match.status != "finished":
        return _("not finished")
    if len(match.teams) > 1 and len(match.winners) == len(match.names):
        return _("tie")
    winners = [match.names[seat] for seat in match.winners if seat < len(match.names)]
    return winners[0] if len(winners) == 1 else "+".join(name.removeprefix("Bot ") for name in winners)


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def record_of(_: Translator, match: Finished) -> MatchRow:
    """A match that is over."""
    cells = (game_title(_, match.game), short_names(_, match.names, match.bots), won_by(_, match))
    return MatchRow(match.path, _when(match.ended), cells, match_line(_, match))


def waiting_record(_: Translator, match: Unfinished) -> MatchRow:
    """A match that was left or put aside: in the list, though its hands are still secret."""
    cells = (game_title(_, match.game), short_names(_, match.names, match.bots), _("unfinished"))
    about = [_("Unfinished. Hands stay secret until the match is over.")]
    if match.left:
        about.append(_("It is waiting for {names}.", names=_.list(match.left)))
    return MatchRow("", _when(match.begun), cells, _.join(about), match.match)


class RecordsModel(ListModel):
    """Leaves as `Do("replay", path)`, `Do("resume", match)` or `Do("back")`. The rows are the matches, from "0" on."""

    def __init__(self, settings: Settings, files: Sequence[MatchRow], scores: Sequence[str]) -> None:
        super().__init__(settings)
        self.files = tuple(files)
        self.scores = tuple(scores)

    def update(self, given: Input) -> Effects:
        match given:
            case Choose(str() as row) if row and (path := self.files[int(row)].path):
                return (Do("replay", path),)
            case Choose(""):
                return (Tell(self._("There are no matches to replay yet."), is_no=True),)
            case Choose(str() as row):
                return (Do("resume", self.files[int(row)].match),)
            case Act("back" | "quit"):
                return (Do("back"),)
            case _other:
                return super().update(given)

    def help_keys(self) -> list[tuple[str, str]]:
        return [("row-enter", self._("replay the match"))]

    def view(self) -> ListView:
        _ = self._
        return ListView(
            "records",
            Frame(_("Replays and scores"), mood="turn", actions=(Offer("settings"), Offer("back"))),
            _("Matches on this computer"),
            columns=(_("When"), _("Game"), _("Players"), _("Winner")),
            rows=tuple(self._row(str(number), each) for number, each in enumerate(self.files)),
            empty=(_("No matches here yet. Press {@practise} in the lobby to play against bots."),),
            facts=tuple(((line, "text"),) for line in self.scores[:MOST_SCORES]),
        )

    def _row(self, number: str, record: MatchRow) -> Row:
        _ = self._
        about: tuple[Line, ...] = (((record.about, "strong"),),) if record.about else ()
        label, prompt = _("rejoin"), _("{@row-enter:rejoin your match}")
        if record.path:
            label, prompt = _("replay"), _("{@row-enter:replay the match}")
        without_year = record.when[5:]
        return Row(number, (record.when, *record.cells), (without_year, *record.cells), label, prompt, about)


def records_model(
    settings: Settings, matches: Sequence[Finished], unfinished: Sequence[Unfinished] = ()
) -> RecordsModel:
    """Matches that lie here, the newest first, unfinished ones on top."""
    _ = settings.words
    files = [waiting_record(_, each) for each in unfinished]
    files += [record_of(_, each) for each in matches if each.path]
    return RecordsModel(settings, files, score_lines(_, matches) if matches else [])
