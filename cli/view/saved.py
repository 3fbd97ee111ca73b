"""What an export has written, and where: a page, as folders have long names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from cli.news import ExportedFiles
from cli.text import Translator
from cli.view.page import Below, PageModel, nothing_below
from cli.view.settings import Settings
from cli.view.views import Line


def short_folder(folder: Path) -> str:
    """A folder as people write it: ~ for their own."""
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(folder)


def saved_lines(_: Translator, saved: ExportedFiles, home: Path) -> tuple[Line, ...]:
    """The folder, and each file with what it is for. Where a page's files lie, its browser knows."""
    lines: list[Line] = [] if sys.platform == "emscripten" else [*_folder(_, saved.text.parent, home), (("", "text"),)]
    lines += [((saved.text.name, "strong"),), ((f"    {_('as text')}", "text"),)]
    if saved.transcript is not None:
        check = _("the proof: to check it on any computer, run “fairdeal verify” with this file name")
        lines += [((saved.transcript.name, "strong"),), (("    ", "text"), (check, "text"))]
    return tuple(lines)


def _folder(_: Translator, folder: Path, home: Path) -> Iterator[Line]:
    yield ((_("Folder"), "text"),)
    yield (("  ", "text"), (short_folder(folder), "path"))
    if folder == home / "saved":
        yield ((_("Fairdeal can’t write to the folder it was started in, so it used its own folder."), "dim"),)


def saved_page(
    settings: Settings, saved: ExportedFiles, home: Path, below: Callable[[], Below] = nothing_below
) -> PageModel:
    """The page of what was saved."""
    return PageModel(
        settings,
        lambda: settings.words("Fairdeal"),
        lambda: settings.words("Saved"),
        lambda: saved_lines(settings.words, saved, home),
        below,
    )
