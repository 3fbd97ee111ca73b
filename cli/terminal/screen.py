"""A model on the terminal: keys, clicks and the wheel become inputs, views become pictures. Cursor, scrolling and the key bar
live here; what they stand for is the model's."""

from __future__ import annotations

from typing import Any, ClassVar

from cli.flow.showing import Showing
from cli.terminal.keys import Cap
from cli.terminal.layout import Size, has_room, size_of
from cli.terminal.look import Look
from cli.terminal.settings import TerminalSettings
from cli.view.inputs import Act
from cli.view.model import Clock, Model
from cli.view.views import Offer, View
from protocol.values import replace


class Screen(Showing):
    """One model, and the screens that lie over it. `effects` are carried out by the app after each key, click and tick.

    A class names the kind of model that it shows: `class PageScreen(Screen, shows=Page)`; `screen_of` finds it."""

    kinds: ClassVar[dict[type, type[Screen]]] = {}

    def __init_subclass__(cls, shows: type | None = None) -> None:
        if shows is not None:
            Screen.kinds[shows] = cls

    settings: TerminalSettings

    def __init__(self, model: Model, settings: TerminalSettings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self.is_unseen = False
        """The window was too small to show it when it was last drawn."""
        self.may_move_cards = False
        """Whether a card may be seen on its way: the app allows it where it costs nothing."""

    def over(self, model: Any) -> Screen:
        return screen_of(model, self.settings, self.clock)

    def is_moving(self) -> bool:
        """Whether what is seen changes within a moment, by itself."""
        return False

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
