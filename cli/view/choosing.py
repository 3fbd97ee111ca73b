"""One question on a screen of its own: a few answers below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.news import Do
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, ListView, Row


@dataclass(frozen=True, slots=True)
class Answer:
    """What may be chosen: its name, a few words, and what follows from it."""

    name: str
    text: str
    about: str = ""


class ChoicePresenter(ListPresenter):
    """Leaves as `Do("chosen", name)`; Esc is the last answer."""

    def __init__(self, settings: Settings, clock: Clock, question: str, answers: Sequence[Answer]) -> None:
        super().__init__(settings, clock)
        self.question = question
        self.answers = tuple(answers)

    def count(self) -> int:
        return len(self.answers)

    def first(self, pressed: str) -> bool:
        if pressed.isdecimal() and 0 < int(pressed) <= len(self.answers):
            self.cursor = int(pressed) - 1
            return True
        typed = pressed.casefold()
        starts = [at for at, each in enumerate(self.answers) if len(typed) == 1 and each.text.casefold()[:1] == typed]
        if starts and typed.isalpha():
            self.cursor = next((at for at in starts if at > self.cursor), starts[0])
            return True
        return False

    def enter(self) -> None:
        self.effects.append(Do("chosen", self.answers[self.cursor].name))

    def back(self) -> None:
        self.effects.append(Do("chosen", self.answers[-1].name))

    def clicked(self, place: int, twice: bool) -> None:
        self.cursor = place
        self.enter()

    def help_keys(self) -> list[tuple[str, str]]:
        return [
            ("Enter", self._("take the answer")),
            ("1-9", self._("go to the first answer, the second, …; Enter takes it")),
            ("A-Z", self._("go to the answer that begins so")),
        ]

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        answer = self.answers[self.cursor]
        is_only = len(self.answers) == 1
        return ListView(
            Frame(
                _("Fairdeal"),
                prompt=self.notice or ("" if is_only else _("Enter takes the answer")),
                mood="no" if self.notice else "wait" if is_only else "turn",
                caps=(
                    *(() if is_only else (self.cap("row-up"),)),
                    self.cap("row-enter", answer.text),
                    Cap("Esc", self.answers[-1].text, self.cap("back").action),
                ),
                help=self.cap("help"),
            ),
            self.question,
            rows=tuple(Row((f"{place}  {each.text}",)) for place, each in enumerate(self.answers, 1)),
            widths=(1,),
            cursor=self.cursor,
            facts=(((answer.about, "text"),),) if answer.about else (),
        )
