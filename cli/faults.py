"""How commands end: their exit statuses, and the faults that lead to them. The outermost loop turns these into one sentence."""

from __future__ import annotations

from cli.text import key
from protocol.errors import FairdealError

DONE, FAILED, WRONG_USE, NOBODY, INTERRUPTED = 0, 1, 2, 3, 130


class CommandFault(FairdealError):
    """A command cannot do what it was asked; the sentence says what would do."""

    status = FAILED


class MatchFailed(CommandFault):
    """The check failed, the match was broken off, or somebody cheated."""


class WrongUse(CommandFault):
    """Asked in a way that makes no sense here, or for a file that cannot be read."""

    status = WRONG_USE


class NobodyThere(CommandFault):
    """No table, or not enough players, in time."""

    status = NOBODY


class OutputLost(CommandFault):
    """Standard output takes nothing more, mostly because it goes to a file on a full disk."""


class Told(CommandFault):
    """Somebody else told the program to end, with this signal: the seat is kept as with any other end."""

    def __init__(self, signal: int) -> None:
        super().__init__(key("told to end from outside; a seat at a table is kept"))
        self.status = 128 + signal
