"""Tables that are seen on the network: plain data, cleaned."""

from __future__ import annotations

from dataclasses import dataclass

from cli.text import key

STATES = {"open": key("seats free"), "playing": key("playing"), "paused": key("paused")}


@dataclass(frozen=True, slots=True)
class Found:
    """A table that was seen: one row, though each of its seats announces it."""

    title: str
    game: str
    seats: int
    taken: int
    state: str
    id: str
    addresses: tuple[tuple[str, int], ...]
    host: str = ""
    """Empty where nothing is announced of it, as of the next three."""
    players: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    score: tuple[int, ...] = ()
    rules: tuple[tuple[str, str], ...] | None = None
    """What it plays otherwise than usual, as announced: names and values, not checked. None: it is not said."""
    keys: tuple[str, ...] = ()
    """How the keys of those who announce it begin, in hex."""


def is_free(row: Found) -> bool:
    """Whether somebody can still sit down."""
    return row.state == "open" and row.taken < row.seats


def is_running(row: Found) -> bool:
    """Whether there is something to watch."""
    return row.state in ("playing", "paused")
