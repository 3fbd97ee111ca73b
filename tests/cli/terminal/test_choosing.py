"""A question on a screen of its own: how its keys answer it."""

from __future__ import annotations

from cli.news import Do
from cli.terminal.settings import TerminalSettings
from cli.view.choosing import Alternative, ChoiceModel
from tests.cli.terminal.drawn import on_screen, prompt_of


def test_a_digit_chooses_an_answer() -> None:
    shown = on_screen(
        ChoiceModel(TerminalSettings(), "Which?", [Alternative(name, f"Answer {name}") for name in "abc"])
    )
    shown.key("4")
    assert "does nothing here" in prompt_of(shown)
    assert not shown.effects
    shown.key("2")
    assert list(shown.effects) == [Do("chosen", "b")]


def test_a_digit_only_goes_to_an_answer_that_cannot_be_taken_back() -> None:
    answers = [Alternative("stay", "Stay"), Alternative("quit", "Quit for good", is_final=True)]
    shown = on_screen(ChoiceModel(TerminalSettings(), "Leave?", answers))
    shown.key("2")
    assert not shown.effects
    shown.key("enter")
    assert list(shown.effects) == [Do("chosen", "quit")]


def test_a_letter_goes_to_the_next_answer_that_begins_so() -> None:
    shown = on_screen(
        ChoiceModel(TerminalSettings(), "Which?", [Alternative(name, name) for name in ("ace", "ten", "act")])
    )
    at = []
    for _press in range(3):
        shown.key("A")
        at.append(shown.under)
    assert at == ["act", "ace", "act"]
