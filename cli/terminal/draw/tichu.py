"""Draws Tichu's table: partner across, opponents left and right, the trick between them."""

from __future__ import annotations

from dataclasses import replace

from cli.clean import width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_card
from cli.terminal.draw.seats import draw_seat, fitted_note
from cli.terminal.layout import Size
from cli.text import Translator
from cli.view.views import SeatTile, Shown, TableView, Trick


def draw_tichu(
    canvas: Canvas, view: TableView, y: int, columns: int, bottom: int, size: Size, shown: Shown, _: Translator
) -> int:
    """From row `y` to before `bottom`; where a dialog over it may begin."""
    trick = view.trick
    assert trick is not None
    me = view.me or 0
    by_seat = {tile.seat: tile for tile in view.seats}
    across, left, right = (by_seat.get((me + step) % 4) for step in (2, 1, 3))
    small = size is Size.SMALL
    if small:
        # Side by side nobody sits across: with whom one plays is told here, as names leave no room for it beside them.
        told = replace(trick, we=_("You and {name}", name=trick.partner)) if trick.partner else trick
        _points(canvas, 2, y, told, True, columns - 4 - (width(trick.wish) + width(_("wish")) + 6 if trick.wish else 0))
        _wish(canvas, columns - 2, y, trick, _)
        # Who looks on, or back, sees all four.
        shown_seats = (left, across, right) if view.me is not None else (by_seat.get(me), left, across, right)
        share = (columns - 3) // len(shown_seats)
        for place, tile in enumerate(shown_seats):
            if tile is not None:
                if tile.is_partner and _fits(tile, tile.name, share - 1, _):
                    tile = replace(tile, tag=_("partner"))
                shown_tile = replace(tile, short="")  # that is said below
                draw_seat(canvas, 2 + place * share, y + 1, share - 1, shown_tile, 1)
                # Else the word stands below it as long as there is nothing else to say.
                note = tile.note or (_("partner") if tile.is_partner and not tile.tag else "")
                note = fitted_note(note, share - 3)
                canvas.put(3 + place * share, y + 2, note, f"felt.{tile.note_ink}", cells=share - 3)
        seats_end = y + 3
    else:
        roomy = bottom - y >= 14
        tile_width = 18 if columns < 70 else 22
        middle = (columns - tile_width) // 2
        row = y + (1 if roomy else 0)
        _points(canvas, 2, row, trick, False, middle - 3)
        _wish(canvas, columns - 2, row, trick, _)
        if across is not None:
            tile = across if roomy or not across.is_partner else _marked(across, trick.partner, tile_width, _)
            draw_seat(canvas, middle, row, tile_width, tile)
        side = row + (4 if roomy else 2)
        if roomy and across is not None and across.is_partner:
            canvas.centre(middle, row + 2, tile_width, _("partner"), "felt.dim")
        for tile, x in ((left, 2), (right, columns - tile_width - 2)):
            if tile is not None:
                draw_seat(canvas, x, side, tile_width, tile)
        if view.me is None and (own := by_seat.get(me)) is not None:
            draw_seat(canvas, middle, bottom - 2, tile_width, own)
            bottom -= 3
        seats_end = side + 2
    _trick(canvas, 1, seats_end, columns - 2, bottom - seats_end, trick, size, shown)
    return seats_end


def _marked(tile: SeatTile, short: str, columns: int, _: Translator) -> SeatTile:
    """The partner's place with the word; the name gives way to it."""
    name = tile.name if _fits(tile, tile.name, columns, _) else short
    return replace(tile, name=name, tag=_("partner"))


def _fits(tile: SeatTile, name: str, columns: int, _: Translator) -> bool:
    """Whether the word "partner" has room beside this name."""
    return width(name) + width(tile.count) + width(_("partner")) + 4 <= columns


def _points(canvas: Canvas, x: int, y: int, trick: Trick, in_a_row: bool, columns: int) -> None:
    """The teams with their points; the points are seen whole however long the names are."""
    points = max(width(trick.we_points), width(trick.they_points))
    room = min(max(width(trick.we), width(trick.they)), columns // 2 - points - 3 if in_a_row else columns - points - 2)
    at = canvas.put(x, y, trick.we, "felt.gold", cells=room)
    if in_a_row:
        at = canvas.put(at + 1, y, trick.we_points, "felt.gold")
        at = canvas.put(at + 2, y, trick.they, "felt.text", cells=room)
        canvas.put(at + 1, y, trick.they_points, "felt.text")
        return
    canvas.put(x + room + 2, y, trick.we_points, "felt.gold")
    canvas.put(x, y + 1, trick.they, "felt.text", cells=room)
    canvas.put(x + room + 2, y + 1, trick.they_points, "felt.text")


def _wish(canvas: Canvas, edge: int, y: int, trick: Trick, _: Translator) -> None:
    if not trick.wish:
        return
    start = canvas.right(edge, y, f"  {trick.wish}  ", "card.x")
    canvas.right(start - 1, y, _("wish"), "felt.gold")


def _trick(canvas: Canvas, x: int, y: int, columns: int, rows: int, trick: Trick, size: Size, shown: Shown) -> None:
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
        cells, gap = (4, 1) if count * 5 <= columns else (3, 1) if count * 4 <= columns else (3, 0)
        at = x + (columns - count * (cells + gap) + gap) // 2
        for place, face in enumerate(trick.cards):
            surface = "card" if gap or place % 2 == 0 else "choice"
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
    row += tall
    canvas.centre(x, min(y + rows - 1, row + (1 if has_room else 0)), columns, trick.note, "felt.dim")
