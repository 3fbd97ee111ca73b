"""Hold back what comes before the draw of the seats, from those who may have drawn already.

A round key follows the draw at once, and may overtake the last nonce that we lack. Of a goodbye, its sender may have been in the
match when it left: whoever cannot know that yet waits for the others to show how the seats were drawn.
(PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.messages import Goodbye, Prepare
from protocol.signed import Signed
from protocol.table.record import Record

EARLY_S = 3.0
"""How long such a goodbye waits."""


class EarlyKeys:
    """The round keys that came before the draw here: the last one that each place in the roster has sent. Who signed it can only
    be seen after the draw."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._held: dict[Seat, Signed] = {}

    def holds(self, sender: Seat, signed: Signed) -> bool:
        """Hold a message back if it is such a key. Return whether it was."""
        if self._record.seed is not None or not isinstance(signed.message, Prepare):
            return False
        self._held[sender] = signed
        return True

    def take(self) -> tuple[Signed, ...]:
        """Return these keys, once."""
        held, self._held = self._held, {}
        return tuple(held.values())


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
