"""Asks the terminal how wide it draws a suit: some draw the card suits two cells wide (East Asian Ambiguous), and then every
line with one would shift. Asked once, before the screen is taken."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import TextIO

LIMIT_S = 0.1
ASK, WIPE = "\x1b[6n", "\r\x1b[K"
_REPLY = re.compile(rb"\x1b\[\d+;(\d+)R")


def is_wide(stdin: TextIO, stdout: TextIO) -> bool:
    """Whether the cursor moved by two after one suit. False where nobody answers in time: nearly all terminals draw one."""
    return cells_drawn(stdin, stdout, "♠") == 2


def cells_drawn(stdin: TextIO, stdout: TextIO, text: str, limit_s: float = LIMIT_S) -> int | None:
    """How many cells the terminal takes for a text; None where it does not answer, and on Windows, where nobody asks."""
    if sys.platform == "win32":
        return None
    import termios
    import tty

    try:
        source = stdin.fileno()
        before = termios.tcgetattr(source)
    except (OSError, ValueError, termios.error):
        return None
    try:
        tty.setcbreak(source, termios.TCSANOW)
        # At the line's start, so that the column alone tells; then the line is wiped.
        stdout.write(f"\r{text}{ASK}")
        stdout.flush()
        column = _column(source, limit_s)
        stdout.write(WIPE)
        stdout.flush()
        return None if column is None else column - 1
    finally:
        termios.tcsetattr(source, termios.TCSANOW, before)


def _column(source: int, limit_s: float) -> int | None:
    """The column that the terminal answers with."""
    heard = b""
    deadline = time.monotonic() + limit_s
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([source], [], [], left)[0]:
            break
        heard += os.read(source, 1024)
        if (found := _REPLY.search(heard)) is not None:
            return int(found[1])
    return None
