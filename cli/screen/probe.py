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
QUESTION, WIPE = "\r♠\x1b[6n", "\r\x1b[K"
_REPLY = re.compile(rb"\x1b\[\d+;(\d+)R")


def is_wide(stdin: TextIO, stdout: TextIO) -> bool:
    """Whether the cursor moved by two after one suit. False where nobody answers in time: nearly all terminals draw one."""
    if sys.platform == "win32":
        return False
    import termios
    import tty

    try:
        source = stdin.fileno()
        before = termios.tcgetattr(source)
    except (OSError, ValueError, termios.error):
        return False
    try:
        tty.setcbreak(source, termios.TCSANOW)
        # At the line's start, so that the column alone tells; then the line is wiped.
        stdout.write(QUESTION)
        stdout.flush()
        column = _column(source)
        stdout.write(WIPE)
        stdout.flush()
        return column == 3
    finally:
        termios.tcsetattr(source, termios.TCSANOW, before)


def _column(source: int) -> int | None:
    """The column that the terminal answers with."""
    heard = b""
    deadline = time.monotonic() + LIMIT_S
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([source], [], [], left)[0]:
            break
        heard += os.read(source, 1024)
        if (found := _REPLY.search(heard)) is not None:
            return int(found[1])
    return None
