"""A model as a face shows it, and the models over it. What a face adds (a cursor, scrolling, keys) its own class knows."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from cli.news import News
from cli.text import Translator
from cli.view.effects import AskText, Close, Effect, Focus, OpenSettings, ShowModel, Tell
from cli.view.inputs import Hear, Input, Tick, Type
from cli.view.model import Clock, Model
from cli.view.options import SettingsModel
from cli.view.settings import Settings
from protocol.values import replace


class Showing:
    """One model, and what is shown over it. `effects` are carried out by the face after each input."""

    def __init__(self, model: Model, settings: Settings, clock: Clock) -> None:
        self.model = model
        self.settings = settings
        self.clock = clock
        self.effects: deque[Effect] = deque()
        self.overlay: Any = None
        self.closed = False

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def place(self) -> str:
        return self.model.place

    @property
    def window_title(self) -> str:
        return self.model.window_title

    def over(self, model: Any) -> Showing:
        """Another model as this face shows it."""
        raise NotImplementedError

    # --- inputs and effects ---

    def send(self, given: Input) -> None:
        """An input for the model; what it wants done is carried out here, or kept for the face."""
        self.take(self.model.update(given))

    def hear(self, news: News) -> None:
        self.send(Hear(news))

    def take(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case ShowModel(model):
                    self.overlay = self.over(model)
                case OpenSettings(title, below):
                    self.overlay = self.over(SettingsModel(self.settings, title, below))
                case Close():
                    self.closed = True
                case Focus():
                    self.focus(effect)
                case Tell():
                    self.tell(effect)
                case AskText(field=field):
                    self.effects.append(replace(effect, then=partial(self._typed, field)))
                case _other:
                    self.effects.append(effect)

    def _typed(self, field: str, text: str) -> None:
        self.send(Type(text, field))

    def focus(self, wanted: Focus) -> None:
        """Move a cursor."""

    def say(self, text: str, is_no: bool = False) -> None:
        """Where prompts stand, until the next input. `is_no`: why something was not done."""

    def tell(self, told: Tell) -> None:
        """The same, by the model."""
        self.say(told.text, told.is_no)

    @property
    def said(self) -> str:
        """What stands there."""
        return ""

    def look_after_overlay(self) -> None:
        overlay = self.overlay
        if overlay is None:
            return
        self.effects.extend(overlay.effects)
        overlay.effects.clear()
        if overlay.closed:
            self.overlay = None

    def tick(self) -> bool:
        """About twice a second; whether something looks different now."""
        over = bool(self.overlay.tick()) if self.overlay is not None else False
        self.look_after_overlay()
        self.send(Tick())
        return over or self.overlay is None
