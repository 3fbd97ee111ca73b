"""A screen with one question and a few answers below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.news import Do
from cli.view.actions import MENU
from cli.view.effects import Close
from cli.view.inputs import Act, Choose, Input
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.settings import Settings
from cli.view.views import Frame, ListView, Offer, Row
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Alternative:
    """What may be chosen: its name, a few words, and what follows from it."""

    name: str
    text: str
    about: str = ""
    is_final: bool = False
    """Nobody can take it back: one digit is not enough."""


class ChoiceModel(ListModel):
    """Going back is the last answer. `chosen` takes the answer and may return what
    follows; without it, it leaves as `Do("chosen", name)`. `focus`: the
    answer that is looked at first."""

    place = MENU

    def __init__(
        self,
        settings: Settings,
        question: str,
        answers: Sequence[Alternative],
        chosen: Callable[[str], Effects | None] | None = None,
        focus: str = "",
    ) -> None:
        super().__init__(settings)
        self.question = question
        self.answers = tuple(answers)
        self.chosen, self.focus = chosen, focus

    def update(self, given: Input) -> Effects:
        match given:
            case Choose(str() as name):
                return self._choose(name)
            case Act("back" | "quit"):
                return self._choose(self.answers[-1].name)
            case _other:
                return super().update(given)

    def _choose(self, name: str) -> Effects:
        if self.chosen is None:
            return (Do("chosen", name),)
        return (*(self.chosen(name) or ()), Close())

    def help_keys(self) -> list[tuple[str, str]]:
        return [
            ("row-enter", self._("choose this answer")),
            ("row-number", self._("choose answer 1, 2, …")),
            ("row-letter", self._("jump to the answer starting with that letter")),
        ]

    def view(self) -> ListView:
        _ = self._
        prompt = _("{@row-enter:choose this answer}")
        return ListView(
            "menu",
            Frame(_("Fairdeal"), prompt=prompt, mood="turn", actions=(Offer("back", self.answers[-1].text),)),
            self.question,
            rows=tuple(
                Row(
                    each.name,
                    (f"{place}  {each.text}",),
                    label=each.text,
                    about=(((each.about, "text"),),) if each.about else (),
                    is_final=each.is_final,
                )
                for place, each in enumerate(self.answers, 1)
            ),
            focus=self.focus,
        )
