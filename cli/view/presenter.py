"""What all presenters have in common: keys and clicks become commands, pages lie over what was there before."""

from __future__ import annotations

from collections import deque
from typing import Any

from cli.terminal.layout import Size, size_of
from cli.terminal.look import Look
from cli.terminal.screen import Screen
from cli.terminal.shown import screen_of
from cli.text import Translator
from cli.view.commands import TABLE
from cli.view.effects import Effect
from cli.view.inputs import Act as Action
from cli.view.model import Clock as Clock
from cli.view.settings import Settings
from cli.view.views import Cap, View

FLASH_S = 0.15
"""A card is seen on its way to the pile for so long."""


class Presenter:
    """One screen. `effects` are what it wants done; whoever shows it carries them out after each key, click and tick."""

    place = TABLE

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self.effects: deque[Effect] = deque()
        self.overlay: Screen | None = None
        self.closed = False
        self.is_unseen = False
        """The window was too small to show it when it was last drawn."""
        self.may_move_cards = False
        """Whether a card may be seen on its way: the app allows it where it costs nothing."""

    @property
    def _(self) -> Translator:
        return self.settings.words

    # --- for the app ---

    @property
    def window_title(self) -> str:
        """What the terminal's window is called meanwhile."""
        return self._("Fairdeal")

    def is_moving(self) -> bool:
        """Whether what is seen changes within a moment, by itself."""
        return False

    def view(self, columns: int, rows: int) -> View:
        """What is seen now."""
        return self.picture(columns, rows)[0]

    def picture(self, columns: int, rows: int) -> tuple[View, Look | None]:
        """As `cli.terminal.screen.Screen` has it, which takes the place of this class."""
        self.is_unseen = size_of(columns, rows) is Size.TINY and not self.is_told_in_lines(columns, rows)
        if self.overlay is not None:
            return self.overlay.picture(columns, rows)
        return self.own_picture(columns, rows)

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look | None]:
        return self.own_view(columns, rows), None

    def open(self, model: Any) -> None:
        """This one lies over it."""
        self.overlay = screen_of(model, self.settings, self.clock)

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        """Whether a window too small for its picture shows it all the same, in lines of text."""
        return self.overlay is not None and self.overlay.is_told_in_lines(columns, rows)

    def key(self, pressed: str) -> None:
        """A key, as the terminal names it. In a window too small to show anything nobody plays blindly."""
        if self.is_unseen and not self.may_press_unseen(pressed):
            return
        if self.overlay is not None:
            self.overlay.key(pressed)
            self._look_after()
            return
        command = self.settings.registry.command(self.place, pressed)
        if not self.first(pressed):
            if command is not None:
                self.command(command.name, pressed)
            else:
                self.other(pressed)

    def may_press_unseen(self, pressed: str) -> bool:
        """Whether this key counts while the window is too small."""
        return pressed in ("c-c", "c-q", "f10", "c-l")

    def click(self, action: Action, twice: bool = False) -> None:
        """A click on something that has this action."""
        if self.overlay is not None:
            self.overlay.click(action, twice)
            self._look_after()
            return
        self.act(action, twice)

    def scroll(self, by: int) -> None:
        """The wheel: lines down (or up, below 0)."""
        if self.overlay is not None:
            self.overlay.scroll(by)

    def tick(self) -> bool:
        """Called about once a second; whether something looks different now."""
        return self.overlay.tick() if self.overlay is not None else False

    def _look_after(self) -> None:
        overlay = self.overlay
        if overlay is None:
            return
        self.effects.extend(overlay.effects)
        overlay.effects.clear()
        if overlay.closed:
            self.overlay = None

    # --- for presenters ---

    def own_view(self, columns: int, rows: int) -> View:
        raise NotImplementedError

    def first(self, pressed: str) -> bool:
        """Takes a key before any command does; whether it did."""
        return False

    def command(self, name: str, pressed: str = "") -> None:
        """A command of the registry."""

    def other(self, pressed: str) -> None:
        """A key that is no command."""

    def act(self, action: Action, twice: bool = False) -> None:
        """A click; most are commands."""
        self.command(action.name)

    def cap(self, name: str, label: str | None = None, action: Action | None = None) -> Cap:
        return self.settings.registry.cap(self._, name, label, action)
