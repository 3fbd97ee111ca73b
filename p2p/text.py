"""Make text from strangers harmless: names of people and tables are unauthenticated and end up on screens and in logs.

Removes what would move the cursor, change the writing direction, or hide.
"""

from __future__ import annotations

import unicodedata

# Cc control, Cf format (bidi marks, zero-width, soft hyphen, tags), Cs lone surrogates, Co private, Zl/Zp line breaks.
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
JOINER = "\u200d"  # kept between two symbols, as in emoji of families and flags
MAX_MARKS = 3  # combining marks per letter; more would cover neighbouring lines


def clean(text: str, limit: int) -> str:
    """Return `text` on one line without terminal controls, in at most `limit` bytes of UTF-8, cut between characters."""
    # Normalizing may lengthen the text: cut it first, so that a large input is cheap.
    text = unicodedata.normalize("NFC", text[: 4 * limit])
    kept: list[str] = []
    marks = 0
    for place, char in enumerate(text):
        category = unicodedata.category(char)
        if char == JOINER and kept and unicodedata.category(kept[-1]) == "So" and text[place + 1 : place + 2]:
            kept.append(char)
            continue
        if category in HARMFUL:
            if char in "\t\n\r" or category in ("Zl", "Zp"):
                kept.append(" ")
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append(" " if category == "Zs" else char)
    line = " ".join("".join(kept).split())
    return line.encode("utf-8")[:limit].decode("utf-8", "ignore").rstrip(JOINER + " ")
