"""Check the terminal: its size, colours and encoding, and how wide it draws the characters that tables consist of."""

from __future__ import annotations

import shutil

from cli.console import MANY, MONO, SIXTEEN, is_tty
from cli.context import Context, config_of
from cli.doctor.check_result import Finding, State
from cli.terminal.layout import Size, size_of
from cli.terminal.probe import cells_drawn
from cli.text import Translator, languages

PROBE_S = 0.3
SIGNS = "♠♥♦♣✓▶▚·"
"""The characters that screens are drawn with, one cell each."""
WIDE_SIGN = "札"
"""Two cells wide everywhere; a terminal that disagrees does not support Japanese."""


def look_at_screen(_: Translator, context: Context) -> list[Finding]:
    """Return all findings about the terminal. Queries the terminal, so nothing else may read from it meanwhile."""
    found = [terminal(_, context)]
    if is_tty(context.stdout):
        found.append(size(_, shutil.get_terminal_size((80, 24))))
    found += [letters(_, context), colours(_, context)]
    if context.terminal.is_screen:
        found.append(widths(_, measured(context)))
    return [*found, language(_, context)]


def terminal(_: Translator, context: Context) -> Finding:
    term = context.environ.get("TERM", "")
    remote = any(context.environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
    details = {"is_terminal": context.terminal.is_screen, "plain": context.terminal.plain, "TERM": term, "ssh": remote}
    if not context.terminal.is_screen:
        if is_tty(context.stdin) and is_tty(context.stdout):  # and TERM=dumb
            return Finding(
                "terminal",
                State.WARN,
                _("This terminal reports itself as {term}: Fairdeal plays in plain text", term=term),
                _("If it can do more, set TERM, for example: TERM=xterm-256color"),
                details,
            )
        return Finding(
            "terminal", State.OK, _("Not running in a terminal: Fairdeal plays in plain text"), details=details
        )
    if context.terminal.plain:
        return Finding("terminal", State.OK, _("Terminal, with plain text as you asked"), details=details)
    return Finding("terminal", State.OK, _("Terminal: {term}", term=term or "?"), details=details)


def size(_: Translator, found: tuple[int, int]) -> Finding:
    columns, rows = found
    kind = size_of(columns, rows)
    details = {"columns": columns, "rows": rows, "layout": kind.value}
    fields = {"columns": columns, "rows": rows}
    match kind:
        case Size.TINY:
            what = _("Window size: {columns} by {rows} cells, too small for the tables", **fields)
            return Finding("size", State.WARN, what, _("Make the window larger: 60 by 18 cells are enough."), details)
        case Size.SMALL:
            what = _("Window size: {columns} by {rows} cells, enough for small cards", **fields)
            return Finding("size", State.OK, what, details=details)
        case Size.NORMAL | Size.WIDE:
            return Finding("size", State.OK, _("Window size: {columns} by {rows} cells", **fields), details=details)


def letters(_: Translator, context: Context) -> Finding:
    encoding = str(getattr(context.stdout, "encoding", None) or "ascii")
    details = {"encoding": encoding, "ascii": context.terminal.ascii_only}
    if not context.terminal.ascii_only:
        return Finding("encoding", State.OK, _("Text encoding: {encoding}", encoding=encoding), details=details)
    if context.terminal.ascii_only and encoding.casefold().replace("-", "") in ("utf8", "utf8sig", "utf16"):
        what = _("Text encoding: {encoding}, ASCII only as you asked", encoding=encoding)
        return Finding("encoding", State.OK, what, details=details)
    return Finding(
        "encoding",
        State.WARN,
        _("Text encoding: {encoding}, so cards are drawn in ASCII", encoding=encoding),
        _("For real suit symbols use UTF-8, for example: LC_ALL=C.UTF-8 (on Windows: Windows Terminal)"),
        details,
    )


def colours(_: Translator, context: Context) -> Finding:
    depth = context.terminal.colours
    details = {
        "colours": depth,
        "NO_COLOR": context.environ.get("NO_COLOR", ""),
        "COLORTERM": context.environ.get("COLORTERM", ""),
    }
    match depth:
        case n if n == MONO and context.environ.get("NO_COLOR"):
            what = _("Colours: none (NO_COLOR is set)")
        case n if n == MONO:
            what = _("Colours: none")
        case n if n == SIXTEEN:
            what = _("Colours: 16")
        case n if n == MANY:
            what = _("Colours: 256")
        case _other:
            what = _("Colours: 16 million")
    return Finding("colours", State.OK, what, details=details)


def measured(context: Context) -> dict[str, int | None]:
    """Return the number of cells that the terminal uses for each character; None if it did not answer."""
    found: dict[str, int | None] = {}
    for sign in (*SIGNS, WIDE_SIGN):
        if context.terminal.ascii_only:
            break
        found[sign] = cells_drawn(context.stdin, context.stdout, sign, PROBE_S)
        if found[sign] is None:
            break
    return found


def widths(_: Translator, found: dict[str, int | None]) -> Finding:
    details = {"cells": found}
    if not found or None in found.values():
        return Finding(
            "widths",
            State.UNKNOWN,
            _("The terminal does not report how wide it draws ♠"),
            _("If lines with cards are misaligned, start with --ascii."),
            details,
        )
    wrong = [sign for sign in SIGNS if found.get(sign) != 1]
    if wrong:
        return Finding(
            "widths",
            State.WARN,
            _("The terminal does not draw {signs} one cell wide", signs=" ".join(wrong)),
            _("Set the terminal to draw ambiguous-width characters narrow, or start with --ascii."),
            details,
        )
    if found.get(WIDE_SIGN) != 2:
        return Finding(
            "widths",
            State.WARN,
            _("The terminal does not draw {signs} two cells wide", signs=WIDE_SIGN),
            _("Lines with Japanese text will be misaligned: try another terminal."),
            details,
        )
    return Finding("widths", State.OK, _("♠ ♥ ♦ ♣ are one cell wide"), details=details)


def language(_: Translator, context: Context) -> Finding:
    lang = context.words.lang
    wish = str(config_of(context.home).get("lang", ""))
    what = _(
        "Language: {code} (others: {known})", code=lang, known=", ".join(each for each in languages() if each != lang)
    )
    return Finding(
        "language", State.OK, what, details={"lang": lang, "config": wish, "LANG": context.environ.get("LANG", "")}
    )
