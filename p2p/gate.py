"""A gate in front of work for later: closed while a move is under way, and slow while a round is played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable

from protocol.table.work import Pace

HELD_S = 0.5
"""How long a move keeps work for later from going on, in seconds: a player may be away."""
SPELL_S = 0.001
REST = 9.0
"""While a round is played, a thread that has worked for a spell rests so many times as long: ten programs on two cores then leave
one to whoever makes a move."""
LONGEST_REST_S = 0.1
"""It may have been kept from working for long."""


class Gate:
    """Goes at the pace of the slowest holder. One thread waits at it; any may look."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._paces: dict[Hashable, Pace] = {}
        """Of those that do not let it go at full pace."""
        self._until = 0.0
        self._opened = threading.Event()
        self._opened.set()
        self._began = 0.0

    def keep(self, holder: Hashable, pace: Pace) -> None:
        """Hear a holder's pace. Called by one thread only."""
        if pace is self._paces.get(holder, Pace.FULL):
            return
        if pace is Pace.FULL:
            del self._paces[holder]
        else:
            self._paces[holder] = pace
        if pace is Pace.STILL and self._opened.is_set():  # what others hold meanwhile makes it no longer
            self._until = self._clock() + HELD_S
            self._opened.clear()
        elif Pace.STILL not in self._paces.values():
            self._opened.set()

    @property
    def closed_s(self) -> float:
        """How long it will be closed at most, in seconds; 0: it is open."""
        return 0.0 if self._opened.is_set() else max(0.0, self._until - self._clock())

    def wait(self) -> None:
        """Wait until it is open, or rest if it is time to."""
        if left := self.closed_s:
            self._opened.wait(left)
        elif (worked_s := self._clock() - self._began) < SPELL_S:
            return
        elif self._paces:
            self._sleep(min(worked_s * REST, LONGEST_REST_S))
        self._began = self._clock()
