"""What E has written, and where: a page, as folders have long names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from cli.clean import width
from cli.news import Saved
from cli.text import Translator
from cli.view.presenter import Clock, PagePresenter
from cli.view.settings import Settings
from cli.view.views import Line


def short_folder(folder: Path) -> str:
    """A folder as people write it: ~ for their own."""
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(folder)


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


def saved_lines(_: Translator, saved: Saved, home: Path, columns: int) -> tuple[Line, ...]:
    """The folder, and each file with what it is for."""
    folder = saved.text.parent
    lines: list[Line] = [((_("Folder"), "text"),)]
    lines += [((f"  {part}", "gold"),) for part in path_lines(short_folder(folder), columns - 2)]
    if folder == home / "saved":
        told = _("The folder in which Fairdeal was started cannot be written to: this is the program’s own.")
        lines.append(((told, "dim"),))
    lines += [(("", "text"),), ((saved.text.name, "strong"),), ((f"    {_('to read')}", "text"),)]
    if saved.transcript is not None:
        check = _("the proof; in a terminal “fairdeal verify” and its name check it, on any machine")
        lines += [((saved.transcript.name, "strong"),), (("    ", "text"), (check, "text"))]
    return tuple(lines)


def saved_page(
    settings: Settings,
    clock: Clock,
    saved: Saved,
    home: Path,
    below: Callable[[], tuple[str, str, str]] = lambda: ("", "", "wait"),
) -> PagePresenter:
    """The page; Esc or Enter closes it."""
    return PagePresenter(
        settings,
        clock,
        lambda: settings.words("Fairdeal"),
        lambda: settings.words("Saved"),
        lambda columns: saved_lines(settings.words, saved, home, columns),
        below,
    )
