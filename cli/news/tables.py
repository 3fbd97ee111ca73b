"""Tables seen on the network: plain data, cleaned."""

from __future__ import annotations

from cli.text import key
from protocol.values import dataclass

STATES = {"open": key("seats free"), "playing": key("playing"), "paused": key("paused")}


@dataclass(frozen=True, slots=True)
class FoundTable:
    """One table, even if several of its seats announce it."""

    title: str
    game: str
    seats: int
    taken: int
    state: str
    id: str
    addresses: tuple[tuple[str, int], ...]
    host: str = ""
    """Empty if not announced, like the next three."""
    players: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    score: tuple[int, ...] = ()
    rules: tuple[tuple[str, str], ...] | None = None
    """Its non-default options as announced, names and values, not validated. None: not announced."""
    keys: tuple[str, ...] = ()
    """The announcing seats' keys, in hexadecimal."""
    is_proved: bool = False
    """Whether all who announce it have proved that they have a seat there."""

    @property
    def name(self) -> tuple[str, ...]:
        """What tells it from all other rows: anyone may announce anyone's id and key, with other words."""
        return (self.id,) if self.is_proved else (self.id, self.title, self.host, self.state, *self.keys)


def is_free(row: FoundTable) -> bool:
    """Return whether there is a free seat."""
    return row.state == "open" and row.taken < row.seats


def is_running(row: FoundTable) -> bool:
    """Return whether there is a match to watch."""
    return row.state in ("playing", "paused")


def is_busy(row: FoundTable) -> bool:
    """Return whether there is a room, but no free seat now: newcomers watch, and play when a seat is free."""
    return is_running(row) or row.state == "open"


@dataclass(frozen=True, slots=True)
class TablesSeen:
    """All tables that are seen now."""

    tables: tuple[FoundTable, ...]
