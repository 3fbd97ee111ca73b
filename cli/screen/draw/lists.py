"""Draws lists, score sheets and pages: everything that is no table."""

from __future__ import annotations

from cli.clean import pad, width, wrap
from cli.screen.canvas import Action, Canvas
from cli.screen.draw.log import draw_log
from cli.screen.glyphs import ARROW
from cli.screen.layout import Size
from cli.screen.views import Line, ListView, PageView, ScoreView
from cli.words import Words


def draw_list(canvas: Canvas, view: ListView, size: Size) -> None:
    """Heading, rows in columns, deeds with their keys, facts about the row under the cursor, chat where there is any."""
    margin = 2 if size is not Size.WIDE else max(2, (canvas.columns - 110) // 2)
    columns = canvas.columns - 2 * margin
    bottom = canvas.rows - 2
    spare = size is not Size.SMALL
    y = 2 if spare else 1
    canvas.put(margin, y, view.heading, "felt.gold", cells=columns)
    if view.note:
        canvas.right(margin + columns - 1, y, view.note, "felt.dim")
    y += 2 if spare else 1
    if view.columns and view.rows:
        _cells(canvas, margin + 2, y, columns - 3, view.columns, view.widths, "felt.dim", None)
        y += 1
    facts = _wrapped(view.facts, columns - 4)
    deeds = len(view.deeds) + (1 if view.deeds and spare else 0)
    chat = min(8, max(4, bottom - y - 14)) if view.chat or view.chat_title else 0
    boxed = len(facts) + (2 if facts and spare else 1 if facts else 0)
    # Rows of the list have what the rest leaves, and at least three: the list scrolls.
    room = max(3, bottom - y - deeds - boxed - chat - (1 if spare else 0))
    y = _rows(canvas, view, margin, y, columns, room)
    if not view.rows:
        for line in view.empty:
            for part in wrap(line, columns - 4):
                canvas.put(margin + 2, y, part, "felt.text", cells=columns - 4)
                y += 1
    if view.deeds:
        y += 1 if spare else 0
        for cap in view.deeds:
            if y >= bottom:
                break
            canvas.put(margin + 2, y, pad(f" {cap.key} ", 3), "key.cap", cap.action)
            canvas.put(margin + 6, y, cap.label, "felt.text", cap.action, cells=columns - 6)
            canvas.click(margin + 2, y, columns - 4, 1, cap.action)
            y += 1
    if facts and y + (1 if spare else 0) < bottom:
        y += 1 if spare else 0
        tall = min(len(facts) + (1 if spare else 0), bottom - y - chat)
        canvas.fill(margin, y, columns, tall, "log.text")
        for row, pieces in enumerate(facts[: max(0, tall)]):
            _line(canvas, margin + 2, y + row, columns - 4, pieces, "log")
        y += tall
    if chat and bottom - y >= 3:
        y += 1 if bottom - y > chat else 0
        draw_log(canvas, margin, y, columns, bottom - y, view.chat_title, view.chat_hint, view.chat)


def _rows(canvas: Canvas, view: ListView, margin: int, y: int, columns: int, room: int) -> int:
    heights = [2 if row.gap else 1 for row in view.rows]
    first = 0
    while sum(heights[first : view.cursor + 1]) > room:
        first += 1
    used = 0
    for place in range(first, len(view.rows)):
        row = view.rows[place]
        gap = 1 if row.gap and place > first else 0
        if used + 1 + gap > room:
            break
        used += gap
        at = y + used
        is_chosen = place == view.cursor
        surface = "turn" if is_chosen else "row"
        ink = "strong" if is_chosen else row.ink
        action = Action("row", place)
        canvas.fill(margin, at, columns, 1, f"{surface}.text", action=action)
        if is_chosen:
            canvas.put(margin, at, ARROW, "turn.strong", action)
            canvas.cursor = (margin + 2, at)
        _cells(canvas, margin + 2, at, columns - 3, row.cells, view.widths, f"{surface}.{ink}", action)
        used += 1
    return y + used


def _cells(
    canvas: Canvas,
    x: int,
    y: int,
    columns: int,
    cells: tuple[str, ...],
    shares: tuple[int, ...],
    style: str,
    action: Action | None,
) -> None:
    """Texts side by side, each in its share of the width."""
    total = sum(shares) or 1
    at = x
    for place, text in enumerate(cells):
        is_last = place == len(cells) - 1
        share = columns * (shares[place] if place < len(shares) else 1) // total
        room = x + columns - at if is_last else min(share - 1, x + columns - at)
        canvas.put(at, y, text, style, action, cells=max(0, room))
        at += share


def _wrapped(lines: tuple[Line, ...], columns: int) -> list[Line]:
    """Lines of several pieces are cut, those of one are broken."""
    found: list[Line] = []
    for line in lines:
        if len(line) == 1 and width(line[0][0]) > columns:
            text, ink = line[0]
            found += [((part, ink),) for part in wrap(text, columns, "  ")]
        else:
            found.append(line)
    return found


def _line(canvas: Canvas, x: int, y: int, columns: int, line: Line, surface: str) -> None:
    at = x
    for text, ink in line:
        at = canvas.put(at, y, text, f"{surface}.{ink}", cells=max(0, x + columns - at))


def draw_scores(canvas: Canvas, view: ScoreView, size: Size) -> None:
    """Names, rounds (the last ones, where they are many), totals; the winners gold; facts below."""
    margin = 2 if size is not Size.WIDE else max(2, (canvas.columns - 110) // 2)
    columns = canvas.columns - 2 * margin
    spare = size is not Size.SMALL
    y = 2 if spare else 1
    canvas.put(margin, y, view.heading, "felt.gold", cells=columns)
    y += 2 if spare else 1
    names = min(
        max(22, columns - 10 - 10 - 7 * min(len(view.rounds), 4)), max([width(row[0]) for row in view.rows] + [10]) + 2
    )
    share = 7
    word = max([width(row[3]) for row in view.rows] + [0]) + 2
    many = max(0, (columns - names - 10 - word) // share)
    start = max(0, len(view.rounds) - many)
    at = margin + 2 + names
    for number, name in enumerate(view.rounds[start:]):
        canvas.right(at + (number + 1) * share, y, name, "felt.dim")
    end = at + len(view.rounds[start:]) * share + 9
    canvas.right(end, y, view.total, "felt.dim")
    y += 1
    for place, (name, points, total, won) in enumerate(view.rows):
        surface = "turn" if place < view.winners else "row"
        canvas.fill(margin, y, columns, 1, f"{surface}.text")
        canvas.put(margin + 2, y, name, f"{surface}.strong", cells=names - 1)
        for number, value in enumerate(points[start:]):
            canvas.right(at + (number + 1) * share, y, value, f"{surface}.text")
        canvas.right(end, y, total, f"{surface}.strong")
        if won:
            canvas.put(end + 3, y, won, f"{surface}.strong", cells=margin + columns - end - 3)
        y += 1
    y += 1 if spare else 0
    for line in _wrapped(view.facts, columns - 2):
        if y >= canvas.rows - 2:
            break
        _line(canvas, margin, y, columns, line, "felt")
        y += 1


def page_rows(rows: int) -> int:
    """Lines of a page that are seen at once."""
    return rows - 5


def draw_page(canvas: Canvas, view: PageView, size: Size, _: Words) -> None:
    """Running text from line `top` on."""
    margin = 2 if size is not Size.WIDE else max(2, (canvas.columns - 100) // 2)
    columns = canvas.columns - 2 * margin
    canvas.put(margin, 1, view.heading, "felt.gold", cells=columns)
    lines = wrapped_page(view.lines, columns)
    room = page_rows(canvas.rows)
    top = max(0, min(view.top, len(lines) - room))
    for row, line in enumerate(lines[top : top + room]):
        _line(canvas, margin, 3 + row, columns, line, "felt")
    if len(lines) > room:
        place = _("{first}-{last} of {all}", first=top + 1, last=min(top + room, len(lines)), all=len(lines))
        canvas.right(margin + columns, 1, place, "felt.dim")


def wrapped_page(lines: tuple[Line, ...], columns: int) -> list[Line]:
    """A page's lines at this width."""
    return _wrapped(lines, columns)
