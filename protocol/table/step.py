"""What one input to a table leads to: letters for the other seats, lines for the journal, news for our player, work.

Plain values. The driver saves before it sends.
(PROTOCOL.md, "Saved before sent".)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocol.cards import Seat
from protocol.table.events import Event
from protocol.table.work import Job


@dataclass(frozen=True, slots=True)
class Letter:
    """Bytes for another seat, or for all others."""

    to: Seat | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the journal: a message that came in or goes out, a secret, or a mark."""

    kind: Literal["in", "out", "secret", "mark"]
    data: bytes

    def __repr__(self) -> str:
        """Hide secrets from logs."""
        return f"Entry({self.kind}, {'hidden' if self.kind == 'secret' else self.data.hex()})"


@dataclass(frozen=True, slots=True)
class Step:
    """What one input led to. The driver writes `records` before it sends `outbox`, and runs `work` when it likes."""

    events: tuple[Event, ...] = ()
    outbox: tuple[Letter, ...] = ()
    records: tuple[Entry, ...] = ()
    work: tuple[Job, ...] = ()
    transcript: tuple[bytes, ...] = ()
