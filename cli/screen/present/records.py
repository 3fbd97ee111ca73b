"""Matches of this machine: a list to choose a replay from, with the evening's scores below."""

from __future__ import annotations

from collections.abc import Sequence

from cli.screen.effects import Do
from cli.screen.present.listing import ListPresenter
from cli.screen.present.presenter import Clock
from cli.screen.settings import Settings
from cli.screen.views import Frame, Line, ListView, Row


class RecordsPresenter(ListPresenter):
    """`files` are (path, cells of its row). Leaves as `Do("replay", path)` or `Do("back")`."""

    def __init__(
        self, settings: Settings, clock: Clock, files: Sequence[tuple[str, tuple[str, ...]]], scores: Sequence[str]
    ) -> None:
        super().__init__(settings, clock)
        self.files = tuple(files)
        self.scores = tuple(scores)

    def count(self) -> int:
        return len(self.files)

    def enter(self) -> None:
        if self.files:
            self.effects.append(Do("replay", self.files[self.cursor][0]))
        else:
            self.say(self._("There is no match to step through yet."), True)

    def back(self) -> None:
        self.effects.append(Do("back"))

    def help_keys(self) -> list[tuple[str, str]]:
        return [("Enter", self._("step through the match"))]

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        facts: list[Line] = [((line, "text"),) for line in self.scores[:8]]
        return ListView(
            Frame(
                _("Fairdeal"),
                _("replays and scores"),
                prompt=self.notice or (_("Enter steps through the match") if self.files else _("Esc: back")),
                mood="no" if self.notice_is_no and self.notice else "turn",
                caps=(
                    *((self.cap("row-up"), self.cap("row-enter", _("replay"))) if self.files else ()),
                    self.cap("settings"),
                    self.cap("back"),
                ),
                help=self.cap("help"),
            ),
            _("Matches on this machine"),
            columns=(_("When"), _("Game"), _("Players")),
            widths=(17, 14, 22),
            rows=tuple(Row(cells) for _path, cells in self.files),
            cursor=self.cursor,
            empty=(_("No match has been played here yet: B in the lobby plays against bots."),),
            facts=tuple(facts),
        )
