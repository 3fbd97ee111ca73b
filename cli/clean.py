"""Make text from other people safe to show, and compute with terminal cells: width, clip, pad, wrap.

Safe text has no control, bidirectional, invisible or zero-width characters, and a limited width.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

NAME_CELLS = 20
LINE_CELLS = 300
MAX_MARKS = 2
"""Combining marks in a row on one letter. Languages need no more, and stacks of them cover other lines."""
MAX_JOINED = 2
"""Signs in a row that join a letter and count no cell, such as vowels in India. Some terminals give each one of its own."""

FLAG_A, FLAG_Z = "\U0001f1e6", "\U0001f1ff"
"""Regional indicators, of which two form a flag."""
FAIR, DARK = "\U0001f3fb", "\U0001f3ff"
"""Skin tone modifiers: whether they merge with the character before them depends on the terminal."""
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Letters and marks by category that show nothing: a name of them alone would be an empty line."""
_ALIKE = str.maketrans(
    "авеікмнорстухјѕһԁԛԝӏѵαβεζηικμνορτυχıɑɡɩօսոհցյᎪᏴᏟᎠᎬᎨᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ1l|0",
    "abeikmhopctyxjshdqwivabezhikmnoptyxiagiounhgjabcdefghijkimprstvwzabcdefghijkimnoprstuvwxyziiio",
)
"""Letters of other alphabets, and digits, that look like a Latin letter, once all are small."""
_ON_KEYBOARDS = str.maketrans("‘’‚ʼ´`“”„«»‐‑‒–—", "''''''" + '"' * 5 + "-" * 5)


def clean(text: str, cells: int = LINE_CELLS) -> str:
    """Return one line of visible text, clipped to `cells`, with runs of blanks collapsed."""
    kept: list[str] = []
    marks = joined = 0
    # Cut the input first, generously, so that a huge one costs nothing.
    for char in unicodedata.normalize("NFC", text[: 16 * cells]):
        category = unicodedata.category(char)
        if FLAG_A <= char <= FLAG_Z:  # terminals disagree on the width of a pair
            kept.append(chr(ord("A") + ord(char) - ord(FLAG_A)))
            marks = joined = 0
        elif category == "Zs" or char in "\t\n\r":
            kept.append(" ")
            marks = joined = 0
        elif category in _DROPPED or char in _INVISIBLE or is_selector(char) or FAIR <= char <= DARK:
            continue
        elif category in ("Mn", "Me"):
            marks += 1
            if kept and kept[-1] != " " and marks <= MAX_MARKS:
                kept.append(char)
        elif not char.isascii() and not _cells(char):
            joined += 1
            if joined <= MAX_JOINED:
                kept.append(char)
        else:
            kept.append(char)
            marks = joined = 0
    return clip(" ".join("".join(kept).split()), cells)


def harmless(text: str) -> str:
    """Return a text of our own as it may be shown, though it repeats what others have said: no line but its own, no control."""
    if text.isprintable():
        return text
    return "".join(char for char in text if char == "\n" or unicodedata.category(char) not in _DROPPED)


def escaped(text: str) -> str:
    """Return JSON in which what a terminal would not show is escaped, as JSON may have it."""
    if text.isprintable():
        return text
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in _DROPPED else char for char in text)


def clean_name(name: str, otherwise: str = "?") -> str:
    """Return a player's or table's name as it may be shown."""
    shown = clean(name, NAME_CELLS)
    return shown if width(shown) else otherwise


@lru_cache(1 << 12)
def look_of(name: str) -> str:
    """Return what names have in common that are taken for each other: case, width and alphabet are easily overlooked."""
    return unicodedata.normalize("NFKC", clean_name(name)).casefold().translate(_ALIKE).replace(" ", "")


def typed_form(text: str) -> str:
    """Return what texts have in common that count as the same when somebody types them: without regard to case and width, and
    with the quotation marks and dashes that keyboards have."""
    return unicodedata.normalize("NFKC", text.translate(_ON_KEYBOARDS)).casefold()


def is_selector(char: str) -> bool:
    """Return whether this is a variation selector, which turns text glyphs into wider emoji."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def width(text: str) -> int:
    """Return the number of terminal cells of a line: the sum over its characters, as screens count them."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


@lru_cache(1 << 12)
def _cells(char: str) -> int:
    from wcwidth import wcwidth

    return max(0, wcwidth(char))


def clip(text: str, cells: int, end: str = "…") -> str:
    """Return the text, or as much as fits with an ellipsis."""
    if width(text) <= cells:
        return text
    room = cells - width(end)
    if room < 0:
        return ""
    kept = ""
    for char in text:
        room -= width(char)
        if room < 0:
            break
        kept += char
    return kept + end


def pad(text: str, cells: int, right: bool = False) -> str:
    """Return the text clipped and padded to exactly this many cells; `right` aligns it to the right."""
    text = clip(text, cells)
    blanks = " " * (cells - width(text))
    return blanks + text if right else text + blanks


_PIECE = re.compile(r"[^\S\u00a0]+|[!-~\u00a0-\u02ff\u0370-\u1fff\u2010-\u2bff]+|.")
_NO_START = frozenset("、。，．・：；？！」』）】〕］}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;?!)]")
_NO_END = frozenset("「『（【〔［([")


def wrap(text: str, cells: int, indent: str = "") -> list[str]:
    """Wrap into lines of at most `cells`. `indent` begins every line but the first.

    Breaks at blanks (not at no-break spaces), and in Japanese between any two characters except before closing or after
    opening ones.
    """
    pieces = _joined(_PIECE.findall(text))
    lines: list[str] = []
    line, used = "", 0
    for piece in pieces:
        if line.strip() and used + width(piece.rstrip()) > cells:
            lines.append(line.rstrip())
            line, used = indent, width(indent)
            piece = piece.lstrip()
        line += piece
        used += width(piece)
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _joined(pieces: list[str]) -> list[str]:
    """Join pieces between which no line may break."""
    joined: list[str] = []
    for piece in pieces:
        if joined and piece.strip() and (piece[0] in _NO_START or joined[-1][-1] in _NO_END):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined
