"""What the host chooses about a table. Apart from the roster, as the command line names these defaults before any network."""

from __future__ import annotations

from protocol.values import dataclass

RECOVERY_AUTO, RECOVERY_ON, RECOVERY_OFF = RECOVERY = ("auto", "on", "off")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The host's choices about the table, not the game. Times are in milliseconds; 0 means none."""

    recovery: str = RECOVERY_AUTO
    """Whether the other players together can play on with the key of somebody who left: one of `RECOVERY`."""
    time: int = 0
    grace: int = 2_000
    pause: int = 15_000
    leave_after: int = 120_000
    rounds: int = 0
    lots: bool = False
    suggest: bool = True
    """Whether clients may suggest plays to their players."""
    remind: bool = True
    """Whether clients warn a player who is about to forget to announce the last card."""
