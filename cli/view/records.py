"""Matches of this machine: a list to choose a replay from, with the evening's scores below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.games.titles import game_title
from cli.news import Do
from cli.terminal.layout import Size, size_of
from cli.text import Translator
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Row

if TYPE_CHECKING:
    from cli.news import Finished
    from cli.view.lobby import Unfinished


@dataclass(frozen=True, slots=True)
class Record:
    """A match that can be stepped through: its file, the cells of its row, and all points in a line. One that waits for its
    end has no file yet."""

    path: str
    cells: tuple[str, ...]
    about: str = ""


def short_names(_: Translator, names: Sequence[str], bots: Sequence[bool]) -> str:
    """Who played, the people by name: "Mira, 2 bots"."""
    people = [name for name, is_bot in zip(names, bots, strict=False) if not is_bot]
    others = len(names) - len(people)
    return _(", ").join([*people, _.n("{n} bot", "{n} bots", others)] if others else people)


def won_by(_: Translator, match: Finished) -> str:
    """Who has won, in a word or two."""
    if match.status != "finished":
        return _("broken off")
    if len(match.teams) > 1 and len(match.winners) == len(match.names):
        return _("draw game")
    winners = [match.names[seat] for seat in match.winners if seat < len(match.names)]
    return winners[0] if len(winners) == 1 else "+".join(name.removeprefix("Bot ") for name in winners)


def waiting_record(_: Translator, match: Unfinished, when: str) -> Record:
    """The match that was left here: in the list, though its hands are still secret."""
    cells = (when, game_title(_, match.game), short_names(_, match.names, match.bots), _("unfinished"))
    return Record("", cells, _("Unfinished: U in the lobby goes back to it. Its hands are secret until it is over."))


class RecordsPresenter(ListPresenter):
    """Leaves as `Do("replay", path)` or `Do("back")`."""

    def __init__(self, settings: Settings, clock: Clock, files: Sequence[Record], scores: Sequence[str]) -> None:
        super().__init__(settings, clock)
        self.files = tuple(files)
        self.scores = tuple(scores)

    def count(self) -> int:
        return len(self.files)

    def enter(self) -> None:
        if self.files and not self.files[self.cursor].path:
            self.say(self._("It can be looked at once it is over: Esc, then U goes back to it."), True)
        elif self.files:
            self.effects.append(Do("replay", self.files[self.cursor].path))
        else:
            self.say(self._("There is no match to step through yet."), True)

    def back(self) -> None:
        self.effects.append(Do("back"))

    def help_keys(self) -> list[tuple[str, str]]:
        return [("Enter", self._("step through the match"))]

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        about = self.files[self.cursor].about if self.files else ""
        facts: list[Line] = [((about, "strong"),)] if about else []
        facts += [((line, "text"),) for line in self.scores[:8]]
        is_shown = bool(self.files) and bool(self.files[self.cursor].path)
        is_small = size_of(columns, rows) in (Size.SMALL, Size.TINY)
        return ListView(
            Frame(
                _("Replays and evening scores"),
                prompt=self.notice or (_("Enter steps through the match") if is_shown else _("Esc: back")),
                mood="no" if self.notice_is_no and self.notice else "turn",
                caps=(
                    *((self.cap("row-up"),) if self.files else ()),
                    *((self.cap("row-enter", _("replay")),) if is_shown else ()),
                    self.cap("settings"),
                    self.cap("back"),
                ),
                help=self.cap("help"),
            ),
            _("Matches on this machine"),
            columns=(_("When"), _("Game"), _("Players"), _("Won by")),
            widths=(13, 15, 14, 13) if is_small else (17, 15, 22, 16),
            rows=tuple(Row((each.cells[0][5:], *each.cells[1:]) if is_small else each.cells) for each in self.files),
            cursor=self.cursor,
            empty=(_("No match has been played here yet: B in the lobby plays against bots."),),
            facts=tuple(facts),
        )
