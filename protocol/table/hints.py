"""Announce how much help each player takes from their client. Every seat announces its own level to everyone.

Levels are sent beside the match, like chat, and cannot be checked. (PROTOCOL.md, "Hints".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.levels import HINT_LEVELS
from protocol.messages import Hints
from protocol.table.events import HintsChanged
from protocol.table.record import Record
from protocol.table.signer import Signer

TOLD_EVERY_S = 1.0
"""The minimum time between reports of changes, in case somebody changes theirs all the time."""
SUGGEST = HINT_LEVELS.index("suggest")


class Help:
    """Announces our seat's hint level, and keeps track of the others'."""

    def __init__(self, record: Record, signer: Signer) -> None:
        self._record, self._signer = record, signer
        self._own: int | None = None
        """None until our player has chosen a level; nothing is sent until then."""
        self._told: dict[Seat, int] = {}
        self._told_at = -TOLD_EVERY_S

    @property
    def levels(self) -> dict[Seat, int]:
        """Return the announced levels by seat."""
        found = {}
        for seat, signed in sorted(self._record.hints.items()):
            assert isinstance(signed.message, Hints)
            found[seat] = signed.message.level
        return found

    def take(self, level: int) -> None:
        """Set our player's level, or the highest that the table allows."""
        self._own = level if self._record.roster.table.suggest else min(level, SUGGEST - 1)

    def look(self, now: float, is_returning: bool) -> HintsChanged | None:
        """Announce our level if it has changed, and return what our player has to be told.

        After a return, wait until the others have shown us what an earlier run announced, so that our counter is higher.
        """
        record, seat = self._record, self._signer.seat
        # Seats drop it until they have drawn the seats; at the first deal all have.
        if self._own is not None and record.height > 1 and not record.is_over and not is_returning:
            said = record.hints.get(seat)
            if said is not None:
                assert isinstance(said.message, Hints)
                self._signer.counter = max(self._signer.counter, said.message.counter)
            if self.levels.get(seat) != self._own:
                self._signer.say_beside(Hints(self._signer.count(), self._own))
        levels = self.levels
        if levels == self._told or now < self._told_at + TOLD_EVERY_S:
            return None
        self._told, self._told_at = levels, now
        return HintsChanged(levels)

    def times(self, now: float) -> list[float]:
        """Return when our player can be told of a change."""
        return [] if self.levels == self._told else [max(self._told_at + TOLD_EVERY_S, now + 0.01)]
