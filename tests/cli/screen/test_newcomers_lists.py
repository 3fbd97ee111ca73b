"""Where somebody who sees only the screens stumbled in the lists: what a row holds, where a key ends, what a name is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands.scores import Finished
from cli.screen.effects import AskText, Do
from cli.screen.exporting import Saved
from cli.screen.present.lobby import LobbyPresenter
from cli.screen.present.opening import OpeningPresenter
from cli.screen.present.presenter import REFUSED_S, Presenter
from cli.screen.present.records import short_names, won_by
from cli.screen.present.replay import ReplayPresenter
from cli.screen.present.room import RoomPresenter
from cli.screen.present.saved import saved_page
from cli.screen.render import render
from cli.screen.settings import Settings
from cli.screen.views import ListView, Row
from cli.words import load_words
from tests.cli.screen.screens import SCREENS, TABLES, finished, recording
from tests.cli.screen.stage import Clock

WORDS = load_words("en")


def text_of(presenter: Presenter, columns: int = 60, rows: int = 20) -> str:
    own = presenter.settings
    return render(presenter.view(columns, rows), columns, rows, own.shown, own.words).text()


def prompt_of(presenter: Presenter) -> str:
    return presenter.view(80, 24).frame.prompt


def opening(game: str, practice: bool = True) -> OpeningPresenter:
    shown = OpeningPresenter(Settings(), Clock(), practice, "Kitchen")
    shown._set_game(game)
    return shown


def to_row(shown: OpeningPresenter, name: str) -> None:
    shown.cursor = shown.names.index(name)


# --- the opening form ---


def test_numbers_end_at_their_ends_and_say_so() -> None:
    shown = opening("macau-wars")
    to_row(shown, "option jokers")
    for _press in range(9):
        shown.key("left")
    assert "no further" in prompt_of(shown).lower()
    assert shown.plan.options == {"jokers": 0}
    shown.key("right")
    assert shown.plan.options == {"jokers": 1}
    to_row(shown, "seats")
    for _press in range(20):
        shown.key("right")
    assert shown.seats == 10
    assert "← goes back" in prompt_of(shown)


def test_enter_on_a_number_comes_round_to_its_beginning() -> None:
    shown = opening("crazy-eights")
    to_row(shown, "seats")
    shown.seats = shown._wished = 10
    shown.key("enter")
    assert shown.seats == 2


def test_a_game_for_four_says_so_and_does_not_forget_how_many_wanted_to_play() -> None:
    shown = opening("crazy-eights")
    to_row(shown, "seats")
    shown.key("left")
    shown.key("left")
    assert shown.seats == 2
    shown._set_game("tichu")
    to_row(shown, "seats")
    assert prompt_of(shown) == "This game is always for 4."
    assert "←→" not in [cap.key for cap in shown.view(80, 24).frame.caps]
    shown._set_game("mau-mau")
    assert shown.plan.seats == 2


def test_a_row_left_to_the_players_tells_what_that_comes_to() -> None:
    shown = opening("crazy-eights")
    assert "5, by the players" in text_of(shown)
    to_row(shown, "seats")
    shown.key("left")
    shown.key("left")
    assert "7, by the players" in text_of(shown)


def test_macau_wars_deals_five_and_says_nothing_of_the_players() -> None:
    shown = opening("macau-wars")
    to_row(shown, "option hand")
    assert "usually 5." in text_of(shown)
    assert "by the number of players" not in text_of(shown)


def test_a_row_that_sets_others_shows_what_holds() -> None:
    shown = opening("mau-mau")
    to_row(shown, "option sevens")
    shown.key("right")
    shown.key("right")
    assert shown.options["sevens"] is False
    to_row(shown, "option preset")
    shown.key("right")
    view = shown.view(80, 24)
    assert isinstance(view, ListView)
    rows = {row.cells[0]: row.cells[1] for row in view.rows if isinstance(row, Row)}
    assert rows["German rules"] == rows["Sevens: the next takes two"] == rows["Eights skip"] == "yes"
    assert rows["Drawing"] == "one card a turn"


# --- names ---


def test_a_name_that_is_not_chosen_yet_is_called_so() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Root")
    shown.is_own_name = False
    assert "Your name: Root (so far your login’s)" in text_of(shown)


@pytest.mark.parametrize("key", ["y", "c"])
def test_lines_for_a_name_and_an_address_want_something(key: str) -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Root")
    shown.key(key)
    asked = shown.effects.popleft()
    assert isinstance(asked, AskText)
    assert "needed" in asked.needed


# --- the lobby ---


def test_the_doctor_is_called_by_a_key_where_no_table_is_seen() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    assert "D  Doctor" in text_of(shown)
    shown.found(TABLES)
    assert "D  Doctor" not in text_of(shown)
    shown.key("d")
    assert shown.effects.popleft() == Do("doctor")


# --- words that lapse ---


@pytest.mark.parametrize("name", ["lobby", "opening", "settings", "records", "room"])
def test_that_a_key_means_nothing_is_said_for_a_few_seconds(name: str) -> None:
    shown = SCREENS[name](Settings())
    shown.key("%")
    assert "does nothing here" in prompt_of(shown)
    assert isinstance(shown.clock, Clock)
    shown.clock.passes(REFUSED_S + 0.1)
    assert shown.tick()
    assert "does nothing here" not in prompt_of(shown)


def test_what_is_no_refusal_stands_until_the_next_key() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    shown.say("Saved: R shows it again.")
    assert isinstance(shown.clock, Clock)
    shown.clock.passes(60)
    shown.tick()
    assert prompt_of(shown) == "Saved: R shows it again."


# --- the waiting room ---


def test_before_the_room_is_there_only_leaving_is_offered() -> None:
    shown = RoomPresenter(Settings(), Clock(), b"me", True)
    assert [cap.key for cap in shown.view(80, 24).frame.caps] == ["Esc"]
    assert "Seat a bot" not in text_of(shown)


# --- what was saved ---


def test_the_folder_is_named_and_both_files_with_what_they_are_for(tmp_path: Path) -> None:
    folder = Path.home() / "games" / "with-a-rather-long-name-of-its-own-that-is" / "evening"
    saved = Saved(folder / "evening-20261121-104500.txt", folder / "evening-20261121-104500.fairdeal")
    text = text_of(saved_page(Settings(), Clock(), saved, tmp_path))
    assert "~/games/with-a-rather-long-name-of-its-own-that-is/evening" in "".join(
        line.strip() for line in text.splitlines()
    )
    for part in ("evening-20261121-104500.txt", "evening-20261121-104500.fairdeal", "to read", "fairdeal verify"):
        assert part in text
    assert "cannot be written" not in text


def test_where_the_own_folder_had_to_take_it_that_is_said(tmp_path: Path) -> None:
    saved = Saved(tmp_path / "saved" / "evening.txt", None)
    text = text_of(saved_page(Settings(), Clock(), saved, tmp_path))
    assert "cannot be written to" in " ".join(text.split())
    assert "fairdeal verify" not in text
    assert "…" not in text
    assert str(tmp_path / "saved") in "".join(line.strip() for line in text.splitlines())


# --- replays ---


def test_matches_are_told_apart_by_people_and_winners() -> None:
    assert short_names(WORDS, ("Mira", "Bot Ada", "Bot Emmy"), (False, True, True)) == "Mira, 2 bots"
    assert short_names(WORDS, ("Mira", "Jonas"), (False, False)) == "Mira, Jonas"
    match = Finished(1.0, "finished", "tichu", ("A", "B", "Bot C", "D"), ((0, 2), (1, 3)), (1010, 640), (0, 2), 9)
    assert won_by(WORDS, match) == "A+C"
    assert won_by(WORDS, Finished(1.0, "left", "tichu", ("A",), ((0,),), (), (), 1)) == "not finished"


def test_hands_that_were_never_opened_are_called_hidden() -> None:
    shown = ReplayPresenter(recording(), Settings(), Clock(), "/x/1")
    text = text_of(shown)
    assert "Hands stay hidden" in text
    assert "2 cards, hidden" in text
    shown.key("right")
    assert "hidden" not in text_of(shown)
    assert "All hands" in text_of(shown)


def test_a_jump_is_offered_only_where_there_is_a_round_to_jump_to() -> None:
    shown = ReplayPresenter(recording(), Settings(), Clock(), "/x/1")
    shown.rounds = [0, 2]
    shown.at = 0
    keys = [cap.key for cap in shown.view(200, 60).frame.caps]
    assert "N" in keys
    assert "B" not in keys
    shown.at = 2
    keys = [cap.key for cap in shown.view(200, 60).frame.caps]
    assert "N" not in keys
    assert "B" in keys


# --- small windows ---


@pytest.mark.parametrize("name", ["lobby", "opening", "settings", "records", "room", "choosing"])
def test_lists_go_on_in_a_tiny_window(name: str) -> None:
    shown = SCREENS[name](Settings())
    text = text_of(shown, 40, 12)
    assert "Too small" not in text
    assert "Esc" in text or "Enter" in text
    shown.key("down")
    assert text_of(shown, 40, 12) != text, "the cursor has moved"


def test_the_score_sheet_goes_on_in_a_tiny_window() -> None:
    shown = finished(Settings(), False)
    assert "Total" in shown.text(40, 12)
    shown.tick(1)
    shown.press("enter")
    assert "You are ready" in shown.text(40, 12)
