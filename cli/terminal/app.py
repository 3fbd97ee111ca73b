"""Shows a presenter on the terminal: canvas to cells, keys and mouse to the presenter, effects to the code that carries them out.

With `typed_line` the only file that knows prompt_toolkit. Nothing in here waits: what takes time is a task of the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FloatContainer, Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle, Style

from cli.console import MANY, MONO, SIXTEEN
from cli.faults import ToldToEnd
from cli.flow.carrying import CarryingFace, ends_at_fault
from cli.terminal.canvas import Action, Canvas
from cli.terminal.glyphs import plain
from cli.terminal.render import render
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.terminal.shown import screen_of
from cli.terminal.table import FLASH_S
from cli.terminal.theme import CONSOLE, theme_of
from cli.terminal.typed_line import TYPED, TypedLine
from cli.view.actions import TABLE
from cli.view.effects import AskText, Bell, Effect, Repaint, SettingsChanged

HELD_S = 0.12
"""An Enter so soon after another comes from a key that is held down: keyboards repeat about every 30 to 90 ms."""
IDLE_S = 3.0
"""The bell rings only if no key was pressed for so long."""
DOUBLE_S = 0.4
SLOW_S = 0.05
"""Where drawing takes longer, nothing is drawn for its beauty."""
DEPTHS = {MONO: ColorDepth.DEPTH_1_BIT, SIXTEEN: ColorDepth.DEPTH_4_BIT, MANY: ColorDepth.DEPTH_8_BIT}
NAMED = (
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "enter",
    "escape",
    "backspace",
    "tab",
    "pageup",
    "pagedown",
    "f1",
    "f2",
    "f3",
    "f10",
    "c-c",
    "c-q",
    "c-l",
    "delete",
)
SYNONYMS = {"delete": "backspace"}


class _Canvas(UIControl):
    """The one control: a canvas of the window's size."""

    def __init__(self, screen: TerminalApp) -> None:
        self._screen = screen

    def create_content(self, width: int, height: int) -> UIContent:
        canvas = self._screen.draw(width, height)

        def line(y: int) -> StyleAndTextTuples:
            return [(f"class:{style}", text) for style, text in canvas.runs(y)]

        at = canvas.cursor or (0, height - 2)
        x, y = min(at[0], width - 1), max(0, min(at[1], height - 1))
        return UIContent(line, height, Point(canvas.index_of(x, y), y), show_cursor=False)

    def is_focusable(self) -> bool:
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """A click is a button let go where it was pressed; the wheel scrolls."""
        position = mouse_event.position
        match mouse_event.event_type:
            case MouseEventType.SCROLL_UP:
                self._screen.scroll(-3)
            case MouseEventType.SCROLL_DOWN:
                self._screen.scroll(3)
            case MouseEventType.MOUSE_UP if mouse_event.button in (MouseButton.LEFT, MouseButton.UNKNOWN):
                self._screen.clicked(self._screen.canvas.cell_of(position.x, position.y), position.y)
            case _other:
                pass


class TerminalApp(CarryingFace[Screen]):
    """One terminal. `show` puts a presenter on it."""

    def __init__(
        self,
        settings: TerminalSettings,
        colours: int,
        input: Input | None = None,
        output: Output | None = None,
        carry_out: Callable[[Effect], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(carry_out)
        self.settings = settings
        self.canvas = Canvas(1, 1)
        self._line = TypedLine(settings, self._turn_to, self.after)
        self.clock = time.monotonic
        """When keys and clicks come."""
        self._last_key = 0.0
        self._last_enter = 0.0
        self._title = ""
        self._last_click: tuple[Action, float] | None = None
        self._style: Style | None = None
        self._style_name = ""
        self._has_few_colours = colours == SIXTEEN
        depth = DEPTHS.get(colours, ColorDepth.DEPTH_24_BIT)
        self.application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._bindings(),
            style=DynamicStyle(lambda: self.style),
            full_screen=True,
            mouse_support=Condition(lambda: self.settings.mouse),
            color_depth=depth,
            input=input,
            output=output,
            enable_page_navigation_bindings=False,
            include_default_pygments_style=False,
        )
        self._step: asyncio.TimerHandle | None = None
        self._asked_at: float | None = None
        self._painting_s = 0.0
        self.is_still = any(os.environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
        self.application.after_render += self._painted
        self.application.ttimeoutlen = 0.05
        self.application.timeoutlen = 0.05

    # --- building ---

    def _layout(self) -> Layout:
        self._window = Window(_Canvas(self), always_hide_cursor=Condition(lambda: not self._line.is_open))
        return Layout(FloatContainer(self._window, self._line.floats()), focused_element=self._window)

    def _turn_to(self, line: Window | None) -> None:
        """What is typed goes there from now on; None: to the canvas."""
        with contextlib.suppress(ValueError):
            self.application.layout.focus(line or self._window)

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        typing = Condition(lambda: self._line.is_open)
        playing = ~typing

        def bind(name: str) -> None:
            @bindings.add(name, filter=playing, eager=True)
            def _(event: KeyPressEvent) -> None:
                self.pressed(SYNONYMS.get(name, name))

        for name in NAMED:
            bind(name)

        @bindings.add(Keys.Any, filter=playing)
        def _any(event: KeyPressEvent) -> None:
            key = event.key_sequence[-1].key
            if isinstance(key, Keys):
                self.pressed(key.value)  # of a key without a letter the data is the terminal's own sequence
                return
            for char in event.data:
                if char.isprintable():
                    self.pressed(char)

        @bindings.add(Keys.BracketedPaste, filter=playing)
        def _paste(event: KeyPressEvent) -> None:
            """What is pasted at the table is no row of keys."""

        @bindings.add("c-z", filter=playing)
        def _suspend(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @bindings.add("enter", filter=typing, eager=True)
        def _enter(event: KeyPressEvent) -> None:
            self._type("enter")

        for name in ("escape", "c-c"):

            @bindings.add(name, filter=typing, eager=True)
            def _escape(event: KeyPressEvent) -> None:
                self._type("escape")

        return bindings

    # --- showing ---

    def screen_of(self, model: Any) -> Screen:
        """A model on the screen, not yet shown."""
        return screen_of(model, self.settings, time.monotonic)

    def show(self, presenter: Screen) -> None:
        """This one is on the screen from now on."""
        self.presenter = presenter
        self._line.close()
        self.redraw()

    def redraw(self) -> None:
        self._asked_at = self._asked_at or time.monotonic()
        self.application.invalidate()

    def draw(self, width: int, height: int) -> Canvas:
        self.canvas = Canvas(width, height)
        self._draw(width, height)
        return self.canvas

    @ends_at_fault
    def _draw(self, width: int, height: int) -> None:
        presenter = self.presenter
        if presenter is None:
            return
        view, look = presenter.picture(width, height)
        if self._line.is_open:
            view, look = self._line.over(view, look)
        self.canvas = render(view, width, height, self.settings.shown, self.settings.words, look)

    @property
    def style(self) -> Style:
        """The theme's sheet; another after it was changed."""
        theme = theme_of(self.settings)
        if self._has_few_colours and not theme.is_mono:
            theme = CONSOLE
        if self._style is None or theme.name != self._style_name:
            self._style_name = theme.name
            self._style = Style.from_dict(theme.sheet() | {"completion-menu": "noinherit reverse"})
        return self._style

    # --- what comes in ---

    @ends_at_fault
    def pressed(self, key: str) -> None:
        """A key for the presenter."""
        self._last_key = self.clock()
        if self.presenter is None or (key == "enter" and self._is_held()):
            return
        self.presenter.key(key)
        self.after()

    def _is_held(self) -> bool:
        """Whether an Enter comes from a key held down, where each could play a card."""
        before, self._last_enter = self._last_enter, self._last_key
        presenter = self.presenter
        plays = presenter is not None and presenter.place == TABLE and presenter.overlay is None
        return plays and self._last_enter - before < HELD_S

    @ends_at_fault
    def clicked(self, x: int, y: int) -> None:
        action = self.canvas.action_at(x, y)
        now = self.clock()
        self._last_key = now
        if action is None or self.presenter is None:
            return
        if action.name == TYPED:
            self._type(str(action.arg))
            return
        twice = self._last_click is not None and self._last_click[0] == action and now - self._last_click[1] < DOUBLE_S
        self._last_click = None if twice else (action, now)
        self.presenter.click(action, twice)
        self.after()

    @ends_at_fault
    def _type(self, key: str) -> None:
        self._line.pressed(key)

    @ends_at_fault
    def scroll(self, by: int) -> None:
        if self.presenter is not None:
            self.presenter.scroll(by)
        self.after()

    def does(self, effect: Effect) -> bool:
        match effect:
            case AskText():
                self._line.open(effect)
            case Bell(times):
                self._ring(times)
            case Repaint():
                self.application.renderer.clear()
            case SettingsChanged():
                self._style = None
            case _other:
                return False
        return True

    @ends_at_fault
    def after(self) -> None:
        super().after()
        self._name_window()
        self._let_cards_move()

    def _let_cards_move(self) -> None:
        """Draws a card on its way step by step; never where drawing is slow, far away, or wanted to be still."""
        presenter = self.presenter
        if presenter is None:
            return
        wanted = self.settings.motion and not self.settings.ascii_only and not self.is_still
        presenter.may_move_cards = wanted and self._painting_s < SLOW_S
        if self._step is None and presenter.is_moving():
            self._step = asyncio.get_running_loop().call_later(FLASH_S / 2, self._next_step)

    @ends_at_fault
    def _next_step(self) -> None:
        self._step = None
        self._let_cards_move()
        self.redraw()

    def _painted(self, _application: object) -> None:
        """How long it took from the wish to draw until the terminal had it all, about."""
        if self._asked_at is not None:
            took_s = time.monotonic() - self._asked_at
            self._painting_s += (took_s - self._painting_s) / 4
            self._asked_at = None

    def _name_window(self) -> None:
        title = plain(self.presenter.window_title) if self.presenter is not None else ""
        if title != self._title and self.application.is_running:
            self._title = title
            self.application.output.set_title(title)
            self.application.output.flush()

    def _ring(self, times: int) -> None:
        if self.settings.sound and self.clock() - self._last_key > IDLE_S:
            for _time in range(times):
                self.application.output.bell()
            self.application.output.flush()

    # --- running ---

    async def run(self, session: Callable[[], Awaitable[Any]]) -> None:
        """Shows the screen while the session runs, and ends with it. The terminal is left as it was found, whatever happens;
        a fault of the session, of an effect or of drawing is raised here."""
        main = asyncio.ensure_future(self._main(session))
        ticking = asyncio.ensure_future(self.ticks())
        self._end_when_told()
        try:
            await self.application.run_async(set_exception_handler=False, handle_sigint=False)
        except EOFError:
            pass  # the terminal is gone
        except OSError as fault:
            if fault.errno != errno.EIO:
                raise  # else the terminal's window was closed
        finally:
            if self._title:
                with contextlib.suppress(OSError):
                    self.application.output.set_title("")
                    self.application.output.flush()
            for task in (main, ticking, *self._tasks):
                task.cancel()
            results = await asyncio.gather(main, ticking, *self._tasks, return_exceptions=True)
        if self.fault is not None:
            raise self.fault
        for result in results:
            if isinstance(result, Exception):
                raise result

    def _end_when_told(self) -> None:
        """Restore the terminal also when the program is stopped from outside, or its terminal is closed."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # Ctrl-C is a key, and sends none
            # Windows cannot do that; a loop that is not the main thread's takes none.
            with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self.fail, ToldToEnd(number))
        with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGCONT, self._continue)

    def _continue(self) -> None:
        """The program was stopped, and goes on. Unless Ctrl-Z stopped it here, the shell has written over the screen and has its
        own terminal mode."""
        if self.application.is_running:
            self.application.input.raw_mode().__enter__()
            self.application.renderer.clear()
            self.redraw()

    async def _main(self, session: Callable[[], Awaitable[Any]]) -> None:
        try:
            await session()
        finally:
            self.exit()

    def exit(self) -> None:
        if self.application.is_running and not self.application.is_done:
            self.application.exit()
