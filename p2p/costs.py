"""What peers cost us for nothing: processor time that went into messages of no use.

Whoever costs a little is not noticed, whoever costs more is held back (its link is not read), and who keeps it up is cut off
for a while. An honest peer's messages are of use, but for repetitions after a link was lost. PROTOCOL.md: "Limits".
"""

from __future__ import annotations

import time

from p2p.budgets import PATIENCE_RETURNS, Buckets, Rate

IDLE_TIME = Rate(0.1, 1.0)
"""Seconds of processor time a second that may be spent on messages of no use; a second at once."""
PATIENCE_S = 2.0
"""Who had to be held back for so long is cut off."""
BARRED_S = 60.0
"""For so long it is not let in again."""

processor_time = getattr(time, "thread_time", time.perf_counter)
"""Seconds of processor time of this thread; in a browser, which does not tell them, seconds on the clock."""


class Costs:
    """Counts by peer. Times are seconds: of the processor, and `now` of one monotonic clock."""

    def __init__(self) -> None:
        self._spent: Buckets[bytes] = Buckets(IDLE_TIME)
        self._patience: Buckets[bytes] = Buckets(Rate(PATIENCE_RETURNS, PATIENCE_S))

    def spend(self, key: bytes, seconds: float, now: float) -> float | None:
        """Count time spent for a peer in vain. Return for how long to hold it back; None: cut it off."""
        hold_s = self._spent.spend(key, seconds, now)
        return None if hold_s and self._patience.spend(key, hold_s, now) else hold_s

    def is_in_debt(self, key: bytes, now: float) -> bool:
        """Whether a peer would be held back now."""
        return self._spent.debt_s(key, now) > 0
