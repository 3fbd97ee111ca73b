"""Fault logs: what went wrong, for its owner's eyes only."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.crash import record, write_down
from tests.adversaries.declared import By, attack

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@attack(
    By.OUTSIDE,
    "Another user of the computer reads keys, saved matches or error reports.",
    "It does not work: only the owner can read any of it.",
)
def test_a_fault_log_is_its_owners_alone_whatever_the_umask(umask: None, tmp_path: Path) -> None:
    home = tmp_path / "new home"
    try:
        raise ValueError("it broke")
    except ValueError:
        path = record(home)
    assert path.parent == home / "faults"
    assert "ValueError: it broke" in path.read_text()
    assert (mode(home), mode(path.parent), mode(path)) == (0o700, 0o700, 0o600)


def test_two_faults_of_one_second_are_two_files(tmp_path: Path) -> None:
    paths = [write_down(tmp_path, f"fault {number}") for number in range(3)]
    assert len(set(paths)) == 3
    assert [path.read_text().splitlines()[-1] for path in paths] == ["fault 0", "fault 1", "fault 2"]


def test_without_a_home_the_log_has_a_name_that_nobody_can_guess(
    umask: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    home = tmp_path / "file in its place"
    home.touch()
    first, second = write_down(home, "it broke"), write_down(home, "it broke")
    assert first.parent == second.parent == shared
    assert first != second
    assert mode(first) == 0o600
    assert first.read_text().endswith("it broke")


def test_without_any_folder_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "file in its place"
    home.touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    write_down(home, "it broke")
    assert "it broke" in capsys.readouterr().err
