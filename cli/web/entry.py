"""`--browser`: the client through a page in this computer's browser. What is said in the terminal is where the page is."""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from cli.context import Context, config_of
from cli.faults import ToldToEnd
from cli.flow.session import Flow
from cli.view.settings import Settings
from cli.web.app import WebApp
from cli.web.server import Server

BACK_S = 3.0
"""A page that is loaded anew is back within so long."""


class PageApp(WebApp):
    """The face with its server."""

    def __init__(self, settings: Settings, context: Context, is_big: bool = False) -> None:
        super().__init__(settings, is_big, not context.terminal.motion)
        self._context = context
        self._server = Server(self, self._left)
        self._is_over = False

    async def run(self, session: Callable[[], Awaitable[Any]]) -> None:
        async with self._server.running():
            self._end_when_told()
            address = self._server.address()
            self._show(address)
            if has_browser(self._context.environ, sys.platform):
                await asyncio.to_thread(_open, address)
            try:
                await super().run(session)
            finally:
                self._is_over = True

    def _show(self, address: str) -> None:
        self._context.tell(self.settings.words("Fairdeal is open in your browser: {address}", address=address))

    def _left(self) -> None:
        """The last page is gone. One that is only loaded anew is back at once; a closed one needs another address."""
        asyncio.get_running_loop().call_later(BACK_S, self._show_another)

    def _show_another(self) -> None:
        if not self._is_over and not self.pages:
            self._show(self._server.address())

    def _end_when_told(self) -> None:
        """Ctrl-C gives the seat no word of farewell that closing the terminal would not give."""
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            # Windows has none of them for a loop.
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                number = getattr(signal, name)
                is_key = name == "SIGINT"
                loop.add_signal_handler(number, *((self.exit,) if is_key else (self.fail, ToldToEnd(number))))


def in_browser(context: Context, is_big: bool = False) -> Flow:
    """A flow on a page."""
    settings = Settings.read(config_of(context.home), context.words.lang, False, True, context.home / "config.toml")
    app = PageApp(settings, context, is_big)
    flow = Flow(context, app)
    flow.show_code = app.show_code
    return flow


def has_browser(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser can be opened that does not take the terminal."""
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    if platform in ("win32", "darwin"):
        return True
    return any(environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    """Without a word on the terminal: some browsers tell there what they miss."""
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
