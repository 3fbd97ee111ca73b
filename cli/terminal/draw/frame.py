"""What stands around every screen: title bar, prompt line, key bar; and the notice for a terminal that is too small."""

from __future__ import annotations

from cli.clean import width, wrap
from cli.terminal.canvas import Canvas
from cli.terminal.glyphs import SPADE
from cli.terminal.keys import Cap
from cli.terminal.look import Look
from cli.text import Translator
from cli.view.views import Frame

MOST_BANNER = 3
MOODS = {"turn": "prompt", "no": "prompt", "wait": "bar", "alarm": "alarm"}


def draw_frame(canvas: Canvas, frame: Frame, look: Look) -> None:
    """Rows 0 and the last two."""
    _title(canvas, frame)
    _prompt(canvas, frame)
    draw_keys(canvas, look)
    for row, text in enumerate(banner_lines(frame, canvas.columns), 1):
        canvas.fill(0, row, canvas.columns, 1, "alarm.strong")
        canvas.put(1, row, text, "alarm.strong", cells=canvas.columns - 2)


def banner_lines(frame: Frame, columns: int) -> list[str]:
    """The banner below the title bar, on as many rows as it takes."""
    return wrap(frame.banner, columns - 2)[:MOST_BANNER] if frame.banner else []


def _title(canvas: Canvas, frame: Frame) -> None:
    canvas.fill(0, 0, canvas.columns, 1, "bar.text")
    x = canvas.put(1, 0, f"{SPADE} ", "bar.gold")
    x = canvas.put(x, 0, frame.title, "bar.gold", cells=max(0, canvas.columns - x - 1))
    pieces = list(frame.right)
    wanted = min(width(frame.subtitle) + 3 if frame.subtitle else 0, canvas.columns // 2)
    # A piece of two parts is shortened to its first, then the innermost give way; the clock at the edge stays longest.
    if _taken(pieces) + wanted > canvas.columns - x - 1:
        pieces = [(text.partition(" · ")[0], ink) for text, ink in pieces]
    while pieces and _taken(pieces) > canvas.columns - x - 1:
        pieces.pop(0)
    edge = canvas.columns - 1
    for text, ink in reversed(pieces):
        edge = canvas.right(edge, 0, text, f"bar.{ink}") - 2
    subtitle = frame.subtitle
    while subtitle.count(" · ") > 1 and width(subtitle) + 3 > edge - x:
        subtitle = subtitle.partition(" · ")[2]  # the table's name is known best, the target stays longest
    if width(subtitle) + 3 > edge - x:
        subtitle = subtitle.partition(" · ")[0]
    if subtitle and edge - x > 6:
        canvas.put(x, 0, f" · {subtitle}", "bar.dim", cells=edge - x)


def _taken(pieces: list[tuple[str, str]]) -> int:
    return sum(width(text) + 2 for text, _ink in pieces)


def _prompt(canvas: Canvas, frame: Frame) -> None:
    """One row; a sentence that answers a key takes a second one above where it needs it, what stands there longer gives up
    its last parts."""
    y = canvas.rows - 2
    surface = MOODS[frame.mood]
    ink = {"no": "alarm", "turn": "strong"}.get(frame.mood, "text")
    canvas.fill(0, y, canvas.columns, 1, f"{surface}.text")
    x = 1
    if frame.head:
        x = canvas.put(x, y, frame.head, f"{surface}.strong") + 2
    room = canvas.columns - x - 1
    if frame.mood == "wait" and not frame.head:
        told = " · ".join(part for part in (frame.prompt, frame.event) if part)
        canvas.put(x, y, fitted(told, room), f"{surface}.{ink}", cells=room)
        return
    if frame.head:
        shown = fitted(frame.prompt, room)
        x = canvas.put(x, y, shown, f"{surface}.{ink}", cells=room)
        event = f" · {frame.event}"
        if frame.event and shown == frame.prompt and x + width(event) < canvas.columns:
            canvas.put(x, y, event, f"{surface}.dim")
        return
    lines = wrap(frame.prompt, room)
    if len(lines) > 1:
        canvas.fill(0, y - 1, canvas.columns, 1, f"{surface}.text")
        canvas.put(x, y - 1, lines[0], f"{surface}.{ink}", cells=room)
        lines = [frame.prompt.removeprefix(lines[0]).lstrip()]
    canvas.put(x, y, "".join(lines), f"{surface}.{ink}", cells=room)


def prompt_rows(frame: Frame, columns: int) -> int:
    """Rows that the prompt takes: two for a long sentence that answers a key."""
    if frame.head or frame.mood == "wait":
        return 1
    return min(2, len(wrap(frame.prompt, columns - 2)) or 1)


def fitted(text: str, room: int, keep_first_part: bool = True) -> str:
    """As many of its parts and sentences, from the first, as there is room for; at least the first part, or the first
    sentence."""
    while width(text) > room:
        cut = max(text.rfind(end, 0, -1) for end in (" · ", ". ", "。", "! ", "” ", "」 "))
        if cut <= 0 or (keep_first_part and " · " not in text):
            return text
        text = text[:cut] if text.startswith(" · ", cut) else text[: cut + 1]
    return text


def draw_keys(canvas: Canvas, look: Look) -> None:
    """The key bar, on the last row."""
    y = canvas.rows - 1
    canvas.fill(0, y, canvas.columns, 1, "bar.text")
    edge = canvas.columns - 1
    if look.help is not None:
        edge -= _cap_width(look.help)
        _cap(canvas, edge, y, look.help)
    x = 1
    kept = sum(_cap_width(cap) for cap in look.caps if cap.is_needed)
    is_full = False
    for cap in look.caps:
        if cap.is_needed:
            kept -= _cap_width(cap)
        if (is_full and not cap.is_needed) or x + _cap_width(cap) + kept > edge:
            is_full = True
            continue
        x = _cap(canvas, x, y, cap)


def _cap_width(cap: Cap) -> int:
    return width(cap.key) + 2 + (width(cap.label) + 2 if cap.label else 1)


def _cap(canvas: Canvas, x: int, y: int, cap: Cap) -> int:
    x = canvas.put(x, y, f" {cap.key} ", "prompt.strong" if cap.glows else "key.cap", cap.action)
    return canvas.put(x, y, f" {cap.label} " if cap.label else " ", "bar.text", cap.action)


def draw_tiny(canvas: Canvas, _: Translator, prompt: str) -> None:
    """Too small for a table: says so, and what would do."""
    told = (
        _("Too small: {columns}x{rows}.", columns=canvas.columns, rows=canvas.rows),
        _("Make the window 58x18 or larger."),
        _("Only Ctrl-C, Ctrl-Q and Esc work here."),
        prompt,
    )
    lines = [line for text in told for line in wrap(text, max(1, canvas.columns - 2))]
    for y, line in enumerate(lines):
        canvas.put(1, y, line, "felt.gold" if y == 0 else "felt.text", cells=canvas.columns - 2)
