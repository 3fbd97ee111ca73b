"""The face: shows models to all pages that are open, and takes what is tapped there. Knows no sockets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from cli.flow.carrying import CarryingFace, ends_at_fault
from cli.page.texts import texts
from cli.view.effects import AskText, Bell, Effect, Repaint, SettingsChanged
from cli.view.qr import modules
from cli.view.settings import Settings
from cli.web.incoming import Tapped, Typed
from cli.web.link import PageLink
from cli.web.outgoing import view_json
from cli.web.showing import PageShowing

DRAW_EVERY_S = 0.05
"""Nobody sees more than that, and who catches up with a match would draw each move of it."""


class WebApp(CarryingFace[PageShowing]):
    """One client, seen through any number of pages."""

    def __init__(self, settings: Settings, is_big: bool = False, is_still: bool = False, address: str = "") -> None:
        """`is_big`: the page is looked at from across the room, and nobody taps on it. `is_still`: nothing moves this time.

        `address`: where one joins by phone, for a page that is big: it shows the code.
        """
        super().__init__()
        self.settings = settings
        self._is_still = is_still
        self._is_big = is_big
        self._code = list(modules(address)) if address else []
        self._links: list[PageLink] = []
        self._asked: AskText | None = None
        self._asked_number = 0
        self._told: dict[str, Any] = {}
        """What the pages were told last."""
        self._is_due = False
        self._drawn_at = -DRAW_EVERY_S
        self._ended = asyncio.Event()

    # --- pages ---

    def opened(self, link: PageLink) -> None:
        """A page has come: it is told everything."""
        self._links.append(link)
        link.tell(self._hello())
        if self._told:
            link.tell(self._told)

    def closed(self, link: PageLink) -> None:
        if link in self._links:
            self._links.remove(link)

    @property
    def pages(self) -> int:
        return len(self._links)

    @ends_at_fault
    def said(self, message: Tapped | Typed) -> None:
        """A page says what was tapped or typed: what comes of it is drawn at once."""
        self._drawn_at = -DRAW_EVERY_S
        match message:
            case Tapped(number, given):
                if self._is_big or self.presenter is None or number != self.presenter.top.number:
                    return
                self._asked = None
                self.presenter.tapped(given)
            case Typed(number, text):
                if self._asked is None or number != self._asked_number:
                    return
                asked, self._asked = self._asked, None
                if text:
                    asked.then(text)
        self.after()

    def _hello(self) -> dict[str, Any]:
        own = self.settings
        return {
            "type": "hello",
            "lang": own.lang,
            "texts": texts(own.words),
            "theme": own.theme,
            "motion": own.motion and not self._is_still,
            "sound": own.sound,
            "big": self._is_big,
            "code": self._code,
        }

    def _tell(self, message: dict[str, Any]) -> None:
        for link in list(self._links):
            link.tell(message)

    def show_code(self, address: str) -> None:
        """Show another code to join by, or with an empty address none."""
        code = modules(address) if address else []
        if list(code) != self._code:
            self._code = list(code)
            self._tell(self._hello())

    # --- for the flow ---

    def screen_of(self, model: Any) -> PageShowing:
        return PageShowing(model, self.settings, time.monotonic)

    def show(self, presenter: PageShowing) -> None:
        self.presenter, self._asked = presenter, None
        self._drawn_at = -DRAW_EVERY_S
        self.redraw()

    def redraw(self) -> None:
        """Soon, and once for all that changes until then."""
        if not self._is_due:
            self._is_due = True
            loop = asyncio.get_running_loop()
            wait_s = self._drawn_at + DRAW_EVERY_S - loop.time()
            if wait_s > 0:
                loop.call_later(wait_s, self._draw)
            else:
                loop.call_soon(self._draw)

    @ends_at_fault
    def _draw(self) -> None:
        self._is_due = False
        self._drawn_at = asyncio.get_running_loop().time()
        presenter = self.presenter
        if presenter is None:
            return
        top, asked = presenter.top, self._asked
        told = {
            "type": "view",
            "screen": top.number,
            "below": top is not presenter,
            "title": presenter.window_title,
            "view": view_json(self.settings.words, top.view()),
            "asks": None
            if asked is None
            else {
                "number": self._asked_number,
                "label": asked.label,
                "initial": asked.initial,
                "offers": list(asked.offers),
                "needed": asked.needed,
            },
        }
        if told != self._told:
            self._told = told
            self._tell(told)

    def does(self, effect: Effect) -> bool:
        match effect:
            case AskText():
                self._asked = effect
                self._asked_number += 1
            case Bell(times, is_ours):
                self._tell({"type": "bell", "times": times, "ours": is_ours})
            case Repaint():
                pass
            case SettingsChanged():
                self._tell(self._hello())
            case _other:
                return False
        return True

    def exit(self) -> None:
        self._ended.set()

    # --- running ---

    async def run(self, session: Callable[[], Awaitable[Any]]) -> None:
        """Show what the session wants shown, until it ends. A fault of the session, of an effect or of a view is raised here."""
        main = asyncio.ensure_future(session())
        main.add_done_callback(lambda _done: self.exit())
        ticking = asyncio.ensure_future(self.ticks())
        try:
            await self._ended.wait()
        finally:
            for task in (main, ticking, *self._tasks):
                task.cancel()
            await asyncio.gather(ticking, *self._tasks, return_exceptions=True)
            with suppress(asyncio.CancelledError):
                await asyncio.wait((main,))
            self._tell({"type": "over"})
        if self.fault is not None:
            raise self.fault
        if not main.cancelled() and (failed := main.exception()) is not None:
            raise failed
