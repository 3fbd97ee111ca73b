"""What runs the tests: the Makefile and continuous integration."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from tests import forking, scheduling

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
RUNNERS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
RUNNERS["Makefile"] = MAKEFILE
CALL = re.compile(r'pytest\b[^\n]*? -m (?:"([^"]*)"|(\S+))')


@pytest.mark.parametrize("runner", RUNNERS)
def test_only_make_soak_runs_the_soak_tests(runner: str) -> None:
    """An expression on the command line replaces the one in pyproject.toml, which leaves them out."""
    chosen = {quoted or word for quoted, word in CALL.findall(RUNNERS[runner])}
    assert chosen, "no call was found"
    assert all("not soak" in each for each in chosen - {"soak"}), chosen
    assert runner == "Makefile" or "soak" not in chosen


def test_no_file_can_take_the_place_of_a_target() -> None:
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    phony = re.search(r"^\.PHONY:(.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets


def test_all_tests_are_run_in_files_those_that_wait_first(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    waiting, computing = forking.files_of(items)
    assert sorted(each.nodeid for file in (*waiting, *computing) for each in file) == sorted(
        each.nodeid for each in items
    )
    for file in (*waiting, *computing):
        assert len({each.path for each in file}) == 1
    places = [scheduling.place(file[0]) for file in waiting]
    assert places == sorted(places)
    assert not any(map(scheduling.is_waiting, chain.from_iterable(computing)))


def test_what_is_said_to_wait_is_there() -> None:
    for each in scheduling.WAITING:
        assert (ROOT / each).is_dir() if each.endswith("/") else (ROOT / f"{each}.py").is_file(), each
