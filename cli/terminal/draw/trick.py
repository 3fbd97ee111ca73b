"""Draws a trick: its cards, and who played which of them where that is known."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_card
from cli.view.views import Facts, Shown, ShownTrick

MOST_NAME = 12


def draw_sign(canvas: Canvas, edge: int, y: int, trick: ShownTrick) -> None:
    """Draw what is in force: a wish, the trump."""
    sign, value = trick.sign
    if value:
        start = canvas.right(edge, y, f"  {value}  ", "card.x")
        canvas.right(start - 1, y, sign, "felt.gold")


def draw_middle(
    canvas: Canvas, x: int, y: int, columns: int, rows: int, trick: ShownTrick, facts: Facts | None, shown: Shown
) -> None:
    """The trick, and below it what else there is to know, as far as there is room."""
    lines = facts.lines[: max(0, rows - 3)] if facts is not None else ()
    draw_trick(canvas, x, y, columns, rows - len(lines), trick, shown)
    draw_facts(canvas, x, y + rows - len(lines), columns, Facts(lines))


def draw_facts(canvas: Canvas, x: int, y: int, columns: int, facts: Facts) -> None:
    for row, line in enumerate(facts.lines, y):
        at = x + max(0, (columns - sum(width(text) for text, _ink in line)) // 2)
        for text, ink in line:
            at = canvas.put(at, row, text, f"felt.{ink}", cells=max(0, x + columns - at))


def _share(trick: ShownTrick, count: int, columns: int) -> tuple[int, int]:
    """Cells of a card, and of the gap behind it: where each has its player's name below it, that has room."""
    if trick.players:
        name = min(MOST_NAME, max([width(name) for name in trick.players] + [4]), max(4, columns // count - 2))
        return 4, name - 3 if (name + 1) * count <= columns else 1
    return (4, 1) if count * 5 <= columns else (3, 1) if count * 4 <= columns else (3, 0)


def _players(canvas: Canvas, x: int, y: int, columns: int, trick: ShownTrick, bottom: int) -> None:
    """Who played each card, below it."""
    count = len(trick.players)
    if not count or y >= bottom:
        return
    cells, gap = _share(trick, count, columns)
    at = x + (columns - count * (cells + gap) + gap) // 2
    for place, name in enumerate(trick.players):
        ink = "felt.gold" if place == trick.best else "felt.text"
        canvas.put(at + place * (cells + gap), y, name, ink, cells=cells + gap - 1)


def draw_trick(canvas: Canvas, x: int, y: int, columns: int, rows: int, trick: ShownTrick, shown: Shown) -> None:
    """Label, cards and note in the middle of the rectangle."""
    if rows < 3:
        if rows > 0:
            canvas.centre(x, y, columns, trick.label or trick.note, "felt.text")
        return
    tall = 3 if rows >= 5 else max(1, rows - 2)
    has_room = rows >= 7
    row = y + (1 if has_room or rows == 6 else 0)
    canvas.centre(x, row, columns, trick.label, "felt.text")
    row += 1
    count = len(trick.cards)
    if count:
        cells, gap = _share(trick, count, columns)
        at = x + (columns - count * (cells + gap) + gap) // 2
        for place, face in enumerate(trick.cards):
            surface = "pick" if place == trick.best else "card" if gap or place % 2 == 0 else "choice"
            draw_card(
                canvas,
                at + place * (cells + gap),
                row,
                face,
                surface,
                cells,
                tall,
                Action("enter"),
                edges=shown.ascii_only,
            )
        _players(canvas, x, row + tall, columns, trick, y + rows)
    row += tall
    if trick.players:
        row += 1
        if row < y + rows:
            canvas.centre(x, row, columns, trick.note, "felt.dim")
        return
    canvas.centre(x, min(y + rows - 1, row + (1 if has_room else 0)), columns, trick.note, "felt.dim")
