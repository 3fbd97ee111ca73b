"""Matches of this machine: a list to choose a replay from, with the evening's scores below."""

from __future__ import annotations

from collections.abc import Sequence

from cli.screen.canvas import Action
from cli.screen.commands import LIST
from cli.screen.effects import Do, Repaint
from cli.screen.present.presenter import Clock, Presenter
from cli.screen.settings import Settings
from cli.screen.views import Frame, Line, ListView, Row


class RecordsPresenter(Presenter):
    """`files` are (path, cells of its row). Leaves as `Do("replay", path)` or `Do("back")`."""

    place = LIST

    def __init__(
        self, settings: Settings, clock: Clock, files: Sequence[tuple[str, tuple[str, ...]]], scores: Sequence[str]
    ) -> None:
        super().__init__(settings, clock)
        self.files = tuple(files)
        self.scores = tuple(scores)
        self.cursor = 0
        self.notice = ""

    def command(self, name: str, pressed: str = "") -> None:
        count = max(1, len(self.files))
        self.notice = ""
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % count
            case "row-down":
                self.cursor = (self.cursor + 1) % count
            case "row-enter" | "row-space":
                if self.files:
                    self.effects.append(Do("replay", self.files[self.cursor][0]))
            case "back" | "quit":
                self.effects.append(Do("back"))
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def act(self, action: Action, twice: bool = False) -> None:
        if action.name == "row" and isinstance(action.arg, int):
            was = self.cursor
            self.cursor = action.arg
            if was == action.arg:
                self.command("row-enter")
        else:
            self.command(action.name)

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        facts: list[Line] = [((line, "text"),) for line in self.scores[:8]]
        return ListView(
            Frame(
                _("Fairdeal"),
                _("replays and scores"),
                prompt=self.notice or (_("Enter steps through the match") if self.files else _("Esc: back")),
                mood="no" if self.notice else "turn",
                caps=(self.cap("row-up"), self.cap("row-enter", _("replay")), self.cap("back")),
            ),
            _("Matches on this machine"),
            columns=(_("When"), _("Game"), _("Players")),
            widths=(10, 9, 26),
            rows=tuple(Row(cells) for _path, cells in self.files),
            cursor=self.cursor,
            empty=(_("No match has been played here yet: B in the lobby plays against bots."),),
            facts=tuple(facts),
        )
