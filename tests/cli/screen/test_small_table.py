"""A table of the shedding games without a log beside it: what others did is told in short, and nothing twice."""

from __future__ import annotations

from cli import news
from cli.games.shown import Piece
from cli.news import Player
from cli.terminal.settings import TerminalSettings
from cli.view.views import TableView
from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.macau_wars.view import MacauView
from protocol.games.shedding import SheddingView
from protocol.games.views import Pile, SeatView, seen_as
from tests.cli.screen.screens import exchange_stage
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted

STOCK = "3s 4s 6c 7s 8s 9s Ts"


def rows(stage: Stage, columns: int = 60, height: int = 20) -> list[str]:
    return [line.strip() for line in stage.text(columns, height).splitlines()]


def above_hand(stage: Stage) -> tuple[str, str]:
    """The recap and what happened last."""
    lines = rows(stage)
    heading = next(at for at, line in enumerate(lines) if line.startswith(("Your hand", "No cards left")))
    return lines[heading - 2], lines[heading - 1]


def macau(hands: list[str], up: str = "5h", stock: str = STOCK, **options: object) -> LocalTable:
    return scripted("macau-wars", hands, up=up, stock=stock, dealer=1, options=options)


def test_the_prompt_names_picked_cards_in_the_order_in_which_they_are_laid() -> None:
    stage = Stage(macau(["2h 2s 9c 9d", "6c 7c 8c", "8h 6d 5c"], up="6h"), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("home", " ", "right", " ")
    assert list(stage.chosen) == ["2s", "2h"]
    assert stage.prompt == "YOUR TURN  Enter: play 2♥ 2♠", "only the two of hearts fits, whichever was picked first"
    stage.press("x", "9", " ", "9", " ")
    assert "Enter plays" not in stage.prompt
    stage = Stage(macau(["2h 2s 2d 9d", "6c 7c 8c", "8h 6d 5c"], up="6h"), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("home", " ", "right", " ", "right", " ")
    assert list(stage.chosen) == ["2s", "2h", "2d"]
    assert stage.prompt == "YOUR TURN  Enter: play these 3 and choose the order"


def test_all_that_was_done_since_our_move_is_told_in_short() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "8c Tc Jc", "6d Jh", "9s Kd"], up="9h", stock=STOCK))
    stage.press("5", "enter")
    assert above_hand(stage) == ("", "You played 5♥.")
    stage.moves(1, {"do": "play", "cards": ["8c"], "suit": "d"})
    stage.hear(news.ClockRuns(2, 20))
    assert above_hand(stage) == ("", "Jonas played 8♣ and chose ♦.")
    stage.moves(2, {"do": "draw"})
    stage.hear(news.ClockRuns(2, 20))
    stage.moves(2, {"do": "draw"})
    assert above_hand(stage) == ("Jonas 8♣: chose ♦", "ハナコ drew 2 cards.")
    stage.moves(2, {"do": "play", "cards": ["6d"]})
    assert above_hand(stage) == ("Jonas 8♣: chose ♦ · ハナコ drew 2", "ハナコ played 6♦.")
    stage.moves(3, {"do": "play", "cards": ["Kd"]})
    stage.press("d")
    recap, last = above_hand(stage)
    assert recap == "Jonas 8♣: chose ♦ · ハナコ drew 2, played 6♦ · Priya K♦"
    assert last.startswith("You drew")
    assert "ハナコ drew 2, played 6♦" not in stage.text(80, 24), "the log says so there"


def test_of_too_much_the_newest_is_told() -> None:
    hands = ["9h 2c", *(f"{rank}h 2d 3d" for rank in "2345678TJ")]
    stage = Stage(scripted("crazy-eights", hands, up="Kh", stock=STOCK))
    stage.press("9", "enter")
    for seat, rank in enumerate("23456", 1):
        stage.moves(seat, {"do": "play", "cards": [f"{rank}h"]})
    recap, last = above_hand(stage)
    assert last == "Lukas played 6♥."
    assert recap == "Jonas 2♥ · ハナコ 3♥ · Priya 4♥ · Sam 5♥"
    stage.moves(6, {"do": "play", "cards": ["7h"]})
    stage.moves(7, {"do": "play", "cards": ["8h"], "suit": "h"})
    stage.moves(8, {"do": "play", "cards": ["Th"]})
    recap, last = above_hand(stage)
    assert recap.startswith("… ")
    assert recap.endswith("Ada 7♥ · Kurt 8♥: chose ♥")


def test_a_forgotten_word_of_ours_is_told_before_all_else_until_our_move() -> None:
    stage = Stage(
        macau(["5d 9c", "2c 6c 7c", "6d 7d 9d"], stock="Ks Qs As Ts 3c 4c 7h 8h 9h"), settings=TerminalSettings()
    )
    stage.press("5", "enter", "n", "enter")
    stage.moves(2, {"do": "play", "cards": ["6d"]})
    stage.moves(1, {"do": "play", "cards": ["6c"]})
    recap, last = above_hand(stage)
    assert last == "Jonas played 6♣."
    assert recap.startswith("You: forgot to call, +5 (")
    assert stage.text(60, 20).count("5 cards") == 0


def test_what_the_last_event_has_no_room_for_is_told_above_it() -> None:
    hands = ["9h 9c 2c", "5c 5d 9d", "8s 8c 7h 3c", "9s 6c"]
    stage = Stage(macau(hands, stock="Ks Qs As Ts 3s 4c Jh"), names=("Mia", "Jonas", "Bot Angelika", "Bot Emmy"))
    stage.press("9", "enter")
    stage.moves(3, {"do": "play", "cards": ["9s"], "call": False})
    stage.moves(2, {"do": "play", "cards": ["8s", "8c"]})
    recap, last = above_hand(stage)
    assert last == "Bot Angelika played 8♠ and 8♣."
    assert recap == "Emmy 9♠ · Emmy: forgot to call, +5"
    assert "forgotten" not in stage.text(80, 24), "the log has room for all of it"


def test_nothing_is_in_order_before_the_deal() -> None:
    stage = Stage(macau(["9h", "5c 5d"]))
    assert "order" in stage.text(60, 20)
    undealt = SheddingView(seats=(SeatView(), SeatView()), direction=-1, pile=Pile())
    found: tuple[Piece, ...] = Stage(macau(["9h", "5c 5d"]), None).shedding.text.facts(undealt)
    assert found == ()


def test_that_we_were_chosen_is_told() -> None:
    stage = Stage(macau(["9h 2c 3c", "Qc 7c 4c", "9s Qh 4s", "Qs 3d"], up="8h"), names=("Mia", "Jonas", "Priya", "Sam"))
    stage.press("9", "enter")
    stage.moves(3, {"do": "draw"})
    stage.moves(3, {"do": "pass"})
    stage.moves(2, {"do": "play", "cards": ["Qh"]})
    stage.moves(1, {"do": "play", "cards": ["Qc"], "next": 0})
    stage.hear(news.Said(1, "you!"))
    assert above_hand(stage)[0] == "Sam drew 1, passed · Priya Q♥ · Jonas Q♣: you plays next"


def test_a_seat_in_one_line_says_who_is_out_and_who_has_a_card_left() -> None:
    stage = Stage(macau(["9h 9d 2c", "6c 7c 8c", "6h", "8d 9s 3d"]), names=("Mia", "Jonas", "Bot Ada", "Bot Emmy"))
    assert "Bot Ada   LAST 1" in rows(stage)[1]
    stage = Stage(macau(["9h 9d 2c", "9c 7c 8c", "9s", "8d 3c 3d"]), names=("Mia", "Jonas", "Bot Ada", "Bot Emmy"))
    stage.press("9", "enter")
    stage.moves(3, {"do": "draw"})
    stage.moves(3, {"do": "pass"})
    stage.moves(2, {"do": "play", "cards": ["9s"]})
    assert rows(stage)[1].endswith("Bot Ada out: 1st")
    stage.practice.players[2] = Player("Bot Sofia")
    assert rows(stage)[1].endswith("   Sofia   out: 1st"), "the name is rather shortened than cut"
    stage.moves(1, {"do": "play", "cards": ["9c"]})
    assert "Sofia 9♠, out" in above_hand(stage)[0]


def test_our_own_place_stands_at_our_seat_and_nowhere_else() -> None:
    stage = Stage(macau(["9h", "6c 7c 8c", "6h 6d 5c"]), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("9", "enter")
    for columns, height in ((60, 20), (80, 24)):
        text = stage.text(columns, height)
        assert "out: 1st" in text
        assert text.count("out!") == (1 if columns == 60 else 2), "the prompt repeats the log's last entry"
        assert "No cards left: play continues" in text
        assert "play" not in text.splitlines()[-1]
        assert "scores" in text.splitlines()[-1].lower()


def test_who_is_out_is_told_so_by_every_key_of_a_turn() -> None:
    stage = Stage(macau(["9h", "6c 7c 8c", "6h 6d 5c"]), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("9", "enter")
    for pressed in ("enter", "d", "p", "h", " ", "left", "o"):
        stage.press(pressed)
        assert stage.prompt == "You’re out. The round continues without you.", pressed


def test_who_named_what_counts_stands_beside_it() -> None:
    stage = Stage(macau(["9h 9d 2c", "6c 7c 8c", "Jh 6d 5c"]), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("9", "enter")
    stage.moves(2, {"do": "play", "cards": ["Jh"], "rank": "7"})
    for columns, height in ((60, 20), (80, 24)):
        assert "chosen by Emmy" in stage.text(columns, height)
        assert "or J, A, Jk" in stage.text(columns, height)
    stage.moves(1, {"do": "play", "cards": ["7c"]})
    assert "named by" not in stage.text(60, 20)


def test_the_last_event_stands_once() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "8c Tc Jc", "6d Jh"], up="9h", stock=STOCK))
    stage.press("5", "enter")
    assert stage.text(60, 20).count("You played 5♥.") == 1
    stage.hear(news.Said(1, "hello"))
    assert stage.text(60, 20).count("Jonas: hello") == 1
    assert "Waiting for Jonas, then ハナコ; you are 3rd · You played" not in stage.text(60, 20)


def test_the_keys_of_our_turn_come_before_all_others() -> None:
    hands = ["2c 2d", "2h 6c 7c 8c", "6d 5c 3d"]
    stage = Stage(
        scripted("macau-wars", hands, up="5h", stock=STOCK, dealer=2), 0, names=("Mia", "Bot Ada", "Bot Emmy")
    )
    stage.moves(1, {"do": "play", "cards": ["2h"]})
    keys = rows(stage)[-1]
    for cap in ("Enter  play", "D  draw 2", "O  Macau!", "?  help"):
        assert cap in keys
    assert "Enter  play" in rows(stage, 80, 24)[-1]
    prompt = rows(stage)[-2]
    assert prompt == "YOUR TURN  WAR +2: 2 3 K♠ K♥ raise, Q♥ ends · D: draw 2"
    assert "Q♥ ends, other Q pass on" in stage.text(60, 20)


def test_enter_is_offered_when_it_plays() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="9h", stock=STOCK))
    assert "Enter  play" in rows(stage, 80, 24)[-1]
    stage.press("5", "enter")
    assert "Enter" not in rows(stage, 80, 24)[-1]


def test_what_enter_plays_is_told_while_cards_are_picked() -> None:
    stage = Stage(macau(["5s 5d", "6c 7c 8c", "6h 6d 5c"], up="6s"), names=("Mia", "Bot Ada", "Bot Emmy"))
    stage.press("5", " ")
    assert stage.prompt == "YOUR TURN  Enter: play 5♠ · O: say “Macau!”"
    stage.press("5", " ")
    assert stage.prompt == "YOUR TURN  Enter: play 5♠ 5♦ and go out"
    stage.press("x", "end", " ")
    assert stage.prompt.startswith("YOUR TURN  Match"), "the five of diamonds alone does not fit"
    stage = Stage(scripted("mau-mau", ["9h", "8c Kc Td"], up="Th", stock="7s " * 8))
    stage.press(" ")
    assert "you are already out" not in stage.prompt, "who says nothing is not out"
    silent = Stage(
        scripted("crazy-eights", ["5h 2c", "9c Tc"], up="9h", stock=STOCK), settings=TerminalSettings(hints="off")
    )
    silent.press("2", " ")
    assert "Enter plays" not in silent.prompt
    silent.press("x", "5", " ")
    assert "Enter plays" not in silent.prompt, "it would tell what fits"


def test_cards_that_may_not_begin_are_told() -> None:
    game = load("macau-wars", 2)
    state = game.start(1).state
    for face in ("2c", "4h", "8c"):
        state = game.opened(state, Card(face)).state
    stage = Stage(scripted("macau-wars", ["9h 9d", "6c 7c"], up="5h", stock=STOCK, dealer=1))
    assert "Turned up: 5♥." in stage.log[-1]
    stage.hear(news.RoundBegan(2, game.public_view(state).with_hands({0: ()})))
    assert "Turned up: 2♣ and 4♥, then 8♣." in stage.log[-1]
    stage.press("9", "d")
    assert seen_as(MacauView, stage.playing.view()).covered == ()


def test_cards_that_the_game_deals_later_are_nobodys_penalty() -> None:
    """Tichu deals six more cards after the question for a Grand Tichu."""
    view = exchange_stage(TerminalSettings()).screen.model.view()
    assert isinstance(view, TableView)
    assert [text for text, _ink in (*view.recap, *view.recap_of_event) if "forgot" in text] == []
