"""What peers cost us: processor time that went into messages of no use to the match, room statements and heartbeats.

Whoever costs a little is not noticed, whoever costs more is held back (its link is not read), and who keeps it up is cut off
for a while. An honest peer's messages are of use, but for repetitions after a link was lost. PROTOCOL.md: "Limits".
"""

from __future__ import annotations

import time

from p2p.budgets import PATIENCE_RETURNS, Buckets, Rate

IDLE_TIME = Rate(0.1, 1.0)
"""Seconds of processor time a second that may be spent on what one peer says so; a second at once."""
RELAY_TIME = Rate(0.2, 2.0)
"""The same for all that one peer passes on: more than one author's share, since an honest relay cannot know what it carries."""
MOST_COUNTED_S = 0.004
"""A statement or heartbeat counts for no more: that our computer is slow, or has much to do then, is not its author's fault."""
PATIENCE_S = 2.0
"""After being held back for this long, a peer is cut off."""
BARRED_S = 60.0
"""For so long it is not let in again."""

processor_time = getattr(time, "thread_time", time.perf_counter)
"""Seconds of processor time of this thread; in a browser, which does not tell them, seconds on the clock."""


class Costs:
    """Counts by peer. Times are seconds: of the processor, and `now` of one monotonic clock."""

    def __init__(self) -> None:
        self._spent: Buckets[bytes] = Buckets(IDLE_TIME)
        self._patience: Buckets[bytes] = Buckets(Rate(PATIENCE_RETURNS, PATIENCE_S))

    def spend(self, key: bytes, seconds: float, now: float, may_cut: bool = True) -> float | None:
        """Count time spent for a peer in vain. Return for how long to hold it back; None, if that may be: cut it off."""
        hold_s = self._spent.spend(key, seconds, now)
        return None if may_cut and hold_s and self._patience.spend(key, hold_s, now) else hold_s


class RelayedCosts:
    """Counts what was passed on, by relay and author: whoever of the two made it up, the author's words through another relay are
    still heard, and nobody is cut off for it."""

    def __init__(self) -> None:
        self._pairs: Buckets[tuple[bytes, bytes]] = Buckets(IDLE_TIME)
        self._relays: Buckets[bytes] = Buckets(RELAY_TIME)

    def spend(self, relay: bytes, author: bytes, seconds: float, now: float) -> None:
        """Count time spent in vain."""
        self._pairs.spend((relay, author), seconds, now)
        self._relays.spend(relay, seconds, now)

    def is_in_debt(self, relay: bytes, author: bytes, now: float) -> bool:
        """Whether to drop what this relay passes on for this author now."""
        return self._pairs.debt_s((relay, author), now) > 0 or self._relays.debt_s(relay, now) > 0
