"""The form for a new table: what its rows set, and where a number ends."""

from __future__ import annotations

import pytest

from cli.terminal.settings import TerminalSettings
from cli.view.effects import Tell
from cli.view.inputs import Act, Choose
from cli.view.model import Effects
from cli.view.opening import OpeningModel
from cli.view.views import Row
from tests.cli.terminal.drawn import keys_of, on_screen, prompt_of, text_of


def opening(game: str, practice: bool = True) -> OpeningModel:
    model = OpeningModel(TerminalSettings(), practice, "Kitchen")
    model.set_game(game)
    return model


def change(model: OpeningModel, row: str, *steps: int) -> Effects:
    """What the last of these steps led to."""
    told: Effects = ()
    for step in steps:
        told = model.update(Act("change", (row, step)))
    return told


def row_of(model: OpeningModel, name: str) -> Row:
    return next(row for row in model.view().rows if row.id == name)


def about(model: OpeningModel, name: str) -> str:
    return " ".join(text for line in row_of(model, name).about for text, _ink in line)


def test_numbers_end_at_their_ends_and_say_so() -> None:
    model = opening("macau-wars")
    told = change(model, "option jokers", *[-1] * 9)
    assert told == (Tell("That’s the limit.", is_no=True),)
    assert model.plan.options == {"jokers": 0}
    assert change(model, "option jokers", 1) == ()
    assert model.plan.options == {"jokers": 1}
    assert change(model, "seats", *[1] * 20) == (Tell("That’s the limit.", is_no=True),)
    assert model.seats == 10


def test_choosing_a_number_comes_round_to_its_beginning() -> None:
    model = opening("crazy-eights")
    change(model, "seats", *[1] * 20)
    model.update(Choose("seats"))
    assert model.seats == 2


def test_a_game_for_four_says_so_and_does_not_forget_how_many_wanted_to_play() -> None:
    model = opening("crazy-eights")
    change(model, "seats", -1, -1)
    assert model.seats == 2
    model.set_game("tichu")
    assert row_of(model, "seats").prompt == "This game always has 4 players."
    assert not row_of(model, "seats").can_change
    model.set_game("mau-mau")
    assert model.plan.seats == 2


def test_a_row_left_to_the_players_tells_what_that_comes_to() -> None:
    model = opening("crazy-eights")
    assert row_of(model, "option hand").cells[1] == "5 (standard for 4)"
    change(model, "seats", -1, -1)
    assert row_of(model, "option hand").cells[1] == "7 (standard for 2)"


def test_macau_wars_deals_five_and_says_nothing_of_the_players() -> None:
    model = opening("macau-wars")
    assert "usually 5." in about(model, "option hand")
    assert "usual for" not in row_of(model, "option hand").cells[1]


def test_fewer_cards_than_usual_are_to_the_left_and_more_to_the_right() -> None:
    model = opening("two-four-jack")
    assert row_of(model, "option hand").cells[1] == "10 (standard for 4)"
    for step, number in ((-1, 9), (1, None), (1, 11)):
        change(model, "option hand", step)
        assert model.options["hand"] == number


def test_a_digit_sets_a_number() -> None:
    model = opening("two-four-jack")
    shown = on_screen(model)
    for row, digit, is_taken in (("option hand", "4", True), ("seats", "3", True), ("seats", "1", False)):
        shown.went_to = row
        shown.key(digit)
        assert ("does nothing here" in prompt_of(shown)) != is_taken
    assert (model.options["hand"], model.seats) == (4, 3)
    shown.went_to = "game"
    shown.key("2")
    assert "does nothing here" in prompt_of(shown)


def test_the_usual_number_typed_is_left_to_the_players_again() -> None:
    model = opening("crazy-eights")
    model.update(Act("set", ("option hand", 4)))
    assert model.options["hand"] == 4
    assert 5 in row_of(model, "option hand").numbers
    model.update(Act("set", ("option hand", 5)))
    assert model.options["hand"] is None


def test_a_row_that_sets_others_shows_what_holds() -> None:
    model = opening("mau-mau")
    change(model, "option sevens", 1, 1)
    assert model.options["sevens"] is False
    change(model, "option preset", 1)
    rows = {row.cells[0]: row.cells[-1] for row in model.view().rows}
    assert rows["German rules"] == rows["Seven: next player draws 2"] == rows["Eights skip"] == "yes"
    assert rows["Drawing"] == "one card a turn"
    change(model, "option sevens", 1)
    rows = {row.cells[0]: row.cells[-1] for row in model.view().rows}
    assert rows["Seven: next player draws 2"] == "no", "one press changes what is seen"


@pytest.mark.parametrize(("lang", "yes", "no"), [("en", "yes", "no"), ("de", "ja", "nein"), ("ja", "あり", "なし")])
def test_an_option_is_on_or_off_in_the_words_for_options(lang: str, yes: str, no: str) -> None:
    model = OpeningModel(TerminalSettings(lang=lang), True, "Kitchen")
    model.set_game("mau-mau")
    assert (row_of(model, "option jack_on_jack").cells[1], row_of(model, "option eights").cells[1]) == (yes, no)


@pytest.mark.sample
@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize("practice", [True, False])
def test_the_way_back_is_among_the_keys_of_a_small_form(lang: str, practice: bool) -> None:
    model = OpeningModel(TerminalSettings(lang=lang), practice, "Kitchen")
    shown = on_screen(model)
    for _row in model.names:
        assert "Esc" in text_of(shown, 60, 20).splitlines()[-1]
        shown.key("down")


def test_a_row_with_one_value_offers_no_change() -> None:
    shown = on_screen(opening("tichu"))
    shown.went_to = "seats"
    assert "←→" not in keys_of(shown)
    shown.went_to = "option target"
    assert "←→" in keys_of(shown)


@pytest.mark.parametrize("game", ["crazy-eights", "two-four-jack", "mau-mau", "macau-wars"])
def test_fewer_cards_are_said_to_make_shorter_rounds(game: str) -> None:
    assert "Fewer cards make shorter rounds." in about(opening(game), "option hand")


@pytest.mark.parametrize("game", ["crazy-eights", "two-four-jack", "mau-mau"])
def test_one_card_a_turn_is_said_to_make_shorter_rounds(game: str) -> None:
    assert "at most one card a turn for shorter rounds." in about(opening(game), "option draw")


def test_a_host_may_forbid_proposed_plays_and_reminders() -> None:
    model = opening("crazy-eights", practice=False)
    assert (model.plan.suggest, model.plan.remind) == (True, True)
    assert "remind" not in model.names, "as usual nothing must be said here"
    told_first = about(model, "suggest")
    change(model, "option last_card", 1)
    for row in ("suggest", "remind"):
        change(model, row, 1)
    assert (model.plan.suggest, model.plan.remind) == (False, False)
    assert about(model, "suggest") != told_first
    assert row_of(model, "remind").cells[1] == "no (forgetting costs)"
    model.set_game("tichu")
    assert "remind" not in model.names, "there is no word to be reminded of"
    assert model.plan.remind
    assert not {"suggest", "remind"} & set(opening("mau-mau").names), "nobody else is there"


def test_a_refused_table_names_the_row_as_it_stands_there() -> None:
    model = opening("crazy-eights")
    model.seats, model.options = 3, {"teams": True}
    assert model.refusal() == "The option Partners needs 4 players, not 3."
    assert model.update(Choose("open")) == (Tell("The option Partners needs 4 players, not 3.", is_no=True),)
    assert model.view().frame.mood == "no"
