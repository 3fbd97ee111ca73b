"""What the terminal adds to a view when it draws it."""

from __future__ import annotations

from cli.terminal.keys import Cap
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """What only the terminal adds to a view: its key bar, where its cursors stand and how far it is scrolled."""

    caps: tuple[Cap, ...] = ()
    help: Cap | None = None
    cursor: int = -1
    """The place of the card or the row under the cursor; -1: none."""
    choice: int = 0
    """The place of the choice under the cursor in an open question."""
    top: int = 0
    """The first line that is shown of what scrolls."""
    deeds: tuple[Cap, ...] = ()
    """The actions that a list has below its rows."""
    flash_step: int = -1
    """How far the card that has just been played is on its way; -1: it lies there."""
    tip: Cap | None = None
    """For a newcomer: a key, and what it does now."""
