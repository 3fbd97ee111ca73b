"""How much help with the hand each player takes from their client: said by each seat of itself, and seen by all.

Said beside the match, like chat; nobody can check it. (PROTOCOL.md, "Hints".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.levels import HINT_LEVELS
from protocol.messages import Hints
from protocol.table.events import HintsChanged
from protocol.table.record import Record
from protocol.table.signer import Signer

TOLD_EVERY_S = 1.0
"""Limits how often our player hears of others' changes: somebody may change theirs a thousand times."""
SUGGEST = HINT_LEVELS.index("suggest")


class Help:
    """Announces our seat's hint level, and keeps track of the others'."""

    def __init__(self, record: Record, signer: Signer) -> None:
        self._record, self._signer = record, signer
        self._own: int | None = None
        """None while our player has not chosen a level: nothing is said."""
        self._told: dict[Seat, int] = {}
        self._told_at = -TOLD_EVERY_S

    @property
    def levels(self) -> dict[Seat, int]:
        """By seat, for those that have said it."""
        found = {}
        for seat, signed in sorted(self._record.hints.items()):
            assert isinstance(signed.message, Hints)
            found[seat] = signed.message.level
        return found

    def take(self, level: int) -> None:
        """Our player wants this much help, or as much of it as the table allows."""
        self._own = level if self._record.roster.table.suggest else min(level, SUGGEST - 1)

    def look(self, now: float, is_returning: bool) -> HintsChanged | None:
        """Say what we want if we have not, or said otherwise in an earlier run (first let the others show us that, so that ours
        has the higher counter); tell our player what has changed."""
        record, seat = self._record, self._signer.seat
        # Who has not drawn the seats yet drops what is said; at the first deal all have.
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
        """Return when our player can be told the news."""
        return [] if self.levels == self._told else [max(self._told_at + TOLD_EVERY_S, now + 0.01)]
