"""Draws the players around the table."""

from __future__ import annotations

from cli.clean import clip, width
from cli.screen.canvas import Action, Canvas
from cli.screen.glyphs import ARROW, BAR
from cli.screen.views import SeatTile

CLOSING = "”“」｣"


def surface_of(tile: SeatTile) -> str:
    if tile.is_turn:
        return "turn"
    if tile.is_away:
        return "felt"
    return "partner" if tile.is_partner else "seat"


def fitted_note(note: str, room: int) -> str:
    """A note in so many cells; what somebody said keeps its closing quotation mark."""
    if width(note) <= room or note[-1] not in CLOSING:
        return note
    return clip(note, room - width(note[-1])) + note[-1]


def draw_seat(canvas: Canvas, x: int, y: int, columns: int, tile: SeatTile, rows: int = 2) -> None:
    """Name, tag and number of cards; below them what there is to say, or a bar for each card, and the points."""
    surface, action = surface_of(tile), Action("seat", tile.seat)
    canvas.fill(x, y, columns, rows, f"{surface}.text", action=action)
    if tile.is_turn:
        canvas.put(x, y, ARROW, f"{surface}.strong", action)
    name = "dim" if tile.is_away else "strong"
    few = "alarm" if tile.count == "1" else name
    edge = canvas.right(x + columns - 1, y, tile.count, f"{surface}.{few}", action) - 1
    room = edge - x - 1
    # Where there is but one line, that somebody is missing takes the place of who comes next.
    tag = tile.note if rows < 2 and tile.is_away else tile.tag
    # Beside the name where both have room, else below it, else a long name gives way.
    fits_beside = width(tile.name) + 1 + width(tag) <= room
    below = columns - 3 - width(tile.points) - (width(tile.note) if tile.note else 1)
    goes_below = bool(tag) and not fits_beside and rows > 1 and width(tag) + 1 <= below
    if tag and not goes_below:
        canvas.right(edge, y, tag, f"{surface}.dim", action)
        room -= width(tag) + 1
    canvas.put(x + 1, y, tile.name, f"{surface}.{name}", action, cells=room)
    if rows < 2:
        return
    edge = canvas.right(x + columns - 1, y + 1, tile.points, f"{surface}.dim", action) - 1
    if goes_below:
        edge = canvas.right(edge, y + 1, tag, f"{surface}.dim", action) - 1
    room = edge - x - 1
    if tile.note:
        ink = tile.note_ink if surface != "turn" or tile.note_ink in ("dim", "alarm") else "strong"
        canvas.put(x + 1, y + 1, fitted_note(tile.note, room), f"{surface}.{ink}", action, cells=room)
    elif tile.bars:
        bars = BAR * min(tile.bars, room) if tile.bars <= room else BAR * (room - 1) + "+"
        canvas.put(x + 1, y + 1, bars, f"{surface}.{'dim' if surface == 'turn' else 'bars'}", action)
