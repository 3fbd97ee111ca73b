"""A match that is over, step by step, on the terminal."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.look import Look
from cli.terminal.notice import KeyNotice, means_nothing
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.view.effects import Repaint
from cli.view.inputs import Act
from cli.view.model import Clock
from cli.view.replay import ReplayModel
from cli.view.views import View
from protocol.values import replace


class ReplayScreen(Screen, shows=ReplayModel):
    """Space runs and stops, arrows and the wheel step."""

    model: ReplayModel

    def __init__(self, model: ReplayModel, settings: TerminalSettings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self.notice = KeyNotice(clock)

    def say(self, text: str, is_no: bool = False) -> None:
        self.notice.say(text, is_no)

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look]:
        view = self.model.view()
        frame, sentences = view.frame, list(view.frame.sentences)
        while len(sentences) > 1 and width(self._.join(sentences)) > columns - 2:
            del sentences[0]
        if sentences:
            frame = replace(frame, prompt=self._.join(sentences))
        help = self.settings.registry.cap(self._, "help")
        return replace(view, frame=self.notice.over(frame)), Look(self.caps(frame.actions), help)

    def own_key(self, pressed: str) -> None:
        self.notice.say("")
        command = self.settings.registry.command(self.model.place, pressed)
        if command is None:
            self.notice.say(means_nothing(self._, pressed), True)
        elif command.name == "repaint":
            self.effects.append(Repaint())
        else:
            self.send(Act(command.name))

    def own_click(self, action: Act, twice: bool) -> None:
        self.notice.say("")
        self.send(Act("story") if action.name in ("log", "chat") else action)

    def own_scroll(self, by: int) -> None:
        self.send(Act("step-on" if by > 0 else "step-back"))
