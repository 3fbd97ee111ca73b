"""Whether our own computer was asleep a moment ago: then it is not the others who were away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LOOK_EVERY_S = 1.0
LATE_S = 10.0
"""A look that comes so much too late means that the computer slept, or that the program was stopped."""
JUST_NOW_S = 30.0
"""How long after waking, links that break were lost in our sleep."""


class OwnSleep:
    """Looks at the clock on the wall once a second."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._looked_at: float | None = None
        self._slept_s = 0.0
        self._woke_at = -JUST_NOW_S

    async def watch(self, woke: Callable[[], None]) -> None:
        """Look for ever. `woke` is called after each sleep, before anything is heard of what happened meanwhile."""
        while True:
            if self.look():
                woke()
            await asyncio.sleep(LOOK_EVERY_S)

    def look(self) -> bool:
        """Return whether we have just woken."""
        now = self._wall()
        late_s = 0.0 if self._looked_at is None else now - self._looked_at - LOOK_EVERY_S
        if late_s > LATE_S:
            self._slept_s, self._woke_at = late_s, now
        self._looked_at = now
        return late_s > LATE_S

    def has_woken(self) -> bool:
        """Return whether we have just woken, if somebody watches; it is found out once."""
        return self._looked_at is not None and self.look()

    def slept_s(self) -> float:
        """Return for how long we slept until just now, in seconds; 0 if we did not, or nobody watches."""
        if self._looked_at is None:
            return 0.0
        self.look()
        return self._slept_s if self._wall() - self._woke_at < JUST_NOW_S else 0.0
