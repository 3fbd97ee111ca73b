"""Timers by name: setting one again replaces it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable


class NamedTimers:
    """Named timers of the running event loop."""

    def __init__(self) -> None:
        self._handles: dict[Hashable, asyncio.TimerHandle] = {}

    def set(self, name: Hashable, seconds: float, call: Callable[[], None]) -> None:
        """Call this once, after so many seconds."""
        self.cancel(name)

        def fire() -> None:
            del self._handles[name]
            call()

        self._handles[name] = asyncio.get_running_loop().call_later(seconds, fire)

    def is_set(self, name: Hashable) -> bool:
        return name in self._handles

    def cancel(self, name: Hashable) -> None:
        handle = self._handles.pop(name, None)
        if handle is not None:
            handle.cancel()

    def close(self) -> None:
        """Cancel all of them."""
        for name in list(self._handles):
            self.cancel(name)
