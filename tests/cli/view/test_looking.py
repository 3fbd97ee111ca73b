"""The screen while a table is looked for."""

from __future__ import annotations

from cli.news import Do
from cli.terminal.settings import TerminalSettings
from cli.view.looking import LookingModel
from tests.cli.terminal.drawn import on_screen, prompt_of, text_of


def test_enter_does_not_stop_the_search_and_escape_does() -> None:
    shown = on_screen(LookingModel(TerminalSettings(), "Looking for a table…"))
    assert "Looking for a table…" in text_of(shown)
    assert prompt_of(shown) == "Esc: cancel"
    shown.key("enter")
    assert not shown.effects
    shown.key("escape")
    assert list(shown.effects) == [Do("back")]
