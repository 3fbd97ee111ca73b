"""What the seats, the prompt and the log of a shedding table say at a glance, in every size."""

from __future__ import annotations

import pytest

from cli import news
from cli.clean import width
from cli.news import RoomChat
from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from cli.text import languages
from cli.view.inputs import Hear, Type
from cli.view.views import ListView
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import seen_as
from tests.cli.screen.screens import room
from tests.cli.screen.stage import NAMES, Stage, asleep, away
from tests.cli.tables import scripted

SIZES = ((80, 24), (60, 20), (100, 30), (200, 60))


def last_cards(seats: int = 2, lang: str = "en") -> Stage:
    """Two cards are due from seat 0 in Two-Four-Jack; there is one to draw, beneath the two."""
    hands = ["3h 3s 9c", "2h 5c 5d", "7c 8c 9d"][:seats]
    stage = Stage(scripted("two-four-jack", hands, up="5h", stock="", dealer=0), lang=lang)
    stage.moves(1, {"do": "play", "cards": ["2h"]})
    if seats > 2:
        stage.moves(2, {"do": "draw"})
    return stage


def test_a_rank_key_goes_to_a_card_that_fits_first_and_then_round() -> None:
    stage = Stage(scripted("two-four-jack", ["6h 6c 6s Kd", "9c Tc"], up="Js", stock="2c"))
    order = []
    for _time in range(4):
        stage.press("6")
        order.append(stage.under)
    assert order == ["6s", "6h", "6c", "6s"], "the spade alone fits"


def test_a_rank_key_tells_nothing_where_hints_are_off() -> None:
    stage = Stage(scripted("two-four-jack", ["6h 6c 6s Kd", "9c Tc"], up="Js", stock="2c"))
    stage.settings.hints = "off"
    stage.press("s", "6", "6")  # by rank: the sixes stand from clubs to spades
    assert stage.hand[:3] == ["6c", "6h", "6s"]
    assert stage.screen.picture(80, 24)[1].cursor == 1


def test_cards_that_nobody_can_give_lapse_and_that_is_said() -> None:
    stage = last_cards()
    assert "Penalty: 2" in stage.prompt
    stage.press("d")
    assert stage.log[-1] == (
        "The discard pile was reshuffled into the stock. You drew the penalty: 5♥. One penalty "
        "card is dropped: no cards left to draw."
    )
    assert stage.prompt == "One penalty card is dropped: no cards left to draw."


def test_the_pile_is_told_to_be_shuffled_before_what_is_drawn_from_it() -> None:
    stage = last_cards(3)
    assert stage.log[-1].startswith("The discard pile was reshuffled into the stock. ハナコ drew one penalty card.")
    stage.press("x")
    seen = list(stage.parts.log.actions[2])
    assert seen[-1] == "drew 1", "a click on the seat tells the move"


def test_a_seat_says_that_it_misses_a_turn() -> None:
    hands = ["Qd 9c 8c", "5c 6c", "7c Tc"]
    stage = Stage(scripted("macau-wars", hands, up="5d", stock="2s " * 20, dealer=1))
    stage.press("q", "enter")
    assert "skipped" in stage.text().splitlines()[3]
    stage.tick(7)
    assert "skipped" not in stage.text().splitlines()[3]


def test_seats_say_how_long_somebody_plays_alone() -> None:
    hands = ["4h 4d 9c 8c Tc", "5c 6c", "7c Tc"]
    stage = Stage(scripted("macau-wars", hands, up="5h", stock="2s " * 20, dealer=1))
    stage.press("4", " ", "4", " ", "enter")
    while stage.parts.question.query is not None:
        stage.press("enter")
        stage.clock.passes(1)
    for seat in (2, 1, 2, 1):
        stage.moves(seat, {"do": "pass"})
    assert seen_as(MacauView, stage.parts.at.view).solo == 2
    assert "misses" not in stage.text(), "nobody's turn is taken: these are another's turns"
    assert "you play alone: 2 turns" in stage.prompt
    assert " next " not in stage.text(), "nobody else is next"


def test_the_last_turn_alone_takes_no_turn_from_anybody() -> None:
    stage = Stage(scripted("macau-wars", ["9c 8c Tc", "4h 6c 7d", "7c Tc"], up="5h", stock="2s " * 20, dealer=2))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    for seat in (0, 2, 0, 2):
        stage.moves(seat, {"do": "pass"})
    assert seen_as(MacauView, stage.parts.at.view).solo == 1
    text = stage.text()
    assert "misses" not in text
    assert "alone: 1 turn" in text.splitlines()[3], "at the seat of who plays alone"


def test_what_must_be_matched_is_never_pushed_out() -> None:
    hands = ["6d 2c", "9c Tc"]
    stage = Stage(scripted("crazy-eights", hands, up="9d", stock="2c", options={"last_card": True}))
    prompt = stage.text(60, 20).splitlines()[-2]
    assert "Match ♦ or 9, or any 8" in prompt
    assert "O: say “Last one!”" in stage.prompt


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_small_table_says_what_happened_last(lang: str) -> None:
    stage = Stage(scripted("crazy-eights", ["6d 2c Kd", "9c Td 5h"], up="9d", stock="2c", dealer=0), lang=lang)
    stage.moves(1, {"do": "play", "cards": ["Td"]})
    assert stage.parts.log.last_event in stage.text(60, 20)
    several = " ".join(["Jonas played 10♦.", "Jonas: “Last one!”", "Penalty: 2 for whoever comes next at this table."])
    stage.model.tell(several)
    assert stage.text(60, 20).splitlines()[11].strip() == "Jonas played 10♦. Jonas: “Last one!”"
    stage.hear(news.Said(1, "a long story " * 20))
    assert all(width(line) <= 60 for line in stage.text(60, 20).splitlines())
    assert "Match ♦ or 10" in stage.text(60, 20) or lang != "en"


def test_names_are_whole_where_there_is_room() -> None:
    names = ("Mia", *(f"Bot Hypatia {number}" for number in range(9)))
    for seats in (2, 4, 6, 8, 10):
        stage = Stage(scripted("crazy-eights", ["5h 6h"] * seats, up="9h", stock="2c"), names=names)
        for columns, rows in SIZES[2:]:
            text = stage.text(columns, rows)
            assert all(name in text for name in names[1:seats]), (seats, columns)


def test_a_watcher_is_told_what_happened_and_offered_no_chat() -> None:
    stage = Stage(scripted("mau-mau", ["7h 8h 9h"] * 3, up="9s", stock="Tc"), seat=None)
    stage.moves(0, {"do": "play", "cards": ["9h"]})
    assert stage.prompt == "Waiting for Jonas · Mia played 9♥."
    assert "chat" not in stage.text().replace("Log & chat", "")
    stage.press("/")
    assert stage.prompt == "You are watching: you can’t play here."


def test_what_d_does_can_be_clicked_where_it_is_told() -> None:
    for lang in languages():
        stage = Stage(scripted("crazy-eights", ["6d 2c Kd", "9c Td 5h"], up="9s", stock="2c 3c"), lang=lang)
        canvas = stage.canvas()
        row = next(y for y, line in enumerate(canvas.lines()) if "D: " in line and y < 20)
        stage.click(
            canvas.actions[row][canvas.cell_of("".join(canvas.glyphs[row]).index("D: "), row)] or Action("none")
        )
        assert stage.played == [{"do": "draw"}], lang


def test_a_very_small_window_is_played_in_lines_of_text() -> None:
    hands = ["8h 6h 2c 3d", "9c Tc Jc", "5c 6c"]
    stage = Stage(scripted("crazy-eights", hands, up="9h", stock="2c"), names=("Mia", "Jonas", "Priya"))
    text = stage.text(40, 12)
    assert "Small window, so text only" in text
    assert "▶You 4 · Jonas 3 · Priya 2" in text
    assert "9♥ · ♥ Hearts or 9" in text
    assert "▲6♥ ·8♥ 3♦ 2♣" in text
    assert "YOUR TURN  Match ♥ or 9" in text
    stage.press("8", "enter")
    assert "1 ♠spades · ▶2 ♥hearts" in stage.text(40, 12), "the suit that is held most"
    stage.press("3", "enter")
    assert stage.played[0]["suit"] == "d"
    stage.text(40, 12)
    stage.press("v")
    assert stage.screen.overlay is not None
    assert "Esc" in stage.text(40, 12), "a page is read and closed there, too"
    stage.press("escape")
    assert stage.screen.overlay is None
    assert all(width(line) <= 30 for line in stage.text(30, 10).splitlines())


def test_bright_cards_are_explained_where_cards_differ() -> None:
    assert (
        "you can play the bright cards" in Stage(scripted("crazy-eights", ["6d 2c", "9c"], up="9d", stock="2c")).text()
    )
    assert "bright cards" not in Stage(scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c")).text()


def test_what_is_done_when_time_is_up_is_told_before() -> None:
    for hands, doing in (
        (["6d 2d", "9c"], "2♦ is played for you"),
        (["6c 2c", "9c"], "a card is drawn for you"),
        (["8c 2c", "9c"], "8♣ is played for you"),
    ):
        stage = Stage(scripted("crazy-eights", hands, up="9d", stock="2c"))
        stage.hear(news.ClockRuns(0, 4))
        assert f"4 s left, then {doing}" in stage.prompt
    hands = ["6c 9s", "2h 5c 5d"]
    stage = Stage(scripted("two-four-jack", hands, up="5h", stock="7d 7c", dealer=0))
    stage.moves(1, {"do": "play", "cards": ["2h"]})
    stage.hear(news.ClockRuns(0, 4))
    assert "4 s left, then 2 cards are drawn for you" in stage.prompt


def test_the_clock_is_gold_below_ten_seconds_and_red_below_five() -> None:
    for left, ink in ((10, "text"), (9, "gold"), (5, "gold"), (4, "alarm")):
        stage = Stage(scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c"))
        stage.hear(news.ClockRuns(0, left))
        canvas = stage.canvas()
        assert canvas.text().splitlines()[0].endswith(f"0:{left:02d}")
        assert canvas.styles[0][76] == f"bar.{ink}"


def test_the_window_is_named_after_the_table_in_ones_turn() -> None:
    stage = Stage(scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c"), names=NAMES)
    stage.practice.facts = news.TableFacts(name="Kitchen")
    assert stage.screen.window_title == "Your turn - Kitchen"


def test_a_long_name_takes_the_room_that_few_players_leave() -> None:
    names = ("Mia", "Maximiliane Schmidt", "Jonas")
    stage = Stage(scripted("mau-mau", ["7h 8h 9h"] * 3, up="9s", stock="Tc"), names=names)
    assert "Maximiliane Schmidt" in stage.text()


def test_ones_own_words_stand_once_in_the_waiting_room() -> None:
    shown = room(TerminalSettings())
    shown.send(Type("hello", "chat"))
    shown.send(Hear(RoomChat(b"mia", "hello")))
    view = shown.model.view()
    assert isinstance(view, ListView)
    assert sum("hello" in text for text, _ink in view.chat) == 2, "what Jonas said, and what we said"


def test_that_somebody_is_away_is_read_in_a_small_window_too() -> None:
    stage = Stage(scripted("mau-mau", ["7h 8h 9h"] * 3, up="9s", stock="Tc"))
    away(stage, 2)
    stage.tick(7)
    assert "away 0:07" in stage.text(60, 20)


def test_a_phone_that_sleeps_is_told_apart_from_one_that_is_away() -> None:
    stage = Stage(scripted("mau-mau", ["7h 8h 9h"] * 3, up="9s", stock="Tc"))
    asleep(stage, 2)
    assert "asleep" in stage.text(60, 20) and "away" not in stage.text(60, 20)
    assert "phone is asleep" not in stage.prompt, "it is our turn"
    asleep(stage, 2, False)
    assert "asleep" not in stage.text(60, 20)


def test_whose_phone_sleeps_is_said_while_we_wait_for_it() -> None:
    stage = Stage(scripted("mau-mau", ["7h 8h 9h"] * 3, up="9s", stock="Tc"))
    stage.moves(0, {"do": "play", "cards": ["9h"]})
    asleep(stage, 1)
    name = stage.practice.players[1].name
    assert f"{name}’s phone is asleep" in stage.prompt


def test_the_word_that_is_due_stands_in_the_key_bar() -> None:
    for last, word in (("Jh", "Mau-Mau!"), ("9h", "Mau!")):
        stage = Stage(scripted("mau-mau", [last, "9c Tc"], up="9d", stock="8d"))
        assert f"O  {word}" in stage.text().splitlines()[-1]
        stage.press("enter")
        assert "If you forget, you aren’t out and draw a card." in stage.text()
    options = {"last_card": True, "last_card_penalty": 3}
    stage = Stage(scripted("crazy-eights", ["6d 2c", "9c Tc"], up="9d", stock="2c", options=options))
    stage.press("enter")
    assert "If you forget, you draw 3 cards." in stage.text()


def test_what_the_table_will_do_tells_no_card_where_hints_are_off() -> None:
    stage = Stage(
        scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c"), settings=TerminalSettings(hints="off")
    )
    stage.hear(news.ClockRuns(0, 4))
    assert "4 s left, then a move is made for you" in stage.prompt


def test_the_log_is_worded_anew_in_another_language() -> None:
    settings = TerminalSettings()
    stage = Stage(scripted("crazy-eights", ["6d 2c Kd", "9c Td 5h"], up="9d", stock="2c", dealer=0), settings=settings)
    stage.model.tell("Jonas: hello", "chat")
    stage.moves(1, {"do": "play", "cards": ["Td"]})
    stage.hear(news.Said(1, ":gg"), news.Paused((1,)), news.Paused((1,)), news.Paused(()))
    english = stage.log
    assert "Jonas played 10♦." in english
    settings.lang = "ja"
    stage.text()
    japanese = stage.log
    assert "Jonasは10♦を出しました。" in japanese
    assert len(japanese) == len(english)
    assert "Jonas: hello" in japanese
    settings.lang = "en"
    stage.text()
    assert stage.log == english


def test_no_key_is_dead_where_nothing_is_picked() -> None:
    stage = Stage(scripted("crazy-eights", ["6d 2c Kd", "9c Td 5h"], up="9d", stock="2c"))
    for key in ("x", "escape", "backspace", "down", "1"):
        stage.press(key)
        assert not stage.prompt.startswith("YOUR TURN"), key
    stage.press(" ", "up")
    assert "already picked" in stage.prompt
    stage.press("x")
    assert stage.prompt.startswith("YOUR TURN"), "what was picked is seen to be so no longer"
    stage.press("pagedown")
    assert stage.screen.overlay is not None


def test_the_last_event_stands_behind_the_prompt_where_there_is_room() -> None:
    stage = Stage(scripted("crazy-eights", ["6d 2c Kd", "9c Td 5h"], up="9d", stock="2c", dealer=0))
    stage.moves(1, {"do": "play", "cards": ["Td"]})
    assert stage.text(80, 24).splitlines()[-2].endswith("2 playable · Jonas played 10♦.")
    assert "Jonas" not in stage.text(60, 20).splitlines()[-2], "there it stands above the hand"
    stage.model.tell("Jonas: a story that is longer than the room behind the prompt", "chat")
    assert stage.text(80, 24).splitlines()[-2].endswith("2 playable"), "no half sentences"
    stage.press("z")
    assert stage.prompt == "“z” does nothing here. Press ? for the keys."
