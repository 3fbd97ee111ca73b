"""Where readers of the shedding games' tables did not know what was meant: keys, boxes, signs, stocks."""

from __future__ import annotations

import pytest

from cli import news
from cli.terminal.draw.flash import _cells, draw_flash
from cli.terminal.settings import TerminalSettings
from cli.text import load_translator
from cli.view.views import CardFace, Flight
from protocol.values import replace
from tests.cli.screen.stage import NAMES, Stage
from tests.cli.tables import scripted

DRAWN = "Tc Ts 3d 2c 4c 6c 7c 5c 5d 3c"


def two(lang: str = "en", settings: TerminalSettings | None = None, up: str = "9d") -> Stage:
    """Crazy Eights; ours is the turn."""
    table = scripted("crazy-eights", ["9h 9s 3s Ks", "9c Qd 7s 6h"], up=up, stock=DRAWN)
    return Stage(table, lang=lang, settings=settings)


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_that_a_turn_was_missed_is_short_and_gone_when_the_turn_comes(lang: str) -> None:
    hands = ["7s 9s Ks", "8h Th 7c 9d", "7d Kd Qd", "Jh Qs"]
    table = scripted("mau-mau", hands, up="Kh", stock="9c Qh Ts", options={"eights": True}, dealer=0)
    stage = Stage(table, seat=2, lang=lang)
    skipped = load_translator(lang)("skipped")
    stage.moves(1, {"do": "play", "cards": ["8h"]})
    assert stage.parts.notes.keys() == {2}
    assert f" {skipped} " in stage.text().splitlines()[3], "whole, though the seat is narrow"
    stage.moves(3, {"do": "play", "cards": ["Jh"], "suit": "s"})
    assert stage.parts.notes.keys() == {2}
    stage.moves(0, {"do": "play", "cards": ["7s"]})
    stage.moves(1, {"do": "play", "cards": ["7c"]})
    assert stage.prompt.startswith(load_translator(lang)("YOUR TURN"))
    assert not stage.parts.notes, "who is in turn misses none"


def test_an_empty_stock_says_that_the_pile_is_shuffled_first() -> None:
    stage = Stage(scripted("mau-mau", ["9d 9s Ts Ks", "9c Qd 7s"], up="Kd", stock="Tc"))
    stage.press("9", "enter")
    stage.moves(1, {"do": "draw"})
    stage.moves(1, {"do": "play", "cards": ["9c"]})
    stock = stage.parts.at.view.stock
    assert stock is not None and stock.size == 0
    for columns, rows in ((80, 24), (60, 20)):
        assert "D: reshuffle, draw 1" in stage.text(columns, rows)
    stage.press("d")
    assert "The discard pile was reshuffled" in stage.log[-1]


def test_the_word_that_cannot_be_said_with_the_last_card_now() -> None:
    stage = Stage(scripted("mau-mau", ["9h", "8c Kc Td"], up="Tc", stock="7s " * 8))
    stage.press("o")
    assert stage.prompt == "Say “Mau!” with your last card, but you can’t play it now."


def test_a_suit_alone_is_no_key_where_signs_are_letters() -> None:
    stage = two(settings=TerminalSettings(ascii_only=True))
    assert stage.prompt.startswith("YOUR TURN  Match diamonds or 9, or any 8")
    stage = two(settings=TerminalSettings(ascii_only=True), up="Qc")
    assert "you need clubs, Q or 8" in stage.prompt
    stage.settings.ascii_only = False
    assert "you need ♣, Q or 8" in stage.prompt


def test_closing_a_box_with_a_key_that_it_does_not_name_is_told() -> None:
    for pressed in ("x", "backspace"):
        stage = Stage(scripted("crazy-eights", ["8h 9s 3s Ks", "9c Qd 7s 6h"], up="9d", stock=DRAWN))
        stage.press("8", "enter")
        assert stage.parts.question.query is not None
        stage.press(pressed)
        assert stage.parts.question.query is None
        assert stage.prompt == "Cancelled. No card was played."


def test_that_another_pick_takes_the_place_of_the_first_is_told_once() -> None:
    stage = two()
    stage.press("9", " ", "9", " ")
    assert stage.prompt == "One card at a time: 9♥ instead of 9♠."
    stage.press("9", " ")
    assert stage.prompt == "YOUR TURN  Enter: play 9♠"
    table = scripted("macau-wars", ["9h 9s 3s Ks", "9c Qd 7s", "6h 6d"], up="9d", stock=DRAWN, dealer=1)
    stage = Stage(table)
    stage.press("9", " ", "9", " ")
    assert "at a time" not in stage.prompt


def test_a_hint_begins_anew_after_what_it_picked_was_put_back() -> None:
    stage = two()
    stage.press("h")
    first = stage.prompt
    assert "Option 1 of 2: " in first
    stage.press("x", "h")
    assert stage.prompt == first


def test_help_names_the_word_of_the_game() -> None:
    for name, word in (("mau-mau", "Mau!"), ("two-four-jack", "One left!"), ("macau-wars", "Macau!")):
        stage = Stage(scripted(name, ["9h Th Kh Qc", "9c Qd 7s", "8h 8d"], up="9d", stock="7h 7d 7c", dealer=1))
        stage.press("?")
        assert f"say “{word}”, now or with your next card" in stage.text(100, 60), name


@pytest.mark.sample
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (200, 60)])
@pytest.mark.parametrize("seats", [2, 4, 7, 10])
def test_a_card_on_its_way_cuts_through_no_seat_and_no_words(columns: int, rows: int, seats: int) -> None:
    hands = ["9h 9s 3s"] * seats
    stage = Stage(scripted("crazy-eights", hands, up="9d", stock=DRAWN), names=NAMES)
    for seat in range(seats):
        for step in (0, 1):
            canvas = stage.canvas(columns, rows)
            heading = next(y for y, line in enumerate(canvas.text().splitlines()) if "Your hand" in line)
            pile = set(_cells(canvas, "enter", None, heading))
            seen = [(x, y) for y in range(heading) for x in range(columns) if canvas.actions[y][x] is not None]
            seen += [(x, y) for y in range(heading) for x in range(columns) if canvas.glyphs[y][x] != " "]
            places = [place for place in seen if place not in pile]
            plain = canvas.text()
            before = [canvas.glyphs[y][x] for x, y in places]
            draw_flash(canvas, Flight(seat, CardFace("9", "♦", "d", "9♦"), 0.0, is_mine=seat == 0), step, heading)
            assert [canvas.glyphs[y][x] for x, y in places] == before
            assert canvas.text() != plain or step, "it is seen"


def test_german_calls_what_fits_otherwise_than_a_pass() -> None:
    stage = two("de", up="Qc")
    assert "du brauchst ♣, Q oder 8" in stage.prompt
    assert "passen" not in stage.prompt


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
def test_while_the_last_play_is_looked_at_it_is_told_and_enter_shows_the_scores(columns: int, rows: int) -> None:
    hands = ["7h 9s Ks", "9h 8s", "7d Kd Qd"]
    stage = Stage(scripted("mau-mau", hands, up="Th", stock="7c 9c Qs", dealer=2), names=("Mia", "Jonas", "Bot Emmy"))
    stage.press("7", "enter")
    stage.moves(1, {"do": "play", "cards": ["9h"]})
    stage.hear(news.RoundEnded(replace(stage.playing.view(), round_over=True, round_points=(0,) * 3), (), 15.0))
    shown = stage.text(columns, rows).splitlines()
    assert shown[-2].strip().startswith("The round is over · Enter: scores")
    assert shown[-1].split()[:2] == ["Enter", "scores"]
    if rows == 20:
        heading = next(at for at, line in enumerate(shown) if "Your hand" in line)
        assert shown[heading - 1].strip() == "Jonas played 9♥."
        assert shown[heading - 2].strip() == ""
    stage.press("d")
    assert stage.prompt == "The round is over. Press Enter for the scores."
    stage.press("enter")
    assert "Total" in stage.text()


def test_cards_that_are_due_are_taken_with_d() -> None:
    stage = Stage(scripted("two-four-jack", ["9s 3s Ks", "2c 9c 7s"], up="6c", stock=DRAWN, dealer=0))
    stage.moves(1, {"do": "play", "cards": ["2c"]})
    assert "D: draw 2" in stage.text()
    assert "D: draw 2" in stage.prompt
