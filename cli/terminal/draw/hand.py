"""Draws one's hand at the bottom of the table: what can be played lies bright, what is picked is gold and lifted."""

from __future__ import annotations

from cli.clean import clip, width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_card
from cli.terminal.draw.frame import prompt_rows
from cli.terminal.glyphs import FITS, UNDER
from cli.terminal.layout import HandLayout, Size, lay_hand
from cli.text import Translator
from cli.view.views import Shown, TableView

ADDED = "+"
"""Below a card that has just been drawn, where its tile has no room for the word."""


def hand_rows(view: TableView, size: Size, shown: Shown, columns: int) -> int:
    """Rows that the hand takes, heading and marks included (prompt and key bar not). A prompt of two rows lifts it by one,
    so that no mark is covered."""
    if view.me is None:
        return 1 + prompt_rows(view.frame, columns) - 1  # who watches has no cards
    rows = _card_rows(size, shown)
    layout = _layout(view, columns, size, shown)
    return 1 + 1 + layout.rows * rows + (layout.rows - 1) + 1 + (prompt_rows(view.frame, columns) - 1)


def _card_rows(size: Size, shown: Shown) -> int:
    return 5 if shown.big or size is Size.WIDE else 3


def _layout(view: TableView, columns: int, size: Size, shown: Shown) -> HandLayout:
    cursor = next((place for place, card in enumerate(view.hand) if card.cursor), 0)
    wide = 7 if shown.big else 6 if size is Size.WIDE else 4
    return lay_hand(
        len(view.hand), columns, [card.group for card in view.hand], cursor, size is Size.WIDE and not shown.big, wide
    )


def draw_hand(canvas: Canvas, view: TableView, size: Size, shown: Shown, _: Translator) -> int:
    """Draws upwards from the prompt line; the row of its heading."""
    rows = _card_rows(size, shown)
    layout = _layout(view, canvas.columns, size, shown)
    heading = canvas.rows - 2 - hand_rows(view, size, shown, canvas.columns)
    _heading(canvas, view, heading)
    top = heading + 2
    for tile in layout.tiles:
        card = view.hand[tile.place]
        action = Action("card", tile.place)
        surface = "pick" if card.picked else "card" if card.bright else "shade" if tile.shade else "dull"
        y = top + tile.row * (rows + 1) - (1 if card.picked else 0)
        draw_card(canvas, tile.x, y, card.face, surface, tile.width, rows, action, edges=shown.ascii_only)
        if card.picked:
            canvas.click(tile.x, y + rows, tile.width, 1, action)
        under = top + tile.row * (rows + 1) + rows
        mark = UNDER if card.cursor else FITS if card.fits else " "
        canvas.put(
            tile.x + (1 if tile.width > 3 else 0), under, mark, "felt.strong" if card.cursor else "felt.dim", action
        )
        if card.mark:
            # Below the rank; a name, which is longer, and what the cursor leaves free begin beside it.
            beside = card.cursor or card.fits or width(card.mark) > 1
            at = tile.x + (1 if tile.width > 3 else 0) + (1 if beside else 0)
            room = tile.width - 1
            told = ADDED if card.is_new and width(card.mark) > room else clip(card.mark, room, "")
            canvas.put(at, under, told, "felt.gold", action)
        if card.cursor:
            canvas.cursor = (tile.x + (1 if tile.width > 3 else 0), y)
    y = top + 1
    if layout.before:
        canvas.put(1, y, _("‹ {n} more", n=layout.before), "felt.gold", Action("left"))
    if layout.after:
        canvas.right(canvas.columns - 1, y, _("{n} more ›", n=layout.after), "felt.gold", Action("right"))
    return heading


def _heading(canvas: Canvas, view: TableView, y: int) -> None:
    x = canvas.put(1, y, view.heading, "felt.gold", cells=canvas.columns - 2) + 2
    if view.chip:
        x = canvas.put(x, y, view.chip, "felt.alarm", cells=max(0, canvas.columns - x - 1)) + 2
    picked = width(view.picked) + 2 if view.picked else 0
    tip = view.tip
    if tip is not None and x + width(tip.key) + width(tip.label) + 4 + picked < canvas.columns:
        x = canvas.put(x, y, f" {tip.key} ", "turn.strong", tip.action)
        x = canvas.put(x, y, f" {tip.label} ", "partner.strong", tip.action) + 2
    if view.sorting and x + width(view.sorting) + picked < canvas.columns:
        x = canvas.put(x, y, view.sorting, "felt.dim", Action("sort"), cells=canvas.columns - x - 1) + 2
    if view.legend and not view.picked and x + width(view.legend) < canvas.columns:
        canvas.put(x, y, view.legend, "felt.dim")
    if view.picked:
        canvas.put(x, y, view.picked, "felt.gold", cells=canvas.columns - x - 1)
