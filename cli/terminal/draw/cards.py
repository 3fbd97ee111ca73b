"""Draws single cards: small ones of the hand and of tricks, large ones of the pile, backs."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.glyphs import BACK, FITS
from cli.view.views import CardFace


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    face: CardFace,
    surface: str = "card",
    columns: int = 4,
    rows: int = 3,
    action: Action | None = None,
    edges: bool = False,
) -> None:
    """A card of the hand: rank and suit in its upper left corner. `edges`: drawn with lines, for ASCII."""
    style = f"{surface}.{face.ink}"
    canvas.fill(x, y, columns, rows, f"{surface}.text", action=action)
    left = x + (1 if columns >= 4 else 0)
    if columns >= 5:
        canvas.put(left, y, face.rank, style)
        canvas.centre(x, y + rows // 2, columns, face.suit or face.rank, style)
        canvas.right(x + columns - 1, y + rows - 1, face.rank, style)
    else:
        canvas.put(left, y, face.rank, style)
        if rows > 1:
            canvas.put(left, y + 1, face.suit, style)
    if edges:
        _edges(canvas, x, y, columns, rows, f"{surface}.text")


def _edges(canvas: Canvas, x: int, y: int, columns: int, rows: int, style: str) -> None:
    for row in range(y, y + rows):
        if columns >= 4:
            canvas.put(x, row, "|", style)
        if row < y + rows - 1 or rows == 1:
            canvas.put(x + columns - 1, row, "|", style)
    if rows > 2:
        canvas.put(x, y + rows - 1, ("+" if columns >= 4 else "-") + "-" * (columns - 2) + "+", style)


def draw_large(canvas: Canvas, x: int, y: int, face: CardFace, columns: int = 9, rows: int = 6) -> None:
    """A card of the pile: rank and suit in two corners, a few pips between."""
    style = f"card.{face.ink}"
    canvas.fill(x, y, columns, rows, "card.text")
    canvas.put(x + 1, y, face.rank, style)
    if rows < 4:
        canvas.put(x + 2 + width(face.rank), y, face.suit, style)
        return
    canvas.put(x + 1, y + 1, face.suit, style)
    canvas.right(x + columns - 1, y + rows - 1, face.rank, style)
    if face.suit and rows >= 6:
        canvas.right(x + columns - 1, y + rows - 2, face.suit, style)
        middle = x + columns // 2
        canvas.put(middle, y + 2, face.suit, style)
        canvas.put(middle - 1, y + 3, face.suit, style)
        canvas.put(middle + 1, y + 3, face.suit, style)
    elif face.suit:
        canvas.put(x + columns // 2, y + rows // 2, face.suit, style)


def draw_place(
    canvas: Canvas, x: int, y: int, label: str, below: str, action: Action | None, columns: int = 9, rows: int = 6
) -> None:
    """Where a stock was: its outline, so that an empty one looks empty."""
    canvas.fill(x, y, columns, rows, "felt.dim", action=action)
    for row in range(rows):
        outline = FITS * columns if row in (0, rows - 1) else FITS + " " * (columns - 2) + FITS
        canvas.put(x, y + row, outline, "felt.dim", action)
    for row, text in ((max(1, rows // 2 - 1), label), (max(1, rows // 2 - 1) + 1, below)):
        if text and row < rows:
            shown = f" {text} "
            canvas.put(x + (columns - width(shown)) // 2, y + row, shown, "felt.text", action, cells=columns)


def draw_back(
    canvas: Canvas, x: int, y: int, label: str, below: str, action: Action | None, columns: int = 9, rows: int = 6
) -> None:
    """The stock: a card's back with the number of cards."""
    canvas.fill(x, y, columns, rows, "back.bars", BACK, action)
    for row, text in ((rows // 2 - 1, label), (rows // 2, below)):
        shown = f" {text} " if text else ""
        if (columns - width(shown)) % 2:  # as much pattern on either side
            shown = f" {text}  " if width(shown) < columns - 4 else f"{text} "
        if text:
            canvas.put(x + (columns - width(shown)) // 2, y + row, shown, "back.strong", action, cells=columns)
