"""Lines in a terminal are broken between words, also those that are listed below a sentence."""

from __future__ import annotations

import io
import os
from pathlib import Path

from cli.console import Terminal
from cli.context import Context
from cli.plain.voice import Voice
from cli.text import Translator


def told(*lines: str) -> list[str]:
    out = io.StringIO()
    terminal = Terminal(True, False, False, 0, 40)
    voice = Voice(Context(Translator(), os.environ, io.StringIO(), out, out, terminal, Path()))
    for line in lines:
        voice.tell(line)
    return out.getvalue().splitlines()


def test_what_is_listed_goes_on_below_its_beginning() -> None:
    assert told("  who: show the state of the game and all of its hints") == [
        "  who: show the state of the game and",
        "    all of its hints",
    ]


def test_what_is_drawn_stays_as_it_is() -> None:
    drawn = "  " + "[10S] " * 6
    assert told(drawn.rstrip()) == [drawn.rstrip()]
    assert told("\x1b[1m" + "x" * 80) == ["\x1b[1m" + "x" * 80]
