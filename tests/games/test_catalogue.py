"""Games that installed packages offer are found; those that cannot be played are named with a reason and harm nobody."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.errors import BadOption
from protocol.games import game_names, game_problems, load
from protocol.games.catalogue import BUILT_IN
from tests.outside.installed import visible, write_metadata

BROKEN = {
    "raises": ("raises_at_import:Raises", "ZeroDivisionError"),
    "exits": ("exits_at_import:Exits", "SystemExit"),
    "absent": ("no_such_module:Absent", "ModuleNotFoundError"),
    "nameless": ("others:Nameless", "AttributeError"),
    "function": ("others:function", "not a subclass"),
    "abstract": ("others:Abstract", "lacks apply, check"),
    "misnamed": ("others:Complete", "name is not 'misnamed'"),
    "optionless": ("others:Optionless", "OPTIONS"),
    "undecided": ("others:Undecided", "Undecided.OPTIONS['greedy'] does not allow its default, false"),
    "seatless": ("others:Seatless", "seat_counts"),
    "mau-mau": ("others:Complete", ""),
}
"""Where each game is said to be, and a part of the reason. The last takes a built-in game's name."""

OTHERS = """
from protocol.games.mau_mau import MauMau
from protocol.games.game import Game, Option

def function(seats, options): ...

class Abstract(Game): ...

class Complete(MauMau):
    name = "complete"

class Optionless(MauMau):
    name = "optionless"
    OPTIONS = {"sevens": True}

class Undecided(MauMau):
    name = "undecided"
    OPTIONS = {"hand": Option(5, low=1, high=9), "greedy": Option(False)}

class Seatless(MauMau):
    name = "seatless"
    seat_counts = ()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Packages that offer all of these, and one that is fine."""
    (tmp_path / "raises_at_import.py").write_text("1 / 0\n")
    (tmp_path / "exits_at_import.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "others.py").write_text(OTHERS)
    for name, (place, _reason) in BROKEN.items():
        write_metadata(tmp_path, f"package-{name}", "1.0", {name: place})
    write_metadata(tmp_path, "package-complete", "1.0", {"complete": "others:Complete"})
    with visible(tmp_path):
        yield tmp_path


@pytest.mark.usefixtures("folder")
def test_games_that_cannot_be_played_are_left_out() -> None:
    assert game_names() == (*BUILT_IN, "complete")
    assert load("complete", 3).name == "complete"


@pytest.mark.usefixtures("folder")
def test_the_reason_is_told() -> None:
    problems = game_problems()
    assert set(problems) == set(BROKEN) - {"mau-mau"}
    for name, problem in problems.items():
        assert BROKEN[name][1] in problem, problem


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", sorted(set(BROKEN) - {"mau-mau"}))
def test_whoever_asks_for_one_is_told_why_not(name: str) -> None:
    with pytest.raises(BadOption) as refusal:
        load(name, 3)
    assert BROKEN[name][1] in str(refusal.value)


@pytest.mark.usefixtures("folder")
def test_a_package_does_not_replace_a_built_in_game() -> None:
    assert type(load("mau-mau", 3)).__module__ == "protocol.games.mau_mau"


def test_a_name_that_nobody_offers() -> None:
    assert game_problems() == {}
    with pytest.raises(BadOption, match="there is no game called bridge"):
        load("bridge", 4)


def test_built_in_games_are_loaded_without_a_search() -> None:
    code = (
        "import sys; from protocol.games import load; load('tichu', 4); load('macau-wars', 3)\n"
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
