"""What the shedding games' tables say, told by those who saw only the screen: fours, hints, empty stocks, what is named."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli import news
from cli.games.shedding.table import SheddingTable
from cli.terminal.canvas import Canvas
from cli.terminal.draw.log import draw_log
from cli.terminal.settings import TerminalSettings
from protocol.cards import Card
from protocol.games import LocalTable
from protocol.games.views import Pile
from protocol.values import replace
from tests.cli.screen.screens import finished, stage, table
from tests.cli.screen.stage import NAMES, Stage
from tests.cli.tables import scripted


def duel(first: str = "9c Tc", third: str = "6c 7c", seats: int = 3) -> LocalTable:
    """Macau Wars; seat 1 begins and puts a four."""
    hands = [first, "4h 5c 8d", third, "Kc Qc"][:seats]
    return scripted("macau-wars", hands, up="5h", stock="5s " * 20, dealer=2)


def test_who_holds_no_four_is_told_to_pass_and_no_more() -> None:
    stage = Stage(duel())
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert stage.prompt == "YOUR TURN  One four is down and you have none: press P to pass"
    stage.press("enter")
    assert stage.prompt == "Only a four can follow a four, and you have none: press P to pass."
    stage = Stage(duel("4c Tc 9s"))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert "add a 4 or press P to pass" in stage.prompt
    stage.press("9", "enter")
    assert stage.prompt == "Playable: 4♣ · Only a four can follow a four: add one or press P to pass."


def test_the_last_call_says_so_and_what_a_pass_brings() -> None:
    stage = Stage(duel("4c Tc 9s"))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert "1 four" in stage.text()
    assert "1 fours" not in stage.text()
    stage.press("p")
    stage.moves(2, {"do": "pass"})
    assert stage.prompt == "YOUR TURN  Last chance: add a 4, or P and Jonas may get 1 turn alone · 1 playable"
    assert "LAST CHANCE: 1 four" in stage.text()
    assert "Jonas: 1 turn alone" in stage.text()
    stage.press("p")
    stage.moves(2, {"do": "pass"})
    assert "alone: 1 turn" in stage.text()
    assert "alone: 1 turns" not in stage.text()


def test_the_last_call_to_who_holds_no_four() -> None:
    stage = Stage(duel())
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    stage.press("p")
    stage.moves(2, {"do": "pass"})
    assert stage.prompt == "YOUR TURN  You have no four: press P (Jonas then gets 1 turn alone)"


def test_an_empty_stock_is_told_by_what_is_possible() -> None:
    hands = ["5c 9c", "6c 7c", "8d 3d"]
    stage = Stage(scripted("two-four-jack", hands, up="5h", stock=""))
    stage.press("d")
    assert stage.prompt == "Playable: 5♣ · There is nothing to draw: play a card that matches."
    stage = Stage(scripted("two-four-jack", ["6c 7c", *hands[1:]], up="5h", stock=""))
    stage.press("d")
    assert stage.prompt == "There is nothing to draw: press P to pass."


def test_a_hint_proposes_the_plainest_card_first() -> None:
    stage = Stage(scripted("macau-wars", ["Jk 2h 9h", "2c 3c", "5c 6c"], up="5h", stock="5s " * 20, dealer=1))
    proposed = []
    for _time in range(2):
        stage.press("h")
        proposed.append(stage.chosen)
    assert proposed[0] == ("9h",)
    assert proposed[1] == ("2h",)
    stage = Stage(scripted("crazy-eights", ["8h 8s 6h", "9c Tc"], up="9h", stock="2c"))
    stage.press("h")
    assert stage.chosen == ("6h",)


def test_another_pick_takes_the_place_of_the_first_where_one_card_is_played() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c"))
    stage.press("5", " ", "6", " ", "enter")
    assert [move["cards"] for move in stage.played] == [["6h"]]
    stage = Stage(scripted("macau-wars", ["7h 7c 9h 2d", "2c 3c", "5c 6c"], up="5h", stock="5s " * 20, dealer=1))
    stage.press("7", " ", "7", " ")
    assert sorted(stage.chosen) == ["7c", "7h"]


def test_sorting_is_told_while_cards_are_picked_and_kept() -> None:
    settings = TerminalSettings()
    table = scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c")
    stage = Stage(table, settings=settings)
    stage.press("5", " ", "s")
    assert stage.prompt == "Sorted by rank."
    stage.tick(4)
    assert stage.prompt.startswith("YOUR TURN")
    assert "sorted by rank" in Stage(table, settings=settings).text(), "after a return it lies as before"


def test_a_face_may_bring_orders_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With a name and a setting of which nobody else has heard."""
    monkeypatch.setattr(SheddingTable, "sorts", ("suit", "luck"))
    monkeypatch.setattr(SheddingTable, "sorting_setting", "sorting_mine")
    path = tmp_path / "config.toml"
    table = scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c")
    stage = Stage(table, settings=TerminalSettings(path=path))
    stage.press("s")
    assert stage.prompt == "luck"
    kept = TerminalSettings.read(tomllib.loads(path.read_text(encoding="utf-8")), "en", False, True, path)
    assert "luck" in Stage(table, settings=kept).text()


def test_the_next_player_is_always_marked() -> None:
    hands = ["5h 6h", "9c " * 12, *["Tc Jc"] * 6]
    for columns, rows in ((80, 24), (100, 30), (60, 20), (200, 60)):
        for name in ("Jonas", "Bot Maximilian"):
            names = ("Mia", name, *NAMES[2:])
            stage = Stage(scripted("crazy-eights", hands, up="9h", stock="2c"), names=names)
            assert " next " in stage.text(columns, rows), (columns, rows, name)


def test_the_log_begins_with_a_whole_entry() -> None:
    canvas = Canvas(40, 10)
    log = tuple((f"{number} " + "word " * 9, "text") for number in range(5))
    draw_log(canvas, 0, 0, 24, 8, "Log", "", log)
    shown = [line for line in canvas.text().splitlines() if line]
    assert shown[1].startswith(" 2 word") or shown[1].startswith(" 3 word")
    assert shown[-1].strip().endswith("word")
    canvas = Canvas(40, 10)
    draw_log(canvas, 0, 0, 24, 4, "Log", "", (("begins here " + "word " * 30, "text"),))
    assert "begins here" in canvas.text(), "an entry larger than the pane is seen from its beginning"


def test_an_empty_stock_looks_empty() -> None:
    full = Stage(scripted("two-four-jack", ["5c 9c", "6c 7c"], up="5h", stock="2c")).text()
    empty = Stage(scripted("two-four-jack", ["5c 9c", "6c 7c"], up="5h", stock="")).text()
    assert "▚" in full
    assert "▚" not in empty
    assert "0" in empty


def test_a_long_answer_covers_no_mark_under_the_hand() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2s", "9c Tc Jc"], up="9h", stock="2c"))
    stage.parts.notice.refuse("A long sentence that needs two rows of the terminal. " * 2)
    for columns, rows in ((80, 24), (60, 20)):
        text = stage.text(columns, rows)
        assert "two rows of the terminal. A" in text.replace("\n ", " ")
        assert "▲" in text


def test_who_comes_back_is_told_what_was_named() -> None:
    stage = Stage(scripted("crazy-eights", ["8h 6h 2c", "9c Tc Jc"], up="9h", stock="2c"), begun=False)
    stage.table.play(0, stage.table.game.decode({"do": "play", "cards": ["8h"], "suit": "c", "call": False}))
    stage.hear(news.DealChecked((0, 1), 0.0, ()), news.RoundBegan(2, stage.playing.view()))
    assert stage.log[0] == "You rejoined in round 2. On the pile: 8♥, suit chosen: clubs."


def test_the_score_sheet_says_how_the_round_ended() -> None:
    text = finished(TerminalSettings(), False).text()
    assert "You went out with 5♥." in text
    assert "8♠ 50 · 3♣ 3 = 53" in text
    hands = ["5h", "9c Tc", "7c 8c"]
    stage = Stage(scripted("macau-wars", hands, up="6h", stock="5s " * 20, dealer=1))
    stage.hear(news.RoundEnded(replace(stage.playing.view(), out=(2, 0), ended="out", round_points=(1, 0, 2))))
    assert "Out in this order: ハナコ and you" in stage.text()


def test_nobody_plays_blindly_in_a_window_too_small() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c"))
    assert "Make the window 58x18 or" in stage.text(29, 9)
    stage.press("d", "p", "enter", " ", "v", "5", "h", "s")
    assert not stage.played
    assert "Your hand" in stage.text(80, 24), "nothing was opened, either"
    stage.text(29, 9)
    stage.press("c-c")
    assert "Leave the table?" in stage.text(29, 9)
    stage.press("escape")
    assert "Leave the table?" not in stage.text(29, 9)
    stage.press("c-c", "c-c")
    assert stage.left is not None
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c"))
    stage.text(29, 9)
    stage.text(80, 24)
    stage.press("d")
    assert stage.played == [{"do": "draw"}]


def test_where_nothing_fits_the_key_that_helps_is_never_cut() -> None:
    stage = Stage(scripted("two-four-jack", ["5c 9c", "6c 7c", "8d 3d"], up="6h", stock="2c 3c 4s"))
    assert stage.prompt == "YOUR TURN  You can’t play · D: draw · you need ♥, 6 or A"
    assert "You can’t play · D: draw" in stage.text(60, 20)


def test_the_sheet_says_which_points_win() -> None:
    few = stage(table("mau-mau", 3, target=100), TerminalSettings())
    few.press("f3")
    assert "until someone reaches 100: lowest score wins" in few.text()
    many = stage(table("crazy-eights", 3, target=100), TerminalSettings())
    many.press("f3")
    assert "first to 100" in many.text()


def test_whether_to_leave_may_be_answered_while_others_move() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc", "5c 6c"], up="9h", stock="2c 3c"))
    stage.press("5", "enter", "f10")
    stage.moves(1, {"do": "draw"})
    assert "Leave the table?" in stage.text()
    stage.press("a", "enter")
    assert stage.left is not None


def test_the_sheet_says_that_a_jack_at_the_end_counts_double() -> None:
    for options, last, doubled in (({}, "Jh", True), ({"jack_doubles": False}, "Jh", False), ({}, "9h", False)):
        hands = [f"{last} 7s", "9c Tc"]
        played = Stage(scripted("mau-mau", hands, up="Th", stock="7d 8d", options=options))
        pile = Pile(top=Card(last))
        ended = replace(played.playing.view(), pile=pile, out=(0,), ended="out", round_points=(0, 1))
        played.hear(news.RoundEnded(ended))
        assert ("The last card was a jack: all points count double." in played.text()) is doubled
        assert "You went out with" in played.text()


def test_an_enter_on_its_way_when_the_sheet_closes_plays_no_card() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock="2c"))
    view = stage.playing.view()
    stage.hear(news.RoundEnded(replace(view, out=(1,), ended="out", round_points=(1, 0)), (), 10.0))
    assert stage.parts.rounds.shows
    stage.clock.passes(10)
    stage.hear(news.RoundBegan(2, view))
    assert not stage.parts.rounds.shows
    stage.press("enter")
    assert not stage.played
    stage.press("enter")
    assert len(stage.played) == 1


def test_keys_of_tichu_are_refused_in_words_elsewhere() -> None:
    stage = Stage(scripted("two-four-jack", ["5h 6h", "9c Tc"], up="9h", stock="2c"))
    for key in ("g", "t"):
        stage.press(key)
        assert stage.prompt == f"“{key}” does nothing here. Press ? for the keys."
    stage.press("b")
    assert stage.prompt == "There are no bombs in this game."


def test_what_an_earlier_key_was_told_does_not_stand_below_the_question_whether_to_leave() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 8s", "9c Tc Jc", "2d 3d"], up="9h", stock="2c 3c 4c"))
    stage.press("q")
    assert "You have no Q." in stage.text()
    stage.press("c-q")
    assert "Leave the table?" in stage.text() and "You have no Q." not in stage.text()
