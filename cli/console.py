"""Determine once at the start what the terminal can do: screen or pipe, colours, UTF-8, width. Draws nothing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

from protocol.values import dataclass

MONO, SIXTEEN, MANY, TRUE = 0, 16, 256, 1 << 24
"""Numbers of colours."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """The terminal's abilities. `is_screen`: a person sees and types; `plain`: lines of text only."""

    is_screen: bool
    plain: bool
    ascii_only: bool
    colours: int
    columns: int
    motion: bool = True


def look(
    environ: Mapping[str, str],
    stdin: TextIO,
    stdout: TextIO,
    plain: bool = False,
    ascii_only: bool = False,
    motion: bool = True,
) -> Terminal:
    """Determine the abilities. Flags override the environment, which overrides what the streams report."""
    is_screen = is_tty(stdin) and is_tty(stdout) and environ.get("TERM") != "dumb"
    encoding = (getattr(stdout, "encoding", None) or "ascii").casefold().replace("-", "")
    return Terminal(
        is_screen=is_screen,
        plain=plain or not is_screen or bool(environ.get("ACCESSIBLE")),
        ascii_only=ascii_only or encoding not in ("utf8", "utf8sig", "utf16", "cp65001"),
        colours=colours(environ) if is_tty(stdout) else MONO,
        columns=max(20, shutil.get_terminal_size((80, 24)).columns),
        motion=motion,
    )


def is_tty(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; False if closed or missing."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def colours(environ: Mapping[str, str]) -> int:
    """Return how many colours to use."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term == "dumb":
        return MONO
    if environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return TRUE
    if term == "linux":
        return SIXTEEN
    return MANY


def prepare(stdout: TextIO, stderr: TextIO) -> None:
    """Replace characters that the encoding lacks instead of failing, and enable colours on Windows."""
    for stream in (stdout, stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    if sys.platform == "win32":  # pragma: no cover - only there
        import ctypes

        kernel = ctypes.windll.kernel32
        for number in (-11, -12):
            mode = ctypes.c_ulong()
            handle = kernel.GetStdHandle(number)
            if kernel.GetConsoleMode(handle, ctypes.byref(mode)):
                kernel.SetConsoleMode(handle, mode.value | 0x0004)


def paint(text: str, depth: int, fg: str = "", bg: str = "", bold: bool = False) -> str:
    """Return the text in colours given as #rrggbb; unchanged without colours."""
    if depth == MONO or not text:
        return text
    codes = ["1"] if bold else []
    if fg:
        codes.append(_code(fg, depth, 38))
    if bg:
        codes.append(_code(bg, depth, 48))
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


def _code(colour: str, depth: int, base: int) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if depth == TRUE:
        return f"{base};2;{red};{green};{blue}"
    if depth == SIXTEEN:
        number = sum(bit for bit, part in ((1, red), (2, green), (4, blue)) if part > 110)
        return str(base - 8 + number)
    # The 6 x 6 x 6 cube of the 256 colours.
    steps = (0, 95, 135, 175, 215, 255)
    near = [min(range(6), key=lambda step, part=part: abs(steps[step] - part)) for part in (red, green, blue)]  # type: ignore[misc]
    return f"{base};5;{16 + 36 * near[0] + 6 * near[1] + near[2]}"
