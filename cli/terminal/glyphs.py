"""The signs that are drawn: text glyphs of one cell, never emoji nor playing-card signs, whose widths lie. Each has a sign in
ASCII for terminals that lack it or draw it too wide."""

from __future__ import annotations

from cli.terminal.canvas import Canvas

SPADE, BACK, BAR, ARROW, UNDER, FITS, OK, BAD = "♠", "▚", "▮", "▶", "▲", "·", "✓", "✗"

ASCII = {
    "…": ".",
    "·": "-",
    "—": "-",
    "–": "-",
    "×": "x",
    "’": "'",
    "‘": "'",
    "„": '"',
    "“": '"',
    "”": '"',
    "✓": "+",
    "✗": "x",
    "▶": ">",
    "◀": "<",
    "▲": "^",
    "▼": "v",
    "▮": "|",
    "▚": "%",
    "←": "<",
    "→": ">",
    "↑": "^",
    "↓": "v",
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
    "★": "K",
    "†": "S",
    "◆": "J",
    "⌂": "P",
    "›": ">",
    "─": "-",
    "●": "o",
    "○": ".",
}
"""Cell for cell: a sign and its stand-in have the same width."""


def to_ascii(canvas: Canvas) -> None:
    """Draws with ASCII signs. Letters of people's languages stay: they are no drawing, and a terminal shows them or not."""
    for row in canvas.glyphs:
        for x, glyph in enumerate(row):
            if glyph in ASCII:
                row[x] = ASCII[glyph]


def plain(text: str) -> str:
    """A text with ASCII signs."""
    return text if text.isascii() else "".join(ASCII.get(char, char) for char in text)
