"""Where somebody who sees only the screens stumbled in the lists: what a row holds, where a key ends, what a name is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.news import Do, Finished, Moved, Recorded, RoundBegan, Saved, Step
from cli.terminal.render import render
from cli.text import load_translator
from cli.view.effects import AskText
from cli.view.lobby import LobbyPresenter, Unfinished
from cli.view.opening import OpeningPresenter
from cli.view.presenter import REFUSED_S, Presenter
from cli.view.records import Record, RecordsPresenter, short_names, waiting_record, won_by
from cli.view.replay import ReplayPresenter
from cli.view.room import RoomPresenter
from cli.view.saved import saved_page
from cli.view.settings import Settings
from cli.view.views import ListView, Row
from tests.cli.screen.screens import SCREENS, TABLES, finished, recording
from tests.cli.screen.stage import Clock
from tests.cli.tables import scripted

WORDS = load_translator("en")


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
    assert "5, usual for 4 players" in text_of(shown)
    to_row(shown, "seats")
    shown.key("left")
    shown.key("left")
    assert "7, usual for 2 players" in text_of(shown)


def test_macau_wars_deals_five_and_says_nothing_of_the_players() -> None:
    shown = opening("macau-wars")
    to_row(shown, "option hand")
    assert "usually 5." in text_of(shown)
    assert "5, usual for" not in text_of(shown)


def test_fewer_cards_than_usual_are_to_the_left_and_more_to_the_right() -> None:
    shown = opening("two-four-jack")
    to_row(shown, "option hand")
    assert "10, usual for 4 players" in text_of(shown)
    shown.key("left")
    assert shown.options["hand"] == 9
    shown.key("right")
    assert shown.options["hand"] is None
    shown.key("right")
    assert shown.options["hand"] == 11


def test_a_digit_sets_a_number() -> None:
    shown = opening("two-four-jack")
    to_row(shown, "option hand")
    shown.key("4")
    assert shown.options["hand"] == 4
    to_row(shown, "seats")
    shown.key("3")
    assert (shown.seats, shown.notice) == (3, "")
    shown.key("1")
    assert shown.seats == 3
    assert "does nothing here" in shown.notice
    to_row(shown, "game")
    shown.key("2")
    assert "does nothing here" in shown.notice


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


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize("practice", [True, False])
def test_the_way_back_is_among_the_keys_of_a_small_form(lang: str, practice: bool) -> None:
    shown = OpeningPresenter(Settings(lang=lang), Clock(), practice, "Kitchen")
    for _row in shown.names:
        assert "Esc" in text_of(shown).splitlines()[-1]
        shown.key("down")


@pytest.mark.parametrize("game", ["crazy-eights", "two-four-jack", "mau-mau", "macau-wars"])
def test_fewer_cards_are_said_to_make_shorter_rounds(game: str) -> None:
    shown = opening(game)
    to_row(shown, "option hand")
    assert "Fewer make shorter rounds." in " ".join(text_of(shown).split())


@pytest.mark.parametrize("game", ["crazy-eights", "two-four-jack", "mau-mau"])
def test_one_card_a_turn_is_said_to_make_shorter_rounds(game: str) -> None:
    shown = opening(game)
    to_row(shown, "option draw")
    assert "one card a turn at most, which makes shorter rounds." in " ".join(text_of(shown).split())


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


def keys_of(shown: Presenter) -> list[str]:
    return [cap.key for cap in shown.view(80, 24).frame.caps]


def test_what_enter_does_is_not_offered_by_a_second_key() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    assert shown.chosen == "n"
    assert "N" not in keys_of(shown)
    assert "C" in keys_of(shown)
    shown.key("down")
    assert "N" in keys_of(shown)
    assert "C" not in keys_of(shown)


def test_the_cursor_goes_by_itself_to_no_table_where_one_could_only_look_on() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    shown.found(TABLES[1:])
    assert shown.chosen == "n"
    shown.found(TABLES)
    assert shown.table == TABLES[0]


def test_after_a_match_that_was_given_up_a_second_enter_does_not_go_to_strangers() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    shown.came_back(Unfinished("Kitchen", "tichu"))
    shown.found(TABLES)
    assert shown.chosen == "u"
    shown.key("enter")
    assert shown.effects.popleft() == Do("resume")
    shown.came_back(None)
    assert shown.chosen == "n"


def test_a_match_that_was_left_is_gone_to_though_another_row_was_used_before() -> None:
    shown = LobbyPresenter(Settings(), Clock(), "Mira")
    shown.key("b")
    assert shown.effects.popleft() == Do("practise")
    assert shown.chosen == "b"
    shown.came_back(Unfinished("Kitchen", "tichu"))
    assert shown.chosen == "u"
    shown.key("down")
    shown.came_back(Unfinished("Kitchen", "tichu"))
    assert shown.chosen == "n", "it had been there before: the person went on"


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_a_lobby_with_all_its_rows_is_not_cut(lang: str, columns: int, rows: int) -> None:
    shown = LobbyPresenter(Settings(lang=lang), Clock(), "Mira")
    shown.came_back(Unfinished("Root's table", "two-four-jack"))
    shown.found(TABLES[:1])
    text = text_of(shown, columns, rows)
    assert "…" not in text
    assert [letter for letter in "UNCBRY" if f"  {letter}  " not in text] == []
    assert "Ctrl-Q" in text or "Strg-Q" in text


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
    assert won_by(WORDS, Finished(1.0, "left", "tichu", ("A",), ((0,),), (), (), 1)) == "broken off"


def test_the_unfinished_match_is_in_the_list_and_says_why_it_cannot_be_looked_at_yet() -> None:
    left = Unfinished("Kitchen", "tichu", 1.0, ("Mira", "Bot Ada", "Bot Emmy", "Bot Max"), (False, True, True, True))
    over = Record("/x/1", ("2026-11-21 10:00", "Tichu", "Mira, 3 bots", "Mira"))
    shown = RecordsPresenter(Settings(), Clock(), (waiting_record(WORDS, left, "2026-11-21 11:00"), over), ())
    text = text_of(shown)
    assert "11-21 11:00 Tichu         Mira, 3 bots unfinished" in text
    assert "U in the lobby goes back to it" in text
    assert "Enter" not in keys_of(shown)
    shown.key("enter")
    assert not shown.effects
    assert "once it is over" in prompt_of(shown)
    shown.key("down")
    assert "Enter" in keys_of(shown)
    shown.key("enter")
    assert shown.effects.popleft() == Do("replay", "/x/1")


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


@pytest.mark.parametrize("name", ["watching", "shuffling", "replay"])
def test_a_table_without_a_hand_of_ones_own_is_told_in_lines(name: str) -> None:
    shown = SCREENS[name](Settings())
    text = text_of(shown, 40, 12)
    assert "Too small" not in text
    assert not shown.is_unseen, "its keys do what they say"
    assert ("Mia: 6♥" if name == "replay" else "Jonas") in text


def test_the_score_sheet_goes_on_in_a_tiny_window() -> None:
    shown = finished(Settings(), False)
    assert "Total" in shown.text(40, 12)
    shown.tick(1)
    shown.press("enter")
    assert "You are ready" in shown.text(40, 12)


def test_a_replay_tells_draws_in_a_row_as_one_and_who_named_a_suit() -> None:
    local = scripted("crazy-eights", ["8h 6h", "9c Tc Jc", "2d 3d"], up="9h", stock="2c 3c 4c 5c")
    steps = [Step(RoundBegan(1, local.view()), local.view(), 1)]
    moves: list[tuple[int, dict[str, Any]]] = [(0, {"do": "play", "cards": ["8h"], "suit": "s"})]
    for seat, move in [*moves, *[(1, {"do": "draw"})] * 3]:
        before = local.view()
        local.play(seat, move)
        steps.append(Step(Moved(seat, move, before, local.view()), local.view(), 1))
    shown = ReplayPresenter(Recorded(local.game, ("Mia", "Jonas", "Priya"), tuple(steps)), Settings(), Clock())
    shown.key("end")
    assert "named by Mia" in text_of(shown, 80, 24)
    assert shown.story()[-2:] == ["Mia played 8♥ and named ♠.", "Jonas drew 3 cards."]
