"""Hold back the goodbyes that come before the draw of the seats.

Their senders may have drawn already, and were then in the match when they left it: whoever cannot know that yet waits for the
others to show how the seats were drawn. (PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.messages import Goodbye
from protocol.signed import Signed
from protocol.table.record import Record

EARLY_S = 3.0
"""How long such a goodbye waits."""


class EarlyGoodbyes:
    """The goodbyes that came before the draw here."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._held: dict[Seat, Signed] = {}
        self._until: float | None = None

    def holds(self, signed: Signed, now: float) -> bool:
        """Hold a message back if it is such a goodbye. Return whether it was. Raises BadMessage if its signature is wrong."""
        is_waited_for = self._until is None or now < self._until
        if self._record.seed is not None or not isinstance(signed.message, Goodbye) or not is_waited_for:
            return False
        self._record.verify(signed)
        self._held[signed.seat] = signed
        return True

    @property
    def is_empty(self) -> bool:
        """Whether none waits."""
        return not self._held

    def times(self) -> list[float]:
        """Return when their time is up, if any wait."""
        return [self._until] if self._held and self._until is not None else []

    def begin(self, others: Iterable[Seat], now: float) -> tuple[Seat, ...]:
        """Begin to wait if a goodbye came and nothing is drawn. Return the seats to ask about the draw, when that begins."""
        if not self._held or self._record.seed is not None or self._until is not None:
            return ()
        self._until = now + EARLY_S
        return tuple(seat for seat in others if seat not in self._held)

    def take(self, now: float) -> tuple[Signed, ...]:
        """Return the goodbyes, once, when the seats are drawn here or their time is up; none before."""
        is_waiting = self._record.seed is None and self._until is not None and now < self._until
        if not self._held or is_waiting:
            return ()
        held, self._held = self._held, {}
        return tuple(held.values())
