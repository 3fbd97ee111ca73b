"""Track how far our seat is behind the others, and whether it is still being shown what it missed.

Who is far behind asks one seat after another, and gets pages. (PROTOCOL.md, "Keeping the copies equal".)
"""

from __future__ import annotations

from protocol.signed import Page
from protocol.table.record import Record
from protocol.table.showing import UNASKED
from protocol.table.waits import Waits

NEAR = 3
"""Up to this many heights behind the others, a seat counts as being with them."""

GAP_S = 60.0
"""Where more than one says that we are far behind, there is more to read even if nothing comes for so long."""


class Lag:
    """What our seat missed, and how much of it is read."""

    def __init__(self, record: Record, waits: Waits) -> None:
        self._record, self._waits = record, waits
        self._behind_from: int | None = None
        """At which height we found out that the others were far ahead; None if they are not."""
        self._more_to_come = False
        """Whether the answer that we are reading is not at its end."""
        self._useful_before = 0
        """How many messages had got us on when somebody was asked to go on showing us what we missed."""

    def look(self) -> None:
        """Note at which height we found out that the others are far ahead."""
        record = self._record
        if record.furthest <= record.height + NEAR or record.is_over:
            self._behind_from = None
        elif self._behind_from is None:
            self._behind_from = record.height

    def leaves_more(self, page: Page, useful: int) -> bool:
        """Whether this page was cut short and got us on, so that what comes after it has to be asked for. `useful`: how many
        messages have got us on so far."""
        if page.last and page.index == UNASKED:
            return False
        self._more_to_come = not page.last
        if page.last or page.index == UNASKED or useful <= self._useful_before:
            return False
        self._useful_before = useful
        return True

    def is_reading(self, now: float) -> bool:
        """Whether we are far behind, as more than one says, or still being shown what we missed: who sat down now would keep the
        others waiting."""
        return (self._more_to_come or self._behind_from is not None) and now < self.reads_until

    @property
    def reads_until(self) -> float:
        """Return until when we wait for more to read."""
        is_sure = self._behind_from is not None and len(self._record.claims) > 1
        return self._waits.shown_until + (GAP_S if is_sure else 0.0)

    def caught_up(self, now: float) -> float | None:
        """Return how much we have taken in, from 0 to 1, of what we missed while we were far behind; None if we are not, or are
        not being shown it."""
        start, record = self._behind_from, self._record
        if start is None or not self._waits.is_shown(now):
            return None
        return max(0.0, (record.height - start) / (record.furthest - start))  # heights may be undone
