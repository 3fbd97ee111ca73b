"""Models on a terminal of so many cells."""

from __future__ import annotations

from typing import Any, overload

from cli.terminal.lists import ListScreen
from cli.terminal.render import render
from cli.terminal.screen import Screen
from cli.terminal.shown import screen_of
from cli.view.listing import ListModel
from cli.view.page import PageModel
from cli.view.replay import ReplayModel
from tests.cli.screen.stage import Clock


@overload
def on_screen(model: ListModel, clock: Clock | None = None) -> ListScreen: ...
@overload
def on_screen(model: PageModel | ReplayModel, clock: Clock | None = None) -> Screen: ...


def on_screen(model: Any, clock: Clock | None = None) -> Screen:
    return screen_of(model, model.settings, clock or Clock())


def text_of(shown: Any, columns: int = 80, rows: int = 24) -> str:
    own = shown.settings
    view, look = shown.picture(columns, rows)
    return render(view, columns, rows, own.shown, own.words, look).text()


def prompt_of(shown: Any) -> str:
    prompt: str = shown.picture(80, 24)[0].frame.prompt
    return prompt


def keys_of(shown: Any, columns: int = 80, rows: int = 24) -> dict[str, str]:
    """The key bar: labels by keys."""
    return {cap.key: cap.label for cap in shown.picture(columns, rows)[1].caps}
