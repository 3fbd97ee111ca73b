"""The Dragon's trick is given away: each key of the box, the mouse, and what the box tells."""

from __future__ import annotations

import pytest

from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, stage
from tests.cli.screen.stage import Stage
from tests.cli.tables import tichu_lead


def won_with_the_dragon() -> Stage:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), TerminalSettings())
    shown.moves(0, {"do": "play", "cards": ["Drg"]})
    for seat in (1, 2, 3):
        shown.moves(seat, {"do": "pass"})
    shown.tick(1)
    return shown


@pytest.mark.parametrize(
    ("keys", "to"),
    [
        (("enter",), 1),
        (("1", "enter"), 1),
        (("2", "enter"), 3),
        (("right", "enter"), 3),
        (("right", "left", "enter"), 1),
        (("down", " "), 3),
        (("p", "enter"), 3),  # Priya, by her first letter
        (("escape", "enter", "2", "enter"), 3),
        (("x", "enter", "end", "enter"), 3),
    ],
)
def test_each_key_gives_it_to_whom_it_says(keys: tuple[str, ...], to: int) -> None:
    shown = won_with_the_dragon()
    for key in keys:
        shown.press(key)
        shown.tick(0.5)
    assert shown.played[-1] == {"do": "collect", "to": to}


@pytest.mark.parametrize(("action", "to"), [(Action("choose", 1), 3), (Action("seat", 1), 1), (Action("seat", 3), 3)])
def test_a_click_on_the_answer_or_on_the_seat_gives_it(action: Action, to: int) -> None:
    shown = won_with_the_dragon()
    assert action in {each for row in shown.canvas().actions for each in row}
    shown.click(action)
    assert shown.played[-1] == {"do": "collect", "to": to}


def test_a_digit_alone_gives_nothing_yet() -> None:
    shown = won_with_the_dragon()
    shown.press("2")
    assert shown.played == []
    assert "Priya: Enter to confirm" in shown.prompt


def test_the_box_tells_points_places_and_cards() -> None:
    text = won_with_the_dragon().text()
    assert "(25 points)" in text
    assert "left ← · 14 cards left" in text
    assert "right → · 14 cards left" in text
    assert "Both are opponents" in text


BOMB = "2s 2j 2k 2p 5k 6p 6k 7s 9j 9k Js Qp Ak Phx"
OTHERS = (
    "3k 3s 4j 5p 6s 7j 8j 8s 9s Tj Jj Qj Kj Aj",
    ACROSS.replace("2j", "3j"),
    "Drg 3p 4p 5j 7k 8k 9p Tp Jp Qs Kk Kp As Mah",
)


def holding_a_bomb(leader: int) -> Stage:
    return stage(tichu_lead([BOMB, *OTHERS], leader), TerminalSettings())


def test_a_second_enter_does_not_break_the_bomb() -> None:
    shown = holding_a_bomb(0)
    shown.press("2", "enter")
    assert "This breaks up your bomb" in shown.text()
    shown.tick(1)
    shown.press("enter")
    assert shown.played == []
    shown.tick(1)
    shown.press("enter", "y", "enter")
    assert [move["cards"] for move in shown.played] == [["2j"]]


def test_hints_keep_a_bomb_whole_as_long_as_they_can() -> None:
    shown, bomb = holding_a_bomb(0), {"2s", "2j", "2k", "2p"}
    hints: list[frozenset[str]] = []
    while len(hints) < 2 or hints[-1] != hints[0]:
        shown.press("h")
        hints.append(frozenset(shown.parts.hand.chosen))
    kinds = ["whole" if not each & bomb else "bomb" if each == bomb else "broken" for each in hints[:-1]]
    assert kinds == sorted(kinds, key=["whole", "broken", "bomb"].index) and len(set(kinds)) == 3


def test_b_bombs_out_of_turn_and_who_owns_the_trick_passes_nothing_ahead() -> None:
    shown = holding_a_bomb(3)
    shown.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    shown.moves(0, {"do": "pass"})
    assert "pass ahead" in shown.text(200, 60)
    shown.press("b")
    assert set(shown.played[-1]["cards"]) == {"2s", "2j", "2k", "2p"}
    assert "pass ahead" not in shown.text(200, 60)
    shown.press("p")
    assert not shown.tichu.pass_ahead
    assert shown.parts.notice.is_no


def test_a_trick_is_taken_without_picking_a_card_first() -> None:
    """A page would show the button as if something were missing."""
    shown = holding_a_bomb(0)
    shown.moves(0, {"do": "play", "cards": ["Ak"]})
    for seat in (1, 2, 3):
        shown.moves(seat, {"do": "pass"})
    offered = {each.name: each.label for each in shown.view.frame.actions}
    assert offered["play"] == "take" and "pick" not in offered
    shown.press("enter")
    assert shown.played[-1]["do"] == "collect"


def test_a_phoenix_that_is_led_counts_one_and_a_half() -> None:
    shown = holding_a_bomb(0)
    shown.press("end", "enter")
    assert "you: single Phoenix (1.5)" in shown.text()
