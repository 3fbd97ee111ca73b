"""What a player sets is kept, beside what else stands in the file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli.screen.present.options import ROWS, SettingsPresenter
from cli.screen.settings import Settings, settings_from


def read(path: Path, ascii_only: bool = False) -> Settings:
    return settings_from(tomllib.loads(path.read_text(encoding="utf-8")), "en", ascii_only, True, path)


def changed(settings: Settings, row: str, times: int = 1) -> None:
    """The row of the list is changed by its keys, and the list closed."""
    shown = SettingsPresenter(settings, lambda: 0.0, lambda: "Fairdeal")
    for _down in range(ROWS.index(row)):
        shown.key("down")
    for _time in range(times):
        shown.key("right")
    shown.key("escape")
    assert shown.closed


@pytest.mark.parametrize("row", [row for row in ROWS if row != "lang"])
def test_each_row_changes_one_setting_and_keeps_it(row: str, tmp_path: Path) -> None:
    field = {"ascii": "ascii_only"}.get(row, row)
    settings = Settings(path=tmp_path / "config.toml")
    before = getattr(settings, field)
    changed(settings, row)
    assert getattr(settings, field) != before
    kept = read(tmp_path / "config.toml")
    assert getattr(kept, field) == getattr(settings, field)
    assert {name for name in ROWS if name != row and _value(kept, name) != _value(Settings(), name)} == set()


def _value(settings: Settings, row: str) -> object:
    return getattr(settings, {"ascii": "ascii_only"}.get(row, row))


def test_hints_go_through_their_three_levels(tmp_path: Path) -> None:
    settings = Settings(path=tmp_path / "config.toml")
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
