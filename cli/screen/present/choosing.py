"""One question on a screen of its own: a few answers below each other."""

from __future__ import annotations

from collections.abc import Sequence

from cli.screen.canvas import Action
from cli.screen.commands import LIST
from cli.screen.effects import Do, Repaint
from cli.screen.present.presenter import Clock, Presenter
from cli.screen.settings import Settings
from cli.screen.views import Frame, ListView, Row


class ChoicePresenter(Presenter):
    """`answers` are (name, text). Leaves as `Do("chosen", name)`; Esc is the last answer."""

    place = LIST

    def __init__(self, settings: Settings, clock: Clock, question: str, answers: Sequence[tuple[str, str]]) -> None:
        super().__init__(settings, clock)
        self.question = question
        self.answers = tuple(answers)
        self.cursor = 0

    def command(self, name: str, pressed: str = "") -> None:
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % len(self.answers)
            case "row-down":
                self.cursor = (self.cursor + 1) % len(self.answers)
            case "row-enter" | "row-space":
                self.effects.append(Do("chosen", self.answers[self.cursor][0]))
            case "back" | "quit":
                self.effects.append(Do("chosen", self.answers[-1][0]))
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def act(self, action: Action, twice: bool = False) -> None:
        if action.name == "row" and isinstance(action.arg, int):
            self.cursor = action.arg
            self.command("row-enter")
        else:
            self.command(action.name)

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        return ListView(
            Frame(
                _("Fairdeal"),
                prompt=_("Enter takes the answer"),
                mood="turn",
                caps=(self.cap("row-up"), self.cap("row-enter"), self.cap("back")),
            ),
            self.question,
            rows=tuple(Row((text,)) for _name, text in self.answers),
            widths=(1,),
            cursor=self.cursor,
        )
