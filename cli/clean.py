"""Text from other people, made safe to show: no control, bidirectional, invisible or zero-width characters, no more than its
cells. Also the arithmetic of cells that every line on a screen needs: width, clip, pad, wrap.
"""

from __future__ import annotations

import re
import unicodedata

NAME_CELLS = 20
LINE_CELLS = 300
MAX_MARKS = 2
"""Combining marks in a row on one letter; real languages need no more, and towers of them paint over other lines."""

FLAG_A, FLAG_Z = "\U0001f1e6", "\U0001f1ff"
"""Letters of which two make a flag."""
FAIR, DARK = "\U0001f3fb", "\U0001f3ff"
"""Colours of skin: they melt with the sign before them, or do not, as the terminal likes."""
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks by category that show nothing: a name of them alone would be an empty line."""


def clean(text: str, cells: int = LINE_CELLS) -> str:
    """One line of visible text, clipped to `cells`; blanks in a row become one."""
    kept: list[str] = []
    marks = 0
    # Long enough for any clip, short enough that nobody makes us work: a cell needs few characters.
    for char in unicodedata.normalize("NFC", text[: 16 * cells]):
        category = unicodedata.category(char)
        if FLAG_A <= char <= FLAG_Z:  # terminals disagree how wide a pair of them is
            kept.append(chr(ord("A") + ord(char) - ord(FLAG_A)))
            marks = 0
        elif category == "Zs" or char in "\t\n\r":
            kept.append(" ")
            marks = 0
        elif category in _DROPPED or char in _INVISIBLE or is_selector(char) or FAIR <= char <= DARK:
            continue
        elif category in ("Mn", "Me"):
            marks += 1
            if kept and kept[-1] != " " and marks <= MAX_MARKS:
                kept.append(char)
        else:
            kept.append(char)
            marks = 0
    return clip(" ".join("".join(kept).split()), cells)


def clean_name(name: str, otherwise: str = "?") -> str:
    """A player's or table's name as it may be shown."""
    return clean(name, NAME_CELLS) or otherwise


def is_selector(char: str) -> bool:
    """Variation selectors: they turn text glyphs into emoji, which are wider than they say."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def width(text: str) -> int:
    """Cells that a line takes in a terminal: those of its characters, one by one, as the screen's cells are counted too."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth

    return sum(max(0, wcwidth(char)) for char in text)


def clip(text: str, cells: int, end: str = "…") -> str:
    """The text, or as much of it as fits with an ellipsis."""
    if width(text) <= cells:
        return text
    room = cells - width(end)
    if room < 0:
        return ""
    kept = ""
    for char in text:
        if width(kept + char) > room:
            break
        kept += char
    return kept + end


def pad(text: str, cells: int, right: bool = False) -> str:
    """The text clipped and filled up with blanks to exactly so many cells; `right` puts the blanks before it."""
    text = clip(text, cells)
    blanks = " " * (cells - width(text))
    return blanks + text if right else text + blanks


_PIECE = re.compile(r"[^\S\u00a0]+|[!-~\u00a0-\u02ff\u0370-\u1fff\u2010-\u2bff]+|.")
_NO_START = frozenset("、。，．・：；？！」』）】〕］}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;?!)]")
_NO_END = frozenset("「『（【〔［([")


def wrap(text: str, cells: int, indent: str = "") -> list[str]:
    """Lines of at most `cells`: broken at blanks (but those that forbid it), and within Japanese between any two signs but
    before a closing or after an opening one. `indent` begins every line but the first."""
    pieces = _joined(_PIECE.findall(text))
    lines: list[str] = []
    line = ""
    for piece in pieces:
        if line.strip() and width(line) + width(piece.rstrip()) > cells:
            lines.append(line.rstrip())
            line = indent
            piece = piece.lstrip()
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _joined(pieces: list[str]) -> list[str]:
    """Keeps together what no line may break."""
    joined: list[str] = []
    for piece in pieces:
        if joined and piece.strip() and (piece[0] in _NO_START or joined[-1][-1] in _NO_END):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined
