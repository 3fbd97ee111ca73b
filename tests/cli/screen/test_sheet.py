"""The score sheet while the match goes on under it, and what is worded anew in another language."""

from __future__ import annotations

import pytest

from cli import playing as told
from cli.screen.effects import Leave, Ready
from cli.screen.settings import Settings
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy, finished, stage
from tests.cli.screen.stage import Stage
from tests.cli.tables import tichu_lead


@pytest.mark.parametrize("is_sheet", [True, False])
def test_whether_to_leave_is_asked_on_though_a_round_ends_or_begins(is_sheet: bool) -> None:
    shown = finished(Settings(), False) if is_sheet else crazy(Settings())
    shown.press("f10")
    if is_sheet:
        shown.hear(told.RoundBegan(2, shown.table.view(0)))
    else:
        shown.hear(told.RoundEnded(shown.table.view(0)))
    assert "Leave the table?" in shown.text()
    shown.press("g", "enter")
    assert shown.left == Leave(True)


def test_after_the_last_round_no_next_one_is_told_of() -> None:
    shown = crazy(Settings())
    shown.hear(told.RoundEnded(shown.table.view(0), is_last=True))
    assert "next round" not in shown.text()
    assert "ready" not in shown.text()
    assert "The match is over" in shown.prompt
    shown.press("enter")
    assert not any(isinstance(effect, Ready) for effect in shown.effects)


def test_who_watches_is_not_asked_for_readiness() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), Settings(), None)
    shown.hear(told.RoundEnded(shown.table.view(None)))
    assert "ready" not in shown.text()
    shown.press("enter")
    assert not any(isinstance(effect, Ready) for effect in shown.effects)


def in_japanese(shown: Stage) -> str:
    shown.settings.lang = "ja"
    return shown.text()


def test_an_open_box_speaks_the_language_of_now_and_keeps_its_cursor() -> None:
    shown = crazy(Settings())
    shown.press("8", "8", "enter", "3")
    at = shown.presenter.query_cursor
    assert "Diamonds" in shown.text()
    text = in_japanese(shown)
    assert "ダイヤ" in text
    assert "Diamonds" not in text
    assert shown.presenter.query_cursor == at
    shown.press("enter")
    assert shown.played[-1]["suit"] == "d"


def test_the_box_before_leaving_speaks_the_language_of_now() -> None:
    shown = crazy(Settings())
    shown.press("f10")
    assert "席" in in_japanese(shown)
    assert "Leave the table?" not in shown.text()


def test_passes_at_the_seats_are_worded_when_drawn() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), Settings())
    shown.moves(0, {"do": "play", "cards": ["2s"]})
    shown.moves(1, {"do": "pass"})
    assert "passes" in shown.text()
    assert "passes" not in in_japanese(shown)
    assert "パス" in shown.text()


@pytest.mark.parametrize("page", ["f2", "v", "l", "?"])
def test_titles_of_pages_over_the_table_change_with_the_language(page: str) -> None:
    shown = crazy(Settings())
    shown.press(page)
    assert "Crazy Eights" in shown.text().splitlines()[0]
    assert "クレイジーエイト" in in_japanese(shown).splitlines()[0]
