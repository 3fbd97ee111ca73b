"""What stands on the prompt line, and how long: nothing hides that it is our turn, nothing that is no longer true stays."""

from __future__ import annotations

import pytest

from cli import news
from cli.terminal.canvas import Action
from cli.terminal.draw.frame import fitted
from cli.terminal.settings import TerminalSettings
from cli.view.table.rounds import LAST_PLAY_S
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted, tichu_lead


def dots(stage: Stage) -> set[str]:
    """The cards that are marked as fitting."""
    held = stage.parts.hand.cards
    view = stage.view
    return {each.card for each, card in zip(held, view.hand, strict=True) if card.fits}


def two(first: str = "5h 6h 2c", second: str = "9c Tc Jc", **options: object) -> Stage:
    return Stage(scripted("crazy-eights", [first, second], up="9h", stock="2c 3c 4c", options=options))


def test_a_refusal_goes_when_the_turn_comes() -> None:
    stage = two()
    stage.press("5", "enter", "d")
    assert "It is Jonas’s turn" in stage.prompt
    stage.moves(1, {"do": "draw"})
    assert "It is Jonas’s turn" in stage.prompt, "others move at once: it must be readable"
    stage.tick(2)
    assert "It is Jonas’s turn" not in stage.prompt
    stage.press("d")
    stage.tick(2)
    stage.moves(1, {"do": "draw"})
    assert "It is Jonas’s turn" not in stage.prompt
    stage.press("d")
    stage.moves(1, {"do": "draw"})
    stage.moves(1, {"do": "pass"})
    assert stage.prompt.startswith("YOUR TURN")


def test_what_was_told_around_the_table_does_not_hide_the_turn() -> None:
    stage = Stage(scripted("crazy-eights", ["5h 6h", "9c Tc"], up="9h", stock="2c"), begun=False)
    stage.model.note("Secret-check words: tiger lion")
    stage.hear(news.RoundBegan(1, stage.playing.view()))
    assert stage.prompt.startswith("YOUR TURN")


def test_what_was_asked_for_may_be_read_while_others_move_but_not_in_our_turn() -> None:
    stage = two()
    stage.press("5", "enter")
    stage.click(Action("seat", 0))
    assert "Your last moves: 5♥." in stage.prompt
    stage.moves(1, {"do": "draw"})
    assert stage.prompt.startswith("Your last moves: 5♥.")
    stage.tick(9)
    assert stage.prompt.startswith("Waiting for Jonas")


def test_who_has_slept_is_offered_no_turn_before_it_is_known_whether_it_is_theirs() -> None:
    stage = crazy(TerminalSettings())
    assert stage.prompt.startswith("YOUR TURN")
    stage.hear(news.WasAsleep(60.0))
    assert stage.prompt == "Your computer was asleep. One moment…"
    stage.tick(4)
    assert stage.prompt.startswith("YOUR TURN"), "it still was"


def test_how_far_who_was_away_has_come_is_told() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.CatchingUp(12, 0.356))
    assert stage.prompt == "Catching up: round 12 · 35 %"


def test_the_last_seconds_are_told_over_a_message() -> None:
    stage = two()
    stage.press("2", "enter")
    assert "doesn’t match" in stage.prompt
    stage.hear(news.ClockRuns(0, 4))
    assert "4 s left, then " in stage.prompt


def test_nothing_of_the_table_stands_on_the_score_sheet() -> None:
    stage = crazy(TerminalSettings())
    stage.press("3", "enter", "d")
    assert "It is Jonas’s turn" in stage.prompt
    stage.hear(news.RoundEnded(replace(stage.playing.view(), round_points=(0,) * 8)))
    stage.tick(3)
    assert stage.prompt.startswith("Enter: ready")
    stage.press("z")
    assert "“z” does nothing here" in stage.prompt


def test_for_how_long_we_wait_is_told_when_it_takes_long() -> None:
    stage = two()
    stage.press("5", "enter")
    stage.tick(4)
    assert stage.prompt.startswith("Waiting for Jonas, then you · You played")
    stage.tick(2)
    assert stage.prompt.startswith("Waiting for Jonas, then you · waiting 0:06")


def test_why_a_key_was_refused_does_not_stand_for_ever() -> None:
    stage = two()
    stage.press("+", "z")
    stage.tick(4)
    assert "“z” does nothing here" in stage.prompt
    stage.tick(3)
    assert stage.prompt.startswith("YOUR TURN")


def test_only_what_fits_now_is_marked() -> None:
    stage = two()
    assert dots(stage) == {"5h", "6h"}
    stage.press("2", " ")
    assert dots(stage) == {"5h", "6h"}
    stage.press("x", "5", "enter")
    assert dots(stage) == set()


def test_a_hint_where_nothing_fits_says_what_to_do() -> None:
    stage = two("5c 6c 2c")
    stage.press("h")
    assert stage.prompt == "You can’t play: Press D to draw."
    stage.press("p")
    assert stage.prompt == "You can’t pass yet. Press D to draw."


def test_a_refusal_names_first_what_fits_and_what_is_picked() -> None:
    stage = two()
    stage.press("2", " ", "enter")
    assert stage.prompt.startswith("Playable: 5♥ 6♥ · 2♣ doesn’t match 9♥")
    assert stage.prompt.endswith("Picked: 2♣. X: clear")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_refusals_are_whole(columns: int, rows: int) -> None:
    stage = crazy(TerminalSettings())
    stage.press("2", " ", "enter")
    lines = stage.text(columns, rows).splitlines()[-3:-1]
    assert " ".join(line.strip() for line in lines).endswith("Picked: 2♠. X: clear")


def test_the_word_at_the_wrong_time_says_when_it_is_said() -> None:
    stage = two("5h 6h 2c 3c", last_card=True)
    stage.press("o")
    assert "Too early: say “Last one!” with the play that leaves you one card." in stage.prompt
    stage = Stage(scripted("mau-mau", ["7h 9h", "8c Kc Td"], up="Th", stock="7s " * 8))
    stage.press("o")
    assert stage.prompt == "Too early: say “Mau!” with your very last card."


def test_taking_the_word_back_says_so() -> None:
    stage = two("5h 6h", last_card=True)
    stage.press("o")
    assert "X: undo" in stage.prompt
    stage.press("x")
    assert "You won’t say “Last one!”." in stage.prompt
    stage.press("5", "enter", "n", "enter")
    assert stage.played[0]["call"] is False


def test_the_word_that_is_due_is_asked_for_in_the_prompt() -> None:
    stage = two("5h 6h", last_card=True)
    assert "O: say “Last one!”" in stage.prompt
    stage.press("o", "left")
    assert "O: say “Last one!”" not in stage.prompt


def test_a_question_answers_a_wrong_key() -> None:
    stage = crazy(TerminalSettings())
    stage.press("8", "enter", "z")
    assert stage.prompt.startswith("You can’t answer with “z”.")
    assert not stage.played
    stage.press("3", "enter")
    assert stage.played


def test_without_hints_nothing_tells_what_fits() -> None:
    stage = crazy(TerminalSettings(hints="off"))
    assert dots(stage) == set()
    assert "fit" not in stage.prompt
    view = stage.view
    assert all(card.bright for card in view.hand)
    stage.press("h")
    assert stage.prompt == "Hints are off. Press F2 to turn them on."
    stage.press("enter")
    assert "Fits" not in stage.prompt


def test_the_bomb_glows_also_where_it_cannot_be_played() -> None:
    bomb = "9j 9s 9p 9k 2s 3j 4k 5k 6p 6k 7s Js Qp Ak"
    left = "2k 3s 4j 5p 6s 7j 8j 8s Phx Tj Jj Qj Kj Aj"
    right = "2p 3k 4p 5j 7k 8k Drg Tp Jp Qs Kk Kp As Mah"
    stage = Stage(tichu_lead([bomb, left, ACROSS, right], 1))
    offers = stage.view.frame.actions
    assert [offer.glows for offer in offers if offer.name == "bomb"] == [True]
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 1))
    assert not [offer for offer in stage.view.frame.actions if offer.name == "bomb"]


def test_a_long_line_gives_up_whole_parts() -> None:
    assert fitted("Waiting for Mia · You played K♦. You drew 2.", 60) == "Waiting for Mia · You played K♦. You drew 2."
    assert fitted("Waiting for Mia · You played K♦. You drew 2.", 35) == "Waiting for Mia · You played K♦."
    assert fitted("Waiting for Mia · You played K♦. You drew 2.", 20) == "Waiting for Mia"


def test_the_table_comes_forward_when_the_next_round_has_begun() -> None:
    stage = two()
    stage.hear(news.RoundEnded(replace(stage.playing.view(), round_points=(0, 0))))
    stage.tick(9)
    assert stage.prompt.startswith("Enter: ready")
    stage.hear(news.RoundBegan(2, stage.playing.view()))
    assert stage.prompt.startswith("YOUR TURN")
    assert "Your hand" in stage.text()


def test_a_round_that_ended_while_we_were_away_has_its_sheet_only_if_it_was_the_last() -> None:
    stage = two()
    ended = news.RoundEnded(replace(stage.playing.view(), round_points=(0, 0)), is_past=True)
    for number in (2, 3):
        stage.hear(ended)
        stage.tick(LAST_PLAY_S - 1)
        stage.hear(news.CatchingUp(number, 0.5))
        stage.tick(LAST_PLAY_S - 1)
        assert "R1" not in stage.text()
        stage.hear(news.RoundBegan(number, stage.playing.view()))
        stage.tick(LAST_PLAY_S + 1)
        assert "R1" not in stage.text()
    stage.hear(ended)
    stage.tick(LAST_PLAY_S + 1)
    assert "R3" in stage.text()
    stage.hear(news.RoundBegan(4, stage.playing.view()))
    assert "R3" not in stage.text()


def test_a_sheet_that_was_asked_for_stays_while_past_rounds_are_read() -> None:
    stage = two()
    ended = news.RoundEnded(replace(stage.playing.view(), round_points=(0, 0)), is_past=True)
    stage.hear(ended, news.RoundBegan(2, stage.playing.view()))
    stage.press("f3")
    assert "R1" in stage.text()
    stage.hear(ended)
    assert "R2" in stage.text()
    stage.hear(news.RoundBegan(3, stage.playing.view()))
    assert "R2" in stage.text()


def test_a_key_of_the_table_on_the_sheet_only_shows_the_table() -> None:
    stage = two()
    stage.press("f3", "d")
    assert not stage.played
    assert "Your hand" in stage.text()


def test_hints_begin_anew_with_each_turn() -> None:
    stage = two("5h 6h 2c 7h")
    stage.press("h", "h")
    assert "Option 2 of 3: " in stage.prompt
    stage.press("enter")
    for move in ({"do": "draw"}, {"do": "draw"}, {"do": "draw"}, {"do": "pass"}):
        stage.moves(1, move)
    stage.press("h")
    assert "Option 1 of 2: " in stage.prompt
