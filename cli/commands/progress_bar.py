"""Show on a terminal how far a long check is. On standard error, so that the answer stays clean."""

from __future__ import annotations

from contextlib import suppress

from cli.console import is_tty
from cli.context import Context

WIDTH = 30
LEAST_BYTES = 200_000
"""Less is checked at once."""


class ProgressBar:
    """One line that is drawn again and again. No-op where standard error is no terminal, or is a dumb one."""

    def __init__(self, context: Context, name: str) -> None:
        self._stderr, self._name = context.stderr, name
        self._is_shown = is_tty(context.stderr) and context.environ.get("TERM") != "dumb"
        self._columns = max(20, context.terminal.columns - 1)
        self._percent = -1

    def show(self, done: int, total: int) -> None:
        """Draw the bar if it has changed."""
        percent = 100 * done // max(1, total)
        if not self._is_shown or total < LEAST_BYTES or percent == self._percent:
            return
        self._percent = percent
        filled = WIDTH * percent // 100
        self._write(f"[{'#' * filled}{'.' * (WIDTH - filled)}] {percent:3} %  {self._name}")

    def clear(self) -> None:
        """Remove the line."""
        if self._percent >= 0:
            self._write("")
            self._percent = -1

    def _write(self, line: str) -> None:
        with suppress(OSError):
            self._stderr.write("\r" + line[: self._columns].ljust(self._columns) + "\r" * (not line))
            self._stderr.flush()
