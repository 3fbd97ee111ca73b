"""A question on a screen of its own is answered like every box."""

from __future__ import annotations

from cli.news import Do
from cli.view.choosing import Answer, ChoicePresenter
from cli.view.settings import Settings
from tests.cli.screen.stage import Clock


def test_a_digit_goes_to_an_answer_and_enter_takes_it() -> None:
    shown = ChoicePresenter(Settings(), Clock(), "Which?", [Answer(name, f"Answer {name}") for name in "abc"])
    shown.key("2")
    assert not shown.effects
    assert shown.cursor == 1
    shown.key("4")
    assert "does nothing here" in shown.notice
    shown.key("enter")
    assert list(shown.effects) == [Do("chosen", "b")]
