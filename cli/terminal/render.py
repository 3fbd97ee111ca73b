"""From a view to a canvas: the one door to all drawing. The same canvas serves the terminal and the tests."""

from __future__ import annotations

from cli.clean import width
from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.across import draw_across
from cli.terminal.draw.dialogs import dialog_rows, draw_dialog
from cli.terminal.draw.flash import draw_flash
from cli.terminal.draw.frame import banner_lines, draw_frame, draw_tiny, fitted, prompt_rows
from cli.terminal.draw.hand import draw_hand, hand_rows
from cli.terminal.draw.lists import draw_list, draw_page, draw_scores
from cli.terminal.draw.log import draw_log, draw_recap
from cli.terminal.draw.strip import MOST_PILE, draw_pile, draw_strip
from cli.terminal.draw.tiny import draw_tiny_table
from cli.terminal.draw.trick import draw_facts, draw_middle, draw_sign
from cli.terminal.glyphs import to_ascii
from cli.terminal.layout import LOG_COLUMNS, Size, dialog_columns, has_room, size_of
from cli.terminal.look import Look
from cli.text import Translator
from cli.view.views import Dialog, Facts, Frame, ListView, PageView, ScoreView, Shown, TableView, View
from protocol.values import replace


def render(view: View, columns: int, rows: int, shown: Shown, _: Translator, look: Look | None = None) -> Canvas:
    """All cells of the screen. Never fails: what has no room is cut or left out."""
    look = look or Look()
    canvas = Canvas(max(1, columns), max(1, rows))
    size = size_of(columns, rows)
    is_told = size is Size.TINY and has_room(columns, rows)
    if is_told and isinstance(view, TableView):
        draw_tiny_table(canvas, view, look, _)
    elif is_told and not isinstance(view, TableView):
        if isinstance(view, PageView):
            draw_page(canvas, view, look, _)
        elif isinstance(view, ListView):
            draw_list(canvas, view, look, Size.SMALL)
        else:
            draw_scores(canvas, view, look, Size.SMALL, _)
        draw_frame(canvas, view.frame, look)
    elif size is Size.TINY:
        asked = view.dialog.title if isinstance(view, TableView) and view.dialog is not None else view.frame.head
        draw_tiny(canvas, _, f"{asked} {view.frame.prompt}".strip())
    else:
        frame = view.frame
        if isinstance(view, TableView):
            frame = _table(canvas, view, look, size, shown, _)
        elif isinstance(view, ListView):
            draw_list(canvas, view, look, size)
        elif isinstance(view, ScoreView):
            draw_scores(canvas, view, look, size, _)
        elif isinstance(view, PageView):
            draw_page(canvas, view, look, _)
        draw_frame(canvas, frame, look)
    if shown.ascii_only:
        to_ascii(canvas)
    return canvas


def _open_hands(canvas: Canvas, view: TableView) -> int:
    """All hands of a replay, two players a line where there is no room for all below each other; the row above them."""
    a_line = 1 if len(view.open_hands) <= max(4, canvas.rows - 20) else 2
    lines = -(-len(view.open_hands) // a_line)
    heading = canvas.rows - 2 - prompt_rows(view.frame, canvas.columns) - lines
    share = (canvas.columns - 1) // a_line
    canvas.put(1, heading, view.heading, "felt.dim", cells=canvas.columns - 2)
    names = min(16, 3 + max(width(name) for name, _cards in view.open_hands)) if a_line > 1 else 16
    for place, (name, cards) in enumerate(view.open_hands):
        left, row = 1 + place % a_line * share, heading + 1 + place // a_line
        canvas.put(left, row, name, "felt.gold", cells=names - 1)
        canvas.put(left + names, row, cards, "felt.text", cells=share - names - 1)
    return heading


def _table(canvas: Canvas, view: TableView, look: Look, size: Size, shown: Shown, _: Translator) -> Frame:
    """The table without its frame; the frame as it is then drawn: without what the table tells already."""
    frame = view.frame
    if view.open_hands:
        heading = _open_hands(canvas, view)
    else:
        heading = canvas.rows - 2 - hand_rows(view, look, size, shown, canvas.columns)
    top = 1 + len(banner_lines(view.frame, canvas.columns))
    log_columns = LOG_COLUMNS.get(size, 0)
    left = canvas.columns - log_columns
    if view.across and view.trick is not None:
        middle = draw_across(canvas, view, top, left, heading, size, shown, _)
        if log_columns:
            draw_log(canvas, left, top, log_columns, heading - top, view.log_title, view.log_hint, view.log)
    else:
        across = left if size is Size.WIDE else canvas.columns
        middle = draw_strip(canvas, view, top, across, heading - top - 6, size)
        log_top = top if size is Size.WIDE else middle
        if log_columns:
            draw_log(canvas, left, log_top, log_columns, heading - log_top, view.log_title, view.log_hint, view.log)
        bottom = heading
        # No log there: what happened last stands above the hand.
        if size is Size.SMALL and heading - middle >= MOST_PILE:
            bottom -= 1
            event = fitted(view.last_event, canvas.columns - 2, keep_first_part=False)
            canvas.put(1, bottom, event, "felt.text", Action("log"), canvas.columns - 2)
            frame = replace(frame, event="")
            # Kept free also where there is nothing to tell: the pile stays in its place.
            if bottom - middle >= MOST_PILE:
                bottom -= 1
                draw_recap(canvas, bottom, view.recap)
        pile_top = middle
        # The question stands above the pile, where there is room for both.
        if view.dialog is not None and size is Size.WIDE:
            pile_top = max(middle, sum(_box(view.dialog, canvas, top, middle, heading)))
        if view.pile is not None and (pile_top == middle or bottom - pile_top >= MOST_PILE):
            facts = view.facts or Facts()
            rows = bottom - pile_top - len(facts.lines)
            draw_pile(canvas, 0, pile_top, left, rows, view.pile, _, size)
            draw_facts(canvas, 1, pile_top + rows, left - 2, facts)
        elif view.trick is not None and pile_top == middle:
            draw_sign(canvas, left - 2, pile_top, view.trick)
            draw_middle(canvas, 1, pile_top, left - 2, bottom - pile_top, view.trick, view.facts, shown)
    if view.dimmed:
        canvas.dim(top, heading - top, "felt.dim")
        if log_columns:
            log_top = top if size is Size.WIDE or view.across else middle
            draw_log(canvas, left, log_top, log_columns, heading - log_top, view.log_title, view.log_hint, view.log)
    if not view.open_hands:
        draw_hand(canvas, view, look, size, shown, _)
    if view.flight is not None and look.flash_step >= 0 and view.dialog is None and not view.dimmed:
        draw_flash(canvas, view.flight, look.flash_step, heading)
    if view.dialog is not None:
        y, rows = _box(view.dialog, canvas, top, middle, heading)
        if not view.across and size is Size.NORMAL and y < middle:
            canvas.fill(left - 1, y, canvas.columns - left + 1, middle - y, "felt.text")  # no half of a seat beside it
        draw_dialog(canvas, 1, y, dialog_columns(canvas.columns, canvas.rows), rows, view.dialog, look.choice)
    return frame


def _box(dialog: Dialog, canvas: Canvas, top: int, middle: int, heading: int) -> tuple[int, int]:
    """Where a question begins, and its rows: down to the hand, but in a wide window only what it needs."""
    wanted = max(8, dialog_rows(dialog, dialog_columns(canvas.columns, canvas.rows)))
    start = max(top, min(middle, heading - wanted))
    if size_of(canvas.columns, canvas.rows) is Size.WIDE:
        return start, min(heading - start, wanted)
    rows = min(heading - start, max(wanted, heading - middle))
    return heading - rows, rows
