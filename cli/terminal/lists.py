"""A list on the terminal: a cursor that goes along the rows and the actions below them, and a word for each key that does
nothing."""

from __future__ import annotations

from cli.terminal.keys import Cap, key_name
from cli.terminal.layout import Size, size_of
from cli.terminal.look import Look
from cli.terminal.notice import KeyNotice, means_nothing
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.view.actions import MENU
from cli.view.effects import Focus, Repaint, Tell
from cli.view.inputs import Act, Choose
from cli.view.listing import ListModel
from cli.view.model import Clock
from cli.view.views import ListView, Row, View
from protocol.values import replace

EVERYWHERE = frozenset({"settings", "help", "back", "quit"})
"""Actions of all lists."""
AT_ONCE = frozenset({"opening", "settings", "menu"})
"""Lists in which a click on a row chooses it."""


class ListScreen(Screen, shows=ListModel):
    """`went_to` is the row that the person has moved the cursor to; None until then."""

    model: ListModel

    def __init__(self, model: ListModel, settings: TerminalSettings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self.notice = KeyNotice(clock)
        self.went_to: str | None = None
        self._was_at = 0

    def say(self, text: str, is_no: bool = False) -> None:
        self.notice.say(text, is_no)

    def tell(self, told: Tell) -> None:
        self.notice.tell(told)

    @property
    def said(self) -> str:
        return self.notice.text

    def refuse(self, pressed: str) -> None:
        self.notice.refuse(means_nothing(self._, pressed))

    def focus(self, wanted: Focus) -> None:
        if wanted.row is not None:
            self.went_to = str(wanted.row) or None

    def tick(self) -> bool:
        return self.notice.lapse() | super().tick()

    # --- the cursor ---

    def _shown(self) -> tuple[ListView, list[Row], int]:
        """The view, what the cursor goes along, and where it stands; -1 where there is nothing."""
        view = self.model.view()
        view = replace(view, deeds=tuple(row for row in view.deeds if not row.is_spare or row.id == self.went_to))
        items = [*view.rows, *(row for row in view.deeds if row.label)]
        ids = [row.id for row in items]
        wanted = view.focus if self.went_to is None else self.went_to
        if wanted in ids:
            at = ids.index(wanted)
        elif self.went_to is not None and view.fallback in ids:
            at = ids.index(view.fallback)
        else:
            at = min(self._was_at, len(ids) - 1)
        self._was_at = max(0, at)
        return view, items, at

    @property
    def _deeds(self) -> dict[str, str]:
        """All actions of the list with their labels, the spare ones, too."""
        return {row.id: row.label for row in self.model.view().deeds}

    @property
    def under(self) -> str:
        """The id of the row under the cursor."""
        _view, items, at = self._shown()
        return items[at].id if items else ""

    # --- the picture ---

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look]:
        view, items, at = self._shown()
        row = items[at] if items else None
        if view.kind == "opening":  # beside the values of the other rows, the first one shows the key that starts
            view = replace(view, rows=tuple(self._with_key(each) for each in view.rows))
        frame = view.frame
        if not frame.prompt and row is not None:
            frame = replace(frame, prompt=row.prompt)
        is_small = size_of(columns, rows) in (Size.SMALL, Size.TINY)
        deeds = tuple(
            Cap(self._key(each.id), (each.brief if is_small and each.brief else each.cells)[0], Act(each.id))
            for each in view.deeds
        )
        help = self.settings.registry.cap(self._, "help")
        look = Look(self._caps(view, items, row), help, at, deeds=deeds)
        return replace(view, frame=self.notice.over(frame)), look

    def _with_key(self, row: Row) -> Row:
        return row if len(row.cells) > 1 else replace(row, cells=(*row.cells, self._key("row-enter")))

    def _key(self, name: str) -> str:
        registry = self.settings.registry
        return key_name(self._, registry.shown_key(registry.by_name[name]))

    def _caps(self, view: ListView, items: list[Row], row: Row | None) -> tuple[Cap, ...]:
        """To go along, what Enter does, and what else can be done."""
        cap = self.settings.registry.cap
        caps: list[Cap] = []
        if len(items) > 1 and any(each.label or each.can_change for each in items):
            caps.append(cap(self._, "row-up"))
        if row is not None and row.label:
            caps.append(cap(self._, "row-enter", row.label))
        elif row is not None and row.can_change:
            caps.append(cap(self._, "row-right"))
        others = tuple(each for each in view.frame.actions if row is None or each.name != row.id)
        return (*caps, *self.caps(others))

    # --- keys and clicks ---

    def own_key(self, pressed: str) -> None:
        self.notice.say("")
        if self.model.place == MENU and self._jump(pressed):
            return
        command = self.settings.registry.command(self.model.place, pressed)
        if command is not None:
            self.command(command.name, pressed)
        elif not self._set(pressed):
            self.refuse(pressed)

    def command(self, name: str, pressed: str = "") -> None:
        view, items, at = self._shown()
        row = items[at] if items else None
        match name:
            case "row-up" | "row-down" if items:
                self.went_to = items[(at + (1 if name == "row-down" else -1)) % len(items)].id
            case "row-first" | "row-last" if items:
                self.went_to = items[0 if name == "row-first" else -1].id
            case "row-left" | "row-right" if row is not None and any(each.can_change for each in items):
                self.send(Act("change", (row.id, 1 if name == "row-right" else -1)))
            case "row-enter" | "row-space":
                self.went_to = row.id if row is not None else self.went_to
                self.send(Choose(row.id if row is not None else ""))
            case "repaint":
                self.effects.append(Repaint())
            case "chat" if "chat" in view.knows:
                self.send(Act(name, ":" if pressed == ":" else ""))
            case "row-up" | "row-down" | "row-first" | "row-last":
                pass
            case _ if name in EVERYWHERE or name in view.knows or name in self._deeds:
                if self._deeds.get(name):
                    self.went_to = name  # there the cursor stands after it
                self.send(Act(name, row.id if row is not None else None))
            case _other:
                self.refuse(pressed)

    def _jump(self, pressed: str) -> bool:
        """In a menu a digit chooses an answer (it only goes to one that cannot be taken back), and a letter goes to one; whether
        this key does."""
        _view, items, at = self._shown()
        if pressed.isdecimal() and 0 < int(pressed) <= len(items):
            row = items[int(pressed) - 1]
            self.went_to = row.id
            if not row.is_final:
                self.send(Choose(row.id))
            return True
        typed = pressed.casefold()
        starts = [place for place, row in enumerate(items) if len(typed) == 1 and row.label.casefold()[:1] == typed]
        if starts and typed.isalpha():
            self.went_to = items[next((place for place in starts if place > at), starts[0])].id
            return True
        return False

    def _set(self, pressed: str) -> bool:
        """A digit sets a row of numbers; 0 is ten where none cannot be chosen."""
        _view, items, at = self._shown()
        if not items or len(pressed) != 1 or not pressed.isdecimal():
            return False
        row, digit = items[at], int(pressed)
        number = digit if digit in row.numbers else digit or 10
        if number not in row.numbers:
            return False
        self.went_to = row.id
        self.send(Act("set", (row.id, number)))
        return True

    def own_click(self, action: Act, twice: bool) -> None:
        self.notice.say("")
        match action:
            case Act("row", int() as place):
                self._row_clicked(place, twice)
            case Act(name):
                self.command(name)

    def _row_clicked(self, place: int, twice: bool) -> None:
        """There the cursor goes. A row is chosen by a click in a form, by a second one elsewhere; in the lobby, where that sits
        down at somebody's table, by a double click."""
        view, items, at = self._shown()
        is_chosen = view.kind in AT_ONCE or (at == place and (twice or view.kind != "lobby"))
        self.went_to = items[place].id
        if is_chosen:
            self.send(Choose(items[place].id))
