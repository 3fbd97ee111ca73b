"""Draws log and chat beside the table."""

from __future__ import annotations

from cli.clean import width, wrap
from cli.terminal.canvas import Action, Canvas
from cli.view.views import Piece


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


def draw_recap(canvas: Canvas, y: int, recap: tuple[Piece, ...]) -> None:
    """What was done since our last move, in one row: what befell us first, of the rest the newest entries that have room."""
    room = canvas.columns - 2
    own = [piece for piece in recap if piece[1] == "alarm"]
    rest = [piece for piece in recap if piece[1] != "alarm"]
    while (
        rest
        and len(own) + len(rest) > 1
        and _taken([*own, *rest]) + (2 if len(rest) + len(own) < len(recap) else 0) > room
    ):
        rest.pop(0)
    shown = [*own, *([("…", "dim")] if len(rest) + len(own) < len(recap) else []), *rest]
    x = 1
    for place, (text, ink) in enumerate(shown):
        parted = place and shown[place - 1][0] != "…"
        text = f" · {text}" if parted else f" {text}" if place else text
        x = canvas.put(x, y, text, f"felt.{ink}", Action("log"), cells=max(0, canvas.columns - 1 - x))


def _taken(pieces: list[Piece]) -> int:
    return sum(width(text) + 3 for text, _ink in pieces) - 3
