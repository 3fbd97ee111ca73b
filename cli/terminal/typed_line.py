"""The line in which a text is typed, in the place of the prompt: chat, a name, an address."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import ConditionalContainer, Float, HSplit, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.selection import SelectionState

from cli.news.emotes import shown_text
from cli.terminal.keys import Cap
from cli.terminal.look import Look
from cli.terminal.settings import TerminalSettings
from cli.view.effects import AskText
from cli.view.inputs import Act as Action
from cli.view.views import View
from protocol.values import replace

TYPED = "typed"
"""The action of a click on one of its keys."""


class _Offers(Completer):
    """Completes what begins with a colon."""

    def __init__(self, settings: TerminalSettings) -> None:
        self._settings = settings
        self.words: tuple[str, ...] = ()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith(":"):
            for word in self.words:
                if word.startswith(typed):  # beside it stands what the others read
                    yield Completion(
                        word, start_position=-len(typed), display_meta=shown_text(self._settings.words, word)
                    )


class TypedLine:
    """`turn_to` is told where keys go: to its window while it is open, then to None; `changed` when something is to be drawn or
    carried out."""

    def __init__(
        self, settings: TerminalSettings, turn_to: Callable[[Window | None], None], changed: Callable[[], None]
    ) -> None:
        self._settings, self._turn_to, self._changed = settings, turn_to, changed
        self._asked: AskText | None = None
        self._is_lacking = False
        """Enter came with nothing typed, where something is needed."""
        self._offers = _Offers(settings)
        self._buffer = Buffer(multiline=False, completer=self._offers, complete_while_typing=True)
        self._window = Window(
            BufferControl(
                self._buffer,
                input_processors=[
                    BeforeInput(lambda: f" {self._label()}: " if self.is_open else "", "class:prompt.strong")
                ],
                focus_on_click=True,
            ),
            height=1,
            style="class:prompt.text",
        )

    @property
    def is_open(self) -> bool:
        return self._asked is not None

    def floats(self) -> list[Float]:
        """Over the canvas: the line, and what completes it."""
        shown = ConditionalContainer(HSplit([self._window]), Condition(lambda: self.is_open))
        return [
            Float(shown, left=0, right=0, bottom=1, height=1),
            # Above the line that is typed in, never over the keys below it.
            Float(CompletionsMenu(max_height=6), xcursor=True, bottom=2),
        ]

    def _label(self) -> str:
        """What stands before it."""
        asked = self._asked
        if asked is None:
            return ""
        return asked.needed if self._is_lacking and not self._buffer.text.strip() else asked.label

    def over(self, view: View, look: Look | None) -> tuple[View, Look]:
        """While it is open its own keys stand in the key bar; that the turn has come is still seen there."""
        frame = view.frame
        _, asked = self._settings.words, self._asked
        offers = asked is not None and asked.offers
        caps = [
            Cap("Enter", _("send") if offers else _("OK"), Action(TYPED, "enter")),
            Cap("Esc", _("cancel"), Action(TYPED, "escape")),
        ]
        if offers:
            is_emote = self._buffer.text.startswith(":")
            caps.append(
                Cap("Tab", _("choose"), Action(TYPED, "tab")) if is_emote else Cap(":", _("emotes"), Action(TYPED, ":"))
            )
        turn = Cap(frame.head, "", Action(TYPED, "escape"), glows=True) if frame.head else None
        look = replace(look or Look(), caps=tuple(caps), help=turn)
        return replace(view, frame=replace(frame, head="", prompt="")), look

    def open(self, asked: AskText) -> None:
        """It is asked for this text."""
        self._asked, self._is_lacking = asked, False
        self._offers.words = asked.offers
        self._buffer.text = asked.initial
        self._buffer.cursor_position = len(asked.initial)
        if asked.offers and asked.initial:
            self._buffer.start_completion()
        elif asked.initial:
            # As in any form: typing replaces the old text, an arrow keeps it.
            self._buffer.selection_state = SelectionState(0)
            self._buffer.selection_state.enter_shift_mode()
        # A long text before has left the line scrolled: this one begins at its label again.
        self._window.horizontal_scroll = 0
        self._turn_to(self._window)

    def close(self) -> None:
        """Nothing is typed any more."""
        self._asked = None
        self._buffer.reset()
        self._turn_to(None)

    def pressed(self, key: str) -> None:
        """One of its keys, pressed or clicked: enter, escape, tab, or the colon that shows the emotes."""
        match key:
            case ":":
                self._show_offers()
            case "tab":
                if self._buffer.complete_state is None:
                    self._buffer.start_completion()
                self._buffer.complete_next()
            case "enter":
                self._take()
            case _escape:
                self.close()
                self._changed()

    def _show_offers(self) -> None:
        self._buffer.text = ""
        self._buffer.insert_text(":")
        self._buffer.start_completion()

    def _take(self) -> None:
        """What was typed is taken, if it is something."""
        asked, text = self._asked, self._buffer.text
        if asked is None:
            return
        if asked.needed and not text.strip():
            self._is_lacking = True
        elif asked.offers and text.strip() in (":", ":?"):
            self._show_offers()  # asking for the emotes shows them; it is not sent as chat
        else:
            self.close()
            meant = [word for word in asked.offers if word.startswith(text)] if len(text) > 1 else []
            if text.strip():
                asked.then(meant[0] if text.startswith(":") and len(meant) == 1 else text)  # its beginning is enough
        self._changed()
