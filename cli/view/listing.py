"""What all lists have in common: a cursor, a line that answers, settings, help; and a word for each key that does nothing."""

from __future__ import annotations

from cli.clean import pad, width
from cli.terminal.canvas import Action
from cli.terminal.layout import has_room
from cli.view.commands import LIST
from cli.view.effects import Repaint
from cli.view.presenter import REFUSED_S, Clock, PagePresenter, Presenter
from cli.view.settings import Settings
from cli.view.views import Line


class ListPresenter(Presenter):
    """Rows to go along; what they do is each list's own."""

    place = LIST

    def __init__(self, settings: Settings, clock: Clock) -> None:
        super().__init__(settings, clock)
        self.cursor = 0
        self.notice = ""
        self.notice_is_no = False
        self._notice_until: float | None = None

    def say(self, text: str, is_no: bool = False) -> None:
        """On the prompt line, until the next key."""
        self.notice, self.notice_is_no, self._notice_until = text, is_no, None

    def refuse(self, pressed: str) -> None:
        """A key that means nothing here is answered."""
        names = {" ": self._("Space"), "left": "←", "right": "→", "backspace": self._("Backspace"), "tab": "Tab"}
        shown = names.get(pressed, pressed.upper() if len(pressed) > 1 else pressed)
        self.say(self._("“{key}” does nothing here: ? lists the keys.", key=shown), True)
        self._notice_until = self.clock() + REFUSED_S

    def tick(self) -> bool:
        changed = super().tick()
        if self._notice_until is None or self.clock() < self._notice_until:
            return changed
        self.notice, self._notice_until = "", None
        return True

    # --- what a list says of itself ---

    def count(self) -> int:
        """How many rows there are to go along."""
        raise NotImplementedError

    def enter(self) -> None:
        """Enter on the row under the cursor."""
        raise NotImplementedError

    def back(self) -> None:
        """Esc."""
        raise NotImplementedError

    def turn(self, by: int) -> bool:
        """The arrows to the left and right; whether they mean anything."""
        return False

    def own(self, name: str, pressed: str) -> bool:
        """Other commands; whether it was one of this list's."""
        return False

    def title(self) -> str:
        """What settings and help have in their title bar."""
        return self._("Fairdeal")

    def help_keys(self) -> list[tuple[str, str]]:
        """The keys of this list, beside those that all have: key and what it does."""
        return []

    def help_text(self, columns: int) -> tuple[Line, ...]:
        """What the help says below the keys."""
        return ()

    # --- keys ---

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        return has_room(columns, rows) if self.overlay is None else super().is_told_in_lines(columns, rows)

    def key(self, pressed: str) -> None:
        if self.overlay is None:
            self.notice = ""
        super().key(pressed)

    def command(self, name: str, pressed: str = "") -> None:
        count = self.count()
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % count if count else 0
            case "row-down":
                self.cursor = (self.cursor + 1) % count if count else 0
            case "row-left" | "row-right":
                if not self.turn(-1 if name == "row-left" else 1):
                    self.refuse(pressed)
            case "row-enter" | "row-space":
                self.enter()
            case "back" | "quit":
                self.back()
            case "settings":
                from cli.view.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self.title)
            case "help":
                self.overlay = self.help_page()
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                if not self.own(name, pressed):
                    self.refuse(pressed)

    def other(self, pressed: str) -> None:
        match pressed:
            case "home" | "pageup":
                self.cursor = 0
            case "end" | "pagedown":
                self.cursor = max(0, self.count() - 1)
            case _other:
                self.refuse(pressed)

    def act(self, action: Action, twice: bool = False) -> None:
        self.notice = ""
        match action:
            case Action("row", int() as place):
                self.clicked(place, twice)
            case Action("key", str() as pressed):
                self.key(pressed)
            case _other:
                self.command(action.name)

    def clicked(self, place: int, twice: bool) -> None:
        """A click on a row: there the cursor goes; on the row where it stands already, Enter."""
        if self.cursor == place:
            self.enter()
        else:
            self.cursor = place

    # --- help ---

    def help_page(self) -> PagePresenter:
        """The keys of this list."""

        def lines(columns: int) -> tuple[Line, ...]:
            _ = self._
            keys = [
                ("↑↓", _("go along the list")),
                *self.help_keys(),
                ("F2", _("language, colours, mouse, sound")),
                ("Esc", _("back")),
            ]
            margin = max(width(cap) for cap, _text in keys) + 2
            found: list[Line] = [((pad(cap, margin), "gold"), (text, "text")) for cap, text in keys]
            more = self.help_text(columns)
            return (*found, (("", "text"),), *more) if more else tuple(found)

        return PagePresenter(self.settings, self.clock, self.title, lambda: self._("Help"), lines)
