"""Timers of a page's event loop: Pyodide's refuses what has become due while it was being set, as of a page that was stopped."""

from __future__ import annotations

import asyncio
from typing import Any


def forgive_lateness(loop: asyncio.AbstractEventLoop) -> None:
    """Let a time that has passed be due at once, as on other loops; `call_at`, and so `asyncio.timeout`, goes through this."""
    later = loop.call_later

    def call_later(delay: float, *args: Any, **more: Any) -> Any:
        return later(max(0.0, delay), *args, **more)

    loop.call_later = call_later  # type: ignore[assignment, method-assign]
