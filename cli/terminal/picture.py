"""A canvas as a picture (SVG): for the README and for looking at a screen without a terminal."""

from __future__ import annotations

from html import escape

from cli.clean import width
from cli.terminal.canvas import Canvas
from cli.terminal.theme import Theme

CELL, LINE = 9.0, 18.0
"""The size of a cell in the picture's units: half as wide as tall, as terminals have it."""


def picture(canvas: Canvas, theme: Theme) -> str:
    """Coloured rectangles with text on them, each run as wide as its cells whatever the font."""
    columns, rows = canvas.columns * CELL, canvas.rows * LINE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns:g} {rows:g}" font-size="15"'
        ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">'
    ]
    for y in range(canvas.rows):
        x = 0
        for style, text in canvas.runs(y):
            look, cells = theme.look(style), width(text)
            parts.append(
                f'<rect x="{x * CELL:g}" y="{y * LINE:g}" width="{cells * CELL + 0.5:g}" height="{LINE + 0.5:g}"'
                f' fill="{look.bg or "#000000"}"/>'
            )
            at = x
            for word in _words(text):
                if word.strip():
                    weight = ' font-weight="bold"' if look.bold else ""
                    parts.append(
                        f'<text x="{at * CELL:g}" y="{y * LINE + 13.5:g}" textLength="{width(word) * CELL:g}"'
                        f' lengthAdjust="spacingAndGlyphs" fill="{look.fg or "#ffffff"}"{weight}>{escape(word)}</text>'
                    )
                at += width(word)
            x += cells
    return "\n".join([*parts, "</svg>"]) + "\n"


def _words(text: str) -> list[str]:
    """Runs of blanks and of other signs, so that no renderer swallows blanks."""
    found: list[str] = []
    for char in text:
        if found and (found[-1][-1] == " ") == (char == " "):
            found[-1] += char
        else:
            found.append(char)
    return found
