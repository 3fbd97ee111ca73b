"""What the screen says and does at a table, told as a player would: prompts, refusals, questions, pauses, the end."""

from __future__ import annotations

from random import Random

import pytest

from cli import news
from cli.news import Do, Say
from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from cli.text import languages
from cli.view.effects import Bell, BeReady, Leave
from cli.view.inputs import Type
from protocol.cards import DRAGON
from protocol.errors import FairdealError
from protocol.games import LocalTable, load
from protocol.games.tichu.view import TichuView
from protocol.games.views import SeatView
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy, exchange_stage, finished, table, tichu
from tests.cli.screen.stage import Stage, away
from tests.cli.tables import scripted, tichu_lead


def test_a_refused_card_says_why_and_what_would_do() -> None:
    stage = crazy(TerminalSettings())
    stage.press("enter")
    assert "2♠ doesn’t match J♥" in stage.prompt
    assert "8♠ 3♥ 8♥ Q♥" in stage.prompt
    assert not stage.played
    assert not stage.parts.hand.picked
    stage.press("right")
    assert "YOUR TURN" in stage.prompt


def test_no_letter_of_a_rank_is_a_command() -> None:
    stage = crazy(TerminalSettings())
    for key in "JjQqKkAa234567890":
        stage.press(key)
    assert all(isinstance(effect, Bell) for effect in stage.effects)


def test_a_rank_jumps_to_its_next_card() -> None:
    stage = crazy(TerminalSettings())
    stage.press("8")
    assert stage.under is not None
    first = stage.under
    stage.press("8")
    assert {first, stage.under} == {"8s", "8h"}
    stage.press("0")
    assert stage.under == "Td"


def test_an_eight_names_its_suit_or_stays() -> None:
    stage = crazy(TerminalSettings())
    stage.press("8", "enter")
    assert "choose a suit" in stage.text()
    stage.press("escape")
    assert not stage.played
    stage.press("enter", "3")
    assert not stage.played
    assert "Diamonds: Enter to confirm" in stage.prompt
    stage.press("enter")
    assert stage.played == [{"do": "play", "cards": ["8s"], "suit": "d", "call": False}]


def test_a_double_click_plays() -> None:
    stage = crazy(TerminalSettings())
    place = next(at for at, held in enumerate(stage.parts.hand.cards) if held.card == "3h")
    stage.click(Action("card", place))
    assert not stage.played
    stage.click(Action("card", place), twice=True)
    assert [move["cards"] for move in stage.played] == [["3h"]]


def test_a_double_click_plays_in_tichu_what_is_picked() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    nines = [at for at, held in enumerate(stage.parts.hand.cards) if held.card[0] == "9"]
    stage.click(Action("card", nines[0]))
    stage.click(Action("card", nines[1]))
    assert not stage.played
    stage.click(Action("card", nines[1]), twice=True)
    assert [sorted(move["cards"]) for move in stage.played] == [["9j", "9k"]]


def test_who_looks_on_is_counted_in_the_title() -> None:
    stage = crazy(TerminalSettings())
    assert "watching" not in stage.text(120, 30).splitlines()[0]
    stage.practice.watch()
    assert "1 watching" in stage.text(120, 30).splitlines()[0]


def test_the_stock_draws_and_the_pile_plays() -> None:
    stage = crazy(TerminalSettings())
    canvas = stage.canvas()
    actions = {action.name for row in canvas.actions for action in row if action is not None}
    assert {"draw", "enter", "card", "seat", "log", "chat", "help"} <= actions
    stage.click(Action("draw"))
    assert stage.played == [{"do": "draw"}]


def test_others_turns_tell_whom_we_wait_for() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter")
    stage.tick(5)
    assert "Waiting for Jonas, then ハナコ; you are 8th · waiting 0:05" in stage.prompt
    stage.press("d")
    assert "It is Jonas’s turn" in stage.prompt


def test_the_word_is_asked_for_once_and_can_be_said_ahead() -> None:
    hands = ["5h 6h", "9c Tc Jc"]
    stage = Stage(scripted("crazy-eights", hands, up="9h", stock="2c", options={"last_card": True}))
    stage.press("5", "enter")
    assert "Last one!" in stage.text()
    stage.press("n", "enter")
    assert stage.played[0]["call"] is False
    assert "O: say “Last one!”" in stage.prompt or "Waiting" in stage.prompt
    stage = Stage(scripted("crazy-eights", hands, up="9h", stock="2c", options={"last_card": True}))
    stage.press("o", "5", "enter")
    assert stage.played[0]["call"] is True


def test_tichu_cards_are_named_while_they_are_picked() -> None:
    stage = tichu(TerminalSettings())
    stage.moves(3, {"do": "play", "cards": ["Mah", "2p", "3k", "4p", "5j"]})
    stage.press("3", " ", "4", " ", "5", " ", "7", " ")
    assert "Not a combination: add 6⌂, 6★ or Ph" in stage.prompt
    stage.press("6", " ")
    assert "Straight 3-7 beats 1-5" in stage.prompt
    stage.press("enter")
    assert sorted(stage.played[0]["cards"]) == sorted(["3j", "4k", "5k", "6k", "7s"])


def test_passing_ahead_happens_by_itself_and_can_be_taken_back() -> None:
    hands = [MINE, LEFT, ACROSS, RIGHT]
    stage = Stage(tichu_lead(hands, 1))
    stage.moves(1, {"do": "play", "cards": ["Aj"]})
    stage.press("p", "x")
    assert "You won’t pass ahead" in stage.prompt
    stage.press("s")
    assert "pass ahead" not in stage.prompt
    stage.press("p")
    assert "you’ll pass (P or X: undo)" in stage.prompt
    stage.moves(2, {"do": "pass"})
    stage.moves(3, {"do": "pass"})
    assert stage.played == [{"do": "pass"}]


def test_a_trick_that_is_mine_is_taken_after_a_moment() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.moves(0, {"do": "play", "cards": ["Ak"]})
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    assert "Enter: take it now" in stage.prompt
    assert not stage.played
    stage.tick(2)
    assert stage.played == [{"do": "collect", "to": None}]


def test_an_enter_that_comes_after_the_trick_was_taken_leads_no_card() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.moves(0, {"do": "play", "cards": ["Ak"]})
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    stage.tick(2)
    taken = [{"do": "collect", "to": None}]
    assert stage.played == taken
    stage.press("enter")  # on its way while the trick was taken
    assert stage.played == taken
    assert "so no card was played" in stage.prompt
    stage.press("enter")
    assert len(stage.played) == 2


def test_the_dragon_asks_to_whom() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.moves(0, {"do": "play", "cards": ["Drg"]})
    stage.press("k", " ")
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    assert "25 points" in stage.text(100, 30)
    assert "1 Jonas" in stage.text()
    stage.press("enter")
    assert not stage.played, "meant for what was there before the box"
    assert stage.prompt.startswith("YOUR CHOICE"), "and the box says itself what Enter does"
    stage.tick(5)
    assert not stage.played
    stage.press("escape")
    assert stage.parts.question.query is None
    stage.press("enter")
    assert "Who gets the Dragon’s trick (25" in stage.text(), "Enter opens it again whatever is picked"
    stage.press("2")
    assert not stage.played
    assert stage.prompt.startswith("YOUR CHOICE  Priya: Enter to confirm")
    stage.press("enter", "enter")
    assert stage.played == [{"do": "collect", "to": 3}]


def test_who_is_out_is_said_where_the_dragons_trick_is_given() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    seats = tuple(SeatView(hand_size=size) for size in (3, 0, 2, 1))
    told = TichuView(seats=seats, pile_cards=(DRAGON,), out=(1,))
    position = stage.parts.at.position
    assert position is not None
    stage.parts.at._position = replace(position, view=told)
    query = stage.tichu._ask_dragon([{"do": "collect", "to": 1}, {"do": "collect", "to": 3}])
    assert [option.choice.sub for option in query.options] == [
        "left ← · out: 1",
        "right → · 1 card left",
    ]
    assert "gives all their tricks to Jonas" in query.lines[0]


def test_grand_tichu_is_answered_like_every_other_question() -> None:
    stage = Stage(table("tichu", 4, 5))
    stage.press("y")
    assert not stage.played
    stage.press("right", "left", "enter")
    assert stage.played == [{"do": "grand", "call": True}]
    stage = Stage(table("tichu", 4, 5))
    stage.press("escape")
    assert "You have to answer: Y or N" in stage.prompt
    stage.press("enter")
    assert stage.played == [{"do": "grand", "call": False}]


def test_calling_tichu_asks_once() -> None:
    stage = tichu(TerminalSettings())
    stage.press("t", "enter")
    assert not stage.played
    stage.press("t", "y")
    assert not stage.played
    stage.press("enter")
    assert stage.played == [{"do": "tichu"}]


def test_a_bomb_asks_nothing_also_out_of_turn() -> None:
    bomb = "9j 9s 9p 9k 2s 3j 4k 5k 6p 6k 7s Js Qp Ak"
    left = "2k 3s 4j 5p 6s 7j 8j 8s Phx Tj Jj Qj Kj Aj"
    right = "2p 3k 4p 5j 7k 8k Drg Tp Jp Qs Kk Kp As Mah"
    stage = Stage(tichu_lead([bomb, left, ACROSS, right], 1))
    stage.press("b")
    assert "can’t play a bomb" in stage.prompt
    stage.moves(1, {"do": "play", "cards": ["Aj"]})
    stage.press("b")
    assert sorted(stage.played[0]["cards"]) == ["9j", "9k", "9p", "9s"]


def test_breaking_a_bomb_asks_once() -> None:
    bomb = "9j 9s 9p 9k 2s 3j 4k 5k 6p 6k 7s Js Qp Ak"
    left = "2k 3s 4j 5p 6s 7j 8j 8s Phx Tj Jj Qj Kj Aj"
    right = "2p 3k 4p 5j 7k 8k Drg Tp Jp Qs Kk Kp As Mah"
    stage = Stage(tichu_lead([bomb, left, ACROSS, right], 0))
    stage.press("9", "enter")
    assert "breaks up your bomb" in stage.text(100, 30)
    stage.press("n", "enter")
    assert not stage.played


def test_the_exchange_gives_each_their_card() -> None:
    stage = exchange_stage(TerminalSettings())
    cards = stage.hand
    stage.press("home", "2", "1", "enter")
    assert "Chosen: 2" in stage.prompt
    stage.press("3", "enter")
    assert stage.played == [{"do": "give", "cards": [cards[1], cards[0], cards[2]]}]


def test_the_exchange_by_mouse_alone() -> None:
    stage = exchange_stage(TerminalSettings())
    cards = stage.hand
    for card, receiver in ((5, 2), (0, 0), (7, 1)):
        stage.click(Action("card", card))
        stage.click(Action("choose", receiver))
    stage.click(Action("enter"))
    assert stage.played == [{"do": "give", "cards": [cards[0], cards[7], cards[5]]}]


def test_received_cards_say_from_whom_until_the_first_lead() -> None:
    stage = exchange_stage(TerminalSettings())
    stage.press("home", " ", "right", " ", "right", " ", "enter")
    given = {seat: list(stage.table.hands[seat][:3]) for seat in (1, 2, 3)}
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "give", "cards": given[seat]})
    marks = {held.card: stage.tichu.received.get(held.id) for held in stage.parts.hand.cards}
    assert {card: name for card, name in marks.items() if name} == {
        given[1][2]: "Jonas",
        given[2][1]: "ハナコ",
        given[3][0]: "Priya",
    }


def test_a_pause_says_who_is_missing_and_lapses() -> None:
    stage = crazy(TerminalSettings())
    away(stage, 5)
    stage.hear(news.Paused((5,), 30.0, (1,)))
    text = stage.text()
    assert "Paused: Lukas" in text
    assert "They can rejoin: open Fairdeal, press U." in text
    stage.hear(news.Back(5))
    assert "Paused" in stage.text(), "a link alone does not end it"
    stage.hear(news.Paused(()))
    assert "Paused" not in stage.text().splitlines()[-2]


def test_a_failed_check_freezes_the_table_and_names_step_and_player() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.Accused(2, FairdealError("card shares do not match the seat's round key")))
    first = stage.text().splitlines()[1]
    assert "CHEATING: ハナコ" in first
    assert "Card shares do not match" in first
    stage.press("3", "enter", "d")
    assert not stage.played
    stage.press("e")
    assert Do("export", "") in stage.effects


def test_leaving_asks_which_kind() -> None:
    for keys, wanted in (("s", None), ("a", Leave(False)), ("g", Leave(True))):
        stage = crazy(TerminalSettings())
        stage.press("f10", keys)
        assert stage.left is None
        stage.press("enter")
        assert stage.left == wanted
    stage = crazy(TerminalSettings())
    stage.press("c-c", "c-c")
    assert stage.left == Leave(False)
    for stays in ("escape", "enter"):
        stage = crazy(TerminalSettings())
        stage.press("c-c", stays, "c-c")
        assert stage.left is None, "who stayed is asked again"
        assert stage.parts.question.query is not None


def test_between_rounds_enter_is_ready() -> None:
    stage = finished(TerminalSettings(), False)
    stage.tick(1)
    stage.press("enter")
    assert any(isinstance(effect, BeReady) for effect in stage.effects)
    assert "You are ready" in stage.text().splitlines()[-2]


def test_the_last_play_is_seen_before_the_sheet_covers_it() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter")
    ended = news.RoundEnded(replace(stage.playing.view(), round_points=(0,) * 8), (), 15.0)
    stage.hear(ended)
    assert "Total" not in stage.text()
    assert "The round is over · Enter: scores" in stage.prompt
    stage.tick(3)
    assert "Total" in stage.text()

    stage.hear(news.RoundBegan(2, stage.table.public_view(0)))
    stage.tick(20)
    stage.press("3", "enter")
    stage.hear(ended)
    stage.press("enter")
    assert "Total" in stage.text()
    assert not any(isinstance(effect, BeReady) for effect in stage.effects), "that Enter asked for the sheet"
    stage.press("enter")
    assert any(isinstance(effect, BeReady) for effect in stage.effects)


def test_an_enter_for_the_table_does_not_say_that_we_are_ready() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter")
    stage.hear(news.RoundEnded(replace(stage.playing.view(), round_points=(0,) * 8), (), 15.0))
    stage.tick(3.1)
    stage.press("enter")
    assert not any(isinstance(effect, BeReady) for effect in stage.effects)
    assert "Press Enter again" in stage.prompt


def test_escape_goes_from_the_sheet_to_the_table_and_readies_nobody() -> None:
    stage = finished(TerminalSettings(), False)
    stage.tick(1)
    stage.press("escape")
    assert "Total" not in stage.text()
    assert not any(isinstance(effect, BeReady) for effect in stage.effects)
    assert "Enter: ready for the next round" in stage.prompt
    stage.press("enter")
    assert any(isinstance(effect, BeReady) for effect in stage.effects)


def test_a_key_without_a_letter_is_answered_too() -> None:
    stage = crazy(TerminalSettings())
    stage.press("f5")
    assert stage.prompt == "“F5” does nothing here. Press ? for the keys."


def test_a_round_that_begins_at_once_leaves_the_sheet_of_the_last_to_be_read() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter")
    stage.hear(news.RoundEnded(replace(stage.playing.view(), round_points=(0,) * 8)))
    stage.hear(news.RoundBegan(2, stage.table.public_view(0)))
    assert "Total" in stage.text()


def test_the_pause_between_rounds_is_seen_running() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.RoundEnded(stage.table.public_view(0), (), 15.0))
    stage.tick(4)
    assert "next round in 11 s at most" in stage.text()
    stage.press("enter")
    assert "You are ready" in stage.text()


def test_the_score_sheet_stays_a_while_after_the_next_deal() -> None:
    stage = finished(TerminalSettings(), False)
    stage.hear(news.RoundBegan(2, stage.table.public_view(0)))
    assert "Left in hand" not in stage.text() or "Total" in stage.text()
    assert "Total" in stage.text()
    stage.tick(20)
    assert "Total" not in stage.text()


def test_chat_is_cleaned_and_emotes_are_spelled() -> None:
    stage = crazy(TerminalSettings())
    stage.screen.send(Type("\x1b[31mhi\u202e there", "chat"))
    stage._carry_out()
    assert Say("[31mhi there") in stage.effects
    stage.hear(news.Said(1, ":gg"))
    assert "Jonas: good game" in stage.text(200, 60)


def test_the_bell_is_asked_for_once_a_turn() -> None:
    stage = crazy(TerminalSettings())
    bells = sum(isinstance(effect, Bell) for effect in stage.effects)
    assert bells == 1
    stage.tick(1)
    stage.press("right")
    assert sum(isinstance(effect, Bell) for effect in stage.effects) == 1


def test_time_that_runs_out_rings_twice() -> None:
    stage = crazy(TerminalSettings())
    stage.tick(14)
    assert Bell(2) in stage.effects
    assert "0:04" in stage.text().splitlines()[0]
    assert "4 s left, then 3♥ is played for you" in stage.prompt


def test_hints_pick_and_never_play() -> None:
    stage = crazy(TerminalSettings())
    stage.press("h", "h", "h")
    assert stage.chosen
    assert not stage.played


def test_a_seat_tells_what_it_did_last() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter")
    stage.click(Action("seat", 0))
    assert stage.prompt == "Your last moves: 3♥."
    stage.moves(1, {"do": "draw"})
    stage.moves(1, {"do": "draw"})
    stage.click(Action("seat", 1))
    assert stage.prompt == "Jonas’s last moves: drew 2."


@pytest.mark.parametrize(
    ("name", "options", "without"),
    [
        ("crazy-eights", {}, {"tichu", "bomb", "call"}),
        ("crazy-eights", {"last_card": True}, {"tichu", "bomb"}),
        ("mau-mau", {}, {"tichu", "bomb"}),
        ("two-four-jack", {}, {"tichu", "bomb"}),
        ("tichu", {}, {"draw", "call"}),
    ],
)
def test_help_lists_every_command_that_this_game_has_and_the_rules(
    name: str, options: dict[str, object], without: set[str]
) -> None:
    stage = Stage(LocalTable(load(name, 4, options), Random(3)))
    stage.press("?")
    lines = stage.text(100, 60).splitlines()
    assert any("HOW TO PLAY" in line for line in lines)
    for command in stage.settings.registry.by_name.values():
        if command.help and command.cap and "table" in command.places and command.name not in ("pass", "grand"):
            # The key that says the word names it.
            told = f"say “{stage.playing.game.words[0]}”" if command.name == "call" and "call" not in without else ""
            told = told or command.help[:40]
            listed = any(line.split()[:1] == [command.cap] and told in line for line in lines)
            assert listed == (command.name not in without | {"other"}), command.name
    assert any("call Grand Tichu" in line for line in lines) == (name == "tichu")
    assert not any("paused" in line for line in lines)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
@pytest.mark.parametrize("lang", languages())
def test_no_line_of_the_help_is_cut(columns: int, rows: int, lang: str) -> None:
    stage = crazy(TerminalSettings(lang=lang))
    stage.press("?")
    seen = ""
    for _page in range(6):
        seen += stage.text(columns, rows)
        stage.press("pagedown")
    assert "…" not in seen


def test_keys_can_be_changed_but_not_to_a_rank() -> None:
    stage = crazy(TerminalSettings(keys={"draw": "w", "sort": "q"}))
    stage.press("w")
    assert stage.played == [{"do": "draw"}]
    before = stage.parts.sorting
    stage.press("q")
    assert stage.parts.sorting == before


def test_the_language_changes_at_once() -> None:
    stage = crazy(TerminalSettings())
    assert "YOUR TURN" in stage.text()
    stage.settings.lang = "ja"
    assert "あなたの番" in stage.text()


@pytest.mark.parametrize("name", ["crazy-eights", "tichu"])
def test_onlookers_see_no_hand_and_cannot_move(name: str) -> None:
    stage = Stage(LocalTable(load(name, 4), Random(3)), None)
    text = stage.text()
    assert "You are watching" in text
    stage.press("enter", "d", "p", " ")
    assert not stage.played
    held = {card for hand in stage.table.hands for card in hand}
    assert len(held) > 4
    assert stage.view.hand == ()


def test_down_goes_to_the_choice_below() -> None:
    stage = crazy(TerminalSettings())
    stage.press("8", "enter")
    assert stage.parts.question.query is not None
    lines = stage.text(80, 24).splitlines()
    below = {}
    for row, line in enumerate(lines):
        for name in ("spades", "hearts", "diamonds", "clubs"):
            if f" {name}" in line[:54]:
                below[name] = (line.index(name), row)
    assert below["spades"][1] == below["hearts"][1] < below["diamonds"][1], "two and two"
    assert not any(card.fits for card in stage.view.hand), "what is played is settled"
    for keys, name in ((["home", "down"], "Diamonds"), (["right", "up"], "Hearts"), (["up"], "Hearts")):
        stage.press(*keys)
        assert f"{name}: Enter to confirm" in stage.text(80, 24)


def test_a_hint_counts_no_options_where_there_is_one() -> None:
    stage = Stage(scripted("crazy-eights", ["9h 3c 4c", "9c Tc Jc", "2d 3d"], up="2h", stock="2c 3c 4d"))
    stage.press("h")
    assert "Only 9♥ can be played · Enter: play" in stage.text()
