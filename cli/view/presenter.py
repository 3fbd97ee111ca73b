"""What all presenters have in common: keys and clicks become commands, pages lie over what was there before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from cli.terminal.canvas import Action
from cli.terminal.layout import Size, has_room, size_of
from cli.text import Translator
from cli.view.commands import PAGE, TABLE
from cli.view.effects import Effect
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, Line, PageView, View

REFUSED_S = 4.0
"""That a key means nothing is said for so long, or until the next key."""
FLASH_S = 0.15
"""A card is seen on its way to the pile for so long."""
Clock = Callable[[], float]
"""Seconds that only rise."""


class Presenter:
    """One screen. `effects` are what it wants done; whoever shows it carries them out after each key, click and tick."""

    place = TABLE

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self.effects: deque[Effect] = deque()
        self.overlay: Presenter | None = None
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
        self.is_unseen = size_of(columns, rows) is Size.TINY and not self.is_told_in_lines(columns, rows)
        if self.overlay is not None:
            return self.overlay.view(columns, rows)
        return self.own_view(columns, rows)

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


class PagePresenter(Presenter):
    """Running text over a table or a list."""

    place = PAGE

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        title: Callable[[], str],
        heading: Callable[[], str],
        lines: Callable[[int], tuple[Line, ...]],
        below: Callable[[], tuple[str, str, str]] = lambda: ("", "", "wait"),
        caps: tuple[Cap, ...] = (),
        at_end: bool = False,
        opened_by: str = "",
    ) -> None:
        """`title` and `heading` are asked for each picture, as the language may change; `lines` makes the text for so many
        columns; `below` tells head, prompt and mood of what goes on underneath; `opened_by`: the command whose keys close it
        again."""
        super().__init__(settings, clock)
        self.title = title
        self.heading = heading
        self.lines = lines
        self.below = below
        self.caps = caps
        self.top = 1 << 30 if at_end else 0
        self.notice = ""
        self._notice_until = 0.0
        self.opened_by = opened_by
        self._last = 0
        self._page = 10

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        return has_room(columns, rows) if self.overlay is None else super().is_told_in_lines(columns, rows)

    def own_view(self, columns: int, rows: int) -> PageView:
        from cli.terminal.draw.lists import page_rows, wrapped_page

        lines = self.lines(min(columns - 4, 100))
        self._page = max(1, page_rows(rows))
        self._last = max(
            0,
            len(wrapped_page(lines, min(columns - 4, 100) if columns >= 96 and rows >= 28 else columns - 4))
            - self._page,
        )
        self.top = max(0, min(self.top, self._last))
        head, prompt, mood = self.below()
        caps = (self.cap("back", action=Action("back")), *self.caps)
        if self._last:
            caps = (self.cap("scroll-down"), *caps)
        return PageView(
            Frame(
                self.title(),
                head="" if self.notice else head,
                prompt=self.notice or prompt,
                mood="no" if self.notice else mood,
                caps=caps,
            ),
            self.heading(),
            lines,
            self.top,
        )

    def key(self, pressed: str) -> None:
        self.notice = ""
        super().key(pressed)

    def first(self, pressed: str) -> bool:
        """The key that opened it closes it."""
        command = self.settings.registry.by_name.get(self.opened_by)
        if command is not None and pressed.lower() in self.settings.registry.keys(command):
            self.closed = True
        return self.closed

    def other(self, pressed: str) -> None:
        shown = pressed.upper() if len(pressed) > 1 else pressed
        self.notice = self._("“{key}” does nothing here: ↑↓ scroll, Esc goes back.", key=shown)
        self._notice_until = self.clock() + REFUSED_S

    def tick(self) -> bool:
        changed = super().tick()
        if not self.notice or self.clock() < self._notice_until:
            return changed
        self.notice = ""
        return True

    def command(self, name: str, pressed: str = "") -> None:
        match name:
            case "back" | "leave-page":
                self.closed = True
            case "scroll-up":
                step = {"up": 1, "pageup": self._page}.get(pressed, 1 << 30)
                self.top = max(0, self.top - step)
            case "scroll-down":
                if pressed == "enter" and self.top >= self._last:
                    self.closed = True
                step = {"down": 1, "end": 1 << 30}.get(pressed, self._page)
                self.top = min(self._last, self.top + step)
            case "repaint":
                from cli.view.effects import Repaint

                self.effects.append(Repaint())
            case "settings":
                from cli.view.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self.title, self.below)
            case _other:
                self.extra(name)

    def extra(self, name: str) -> None:
        """Commands that one page has and others do not."""

    def scroll(self, by: int) -> None:
        self.top = max(0, min(self._last, self.top + by))
