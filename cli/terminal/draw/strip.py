"""Draws the seats as a strip in turn order, and below them stock and pile, what must be matched."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_back, draw_large, draw_place
from cli.terminal.draw.seats import draw_seat
from cli.terminal.layout import Size
from cli.text import Translator
from cli.view.views import ShownPile, TableView

AROUND_NAME = 4
"""The cells of a seat beside its name and its number of cards."""
MOST_PILE = 6
"""Rows of the pile where there is room."""
STEADY = 5
"""Where the pile begins in a small window, whatever stands beside it."""
TAG = 5
"""The cells of a word beside the name."""


def draw_strip(canvas: Canvas, view: TableView, y: int, columns: int, rows: int, size: Size) -> int:
    """The seats in their order, as large as there is room; the row below them."""
    count = len(view.seats)
    tall = 1 if size is Size.SMALL else 2
    a_row = _a_row(view, columns, rows, size)
    lines = -(-count // a_row)
    gap = 1 if tall == 2 and lines * 3 + 1 <= rows else 0
    share = _share(columns, a_row, size, _needs(view, size))
    left = 2 if size is not Size.WIDE else max(2, (columns - share * a_row) // 2)
    y += gap
    for place, tile in enumerate(view.seats):
        draw_seat(canvas, left + place % a_row * share, y + place // a_row * (tall + gap), share - 1, tile, tall)
    return y + lines * (tall + gap)


def _a_row(view: TableView, columns: int, rows: int, size: Size) -> int:
    """How many seats stand side by side: fewer where names would be cut otherwise and there is room for one line more."""
    count = len(view.seats)
    if size is Size.SMALL:
        return min(3, count)
    a_row = 4 if count <= 8 else 5
    if columns >= 120:
        a_row = 5 if count == 10 else 6
    a_row = min(a_row, count)
    needs = _needs(view, size)
    while a_row > 3 and _share(columns, a_row, size, needs) < needs and -(-count // (a_row - 1)) * 2 <= rows:
        a_row -= 1
    return a_row


def _needs(view: TableView, size: Size) -> int:
    """Columns in which every name is whole, and where there is much room the word beside it."""
    return (
        max(width(tile.name) + len(tile.count) for tile in view.seats) + AROUND_NAME + (TAG if size is Size.WIDE else 0)
    )


def _share(columns: int, a_row: int, size: Size, needs: int) -> int:
    """Columns of one seat, the gap behind it included: a quarter of the window also for few, unless a name wants more."""
    most = min(30, (columns - 3) // a_row)
    return min(most, max((columns - 3) // 4, needs)) if size is Size.NORMAL else most


def draw_pile(
    canvas: Canvas, x: int, y: int, columns: int, rows: int, pile: ShownPile, _: Translator, size: Size = Size.NORMAL
) -> None:
    """Stock, pile and facts, in the middle of this rectangle."""
    facts = max([width(text) for text, _ink in pile.facts] + [_line_width(line) for line in pile.match] + [8]) + 2
    tall = min(MOST_PILE, max(3, rows))
    needs = 9 + 3 + 3 + 9 + 3 + facts
    card = 9 if needs <= columns else 7
    gap = 3 if needs <= columns else 2
    total = card * 2 + 3 + gap * 2 + min(facts, max(8, columns - 2 * card - 3 - 2 * gap))
    at = x + max(1, min((columns - total) // 2, 5 if columns < 60 else columns))
    if size is Size.SMALL and STEADY + total < columns:
        at = x + STEADY
    row = y + max(0, (rows - tall) // 2)
    if pile.stock is not None:
        (draw_back if pile.stock else draw_place)(
            canvas,
            at,
            row,
            str(pile.stock),
            _("left"),
            Action("draw") if pile.can_draw else Action("stock"),
            card,
            tall,
        )
    at += card + gap
    if pile.before is not None:
        canvas.fill(at, row, 3, tall, "dull.text")
        canvas.put(at + 1, row, pile.before.rank, f"dull.{pile.before.ink}", cells=2)
        canvas.put(at + 1, row + 1, pile.before.suit, f"dull.{pile.before.ink}", cells=2)
    if pile.top is not None:
        draw_large(canvas, at + 3, row, pile.top, card, tall)
        canvas.click(at, row, card + 3, tall, Action("enter"))
    _facts(canvas, at + 3 + card + gap, row, x + columns - 1, y + rows, pile)


def _line_width(line: tuple[tuple[str, str], ...]) -> int:
    return sum(width(text) for text, _ink in line)


def _facts(canvas: Canvas, x: int, y: int, edge: int, bottom: int, pile: ShownPile) -> None:
    """What must be matched, on paper; around it what else counts."""
    room = edge - x
    if room < 6:
        return
    first, *rest = pile.facts or (("", "dim"),)
    if first[0]:
        canvas.put(x, y, first[0], f"felt.{first[1]}", cells=room)
        y += 1
    paper = min(room, max([_line_width(line) for line in pile.match] or [0]) + 2)
    for line in pile.match:
        if y >= bottom:
            return
        canvas.fill(x, y, paper, 1, "card.text")
        at = x + 1
        for text, ink in line:
            at = canvas.put(at, y, text, f"card.{ink}", cells=max(0, x + paper - at))
        y += 1
    for place, (text, ink) in enumerate(rest, 1):
        if y >= bottom:
            return
        canvas.put(
            x,
            y,
            text,
            f"felt.{ink}",
            (Action(pile.action) if pile.action else None) if place == len(rest) else None,
            room,
        )
        y += 1
