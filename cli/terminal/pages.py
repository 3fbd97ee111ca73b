"""A page on the terminal: running text that scrolls."""

from __future__ import annotations

from cli.clean import pad, width
from cli.terminal.draw.lists import CODE_GAP, code_lines, page_columns, page_rows, wrapped_page
from cli.terminal.keys import key_name
from cli.terminal.look import Look
from cli.terminal.notice import KeyNotice
from cli.terminal.screen import Screen
from cli.terminal.scrolling import Scrolled
from cli.terminal.settings import TerminalSettings
from cli.view.effects import Repaint
from cli.view.inputs import Act
from cli.view.model import Clock
from cli.view.page import PageModel
from cli.view.views import Line, PageView, View
from protocol.values import replace

EVERYWHERE = frozenset({"settings", "back", "leave-page"})
"""Actions of all pages."""


class PageScreen(Screen, shows=PageModel):
    """Esc closes it, and so does the key that has opened it."""

    model: PageModel

    def __init__(self, model: PageModel, settings: TerminalSettings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self.notice = KeyNotice(clock)
        self.scrolled = Scrolled(1 << 30 if model.from_end else 0)

    def say(self, text: str, is_no: bool = False) -> None:
        self.notice.say(text, is_no)

    def tick(self) -> bool:
        return self.notice.lapse() | super().tick()

    # --- the picture ---

    def key_lines(self, view: PageView) -> tuple[Line, ...]:
        """The keys above the text."""
        names = [(" ".join(map(self._key, actions.split())), text) for actions, text in view.keys]
        margin = max([width(name) for name, _text in names] + [0]) + 2
        lines: list[Line] = [((pad(name, margin), "gold"), (text, "text")) for name, text in names]
        return (*lines, (("", "text"),)) if lines and view.lines else tuple(lines)

    def _key(self, name: str) -> str:
        registry = self.settings.registry
        return key_name(self._, registry.shown_key(registry.by_name[name]))

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look]:
        view = self.model.view()
        if self.settings.ascii_only:
            view = replace(view, code=())  # it is drawn in half blocks
        elif view.code and not code_lines(view, columns, rows):
            larger = self._("Make this window larger to see the code.")
            view = replace(view, lines=(*view.lines, ((larger, "gold"),)))
        view = replace(view, lines=(*self.key_lines(view), *view.lines))
        room = page_rows(rows)
        code = code_lines(view, columns, rows)
        beside = len(code[0]) + CODE_GAP if code else 0
        top = self.scrolled.fit(len(wrapped_page(view.lines, page_columns(columns, rows) - beside)) - room, room)
        caps = self.caps(view.frame.actions)
        if self.scrolled.last:
            caps = (self.settings.registry.cap(self._, "scroll-down"), *caps)
        return replace(view, frame=self.notice.over(view.frame)), Look(caps, top=top)

    # --- keys, clicks and the wheel ---

    def own_key(self, pressed: str) -> None:
        self.notice.say("")
        registry = self.settings.registry
        opening = registry.by_name.get(self.model.opened_by)
        if opening is not None and pressed.lower() in registry.keys(opening):
            self.send(Act("back"))
            return
        command = registry.command(self.model.place, pressed)
        if command is None or not self.command(command.name, pressed):
            shown = pressed.upper() if len(pressed) > 1 else pressed
            self.notice.refuse(self._("“{key}” does nothing here. ↑↓: scroll, Esc: back.", key=shown))

    def command(self, name: str, pressed: str = "") -> bool:
        """Whether it means something here."""
        match name:
            case "scroll-down" if pressed == "enter" and self.scrolled.top >= self.scrolled.last:
                self.send(Act("back"))
            case "scroll-up" | "scroll-down":
                if not self.scrolled.key(pressed):  # Space, Enter and a click leaf through it
                    self.scrolled.by(self.scrolled.page)
            case "repaint":
                self.effects.append(Repaint())
            case _ if name in EVERYWHERE or name in {offer.name for offer in self.model.offers()}:
                self.send(Act(name))
            case _other:
                return False
        return True

    def own_click(self, action: Act, twice: bool) -> None:
        self.notice.say("")
        self.command(action.name)

    def own_scroll(self, by: int) -> None:
        self.scrolled.by(by)
