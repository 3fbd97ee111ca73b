"""Where somebody who sees only the screens stumbled in the lists: what a row holds, where a key ends, what a name is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from cli.news import (
    Do,
    ExportedFiles,
    Finished,
    FoundTable,
    Moved,
    Recorded,
    RecordedStep,
    Remembered,
    RoomChanged,
    RoundBegan,
    TablesSeen,
    Unfinished,
)
from cli.terminal.lists import ListScreen
from cli.terminal.notice import REFUSED_S, TOLD_S
from cli.terminal.settings import TerminalSettings
from cli.view.effects import AskText
from cli.view.inputs import Act, Hear
from cli.view.lobby import LobbyModel, row_of
from cli.view.records import MatchRow, RecordsModel, short_names, waiting_record, won_by
from cli.view.replay import ReplayModel
from cli.view.room import RoomModel
from cli.view.saved import saved_page
from tests.cli.screen.screens import SCREENS, TABLES, finished, guest, parlour, recording
from tests.cli.screen.stage import Clock
from tests.cli.tables import scripted
from tests.cli.terminal.drawn import keys_of, on_screen, prompt_of, text_of

WORDS = TerminalSettings().words


def lobby(*tables: FoundTable, clock: Clock | None = None) -> ListScreen:
    clock = clock or Clock()
    shown = on_screen(LobbyModel(TerminalSettings(), clock, "Mira"), clock)
    shown.send(Hear(TablesSeen(tables)))
    return shown


def remembers(shown: ListScreen, unfinished: Unfinished | None) -> None:
    shown.send(Hear(Remembered("Mira", unfinished)))


# --- names ---


def test_a_name_that_is_not_chosen_yet_is_called_so() -> None:
    model = LobbyModel(TerminalSettings(), Clock(), "Root")
    model.is_own_name = False
    shown = on_screen(model)
    assert "Your name: Root (from your login)" in text_of(shown)


@pytest.mark.parametrize("key", ["y", "c"])
def test_lines_for_a_name_and_an_address_want_something(key: str) -> None:
    shown = lobby()
    shown.key(key)
    asked = shown.effects.popleft()
    assert isinstance(asked, AskText)
    assert asked.needed.startswith("Type a")


# --- the lobby ---


def test_the_doctor_is_called_by_a_key_where_no_table_is_seen() -> None:
    shown = lobby()
    assert "D  Can’t find your friends?" in text_of(shown)
    shown.send(Hear(TablesSeen(TABLES)))
    assert "D  Can’t find your friends?" not in text_of(shown)
    shown.key("d")
    assert shown.effects.popleft() == Do("doctor")


def test_what_enter_does_is_not_offered_by_a_second_key() -> None:
    shown = lobby()
    assert shown.under == "new"
    assert "N" not in keys_of(shown)
    assert "C" in keys_of(shown)
    shown.key("down")
    assert "N" in keys_of(shown)
    assert "C" not in keys_of(shown)


def test_by_itself_the_cursor_prefers_an_open_room_to_one_whose_match_is_running() -> None:
    shown = lobby(*TABLES[1:])
    assert shown.under == row_of(TABLES[1]), "one joins its room, and plays in the next match"
    shown.send(Hear(TablesSeen(TABLES)))
    assert shown.under == row_of(TABLES[0])


def test_after_a_match_that_was_given_up_a_second_enter_does_not_go_to_strangers() -> None:
    shown = lobby(*TABLES)
    remembers(shown, Unfinished("Kitchen", "tichu"))
    assert shown.under == "resume"
    shown.key("enter")
    assert shown.effects.popleft() == Do("resume")
    remembers(shown, None)
    assert shown.under == "new"


def test_a_match_that_was_left_is_gone_to_though_another_row_was_used_before() -> None:
    shown = lobby()
    shown.key("b")
    assert shown.effects.popleft() == Do("practise")
    assert shown.under == "practise"
    remembers(shown, Unfinished("Kitchen", "tichu"))
    assert shown.under == "resume"
    shown.key("down")
    remembers(shown, Unfinished("Kitchen", "tichu"))
    assert shown.under == "new", "it had been there before: the person went on"


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_a_lobby_with_all_its_rows_is_not_cut(lang: str, columns: int, rows: int) -> None:
    shown = on_screen(LobbyModel(TerminalSettings(lang=lang), Clock(), "Mira"))
    remembers(shown, Unfinished("Root's table", "two-four-jack"))
    shown.send(Hear(TablesSeen(TABLES[:1])))
    text = text_of(shown, columns, rows)
    assert "…" not in text
    assert [letter for letter in "UNCBRY" if f"  {letter}  " not in text] == []
    assert "Ctrl-Q" in text or "Strg-Q" in text


# --- words that lapse ---


@pytest.mark.parametrize("name", ["lobby", "opening", "settings", "records", "room"])
def test_that_a_key_means_nothing_is_said_for_a_few_seconds(name: str) -> None:
    shown = SCREENS[name](TerminalSettings())
    shown.key("%")
    assert "does nothing here" in prompt_of(shown)
    assert isinstance(shown.clock, Clock)
    shown.clock.passes(REFUSED_S + 0.1)
    assert shown.tick()
    assert "does nothing here" not in prompt_of(shown)


def test_what_only_the_host_can_do_and_that_we_host_now_hides_the_prompt_for_a_while_only() -> None:
    people = (guest(b"mia", "Mia"), guest(b"kim", "Kim"))
    shown = on_screen(RoomModel(TerminalSettings(), b"kim", False))
    shown.send(Hear(RoomChanged(parlour(people))))
    assert isinstance(shown.clock, Clock)
    shown.send(Act("bot"))
    assert "Only Mia" in prompt_of(shown)
    shown.clock.passes(TOLD_S + 0.1)
    shown.tick()
    assert "I’m ready" in prompt_of(shown)
    shown.send(Hear(RoomChanged(parlour(people, host=b"kim"))))
    assert prompt_of(shown) == "You host this room now."
    shown.clock.passes(TOLD_S + 0.1)
    shown.tick()
    assert "I’m ready" in prompt_of(shown)


def test_what_is_no_refusal_stands_until_the_next_key() -> None:
    shown = lobby()
    shown.say("Match saved. Press R to replay it.")
    assert isinstance(shown.clock, Clock)
    shown.clock.passes(60)
    shown.tick()
    assert prompt_of(shown) == "Match saved. Press R to replay it."


# --- the waiting room ---


def test_before_the_room_is_there_only_leaving_is_offered() -> None:
    shown = on_screen(RoomModel(TerminalSettings(), b"me", True))
    assert list(keys_of(shown)) == ["Esc"]
    assert "Add a bot" not in text_of(shown)


# --- what was saved ---


def test_the_folder_is_named_and_both_files_with_what_they_are_for(tmp_path: Path) -> None:
    folder = Path.home() / "games" / "with-a-rather-long-name-of-its-own-that-is" / "evening"
    saved = ExportedFiles(folder / "evening-20261121-104500.txt", folder / "evening-20261121-104500.fairdeal")
    text = text_of(on_screen(saved_page(TerminalSettings(), saved, tmp_path)))
    assert "~/games/with-a-rather-long-name-of-its-own-that-is/evening" in "".join(
        line.strip() for line in text.splitlines()
    )
    for part in ("evening-20261121-104500.txt", "evening-20261121-104500.fairdeal", "as text", "fairdeal verify"):
        assert part in text
    assert "cannot be written" not in text


def test_where_the_own_folder_had_to_take_it_that_is_said(tmp_path: Path) -> None:
    saved = ExportedFiles(tmp_path / "saved" / "evening.txt", None)
    text = text_of(on_screen(saved_page(TerminalSettings(), saved, tmp_path)))
    assert "can’t write to the folder it was started in" in " ".join(text.split())
    assert "fairdeal verify" not in text
    assert "…" not in text
    assert str(tmp_path / "saved") in "".join(line.strip() for line in text.splitlines())


def test_of_a_page_s_downloads_no_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.view.saved.sys.platform", "emscripten")
    text = text_of(on_screen(saved_page(TerminalSettings(), ExportedFiles(tmp_path / "evening.txt", None), tmp_path)))
    assert "evening.txt" in text and "Folder" not in text


# --- replays ---


def test_matches_are_told_apart_by_people_and_winners() -> None:
    assert short_names(WORDS, ("Mira", "Bot Ada", "Bot Emmy"), (False, True, True)) == "Mira, 2 bots"
    assert short_names(WORDS, ("Mira", "Jonas"), (False, False)) == "Mira, Jonas"
    match = Finished(1.0, "finished", "tichu", ("A", "B", "Bot C", "D"), ((0, 2), (1, 3)), (1010, 640), (0, 2), 9)
    assert won_by(WORDS, match) == "A+C"
    assert won_by(WORDS, Finished(1.0, "left", "tichu", ("A",), ((0,),), (), (), 1)) == "not finished"


def test_the_unfinished_match_is_in_the_list_and_can_be_rejoined_there() -> None:
    begun = time.mktime((2026, 11, 21, 11, 0, 0, 0, 0, -1))
    left = Unfinished(
        "Kitchen", "tichu", begun, ("Mira", "Bot Ada", "Bot Emmy", "Bot Max"), (False, True, True, True), "ab"
    )
    over = MatchRow("/x/1", "2026-11-21 10:00", ("Tichu", "Mira, 3 bots", "Mira"))
    shown = on_screen(RecordsModel(TerminalSettings(), (waiting_record(WORDS, left), over), ()))
    text = text_of(shown, 60, 20)
    assert "11-21 11:00 Tichu         Mira, 3 bots unfinished" in text
    assert "Unfinished. Hands stay secret until the match is" in text
    assert keys_of(shown)["Enter"] == "rejoin"
    shown.key("enter")
    assert shown.effects.popleft() == Do("resume", "ab")
    shown.key("down")
    shown.key("enter")
    assert shown.effects.popleft() == Do("replay", "/x/1")


def test_hands_that_were_never_opened_are_called_hidden() -> None:
    shown = on_screen(ReplayModel(recording(), TerminalSettings(), Clock(), "/x/1"))
    text = text_of(shown, 60, 20)
    assert "Hands are hidden" in text
    assert "2 cards, hidden" in text
    shown.key("right")
    assert "hidden" not in text_of(shown, 60, 20)
    assert "All hands" in text_of(shown, 60, 20)


def test_a_jump_is_offered_only_where_there_is_a_round_to_jump_to() -> None:
    model = ReplayModel(recording(), TerminalSettings(), Clock(), "/x/1")
    model.rounds = [0, 2]
    model.at = 0
    offered = [each.name for each in model.view().frame.actions]
    assert "next-round" in offered
    assert "round-before" not in offered
    model.at = 2
    offered = [each.name for each in model.view().frame.actions]
    assert "next-round" not in offered
    assert "round-before" in offered


# --- small windows ---


@pytest.mark.parametrize("name", ["lobby", "opening", "settings", "records", "room", "choosing"])
def test_lists_go_on_in_a_tiny_window(name: str) -> None:
    shown = SCREENS[name](TerminalSettings())
    text = text_of(shown, 40, 12)
    assert "Too small" not in text
    assert "Esc" in text or "Enter" in text
    shown.key("down")
    assert text_of(shown, 40, 12) != text, "the cursor has moved"


@pytest.mark.parametrize("name", ["watching", "shuffling", "replay"])
def test_a_table_without_a_hand_of_ones_own_is_told_in_lines(name: str) -> None:
    shown = SCREENS[name](TerminalSettings())
    text = text_of(shown, 40, 12)
    assert "Too small" not in text
    assert not shown.is_unseen, "its keys do what they say"
    assert ("Mia: 6♥" if name == "replay" else "Jonas") in text


def test_the_score_sheet_goes_on_in_a_tiny_window() -> None:
    shown = finished(TerminalSettings(), False)
    assert "Total" in shown.text(40, 12)
    shown.tick(1)
    shown.press("enter")
    assert "You are ready" in shown.text(40, 12)


def test_a_replay_tells_draws_in_a_row_as_one_and_who_named_a_suit() -> None:
    local = scripted("crazy-eights", ["8h 6h", "9c Tc Jc", "2d 3d"], up="9h", stock="2c 3c 4c 5c")
    steps = [RecordedStep(RoundBegan(1, local.public_view()), local.public_view(), 1)]
    moves: list[tuple[int, dict[str, Any]]] = [(0, {"do": "play", "cards": ["8h"], "suit": "s"})]
    for seat, move in [*moves, *[(1, {"do": "draw"})] * 3]:
        before = local.public_view()
        local.play(seat, move)
        steps.append(RecordedStep(Moved(seat, move, before, local.public_view()), local.public_view(), 1))
    model = ReplayModel(Recorded(local.game, ("Mia", "Jonas", "Priya"), tuple(steps)), TerminalSettings(), Clock())
    shown = on_screen(model)
    shown.key("end")
    assert "chosen by Mia" in text_of(shown)
    assert model.story()[-2:] == ["Mia played 8♥ and chose ♠.", "Jonas drew 3 cards."]
