"""What helps a newcomer at Tichu: hints for the two first questions, whom we wait for and why, cards that complete a pick."""

from __future__ import annotations

import pytest

from cli import news
from cli.games.tichu.combos import tidy
from cli.news import Suggestion
from cli.terminal.draw.seats import fitted_note
from cli.terminal.settings import TerminalSettings
from protocol.games import LocalTable
from protocol.values import replace
from tests.cli.screen.screens import exchange_stage, table
from tests.cli.screen.stage import Stage
from tests.cli.tables import cards, tichu_lead

FULL = "2k 2p Jj Jk Js 4j 4k 4p 4s 7k 8k 9j Tk Drg"


def holding(hand: str) -> Stage:
    """We hold these and lead; the others hold the rest."""
    deck = table("tichu", 4).game.deck
    rest = [card for card in deck if card not in cards(hand)]
    return Stage(tichu_lead([hand, *(" ".join(rest[at * 14 : at * 14 + 14]) for at in range(3))], 0))


def log_of(stage: Stage) -> list[str]:
    return stage.log


@pytest.mark.parametrize(
    ("eight", "called", "why"),
    [
        ("Drg Phx Ak 2k 3p 4s 5j 7k", False, "yes, your hand is strong (A★ Phoenix Dragon)"),
        ("Drg 2j 3k 3p 4s 5j 7k 8k", False, "no, Dragon is not enough"),
        ("Mah 2j 3k 3p 4s 5j 7k 8k", False, "no, you have no Dragon, Phoenix or ace"),
        ("Drg Phx Ak 2k 3p 4s 5j 7k", True, "no, your partner has already called"),
    ],
)
def test_a_proposal_for_grand_tichu_says_why(eight: str, called: bool, why: str) -> None:
    fresh = table("tichu", 4)
    first = cards(eight)
    others = [card for card in fresh.game.deck if card not in first]
    dealt = [first, *(others[at * 8 : at * 8 + 8] for at in range(3))]
    stage = Stage(
        LocalTable.resume(fresh.game, fresh._rng, fresh.state, dealt, ()), 0, settings=TerminalSettings(hints="suggest")
    )
    if called:
        stage.moves(2, {"do": "grand", "call": True})
    stage.press("h")
    assert stage.prompt == f"Suggestion: {why} · Enter: confirm"


@pytest.mark.parametrize("level", ["off", "legal"])
def test_without_proposals_the_two_first_questions_have_a_rule_of_thumb_at_most(level: str) -> None:
    for stage in (
        exchange_stage(TerminalSettings(hints=level)),
        Stage(table("tichu", 4, 5), settings=TerminalSettings(hints=level)),
    ):
        stage.press("h")
        assert stage.prompt.startswith("Hints are off" if level == "off" else "Tip: ")
        assert stage.prompt.endswith(
            "Press F2 to turn them on."
            if level == "off"
            else "For advice on this hand, choose “suggest a play” under F2."
        )
        assert stage.tichu.exchange.gifts == [None, None, None]
        assert stage.screen.picture(80, 24)[1].choice == (0 if stage.tichu.phase == "give" else 1)
    stage = exchange_stage(TerminalSettings(hints="suggest"))
    stage.practice.facts = replace(stage.practice.facts, suggest=False)
    stage.press("h")
    assert stage.prompt.startswith("Tip: ")
    assert "F2" not in stage.prompt
    assert stage.tichu.exchange.gifts == [None, None, None]


def test_a_gift_that_changes_hands_is_told_and_its_number_stands_below_the_card() -> None:
    stage = exchange_stage(TerminalSettings())
    stage.press("x", "home", "1")
    assert stage.screen.picture(80, 24)[1].cursor == 1
    assert stage.prompt.endswith(" goes to Jonas · 1 2 3: who gets the card marked ▲?")
    stage.press("home", "2")
    assert stage.prompt.endswith(" now goes to ハナコ instead of Jonas.")
    where = stage.canvas().cursor
    assert where is not None
    assert where[1] > 12  # in the hand, as that is where one goes along
    lines = stage.text().splitlines()
    below = next(at for at in reversed(range(24)) if "▲" in lines[at])
    # A picked card is lifted by one row: its rank stands four rows above its mark.
    assert lines[below - 4][lines[below].index("2")] == stage.parts.hand.cards[0].card[0]


def test_what_a_key_brought_stands_on_while_others_lay_out_their_cards() -> None:
    stage = exchange_stage(TerminalSettings())
    stage.press("h")
    assert stage.prompt.startswith("Tip: ")
    stage.moves(3, {"do": "give", "cards": list(stage.table.hands[3][:3])})
    assert stage.prompt.startswith("Tip: ")


def test_who_is_awaited_before_the_first_lead_is_told_for_what() -> None:
    stage = exchange_stage(TerminalSettings())
    stage.press("x", *("1", "2", "3"), "enter")
    assert stage.prompt.startswith("Waiting for ")
    assert " to pass cards" in stage.prompt
    fresh = Stage(table("tichu", 4, 5))
    fresh.press("n", "enter")
    assert " to answer Grand Tichu" in fresh.prompt


def test_a_full_house_is_laid_with_its_triple_first_and_a_straight_from_low_to_high() -> None:
    assert tuple(tidy(cards("3k 3p 5j 5k 5s"), None)) == cards("5j 5k 5s 3k 3p")
    assert tuple(tidy(cards("9k Phx 9j 4s 4p"), "9")) == cards("9j 9k Phx 4p 4s")
    assert tuple(tidy(cards("6s 3k Mah Phx 4p 2k"), "5")) == cards("Mah 2k 3k 4p Phx 6s")
    hand = "3k 3p 5j 5k 5s 7k 8k 9j Tk Jk Qk Kk Ak Drg"
    stage = holding(hand)
    stage.press("3", " ", "3", " ", "5", " ", "5", " ", "5", " ", "enter")
    assert tuple(stage.played[0]["cards"]) == cards("5j 5k 5s 3k 3p")
    assert any(text.startswith("You played a full house with three fives: 5") for text in log_of(stage))


def test_cards_that_would_complete_it_are_named_before_those_to_drop() -> None:
    stage = holding(FULL)
    stage.press("j", " ", "2", " ", "2", " ")
    assert stage.prompt.startswith("YOUR TURN  Not a combination: add J")
    assert "or drop J" in stage.prompt


def test_the_only_bomb_is_called_so() -> None:
    stage = holding(FULL)
    stage.press("b")
    assert stage.prompt.startswith("Bomb: ")
    stage.press("b")
    assert stage.prompt.startswith("This is your only bomb: ")
    assert set(stage.chosen) == set(cards("4j 4k 4p 4s"))


def test_a_call_that_comes_too_late_or_twice_or_too_soon_is_told_why() -> None:
    stage = holding(FULL)
    stage.press("t", "y", "enter", "t")
    assert stage.prompt == "You’ve already called Tichu."
    stage = holding(FULL)
    stage.moves(0, {"do": "play", "cards": ["2k"]})
    stage.press("t")
    assert stage.prompt == "You’ve already played. Call Tichu before your first card."
    stage = Stage(table("tichu", 4, 5))
    stage.press("t")
    assert stage.prompt == "Answer Grand Tichu first. You can call Tichu once you have 14 cards."


def test_who_holds_no_bomb_is_told_what_one_is() -> None:
    stage = holding("2k 3p 4j 5k 5s 7k 8k 9j Tk Jk Qp Kk Aj Drg")
    stage.press("b")
    assert stage.prompt.startswith("You have no bomb (four of a kind")


def test_who_leads_in_place_of_one_who_is_out_stands_on_the_table() -> None:
    """Mia goes out with an ace that nobody beats; Jonas, who comes next, leads."""
    hands = ["As", "2k 3k 4j", "2p 3p 4p", "2j 3j 4k"]
    for seat, note in (
        (0, "you are out: Jonas leads"),
        (1, "Mia is out: you lead"),
        (3, "Mia is out: Jonas leads"),
    ):
        stage = Stage(tichu_lead(hands, 0), seat)
        stage.moves(0, {"do": "play", "cards": ["As"]})
        for each in (1, 2, 3):
            stage.moves(each, {"do": "pass"})
        stage.moves(0, {"do": "collect"})
        assert note in stage.text(60, 20)
        assert note in stage.text(80, 24)
        stage.moves(1, {"do": "play", "cards": ["2k"]})
        assert "is out:" not in stage.text(60, 20).partition("Your hand")[0]


def test_a_note_at_a_seat_is_not_cut_within_a_part() -> None:
    assert fitted_note("Tichu lost · passes", 16) == "Tichu lost"
    assert fitted_note("TICHU! · passes", 16) == "TICHU! · passes"
    assert fitted_note("computer plays", 14, "computer") == "computer plays"
    assert fitted_note("computer plays", 13, "computer") == "computer"
    assert fitted_note("computer plays", 7, "computer") == "computer plays", "cut where it is drawn"


def test_what_beats_a_trick_is_played_with_enter_in_a_small_window_too() -> None:
    hands = ["9j 9k 9s 3k 3p Tj", "8j 8k 8s 4j 4k Tk", "2p 2j 2k 5p 5j 5k", "7p 7j 7k 6k 6s 6p"]
    stage = Stage(tichu_lead(hands, 1))
    stage.moves(1, {"do": "play", "cards": ["8j", "8k", "8s", "4j", "4k"]})
    for each in (2, 3):
        stage.moves(each, {"do": "pass"})
    for key in "99933":
        stage.press(key, " ")
    assert stage.text(60, 20).splitlines()[-2].strip() == ("YOUR TURN  Full house of 9s beats 8s · Enter: play")


def test_a_proposal_clears_the_way_for_enter_at_once() -> None:
    """The trick was taken by itself a moment ago; what has been picked since is meant all the same."""
    stage = Stage(tichu_lead([FULL, "3k 3p", "3j 3s", "5j 5k"], 0), settings=TerminalSettings(hints="suggest"))
    stage.moves(0, {"do": "play", "cards": ["Tk"]})
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    stage.tick(1.3)
    stage.press("h", "enter")
    assert [move["do"] for move in stage.played] == ["collect", "play"]


def test_the_partners_trick_is_called_so() -> None:
    hands = ["9j 9k Ts", "8j 8k Tk", "2p 7k", "3p 3j"]
    stage = Stage(tichu_lead(hands, 2))
    stage.moves(2, {"do": "play", "cards": ["7k"]})
    stage.moves(3, {"do": "pass"})
    assert stage.prompt.startswith("YOUR TURN  Your partner is winning: press P to pass, or beat it")
    stage = Stage(tichu_lead(hands, 1))
    stage.moves(1, {"do": "play", "cards": ["8j"]})
    for seat in (2, 3):
        stage.moves(seat, {"do": "pass"})
    assert stage.prompt.startswith("YOUR TURN  Beat the trick, or press P to pass")


BOMB = "2s 2j 2k 2p 5k 6p"


def test_a_proposal_that_breaks_a_bomb_says_so() -> None:
    stage = Stage(tichu_lead([BOMB, "3k 3p", "3j 3s", "5j 5s"], 0), settings=TerminalSettings(hints="suggest"))
    stage.press("h")

    stage.screen.take(stage.model.advised(Suggestion({"do": "play", "cards": ["2s", "2j"]})))
    assert stage.prompt == "Suggestion: 2† 2◆ (breaks up your bomb) · Enter: play"
    stage.press("h")
    stage.screen.take(stage.model.advised(Suggestion({"do": "play", "cards": ["2s", "2j", "2k", "2p"]})))
    assert "breaks" not in stage.prompt
    stage.press("h")
    stage.screen.take(stage.model.advised(Suggestion({"do": "play", "cards": ["5k"]})))
    assert stage.prompt == "Suggestion: 5★ · Enter: play"


def test_only_an_opponents_trick_is_said_to_be_bombed_now_or_never() -> None:
    hands = [BOMB, "3k 3p", "3j 3s", "4j 4s"]
    stage = Stage(tichu_lead(hands, 1))
    stage.moves(1, {"do": "play", "cards": ["3k"]})
    for seat in (2, 3, 0):
        stage.moves(seat, {"do": "pass"})
    stage.hear(news.Grace(1, 2.0))
    assert stage.prompt.startswith("2 s left to bomb this trick")
    stage = Stage(tichu_lead(hands, 2))
    stage.moves(2, {"do": "play", "cards": ["3j"]})
    for seat in (3, 0, 1):
        stage.moves(seat, {"do": "pass"})
    stage.hear(news.Grace(2, 2.0))
    assert stage.prompt.startswith("ハナコ wins the trick (2 s)")
