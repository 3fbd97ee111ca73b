"""Charges peers for processor time that their words cost us in vain, holds their links back for it, and keeps out for a while
whoever goes on. PROTOCOL.md: "Limits"."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from p2p.costs import BARRED_S, MOST_COUNTED_S, Costs, RelayedCosts, processor_time


class Charges:
    """The accounts of all peers of one mesh. `bar(key)` is called when a peer is barred: its links are to be cut."""

    def __init__(self, bar: Callable[[bytes], None]) -> None:
        self._bar = bar
        self._barred_until: dict[bytes, float] = {}
        self.direct = Costs()
        self.relayed = RelayedCosts()

    def charge(self, key: bytes, seconds: float, may_bar: bool = True) -> float | None:
        """Count processor time that a peer's own words cost us in vain; return for how long to hold its link back.

        None, if that may be: it is barred for that.
        """
        hold_s = self.direct.spend(key, seconds, _now(), may_bar)
        if hold_s is None and not self.barred_s(key):
            now = _now()
            self._barred_until = {each: until for each, until in self._barred_until.items() if until > now}
            self._barred_until[key] = now + BARRED_S
            self._bar(key)
        return hold_s

    def charged(self, key: bytes, hear: Callable[[], None]) -> Awaitable[None] | None:
        """Handle what a peer says, and charge it for that. Until a returned awaitable is done, read nothing more of its link."""
        began = processor_time()
        hear()
        return self.charged_since(key, began)

    def charged_since(self, key: bytes, began: float) -> Awaitable[None] | None:
        """Charge a peer for what was computed since this processor time, as `charged` does."""
        hold_s = self.charge(key, min(processor_time() - began, MOST_COUNTED_S))
        return asyncio.sleep(hold_s) if hold_s else None

    def charged_relay(self, via: bytes, author: bytes, hear: Callable[[], None]) -> None:
        """The same for what a relay passes on: too much of it is dropped, and nobody is cut off for it."""
        now, began = _now(), processor_time()
        if not self.relayed.is_in_debt(via, author, now):
            hear()
            self.relayed.spend(via, author, min(processor_time() - began, MOST_COUNTED_S), now)

    def barred_s(self, key: bytes) -> float:
        """Return for how long a peer is still barred."""
        return max(0.0, self._barred_until.get(key, 0.0) - _now())


def _now() -> float:
    return asyncio.get_running_loop().time()
