"""Draws lists, score sheets and pages: everything that is no table. Columns, wrapping and what gives way are decided here."""

from __future__ import annotations

import re

from cli.clean import pad, width, wrap
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.frame import prompt_rows
from cli.terminal.draw.log import draw_log
from cli.terminal.glyphs import ARROW
from cli.terminal.layout import Size, size_of
from cli.terminal.look import Look
from cli.text import Translator
from cli.view.qr import half_blocks
from cli.view.views import Line, ListView, PageView, Row, ScoreView

LEAST_BESIDE = 20
"""A last piece is broken only where it has so many columns."""
SHARES = {
    "lobby": (15, 17, 7, 20, 14),
    "room": (8, 24, 14, 24),
    "records": (17, 15, 22, 16),
    "opening": (5, 4),
    "settings": (1, 1),
}
SMALL_SHARES = SHARES | {"lobby": (11, 17, 6, 19), "records": (13, 15, 14, 13)}
"""How the width is shared out among the columns of each list; those that have no share are left out."""


def draw_list(canvas: Canvas, view: ListView, look: Look, size: Size) -> None:
    """Heading, rows in columns, deeds with their keys, facts about the row under the cursor, chat where there is any."""
    shares = (SMALL_SHARES if size is Size.SMALL else SHARES).get(view.kind, (1,))
    deed = look.cursor - len(view.rows)
    chosen = (*view.rows, *view.deeds)[look.cursor] if look.cursor >= 0 else None
    about = (*(chosen.about if chosen is not None else ()), *view.facts)
    margin = _margin(canvas.columns, size)
    columns = canvas.columns - 2 * margin
    bottom = canvas.rows - 1 - prompt_rows(view.frame, canvas.columns)
    spare = size is not Size.SMALL
    y = 2 if spare else 1
    beside = width(view.note) + 2 if view.note else 0
    canvas.put(margin, y, view.heading, "felt.gold", cells=columns - beside)
    if view.note:
        canvas.right(margin + columns - 1, y, view.note, "felt.dim")
    y += 2 if spare else 1
    if view.columns and view.rows:
        _cells(canvas, margin + 2, y, columns - 3, view.columns[: len(shares)], shares, "felt.dim", None)
        y += 1
    facts = _wrapped(about, columns - 4)
    has_chat = bool(view.chat or view.chat_title)
    gap, room, tall, chat = _shares(view, bottom - y, len(facts), has_chat, spare)
    y = _rows(canvas, view.rows, shares, look.cursor, size, margin, y, columns, room)
    if not view.rows:
        for line in view.empty:
            for part in wrap(line, columns - 4):
                canvas.put(margin + 2, y, part, "felt.text", cells=columns - 4)
                y += 1
    if look.deeds:
        y += gap
        first = max(0, deed + 1 - (bottom - y))  # the one under the cursor is seen
        for place, cap in enumerate(look.deeds[first:], first):
            if y >= bottom:
                break
            is_chosen = place == deed
            if is_chosen:
                canvas.fill(margin, y, columns, 1, "turn.text", action=cap.action)
                canvas.put(margin, y, ARROW, "turn.strong", cap.action)
                canvas.cursor = (margin + 2, y)
            canvas.put(margin + 2, y, pad(f" {cap.key} ", 3), "key.cap", cap.action)
            style = "turn.strong" if is_chosen else "felt.text"
            canvas.put(margin + 6, y, cap.label, style, cap.action, cells=columns - 6)
            canvas.click(margin + 2, y, columns - 4, 1, cap.action)
            y += 1
    tall = min(tall, bottom - y - gap - chat)
    if tall > 0:
        y += gap
        canvas.fill(margin, y, columns, tall + gap, "log.text")
        for row, pieces in enumerate(_whole(about, columns - 4, tall)):
            _line(canvas, margin + 2, y + row, columns - 4, pieces, "log")
        y += tall + gap
    if chat and bottom - y >= 3:
        y += 1 if bottom - y > chat else 0
        draw_log(canvas, margin, y, columns, bottom - y, view.chat_title, view.chat_hint, view.chat)


def _shares(view: ListView, free: int, facts: int, has_chat: bool, spare: bool) -> tuple[int, int, int, int]:
    """How `free` lines are shared out: blank lines between the parts (0 or 1), and lines for rows, facts and chat. Where they
    do not suffice, all give way in turn: the chat first, then blanks, facts, and last the rows, which scroll."""
    rows = sum(2 if row.starts_group else 1 for row in view.rows) or 2 * len(view.empty)
    gap = 1 if spare else 0
    chat = min(8, max(4, free - 14)) if has_chat else 0

    def missing() -> int:
        gaps = gap * (bool(view.deeds) + 2 * bool(facts) + has_chat)
        return rows + len(view.deeds) + facts + chat + gaps - free

    if missing() > 0 and has_chat:
        chat = max(3, chat - missing())
    if missing() > 0:
        gap = 0
    facts -= max(0, min(missing(), facts - 2))
    rows -= max(0, min(missing(), rows - 6))
    facts -= max(0, min(missing(), facts - 1))
    rows -= max(0, min(missing(), rows - 3))
    return gap, rows, facts, chat


def _rows(
    canvas: Canvas,
    rows: tuple[Row, ...],
    shares: tuple[int, ...],
    cursor: int,
    size: Size,
    margin: int,
    y: int,
    columns: int,
    room: int,
) -> int:
    heights = [2 if row.starts_group else 1 for row in rows]
    first = 0
    while cursor < len(rows) and sum(heights[first : cursor + 1]) > room:
        first += 1
    used = 0
    for place in range(first, len(rows)):
        row = rows[place]
        gap = 1 if row.starts_group and place > first else 0
        if used + 1 + gap > room:
            break
        used += gap
        at = y + used
        is_chosen = place == cursor
        surface = "turn" if is_chosen else "row"
        ink = "strong" if is_chosen else row.ink
        action = Action("row", place)
        canvas.fill(margin, at, columns, 1, f"{surface}.text", action=action)
        if is_chosen:
            canvas.put(margin, at, ARROW, "turn.strong", action)
            canvas.cursor = (margin + 2, at)
        cells = row.brief if size is Size.SMALL and row.brief else row.cells
        _cells(canvas, margin + 2, at, columns - 3, cells, shares, f"{surface}.{ink}", action)
        used += 1
        if place == first > 0:
            canvas.right(margin + columns - 1, at, "↑", f"{surface}.dim", action)
        follows = rows[place + 1 : place + 2]
        if follows and used + 1 + follows[0].starts_group > room:
            canvas.right(margin + columns - 1, at, "↓", f"{surface}.dim", action)
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
    """Lines broken to this width. Of several pieces only the last one is broken, and goes on below its beginning, unless
    too little is left for it: then it stands below."""
    found: list[Line] = []
    for line in lines:
        head, last = line[:-1], line[-1] if line else ("", "text")
        if last[1] == "path":
            parts = path_lines(last[0], columns - sum(width(text) for text, _ink in head))
            found += [(*head, (part, "gold")) for part in parts]
            continue
        before = sum(width(text) for text, _ink in head)
        if before + width(last[0]) <= columns:
            found.append(line)
            continue
        if head and columns - before < LEAST_BESIDE:
            found += [*_wrapped((head,), columns), ((f"    {last[0]}", last[1]),)]
            continue
        first, *rest = wrap(last[0], columns - before, "" if head else "  ")
        found.append((*head, (first, last[1])))
        found += [((" " * before + part, last[1]),) for part in rest]
    return found


def path_lines(path: str, cells: int) -> list[str]:
    """A path in lines of at most so many cells, broken after its separators where it can be: no part of it may be cut."""
    lines = [""]
    for piece in re.findall(r"[^/\\]*[/\\]?", path):
        if width(lines[-1] + piece) > cells and lines[-1]:
            lines.append("")
        for char in piece:
            if width(lines[-1] + char) > cells:
                lines.append("")
            lines[-1] += char
    return lines


def _whole(lines: tuple[Line, ...], columns: int, rows: int) -> list[Line]:
    """As many facts as have room, each to its end; the first in any case."""
    found: list[Line] = []
    for line in lines:
        broken = _wrapped((line,), columns)
        if not found or len(found) + len(broken) <= rows:
            found += broken
    return found[:rows]


def _line(canvas: Canvas, x: int, y: int, columns: int, line: Line, surface: str) -> None:
    at = x
    for text, ink in line:
        shown = text.replace("\u00a0", " ")  # it has kept together what belongs together
        at = canvas.put(at, y, shown, f"{surface}.{ink}", cells=max(0, x + columns - at))


def draw_scores(canvas: Canvas, view: ScoreView, look: Look, size: Size, _: Translator) -> None:
    """Names, rounds (the last ones, where they are many), totals; the winners gold; facts below, as far as they are scrolled."""
    margin = _margin(canvas.columns, size)
    columns = canvas.columns - 2 * margin
    spare = size is not Size.SMALL
    y = 2 if spare else 1
    canvas.put(margin, y, view.heading, "felt.gold", cells=columns)
    y += 2 if spare else 1
    names = min(
        max(22, columns - 10 - 10 - 7 * min(len(view.rounds), 3)), max([width(row[0]) for row in view.rows] + [10]) + 2
    )
    share = 7
    word = max([width(row[3]) for row in view.rows] + [0]) + 2
    many = max(0, (columns - names - 12 - word) // share)
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
    lines, room = score_facts(view, canvas.columns, canvas.rows)
    y = canvas.rows - 1 - prompt_rows(view.frame, canvas.columns) - room
    last = most_top(lines, room)
    for row, line in enumerate(seen_facts(lines, room, look.top), y):
        _line(canvas, margin, row, columns, line, "felt")
    if last and room > 0:
        more = _("↑ back") if look.top >= last else _("more ↓")
        canvas.right(margin + columns, y + room - 1, more, "felt.gold")


def score_facts(view: ScoreView, columns: int, rows: int) -> tuple[list[Line], int]:
    """The facts of a score sheet at this size, and for how many lines there is room; where that is too little, blank ones
    give way first."""
    size = size_of(columns, rows)
    above = (4 if size in (Size.SMALL, Size.TINY) else 7) - 1 + len(view.rows)
    room = rows - 1 - prompt_rows(view.frame, columns) - above
    lines = _wrapped(view.facts, columns - 2 * _margin(columns, size) - 2)
    if len(lines) > room:
        lines = [line for line in lines if any(text.strip() for text, _ink in line)]
    return lines, room


def most_top(lines: list[Line], room: int) -> int:
    """How far the facts can be scrolled: one line of the room tells that there are more."""
    return 0 if len(lines) <= room else max(0, len(lines) - max(1, room - 1))


def seen_facts(lines: list[Line], room: int, top: int) -> list[Line]:
    """Those that are shown from `top` on; no heading stands alone at the end."""
    last = most_top(lines, room)
    if not last:
        return lines[: max(0, room)]
    shown = lines[min(top, last) :][: max(0, room - 1)]
    while top < last and shown and shown[-1][0][1] == "gold":
        shown.pop()
    return shown


def _margin(columns: int, size: Size) -> int:
    """Columns left free on either side of a list or sheet."""
    return 2 if size is not Size.WIDE else max(2, (columns - 110) // 2)


def page_columns(columns: int, rows: int) -> int:
    """How wide the text of a page is."""
    return columns - 2 * (2 if size_of(columns, rows) is not Size.WIDE else max(2, (columns - 100) // 2))


def page_rows(rows: int) -> int:
    """Lines of a page that are seen at once."""
    return rows - 5


def draw_page(canvas: Canvas, view: PageView, look: Look, _: Translator) -> None:
    """Running text from line `top` on; a code stands on its left."""
    columns = page_columns(canvas.columns, canvas.rows)
    margin = (canvas.columns - columns) // 2
    if code := code_lines(view, canvas.columns, canvas.rows):
        for row, told in enumerate(code):
            canvas.put(margin, 3 + row, told, "card.strong")
        margin, columns = margin + len(code[0]) + CODE_GAP, columns - len(code[0]) - CODE_GAP
    lines = wrapped_page(view.lines, columns)
    room = page_rows(canvas.rows)
    top = max(0, min(look.top, len(lines) - room))
    place = ""
    if len(lines) > room:
        place = _("{first}-{last} of {all}", first=top + 1, last=min(top + room, len(lines)), all=len(lines))
    canvas.put(margin, 1, view.heading, "felt.gold", cells=columns)
    for row, line in enumerate(lines[top : top + room]):
        _line(canvas, margin, 3 + row, columns, line, "felt")
    if width(view.heading) + 2 + width(place) <= columns:
        canvas.right(margin + columns, 1, place, "felt.dim")


CODE_GAP = 3
LEAST_BESIDE = 24
"""Columns that the text needs beside a code."""


def code_lines(view: PageView, columns: int, rows: int) -> tuple[str, ...]:
    """A page's code; empty where it has none, or there is no room for it."""
    if not view.code:
        return ()
    lines = half_blocks(view.code)
    fits = page_columns(columns, rows) >= len(lines[0]) + CODE_GAP + LEAST_BESIDE and page_rows(rows) >= len(lines)
    return lines if fits else ()


def wrapped_page(lines: tuple[Line, ...], columns: int) -> list[Line]:
    """A page's lines at this width."""
    return _wrapped(lines, columns)
