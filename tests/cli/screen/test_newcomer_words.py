"""Words and keys that would puzzle somebody who only sees the screen."""

from __future__ import annotations

import pytest

from cli import news
from protocol.cards import Card
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted

STOCK = "2s 3s 5s 6s " * 8


def test_who_must_answer_is_not_told_to_draw() -> None:
    hands = ["9d 4h 5c", "6c 7c", "4d Tc 8c"]
    stage = Stage(scripted("two-four-jack", hands, up="6d", stock=STOCK, dealer=1))
    stage.moves(2, {"do": "play", "cards": ["4d"]})
    assert "+4: play a 4" in stage.prompt and "or play" not in stage.prompt
    stage.press("home", "5", "enter")
    assert stage.prompt.startswith("Playable: 4♥ · You have a 4, so you must play it (else you’d draw 4).")
    chosen = Stage(scripted("two-four-jack", hands, up="6d", stock=STOCK, dealer=1, options={"must_answer": False}))
    chosen.moves(2, {"do": "play", "cards": ["4d"]})
    assert "Draw 4 or play a 4" in chosen.prompt
    chosen.press("5", "enter")
    assert "or press D to draw 4" in chosen.prompt


def test_a_refused_war_says_which_card_is_wrong() -> None:
    hands = ["Kh Kd 9c", "2h 7c", "4d Tc 8c"]
    stage = Stage(scripted("macau-wars", hands, up="5h", stock=STOCK, dealer=2))
    stage.moves(1, {"do": "play", "cards": ["2h"]})
    stage.press("k", " ", "right", " ", "enter")
    assert stage.prompt.startswith("Playable: K♥ · Not during a penalty: K♦.")


@pytest.mark.parametrize("page", ["v", "l", "?"])
def test_no_key_of_the_table_is_named_below_a_page(page: str) -> None:
    stage = Stage(scripted("crazy-eights", ["5c 6c 2c", "9c Tc Jc"], up="9h", stock=STOCK))
    assert "D: draw" in stage.prompt
    stage.press(page)
    lines = stage.text().splitlines()
    assert "YOUR TURN  Esc: table" in lines[-2]
    assert "draws" not in lines[-2]


def test_draws_one_after_the_other_are_one_entry() -> None:
    stage = Stage(scripted("crazy-eights", ["5c 6c 2c", "9c Tc Jc", "3c 4c 5d"], up="9h", stock=STOCK))
    for _time in range(3):
        stage.press("d")
    drawn = [text for text in stage.log if text.startswith("You drew")]
    assert drawn == ["You drew 2♠, 3♠ and 5♠."]
    for lang in ("de", "ja", "en"):
        stage.settings.lang = lang
        stage.text()
    assert [text for text in stage.log if text.startswith("You drew")] == drawn, "worded anew as one"


def test_the_joker_s_question_names_its_letters() -> None:
    hands = ["Jk 8s 9d", "2c 3c", "5c 6c"]
    stage = Stage(scripted("macau-wars", hands, up="5h", stock=STOCK, dealer=1), lang="de")
    stage.press("end", "enter")
    query = stage.parts.question.query
    assert query is not None
    assert "P=♠ H=♥ D=♦ C=♣" in stage.text(100, 30)
    at = stage.screen.choice
    stage.press("5", "p")
    assert query.options[stage.screen.choice].choice.label == "5♠" != query.options[at].choice.label
    stage.press("d")
    assert query.options[stage.screen.choice].choice.label == "5♦"


def test_a_joker_that_was_named_stays_named_while_more_is_asked() -> None:
    stage = Stage(scripted("macau-wars", ["Jk 8s 9d 7d", "2c 3c", "5c 6c"], up="5h", stock=STOCK, dealer=1))
    stage.press("end", "enter", "a", "enter")
    assert stage.parts.question.query is not None
    assert stage.parts.question.query.title == "joker (A♥): choose a suit?"
    stage.clock.passes(1)
    stage.press("enter")
    assert any("You played joker (A♥)" in text for text in stage.log)


def test_nothing_is_asked_that_has_one_answer() -> None:
    hands = ["6h 6c 8s Ts", "2c 3c", "5c 6s"]
    stage = Stage(scripted("macau-wars", hands, up="9h", stock=STOCK, dealer=1))
    stage.parts.hand.pick((Card("6c"), Card("6h")))
    stage.press("enter")
    assert stage.parts.question.query is None
    assert [move["cards"] for move in stage.played] == [["6h", "6c"]]


def test_the_key_of_the_word_says_yes_where_it_is_asked() -> None:
    stage = Stage(scripted("crazy-eights", ["9s 2c", "9c Tc Jc"], up="9h", stock=STOCK, options={"last_card": True}))
    stage.press("9", "enter")
    stage.press("n")
    assert not stage.played
    stage.press("o")
    assert stage.parts.question.query is None
    assert [(move["cards"], move["call"]) for move in stage.played] == [(["9s"], True)]


def test_under_a_pile_that_was_shuffled_lies_nothing() -> None:
    hands = ["9h 2c 3c", "9c Tc Jc"]
    stage = Stage(scripted("crazy-eights", hands, up="9d", stock="5s", options={"recycle": True}))
    stage.press("9", "enter")
    assert stage.shedding.text.before == "9d"
    for _time in range(3):
        if any("reshuffled into the stock" in text for text in stage.log):
            break
        stage.moves(1, {"do": "draw"})
    assert any("reshuffled into the stock" in text for text in stage.log)
    assert stage.shedding.text.before is None


def test_emotes_are_read_in_one_s_own_language() -> None:
    stage = Stage(scripted("crazy-eights", ["9s 2c", "9c Tc Jc"], up="9h", stock=STOCK), lang="de")
    stage.hear(news.Said(1, ":hurry"))
    assert stage.log[-1].endswith("beeil dich")
    assert "„beeil dich“" in stage.text()


def test_one_clock_is_enough() -> None:
    stage = Stage(scripted("crazy-eights", ["5c 9s 2c", "9c Tc Jc"], up="9h", stock=STOCK))
    stage.press("9", "enter")
    stage.tick(5)
    assert "Waiting for Jonas, then you · waiting 0:05" in stage.prompt
    stage.hear(news.ClockRuns(1, 20))
    assert "so far" not in stage.prompt
    assert "Waiting for Jonas, then you · 0:20 left" in stage.prompt


def test_the_help_says_what_the_letters_on_cards_stand_for() -> None:
    stage = Stage(scripted("macau-wars", ["9s 2c", "9c Tc Jc"], up="9h", stock=STOCK), lang="de")
    stage.press("?")
    said = stage.text(120, 60)
    assert "J Bube, Q Dame, K König, A Ass und Jk Joker" in said


def test_what_a_forgotten_word_brings_stands_on_the_prompt_line() -> None:
    stage = Stage(
        scripted("two-four-jack", ["3h Kh", "9h Th", "5h 6h", "6d 8h Qh"], up="7h", stock="2c 3c 4c 5d 6d 7d")
    )
    stage.moves(0, {"do": "play", "cards": ["3h"]})
    while "orgot to call" not in " ".join(text for text in stage.log):
        seat = stage.playing.view().turn
        assert seat, "the word was not asked for in time"
        stage.moves(seat, stage.table.game.encode(stage.table.legal(seat)[0]))
    assert stage.prompt.startswith("You forgot to call and draw one card."), "before whose turn it is"
