"""Draws a table of four: who sits across, left and right, the trick between them."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.canvas import Canvas
from cli.terminal.draw.seats import draw_seat, fitted_note
from cli.terminal.draw.trick import draw_middle, draw_sign
from cli.terminal.layout import Size
from cli.text import Translator
from cli.view.views import SeatTile, Shown, ShownTrick, TableView
from protocol.values import replace


def draw_across(
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
        told = trick
        if trick.partner and trick.sides:
            told = replace(trick, sides=((_("You and {name}", name=trick.partner), trick.sides[0][1]), trick.sides[1]))
        sign, value = trick.sign
        _points(canvas, 2, y, told, True, columns - 4 - (width(value) + width(sign) + 6 if value else 0))
        draw_sign(canvas, columns - 2, y, trick)
        # Watchers and replays show all four.
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
        draw_sign(canvas, columns - 2, row, trick)
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
    draw_middle(canvas, 1, seats_end, columns - 2, bottom - seats_end, trick, view.facts, shown)
    return seats_end


def _marked(tile: SeatTile, short: str, columns: int, _: Translator) -> SeatTile:
    """The partner's place with the word; the name gives way to it."""
    name = tile.name if _fits(tile, tile.name, columns, _) else short
    return replace(tile, name=name, tag=_("partner"))


def _fits(tile: SeatTile, name: str, columns: int, _: Translator) -> bool:
    """Whether the word "partner" has room beside this name."""
    return width(name) + width(tile.count) + width(_("partner")) + 4 <= columns


def _points(canvas: Canvas, x: int, y: int, trick: ShownTrick, in_a_row: bool, columns: int) -> None:
    """The teams with their points; the points are seen whole however long the names are."""
    if not trick.sides:
        return
    (we, we_points), (they, they_points) = trick.sides
    points = max(width(we_points), width(they_points))
    room = min(max(width(we), width(they)), columns // 2 - points - 3 if in_a_row else columns - points - 2)
    if not they_points:  # no second team, but a note about the first
        room = columns - len(we_points) - 2
    at = canvas.put(x, y, we, "felt.gold", cells=min(room, width(we)))
    if in_a_row:
        at = canvas.put(at + 1, y, we_points, "felt.gold")
        at = canvas.put(at + 2, y, they, "felt.text", cells=room)
        canvas.put(at + 1, y, they_points, "felt.text")
        return
    canvas.put(x + room + 2 if they_points else at + 1, y, we_points, "felt.gold")
    canvas.put(x, y + 1, they, "felt.text", cells=room if they_points else columns)
    canvas.put(x + room + 2, y + 1, they_points, "felt.text")
