"""Define the result of one input to a table: letters to other seats, journal entries, events for our player, and jobs.

The driver saves before it sends. (PROTOCOL.md, "Saved before sent".)
"""

from __future__ import annotations

from typing import Literal

from protocol.cards import Seat
from protocol.table.events import Event
from protocol.table.work import Job
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Letter:
    """Bytes for another seat, or for all others. `key`: only for this one of those who have to do with the seat."""

    to: Seat | None
    data: bytes
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A journal entry: an incoming or outgoing message, a secret, or a mark."""

    kind: Literal["in", "out", "secret", "mark"]
    data: bytes

    def __repr__(self) -> str:
        """Hide secrets from logs."""
        return f"Entry({self.kind}, {'hidden' if self.kind == 'secret' else self.data.hex()})"


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one input. The driver writes `records` before it sends `outbox`, and may run `work` at any time."""

    events: tuple[Event, ...] = ()
    outbox: tuple[Letter, ...] = ()
    records: tuple[Entry, ...] = ()
    work: tuple[Job, ...] = ()
    transcript: tuple[bytes, ...] = ()
    """Messages to append to the transcript."""
    cut: int | None = None
    """The number of messages to which the transcript is cut back before that, or None."""


NOTHING = Step()
"""The result of an input that changes nothing, not even when to look again."""
