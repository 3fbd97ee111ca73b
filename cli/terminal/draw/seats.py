"""Draws the players around the table."""

from __future__ import annotations

from cli.clean import clip, width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.glyphs import ARROW, BAR
from cli.view.views import SeatTile

CLOSING = "”“」｣"


def surface_of(tile: SeatTile) -> str:
    if tile.is_turn:
        return "turn"
    if tile.is_away:
        return "felt"
    return "partner" if tile.is_partner else "seat"


def fitted_note(note: str, room: int, short: str = "") -> str:
    """A note in so many cells: its parts as far as they fit whole, else in short, and what somebody said with its closing
    quotation mark."""
    while " · " in note and width(note) > room:
        note = note.rpartition(" · ")[0]
    if width(note) > room >= width(short) > 0:
        return short
    if width(note) <= room or note[-1] not in CLOSING:
        return note
    return clip(note, room - width(note[-1])) + note[-1]


def one_line_tag(tile: SeatTile, room: int) -> str:
    """What stands beside the name on a seat's only line: what matters more, and both where both have room."""
    both = " ".join(part for part in (tile.tag, tile.short) if part)
    return both if width(tile.name) + 1 + width(both) <= room else tile.short or tile.tag


def draw_seat(canvas: Canvas, x: int, y: int, columns: int, tile: SeatTile, rows: int = 2) -> None:
    """Name, tag and number of cards; below them what there is to say, or a bar for each card, and the points."""
    surface, action = surface_of(tile), Action("seat", tile.seat)
    canvas.fill(x, y, columns, rows, f"{surface}.text", action=action)
    if tile.is_turn:
        canvas.put(x, y, ARROW, f"{surface}.strong", action)
    name = "dim" if tile.is_away else "strong"
    few = "alarm" if tile.count == "1" else name
    edge = x + columns - 1
    if rows > 1 or not tile.short or tile.count != "-":  # who is out has no cards to be counted
        edge = canvas.right(edge, y, tile.count, f"{surface}.{few}", action) - 1
    room = edge - x - 1
    # Where there is but one line, that a player is out, missing or near the end is told instead of who comes next.
    tag = tile.tag if rows > 1 else one_line_tag(tile, room)
    # Beside the name where both have room, else below it, else a long name gives way.
    fits_beside = width(tile.name) + 1 + width(tag) <= room
    below = columns - 3 - width(tile.points) - (width(tile.note) if tile.note else 1)
    goes_below = bool(tag) and not fits_beside and rows > 1 and width(tag) + 1 <= below
    if tag and not goes_below:
        canvas.right(edge, y, tag, f"{surface}.{'alarm' if rows < 2 and tile.short else 'dim'}", action)
        room -= width(tag) + 1
    shown = tile.brief if rows < 2 and tile.brief and width(tile.name) > room else tile.name
    canvas.put(x + 1, y, shown, f"{surface}.{name}", action, cells=room)
    if rows < 2:
        return
    edge = canvas.right(x + columns - 1, y + 1, tile.points, f"{surface}.dim", action) - 1
    if goes_below:
        edge = canvas.right(edge, y + 1, tag, f"{surface}.dim", action) - 1
    room = edge - x - 1
    if tile.note:
        ink = tile.note_ink if surface != "turn" or tile.note_ink in ("dim", "alarm") else "strong"
        short = tile.short if tile.note_ink == "dim" else ""  # else it tells something else
        canvas.put(x + 1, y + 1, fitted_note(tile.note, room, short), f"{surface}.{ink}", action, cells=room)
    elif tile.bars:
        bars = BAR * min(tile.bars, room) if tile.bars <= room else BAR * (room - 1) + "+"
        canvas.put(x + 1, y + 1, bars, f"{surface}.{'dim' if surface == 'turn' else 'bars'}", action)
