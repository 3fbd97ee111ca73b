"""An event loop as a page has it, for tests without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any


class PageLoop(asyncio.SelectorEventLoop):
    """Pyodide's has neither sockets nor threads. Its timers are plain handles, and what is past cannot be scheduled."""

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if delay < 0:
            raise ValueError("Can't schedule in the past")
        handle = asyncio.Handle(callback, args, self, context=context)
        super().call_at(self.time() + delay, lambda: None if handle.cancelled() else handle._run())
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_later(when - self.time(), callback, *args, context=context)

    def run_in_executor(self, *_: Any) -> Any:  # type: ignore[override]
        raise NotImplementedError("a page has no threads")

    def add_reader(self, *_: Any) -> None:  # type: ignore[override]
        raise NotImplementedError("a page has no sockets")

    def add_writer(self, *_: Any) -> None:  # type: ignore[override]
        raise NotImplementedError("a page has no sockets")

    def add_signal_handler(self, *_: Any) -> None:  # type: ignore[override]
        raise NotImplementedError("a page gets no signals")
