"""Drives a record: whatever can go on, goes on."""

from __future__ import annotations

from protocol.table.closing import advance_closing
from protocol.table.committing import advance_between, advance_playing
from protocol.table.preparation import advance_preparation, advance_sealing
from protocol.table.record import Record
from protocol.table.settlement import advance_settling

STEPS = (
    advance_sealing,
    advance_preparation,
    advance_between,
    advance_playing,
    advance_settling,
    advance_closing,
)


def advance(record: Record) -> bool:
    """One step further; False where something is missing: a message, or the result of work."""
    return any(step(record) for step in STEPS)
