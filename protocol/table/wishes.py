"""The wish to go on without seats that are awaited: who has it, and from when on one may have it.

Said beside the match, like chat: no vote, duty or entry looks at it, and a wish alone changes nothing. Each seat says only what
itself wishes. What others said counts here for as long as we await that seat ourselves, and lapses when our own wait ends.
(PROTOCOL.md, "The wish to go on".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from protocol.cards import Seat
from protocol.messages import WishOn
from protocol.signed import Signed
from protocol.table.record import Record

WISHES_EVERY_S = 1.0
"""Our player is told of others' changed wishes at most so often: somebody may change theirs a thousand times."""
REPEAT_S = 10.0
"""While the table waits each seat says again what it wishes: others may have come later, or missed it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a wait stands at one seat: whom it awaits, whose wish is needed to go on, who has it, and from when on one may
    (None: never, as too few would be left)."""

    awaited: tuple[Seat, ...] = ()
    needed: tuple[Seat, ...] = ()
    by: tuple[Seat, ...] = ()
    may_at: float | None = None


class Wishes:
    """What our seat makes of everybody's wishes."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.own: set[Seat] = set()
        """Seats without which our player, in this run of the program, wishes to go on."""
        self.is_back = False
        """We came back, perhaps into a wait that has lasted longer than we can know: what others wish is then not early."""
        self._lapsed: dict[tuple[Seat, Seat], int] = {}
        """By (wisher, awaited): the counter up to which a wish is over."""

    def lapse(self, seats: Iterable[Seat]) -> None:
        """These seats are not awaited any more: nobody's wish about them holds."""
        ended = frozenset(seats)
        for pair, signed in self._record.wishes.items():
            if pair[1] in ended:
                self._lapsed[pair] = _counter(signed)

    def holds(self, wisher: Seat, awaited: Seat) -> bool:
        """Whether the last that this seat said is that it wishes so, and its wish has not lapsed."""
        signed = self._record.wishes.get((wisher, awaited))
        if signed is None or _counter(signed) <= self._lapsed.get((wisher, awaited), -1):
            return False
        message = signed.message
        return isinstance(message, WishOn) and message.wish

    def standing(self, may_from: Mapping[Seat, float], now: float) -> Standing:
        """How a wait for these seats stands; `may_from`: from when on one may wish, by awaited seat."""
        if not may_from:
            return Standing()
        record = self._record
        awaited = tuple(sorted(may_from))
        needed = tuple(seat for seat in record.present if seat not in may_from and not record.member(seat).bot)
        if 2 * (len(record.present) - len(awaited)) <= len(record.present):
            return Standing(awaited, needed)
        may_at = max(may_from.values())
        by: tuple[Seat, ...] = ()
        if now >= may_at or self.is_back:
            by = tuple(seat for seat in needed if all(self.holds(seat, each) for each in awaited))
        return Standing(awaited, needed, by, may_at)

    def said_by(self, seat: Seat) -> dict[Seat, Signed]:
        """The last that a seat said about each other."""
        return {about: signed for (wisher, about), signed in self._record.wishes.items() if wisher == seat}


def _counter(signed: Signed) -> int:
    message = signed.message
    assert isinstance(message, WishOn)
    return message.counter
