"""Who keeps a table waiting, in the eyes of the seat that shows it: told beside the transcript, and never part of it.

Nobody signs it and nothing proves it, so it is shown and kept nowhere. PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

from collections.abc import Collection

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.schema import MAX_SEATS, SEATS
from protocol.table.table import Table
from protocol.values import dataclass
from protocol.wire import pack, unpack

PREFIX = b"w"
"""The first byte of a message that tells this to a watcher."""
MAX_BYTES = 4 + 3 * MAX_SEATS


@dataclass(frozen=True, slots=True)
class Absence:
    """Seats in ascending order."""

    awaited: tuple[Seat, ...] = ()
    """The match waits for them, and has for a while."""
    away: tuple[Seat, ...] = ()
    """They cannot be reached."""
    asleep: tuple[Seat, ...] = ()
    """Nobody looks at these phones."""

    def encode(self) -> bytes:
        return pack([list(self.awaited), list(self.away), list(self.asleep)])


NOBODY = Absence()


def decode_absence(data: bytes) -> Absence:
    """Raises BadMessage and nothing else."""
    match unpack(data, MAX_BYTES):
        case [awaited, away, asleep]:
            return Absence(_seats(awaited), _seats(away), _seats(asleep))
        case _:
            raise BadMessage("these bytes are not a message")


def _seats(found: object) -> tuple[Seat, ...]:
    """Raises BadMessage unless these are distinct seats in ascending order."""
    seats = SEATS.decode(found)
    if seats != tuple(sorted(set(seats))):
        raise BadMessage("these bytes are not a message")
    return seats


def absence_at(table: Table, asleep: Collection[bytes]) -> Absence:
    """Return who keeps this table waiting now. `asleep`: the keys at whose pages nobody looks."""
    record = table.record
    if record.seed is None or table.is_over:
        return NOBODY
    present = set(record.present)
    return Absence(
        tuple(sorted(table.waits.awaiting & present)),
        tuple(sorted(table.waits.away & present)),
        tuple(sorted(seat for seat in present if record.key(seat) in asleep)),
    )
