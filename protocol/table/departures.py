"""Keep what ends an epoch: promises to go on without somebody, goodbyes, and convictions.

These messages are valid across epochs, and are kept until the epoch that they lead to has begun. (PROTOCOL.md,
"Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.messages import MAX_ATTEMPTS, Goodbye
from protocol.signed import Signed
from protocol.table.epochs import Epoch, Quorum, is_lie
from protocol.table.events import Accused

MAX_VERSIONS = 8
"""How many versions of one vote are kept: a seat that sends more to its friends only makes itself be left out."""


class Departures:
    """What was heard about going on without a seat."""

    def __init__(self) -> None:
        self.epochs: dict[int, bytes] = {}
        """The hash of each epoch that began."""
        self.marks: dict[int, int] = {}
        """The index in the transcript at which each epoch's beginning stands."""
        self.withouts: dict[tuple[int, Seat], Signed] = {}
        """By number and seat: only those above the epoch that runs."""
        self.promised = 0
        """The highest epoch for which our own seat has signed: it counts no vote of a lower one any more."""
        self.goodbyes: dict[Seat, Signed] = {}
        self.convicted: dict[Seat, Accused] = {}
        self.evidence: dict[Seat, tuple[Signed, ...]] = {}
        self.versions: dict[tuple[Seat, int], list[Signed]] = {}
        """By seat and height: votes that differ from the one that we count. The others may have counted one of these."""

    def quorum(self, keepers: tuple[bytes, ...]) -> Quorum:
        """Return who counts now."""
        goodbyes = {
            seat: signed.message for seat, signed in self.goodbyes.items() if isinstance(signed.message, Goodbye)
        }
        return Quorum(keepers, frozenset(self.convicted), goodbyes)

    def add(self, number: int, signed: Signed) -> Signed | None:
        """Keep a promise for this epoch. Return an earlier one that it contradicts by concealing it, or None."""
        ours = self._withouts_of(signed.seat)
        self.withouts[number, signed.seat] = signed
        return next((each for each in ours if is_lie(each, signed)), None)

    def is_full(self, seat: Seat) -> bool:
        """Whether a seat has promised more often than its later promises can tell."""
        return len(self._withouts_of(seat)) >= MAX_ATTEMPTS

    def _withouts_of(self, seat: Seat) -> list[Signed]:
        return [each for (_, author), each in self.withouts.items() if author == seat]

    def keep_version(self, height: int, signed: Signed) -> bool:
        """Keep another version of a seat's vote; return False if it is known, or one too many."""
        found = self.versions.setdefault((signed.seat, height), [])
        if len(found) >= MAX_VERSIONS or any(each.payload == signed.payload for each in found):
            return False
        found.append(signed)
        return True

    def begin(self, epoch: Epoch) -> None:
        """Drop what led to an epoch that has begun, or to a lower one."""
        self.epochs[epoch.number] = epoch.hash
        self.versions.clear()
        self.withouts = {key: signed for key, signed in self.withouts.items() if key[0] > epoch.number}

    def said(self) -> Iterable[Signed]:
        """Return all that others have to know of this."""
        return *self.goodbyes.values(), *self.withouts.values()
