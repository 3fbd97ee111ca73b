"""The exit statuses of commands, and the errors that lead to them. `main` prints such an error as one sentence."""

from __future__ import annotations

from cli.text import key
from protocol.errors import FairdealError

DONE, FAILED, WRONG_USE, NOBODY, INTERRUPTED = 0, 1, 2, 3, 130


class CommandFault(FairdealError):
    """A command cannot do what it was asked; the sentence says what would help."""

    status = FAILED


class MatchFailed(CommandFault):
    """The verification failed, the match was broken off, or someone cheated."""


class WrongUse(CommandFault):
    """The request makes no sense here, or names an unreadable file."""

    status = WRONG_USE


class NobodyThere(CommandFault):
    """No table, or not enough players, in time."""

    status = NOBODY


class OutputLost(CommandFault):
    """Standard output cannot be written, usually because of a full disk."""


class ToldToEnd(CommandFault):
    """The program was told to end by a signal; a seat at a table is kept."""

    def __init__(self, signal: int) -> None:
        super().__init__(key("stopped from outside; if you were at a table, your seat is kept"))
        self.status = 128 + signal
