"""Draws log and chat beside the table."""

from __future__ import annotations

from cli.clean import wrap
from cli.screen.canvas import Action, Canvas
from cli.screen.views import Piece


def draw_log(
    canvas: Canvas, x: int, y: int, columns: int, rows: int, title: str, hint: str, log: tuple[Piece, ...]
) -> None:
    """The newest entries at the bottom of the pane, each one whole; long ones run on, indented."""
    if rows < 2:
        return
    canvas.fill(x, y, columns, rows, "log.text", action=Action("log"))
    canvas.put(x + 1, y, title, "log.gold", Action("log"), cells=columns - 2)
    canvas.right(x + columns - 1, y, hint, "log.dim", Action("chat"))
    lines: list[Piece] = []
    for text, ink in reversed(log[-rows:]):
        entry = [(line, ink) for line in wrap(text, columns - 2, " ")]
        if lines and len(lines) + len(entry) > rows - 1:
            break
        lines[:0] = entry
    for row, (text, ink) in enumerate(lines[: rows - 1], y + 1):
        canvas.put(x + 1, row, text, f"log.{ink}", cells=columns - 2)
