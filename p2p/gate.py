"""A gate in front of work for later: closed while a move is under way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable

HELD_S = 0.5
"""How long a move keeps work for later from going on, in seconds: a player may be away."""


class Gate:
    """Closed while anybody holds it, but at most `HELD_S` after the last of them came. Any thread may wait or look."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._holders: set[Hashable] = set()
        self._until = 0.0
        self._opened = threading.Event()
        self._opened.set()

    def hold(self, holder: Hashable, is_held: bool) -> None:
        """Begin to hold it, or no longer. Called by one thread only."""
        if is_held and holder not in self._holders:
            self._holders.add(holder)
            self._until = self._clock() + HELD_S
            self._opened.clear()
        elif not is_held:
            self._holders.discard(holder)
            if not self._holders:
                self._opened.set()

    @property
    def closed_s(self) -> float:
        """How long it will be closed at most, in seconds; 0: it is open."""
        return 0.0 if self._opened.is_set() else max(0.0, self._until - self._clock())

    def wait(self) -> None:
        """Wait until it is open."""
        if left := self.closed_s:
            self._opened.wait(left)
