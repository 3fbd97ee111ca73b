"""What we have asked other seats for: that much of it is known by then, or comes too early, is nobody's fault.

It costs its sender nothing, up to about an answer for each request, as long as the answers of this seat get us on.
(PROTOCOL.md, "Limits".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.signed import MAX_PAGE_BYTES

ANSWER_BYTES = 2 * MAX_PAGE_BYTES
"""A long answer is cut after a page, before another height."""


class Answers:
    """Bytes that seats may still send for what we asked them for."""

    def __init__(self) -> None:
        self._left: dict[Seat, int] = {}
        self._useful: set[Seat] = set()
        """The seats that have got us on since they were asked."""

    def ask(self, seat: Seat) -> None:
        """Note that a seat is asked (again)."""
        if seat not in self._left or seat in self._useful:
            self._left[seat] = ANSWER_BYTES
        self._useful.discard(seat)

    def awaits(self, seat: Seat) -> bool:
        """Return whether a seat still owes us a part of an answer."""
        return self._left.get(seat, 0) > 0

    def take(self, seat: Seat, size: int, is_useful: bool) -> bool:
        """Take so many bytes of a seat; return whether it is charged nothing for them."""
        if is_useful:
            self._useful.add(seat)
            return True
        is_free = self.awaits(seat)
        if is_free:
            self._left[seat] -= size
        return is_free
