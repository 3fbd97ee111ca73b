"""Draws a question over the middle of the table; the hand stays visible below it."""

from __future__ import annotations

from cli.clean import width, wrap
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_card
from cli.view.views import Choice, Dialog, Line

MOST_FOOTER = 3
CARDS_ABREAST, RANKS_ABREAST = 8, 7
MOST_IN_HALF = 6
"""How many cards or words have room in half a box."""


def draw_dialog(canvas: Canvas, x: int, y: int, columns: int, rows: int, dialog: Dialog, cursor: int) -> None:
    """Within this rectangle: title, what is said, choices, footer; `cursor` is the place of the chosen choice."""
    title = _title(dialog, columns)
    canvas.fill(x, y, columns, len(title), "bar.text")
    canvas.fill(x, y + len(title), columns, rows - len(title), "dialog.text")
    for place, text in enumerate(title):
        canvas.put(x + 2, y + place, text, "bar.gold", cells=columns - 4)
    row = y + len(title)
    lines = wrapped(dialog.lines, columns - 4)
    footer = wrap(dialog.footer, columns - 4)[:MOST_FOOTER] if dialog.footer else []
    space = rows - len(title) - _needs(dialog, columns) - len(lines) - len(footer)
    if space >= 2:
        row += 1
    for line in lines:
        at = x + 2
        for text, ink in line:
            at = canvas.put(at, row, text, f"dialog.{ink}", cells=max(0, x + columns - 1 - at))
        row += 1
    if lines and space >= 1 and dialog.choices:
        row += 1
    if grid_columns(dialog):
        _grid(canvas, x + 2, row, columns - 4, y + rows - row - 1, dialog, cursor)
    elif dialog.choices:
        _row(canvas, x + 1, row, columns - 2, y + rows - row, dialog, cursor)
    for place, text in enumerate(footer):
        canvas.put(x + 2, y + rows - len(footer) + place, text, "dialog.dim", cells=columns - 4)


def _title(dialog: Dialog, columns: int) -> list[str]:
    """The title on as many rows as it takes."""
    return wrap(dialog.title, columns - 4)[:2] or [""]


def dialog_rows(dialog: Dialog, columns: int) -> int:
    """Rows that the whole of it wants."""
    footer = len(wrap(dialog.footer, columns - 4)[:MOST_FOOTER]) if dialog.footer else 0
    return 2 + len(_title(dialog, columns)) + _needs(dialog, columns) + len(wrapped(dialog.lines, columns - 4)) + footer


def wrapped(lines: tuple[Line, ...], columns: int) -> list[Line]:
    """Lines broken to this width; those of several pieces are cut."""
    found: list[Line] = []
    for line in lines:
        if len(line) == 1:
            found += [((part, line[0][1]),) for part in wrap(line[0][0], columns)]
        else:
            found.append(line)
    return found


def choices_abreast(dialog: Dialog, columns: int) -> int:
    """How many choices stand side by side in a box of this width, so that Up and Down know where to go."""
    return grid_columns(dialog) or (_shares(dialog, columns - 2)[0] if dialog.choices else 1)


def grid_columns(dialog: Dialog) -> int:
    """How many choices of a grid or a list stand side by side; 0 for a row of choices."""
    if dialog.kind == "grid":
        return CARDS_ABREAST if any(choice.suit_keys for choice in dialog.choices) else RANKS_ABREAST
    if dialog.kind == "list":
        return 2 if all(len(choice.label.split()) <= MOST_IN_HALF for choice in dialog.choices) else 1
    return 0


def _needs(dialog: Dialog, columns: int) -> int:
    """Rows of the choices."""
    if not dialog.choices:
        return 0
    if a_row := grid_columns(dialog):
        return -(-len(dialog.choices) // a_row)
    _a_row, tall, rows = _shares(dialog, columns - 2)
    return rows * tall


def _shares(dialog: Dialog, columns: int) -> tuple[int, int, int]:
    """How many choices stand side by side, how tall one is, and in how many rows they stand."""
    count = len(dialog.choices)
    widest = max(_choice_width(choice) for choice in dialog.choices) + 2
    # The exchange has one place for each player side by side.
    is_exchange = any(choice.face for choice in dialog.choices) or dialog.kind == "places"
    most = count if is_exchange else max(1, min(count, columns // widest))
    rows = -(-count // most)
    tall = 3 if is_exchange else 1
    tall = max(tall, 2 if any(choice.sub for choice in dialog.choices) else 1)
    return -(-count // rows), tall, rows


def _row(canvas: Canvas, x: int, y: int, columns: int, rows: int, dialog: Dialog, cursor: int) -> None:
    """All choices side by side: key and label, a card or sign, what is said below; on top of each other where they are many."""
    a_row, tall, lines = _shares(dialog, columns)
    share = columns // a_row
    gap = 1 if lines > 1 and lines * (tall + 1) <= rows else 0
    for place, choice in enumerate(dialog.choices):
        at_x, at_y = x + place % a_row * share, y + place // a_row * (tall + gap)
        if at_y + tall > y + rows:
            break
        action = Action("choose", place)
        surface = "turn" if place == cursor else "choice"
        canvas.fill(at_x, at_y, share - 1, tall, f"{surface}.text", action=action)
        _choice(canvas, at_x + 1, at_y, share - 2, choice, surface, action, tall, dialog.kind == "places")
        if place == cursor and dialog.kind != "places":  # there one goes along the hand
            canvas.cursor = (at_x + 1, at_y)


def _choice_width(choice: Choice) -> int:
    head = width(choice.key) + 1 if choice.key else 0
    return max(head + width(choice.label) + (2 if choice.glyph else 0), width(choice.sub)) + (5 if choice.face else 0)


def _choice(
    canvas: Canvas,
    x: int,
    y: int,
    columns: int,
    choice: Choice,
    surface: str,
    action: Action,
    tall: int,
    is_place: bool,
) -> None:
    room = columns - (5 if choice.face and not is_place else 0)
    at = canvas.put(x, y, f"{choice.key} ", f"{surface}.dim", action, cells=room) if choice.key else x
    if is_place:  # the name has its row to itself, as names are long; the card lies below it
        canvas.put(at, y, choice.label, f"{surface}.strong", action, cells=max(0, x + room - at))
        canvas.put(x, y + 1, choice.sub, f"{surface}.dim", action, cells=room - 5)
        if choice.face is not None:
            draw_card(canvas, x + columns - 4, y + 1, choice.face, "card", rows=2, action=action)
        return
    if choice.glyph:
        at = canvas.put(at, y, f"{choice.glyph} ", f"{surface}.{choice.ink}", action, cells=room)
    label = wrap(choice.label, max(1, x + room - at)) if tall > 2 else [choice.label]
    for row, text in enumerate(label[:2]):
        canvas.put(at, y + row, text, f"{surface}.strong", action, cells=max(0, x + room - at))
    canvas.put(x, y + max(1, len(label[:2])), choice.sub, f"{surface}.dim", action, cells=room)
    if choice.face is not None:
        draw_card(canvas, x + columns - 4, y, choice.face, "card", action=action)


def _grid(canvas: Canvas, x: int, y: int, columns: int, rows: int, dialog: Dialog, cursor: int) -> None:
    """Many small choices in rows and columns."""
    a_row = grid_columns(dialog)
    share = max(3, min(columns // a_row, max(_choice_width(choice) for choice in dialog.choices) + 3))
    top = 0
    needed = -(-len(dialog.choices) // a_row)
    if needed > rows:
        top = min(max(0, cursor // a_row - rows // 2), needed - rows)
    for place, choice in enumerate(dialog.choices):
        row = place // a_row - top
        if not 0 <= row < rows:
            continue
        at_x, at_y = x + place % a_row * share, y + row
        surface = "turn" if place == cursor else "choice"
        action = Action("choose", place)
        canvas.fill(at_x, at_y, share - 1, 1, f"{surface}.text", action=action)
        at = at_x
        if choice.key:
            at = canvas.put(at, at_y, f"{choice.key} ", f"{surface}.dim", action)
        if choice.glyph:
            at = canvas.put(at, at_y, choice.glyph, f"{surface}.{choice.ink}", action)
        canvas.put(at, at_y, choice.label, f"{surface}.{choice.ink}", action, cells=at_x + share - 1 - at)
        if place == cursor:
            canvas.cursor = (at_x, at_y)
