"""What a player sets is kept, beside what else stands in the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli.terminal.own_keys import NO_TABLE
from cli.terminal.settings import TerminalSettings
from cli.terminal.theme import THEMES as drawable
from cli.view.effects import Close, SettingsChanged
from cli.view.inputs import Act, Choose
from cli.view.opening import OpeningModel
from cli.view.options import FIELDS, SettingsModel
from cli.view.settings import SYSTEM, THEMES, Settings
from tests.cli.screen.screens import crazy


def read(path: Path, ascii_only: bool = False) -> TerminalSettings:
    return TerminalSettings.read(tomllib.loads(path.read_text(encoding="utf-8")), "en", ascii_only, True, path)


def changed(settings: Settings, row: str, times: int = 1) -> None:
    """The row of the list is changed, and the list closed."""
    model = SettingsModel(settings, lambda: "Fairdeal")
    for _time in range(times):
        assert model.update(Act("change", (row, 1))) == (SettingsChanged(),)
    assert model.update(Act("back")) == (Close(),)


def about(settings: TerminalSettings) -> str:
    """What the list says below its rows."""
    model = SettingsModel(settings, lambda: "Fairdeal")
    return " ".join(text for line in model.view().facts for text, _ink in line)


@pytest.mark.parametrize("row", [row for row in FIELDS if row != "lang"])
def test_each_row_changes_one_setting_and_keeps_it(row: str, tmp_path: Path) -> None:
    field = FIELDS[row]
    settings = TerminalSettings(path=tmp_path / "config.toml")
    before = getattr(settings, field)
    changed(settings, row)
    assert getattr(settings, field) != before
    kept = read(tmp_path / "config.toml")
    assert getattr(kept, field) == getattr(settings, field)
    assert {
        name
        for name, each in FIELDS.items()
        if name != row and getattr(kept, each) != getattr(TerminalSettings(), each)
    } == set()


def test_hints_go_through_their_three_levels(tmp_path: Path) -> None:
    settings = TerminalSettings(path=tmp_path / "config.toml")
    assert settings.hints == "legal"
    changed(settings, "hints")
    assert settings.hints == "suggest"
    changed(settings, "hints")
    assert settings.hints == "off"


def test_nonsense_in_the_file_is_the_usual_setting(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('hints = "all"\nmotion = "slow"\n', encoding="utf-8")
    assert (read(path).hints, read(path).motion) == ("legal", True)


def test_what_else_stands_in_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\nhints = "off"\n\n[keys]\ndraw = "z"\n', encoding="utf-8")
    changed(read(path), "motion")
    kept = read(path)
    assert (kept.hints, kept.motion, kept.keys) == ("off", False, {"draw": "z"})
    assert "# mine" in path.read_text(encoding="utf-8")


def test_a_terminal_without_signs_is_no_wish(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("", encoding="utf-8")
    changed(read(path, ascii_only=True), "sound")
    assert not read(path).ascii_only


@pytest.mark.parametrize(
    ("keys", "kept", "told"),
    [
        ('draw = "z"', {"draw": "z"}, ""),
        ('draw = "Z"', {"draw": "z"}, ""),
        ('draw = "p"\npass = "d"', {"draw": "p", "pass": "d"}, ""),
        ('drow = "z"', {}, "unknown command “drow”. Did you mean “draw”?"),
        ('fly = "z"', {}, "unknown command “fly”. Commands: pick enter draw"),
        ('draw = "f5"', {}, "“f5” is not a single letter or symbol, so “draw” stays on D"),
        ('draw = " "', {}, "is not a single letter or symbol"),
        ('draw = ["z"]', {}, "is not a single letter or symbol"),
        ('draw = "q"', {}, "“q” jumps to cards of that rank, so “draw” stays on D"),
        ("draw = 7", {}, "“7” jumps to cards of that rank"),
        ('draw = "z"\npass = "z"', {"draw": "z"}, "“z” is already used for “draw”, so “pass” stays on P"),
        ('draw = "p"', {}, "“p” is the only key for “pass”, so “draw” stays on D"),
    ],
)
def test_keys_of_ones_own_count_or_are_refused_in_words(
    keys: str, kept: dict[str, str], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"[keys]\n{keys}\n", encoding="utf-8")
    settings = read(path)
    assert settings.keys == kept
    assert (told in about(settings)) if told else (not settings.faults)


def test_something_else_under_keys_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('keys = "vi"\n', encoding="utf-8")
    assert [fault.template for fault in read(path).faults] == [NO_TABLE]


def test_a_command_with_a_key_of_its_own_hears_to_it_alone() -> None:
    shown = crazy(TerminalSettings(keys={"draw": "z"}))
    shown.press("d")
    assert "“d” does nothing here" in shown.prompt
    assert "Z" in [cap.key for cap in shown.screen.picture(80, 24)[1].caps]


def test_a_file_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert TerminalSettings.read({}, "en", False, True, path).faults == ()
    path.write_text('theme = "x\n', encoding="utf-8")
    settings = TerminalSettings.read({}, "en", False, True, path)
    assert "Cannot read config.toml, so it is ignored: Illegal character" in about(settings)


def opening(settings: TerminalSettings, practice: bool = True) -> OpeningModel:
    return OpeningModel(settings, practice, "Kitchen")


@pytest.mark.parametrize("practice", [True, False])
def test_the_next_table_begins_with_the_game_and_options_of_the_last(practice: bool, tmp_path: Path) -> None:
    settings = TerminalSettings(path=tmp_path / "config.toml")
    model = opening(settings)
    model.set_game("macau-wars")
    for name in model.names[2:]:
        model.update(Act("change", (name, 1)))
    model.update(Choose("open"))
    plan = model.plan
    assert plan.options
    found = opening(read(tmp_path / "config.toml"), practice)
    assert (found.plan.game, found.plan.seats, found.plan.options) == ("macau-wars", plan.seats, plan.options)
    assert found.refusal() == ""


@pytest.mark.parametrize(
    "note",
    [
        "",
        "chess 4",
        "tichu",
        "tichu x",
        "tichu 99",
        "tichu 3",
        "tichu 4 target=much",
        "tichu 4 wings=2",
        "tichu 4 =",
        "4",
    ],
)
def test_a_note_that_nothing_can_be_made_of_falls_back_to_the_first_game(note: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'last_table = "{note}"\n', encoding="utf-8")
    usual = opening(TerminalSettings())
    found = opening(read(path))
    assert (found.game, found.seats, found.options) == (usual.game, usual.seats, {})


@pytest.mark.parametrize("value", ["3", "'a\"b'", "['tichu 4']"])
def test_a_note_of_another_kind_is_no_note(value: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"last_table = {value}\n", encoding="utf-8")
    settings = read(path)
    assert settings.last_table == ""
    settings.save()
    assert read(path).last_table == ""


def test_a_page_looks_like_its_device_and_is_silent_unless_something_else_was_chosen(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    page = Settings.read({}, "en", False, True, path)
    assert (page.theme, page.sound) == (SYSTEM, False)
    assert page.words("like this device") in str(SettingsModel(page, lambda: "Fairdeal").view().rows)
    changed(page, "theme")
    changed(page, "sound")
    kept = Settings.read(tomllib.loads(path.read_text()), "en", False, True, path)
    assert (kept.theme, kept.sound) == (THEMES[0], True)
    assert read(path).theme == THEMES[0]
    path.write_text('theme = "system"\n')
    terminal = read(path)
    assert (terminal.theme, terminal.sound) == (THEMES[0], True)


def test_every_theme_that_can_be_chosen_can_be_drawn() -> None:
    assert tuple(drawable) == THEMES
