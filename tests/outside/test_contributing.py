"""CONTRIBUTING.md's game, taken from the page as a reader would copy it: it runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from cli.games import registry
from cli.games.registry import face_of, face_type
from cli.games.rules_page import rules_lines
from cli.text import languages, load_translator
from protocol.games import load
from protocol.games.playthrough import run_playthrough
from tests.cli.practice import PracticeTable
from tests.cli.tables import NAMES, hear
from tests.outside.installed import visible, write_metadata

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
GAME = "high-five"


def blocks() -> Mapping[str, str]:
    """The files that the page gives in full, by their names."""
    found = re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return dict(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("copied")
    for name, text in blocks().items():
        (found / name).parent.mkdir(exist_ok=True)
        (found / name).write_text(text, encoding="utf-8")
    write_metadata(found, GAME, "1.0", {GAME: "high_five:HighFive"})
    return found


@pytest.fixture
def high_five(folder: Path) -> Iterator[Path]:
    """The game alone, with the face for any game."""
    with visible(folder):
        face_type.cache_clear()
        yield folder
    face_type.cache_clear()


@pytest.fixture
def own_face(high_five: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game with the face that the page gives it."""

    class Entry:
        def load(self) -> object:
            from importlib import import_module

            return import_module("high_five_face").HighFiveFace

    monkeypatch.setattr(registry, "entry_points", lambda group, name: [Entry()])
    return high_five


def test_every_file_of_the_walk_is_there() -> None:
    assert {"pyproject.toml", "high_five.py", "test_high_five.py", "high_five_face.py"} <= blocks().keys()


@pytest.mark.slow
def test_its_playthrough_and_its_tests_pass(high_five: Path) -> None:
    for path in sorted((high_five / "playthroughs").glob("*.jsonl")):
        run_playthrough(path.read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(high_five)],
        capture_output=True,
        text=True,
        cwd=high_five,
        env={"PYTHONPATH": f"{high_five}:{PAGE.parent}"},
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("lang", languages())
def test_the_face_for_any_game_tells_it(high_five: Path, lang: str) -> None:
    told, ended = hear(PracticeTable(load(GAME, 3), NAMES[:3], (), Random(1), rounds=1), None, lang=lang, forever=True)
    assert ended.match is not None
    taken = re.escape(load_translator(lang)("{name} wins the trick.", name="@")).replace("@", "(?:Mia|Jonas|Hanako)")
    assert len(re.findall(taken, "\n".join(told))) == 5


def test_its_own_face_tells_more(own_face: Path) -> None:
    game = load(GAME, 3)
    assert type(face_of(game)).__name__ == "HighFiveFace"
    told, _ended = hear(PracticeTable(game, NAMES[:3], (), Random(1), rounds=1), None, forever=True)
    assert "That is the most tricks in this round." in "\n".join(told)
    page = "\n".join(rules_lines(load_translator("en"), game, 3, 80))
    assert "You start with 5 cards." in page and "The match is played to 20 points." in page
