"""A model on the terminal: keys, clicks and the wheel become inputs, views become pictures. Cursor, scrolling and the key bar
live here; what they stand for is the model's."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from cli.terminal.keys import Cap
from cli.terminal.layout import Size, has_room, size_of
from cli.terminal.look import Look
from cli.terminal.settings import TerminalSettings
from cli.text import Translator
from cli.view.effects import AskText, Close, Effect, Focus, Open, OpenSettings, Tell
from cli.view.inputs import Act, Input, Tick, Type
from cli.view.model import Clock, Model
from cli.view.options import SettingsModel
from cli.view.views import Offer, View


class Screen:
    """One model, and the screens that lie over it. `effects` are carried out by the app after each key, click and tick.

    A class names the kind of model that it shows: `class PageScreen(Screen, shows=Page)`; `screen_of` finds it."""

    kinds: ClassVar[dict[type, type[Screen]]] = {}

    def __init_subclass__(cls, shows: type | None = None) -> None:
        if shows is not None:
            Screen.kinds[shows] = cls

    def __init__(self, model: Model, settings: TerminalSettings, clock: Clock) -> None:
        self.model = model
        self.settings = settings
        self.clock = clock
        self.effects: deque[Effect] = deque()
        self.overlay: Any = None
        self.closed = False
        self.is_unseen = False
        """The window was too small to show it when it was last drawn."""
        self.may_move_cards = False
        """Whether a card may be seen on its way: the app allows it where it costs nothing."""

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def place(self) -> str:
        return self.model.place

    @property
    def window_title(self) -> str:
        return self.model.window_title

    def is_moving(self) -> bool:
        """Whether what is seen changes within a moment, by itself."""
        return False

    # --- inputs and effects ---

    def send(self, given: Input) -> None:
        """An input for the model; what it wants done is carried out here, or kept for the app."""
        self.take(self.model.update(given))

    def take(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case Open(model):
                    self.overlay = screen_of(model, self.settings, self.clock)
                case OpenSettings(title, below):
                    self.overlay = screen_of(SettingsModel(self.settings, title, below), self.settings, self.clock)
                case Close():
                    self.closed = True
                case Focus():
                    self.focus(effect)
                case Tell(text, is_no):
                    self.say(text, is_no)
                case AskText(field=field):
                    self.effects.append(replace(effect, then=partial(self._typed, field)))
                case _other:
                    self.effects.append(effect)

    def _typed(self, field: str, text: str) -> None:
        self.send(Type(text, field))

    def focus(self, wanted: Focus) -> None:
        """Move a cursor."""

    def say(self, text: str, is_no: bool = False) -> None:
        """On the prompt line, until the next key. `is_no`: why something was not done."""

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

    # --- for the app ---

    def picture(self, columns: int, rows: int) -> tuple[View, Look]:
        """What is seen now, and what the terminal adds."""
        self.is_unseen = size_of(columns, rows) is Size.TINY and not self.is_told_in_lines(columns, rows)
        if self.overlay is not None:
            found: tuple[View, Look] = self.overlay.picture(columns, rows)
            return found
        return self.own_picture(columns, rows)

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        """Whether a window too small for its picture shows it all the same, in lines of text."""
        return bool(self.overlay.is_told_in_lines(columns, rows)) if self.overlay else has_room(columns, rows)

    def key(self, pressed: str) -> None:
        """A key, as the terminal names it. In a window too small to show anything nobody plays blindly."""
        if self.is_unseen and not self.may_press_unseen(pressed):
            return
        if self.overlay is not None:
            self.overlay.key(pressed)
            self.look_after_overlay()
            return
        self.own_key(pressed)

    def may_press_unseen(self, pressed: str) -> bool:
        return pressed in ("c-c", "c-q", "f10", "c-l")

    def click(self, action: Act, twice: bool = False) -> None:
        if self.overlay is not None:
            self.overlay.click(action, twice)
            self.look_after_overlay()
            return
        self.own_click(action, twice)

    def scroll(self, by: int) -> None:
        """The wheel: lines down (or up, below 0)."""
        if self.overlay is not None:
            self.overlay.scroll(by)
            self.look_after_overlay()
            return
        self.own_scroll(by)

    def tick(self) -> bool:
        """About twice a second; whether something looks different now."""
        over = bool(self.overlay.tick()) if self.overlay is not None else False
        self.look_after_overlay()
        self.send(Tick())
        return over or self.overlay is None

    # --- for screens ---

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look]:
        raise NotImplementedError

    def own_key(self, pressed: str) -> None:
        raise NotImplementedError

    def own_click(self, action: Act, twice: bool) -> None:
        self.send(action)

    def own_scroll(self, by: int) -> None:
        pass

    def caps(self, offers: tuple[Offer, ...]) -> tuple[Cap, ...]:
        """The key bar for what a view offers."""
        registry = self.settings.registry
        return tuple(
            replace(
                registry.cap(self._, offer.name, offer.label, Act(offer.name, offer.arg)),
                glows=offer.glows,
                is_needed=offer.is_needed,
            )
            for offer in offers
        )


def screen_of(model: Any, settings: TerminalSettings, clock: Clock) -> Screen:
    """A new screen. KeyError for a model that has none, or whose module is not loaded (see `cli.terminal.shown`)."""
    kind = next((each for each in type(model).__mro__ if each in Screen.kinds), type(model))
    return Screen.kinds[kind](model, settings, clock)
