"""Come back to a match: our seat signs nothing until the others have shown it the messages of its own that they hold.

It may have said something that its files do not hold. (PROTOCOL.md, "Keeping the copies equal".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.cards import Seat
from protocol.table.events import Returned

RETURN_S = 10.0
"""How long after a return we sign nothing at most, while the others show us our own messages."""


class ComingBack:
    """`awaited`: the seats that have not shown us our own messages; empty where we did not come back, or need not wait."""

    def __init__(self) -> None:
        self.awaited: set[Seat] = set()
        self._until: float | None = None

    def begin(self, seats: Iterable[Seat]) -> None:
        """Wait for these seats, from when the first of them can be reached."""
        self.awaited = set(seats)

    def draw(self, seating: Sequence[Seat]) -> None:
        """Name the seats by what was drawn; until then they are places in the roster."""
        self.awaited = {seating.index(place) for place in self.awaited}

    def reached(self, now: float) -> None:
        """Note that somebody can be reached: the others have RETURN_S from now on."""
        if self.awaited and self._until is None:
            self._until = now + RETURN_S

    def shown_by(self, seat: Seat) -> list[Returned]:
        """Note that a seat has shown us all; return the news if it was the last."""
        self.awaited.discard(seat)
        return [] if self.awaited or self._until is None else [self._stop()]

    def look(self, now: float) -> list[Returned]:
        """Return the news if the others had their time."""
        return [] if self._until is None or now < self._until else [self._stop()]

    def times(self) -> list[float]:
        """Return when to look again."""
        return [] if self._until is None else [self._until]

    def _stop(self) -> Returned:
        news = Returned(tuple(sorted(self.awaited)))
        self.awaited, self._until = set(), None
        return news
