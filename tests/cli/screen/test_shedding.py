"""What the shedding games' tables say, told by those who saw only the screen: fours, hints, empty stocks, what is named."""

from __future__ import annotations

from protocol.games import LocalTable
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted


def duel(first: str = "9c Tc", third: str = "6c 7c", seats: int = 3) -> LocalTable:
    """Macau Wars; seat 1 begins and puts a four."""
    hands = [first, "4h 5c 8d", third, "Kc Qc"][:seats]
    return scripted("macau-wars", hands, up="5h", stock="5s " * 20, dealer=2)


def test_who_holds_no_four_is_told_to_pass_and_no_more() -> None:
    stage = Stage(duel())
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert stage.prompt == "YOUR TURN  A four was played and you hold none: P passes"
    stage.press("enter")
    assert stage.prompt == "Only a four answers a four, and you hold none: P passes."
    stage = Stage(duel("4c Tc 9s"))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert "add a 4, or P passes" in stage.prompt
    stage.press("9", "enter")
    assert stage.prompt == "Fits: 4♣ · Only a four answers a four: add one, or P passes."


def test_the_last_call_says_so_and_what_a_pass_brings() -> None:
    stage = Stage(duel("4c Tc 9s"))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert "1 four" in stage.text()
    assert "1 fours" not in stage.text()
    stage.press("p")
    stage.moves(2, {"do": "pass"})
    assert stage.prompt == "YOUR TURN  Last call: add a 4, or P: Jonas gets 1 turn alone · 1 card fits"
    assert "LAST CALL: 1 four" in stage.text()
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
    assert stage.prompt == "YOUR TURN  Last call, you hold no 4 · P: Jonas gets 1 turn alone"


def test_an_empty_stock_is_told_by_what_is_possible() -> None:
    hands = ["5c 9c", "6c 7c", "8d 3d"]
    stage = Stage(scripted("two-four-jack", hands, up="5h", stock=""))
    stage.press("d")
    assert stage.prompt == "Fits: 5♣ · There is nothing to draw: play a card that fits."
    stage = Stage(scripted("two-four-jack", ["6c 7c", *hands[1:]], up="5h", stock=""))
    stage.press("d")
    assert stage.prompt == "There is nothing to draw: P passes."


def test_no_penalty_is_told_only_where_there_can_be_one() -> None:
    assert "no penalty" not in Stage(scripted("crazy-eights", ["5c 9c", "6c 7c"], up="5h", stock="2c")).text()
    assert "no penalty" in Stage(scripted("two-four-jack", ["5c 9c", "6c 7c"], up="5h", stock="2c")).text()
    assert "no penalty" not in Stage(scripted("mau-mau", ["7c 9c", "Tc Kc"], up="7h", stock="Jc")).text()
    sevens = {"sevens": True}
    assert "no penalty" in Stage(scripted("mau-mau", ["8c 9c", "Tc Kc"], up="9h", stock="Jc", options=sevens)).text()
