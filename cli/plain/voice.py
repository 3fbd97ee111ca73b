"""Prints lines so that news and the prompt do not run into each other."""

from __future__ import annotations

from cli.clean import width, wrap
from cli.context import Context


class Voice:
    """Standard output in lines, with a prompt for a person at a terminal."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_open = False
        """Whether a prompt stands on the last line."""

    def tell(self, line: str) -> None:
        if self._is_open:
            self._context.tell()
            self._is_open = False
        terminal = self._context.terminal
        # What is drawn has its own width; sentences, and what is listed below one, are broken where the terminal ends.
        columns = terminal.columns - 1
        fits = not terminal.is_screen or "\x1b" in line or (line.startswith("  ") and width(line) <= columns)
        for each in [line] if fits else wrap(line, columns, "    " if line.startswith("  ") else ""):
            self._context.tell(each)

    def entered(self) -> None:
        """A line was typed, so the prompt's line has ended."""
        self._is_open = False

    def prompt(self) -> None:
        """An arrow for a person at a terminal; a script needs none."""
        if self._context.terminal.is_screen and not self._is_open:
            print("> ", end="", file=self._context.stdout, flush=True)
            self._is_open = True
