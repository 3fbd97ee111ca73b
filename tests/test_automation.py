"""What runs the tests: the Makefile and continuous integration."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import scheduling

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


def looked_at(part: str, path: Path, config: Any) -> bool:
    """Whether this part of the tests looks into the file and into each folder around it."""
    config.getoption = lambda name: {"part": part}[name]
    ways = [path, *(folder for folder in path.parents if folder.is_relative_to(ROOT / "tests"))]
    return not any(scheduling.pytest_ignore_collect(way, config) for way in ways)


def test_each_test_runs_beside_those_that_wait_or_those_that_compute() -> None:
    """`make test` starts both parts."""
    assert all(f"--part {part} " in MAKEFILE for part in ("waiting", "computing"))
    config = SimpleNamespace(rootpath=ROOT)
    for path in ROOT.glob("tests/**/test_*.py"):
        waits = f"{path.relative_to(ROOT).as_posix()}".startswith(scheduling.WAITING)
        parts = [part for part in ("waiting", "computing") if looked_at(part, path, config)]
        assert parts == ["waiting" if waits else "computing"], path


def test_what_is_said_to_wait_is_there() -> None:
    for each in scheduling.WAITING:
        assert (ROOT / each).is_dir() if each.endswith("/") else (ROOT / f"{each}.py").is_file(), each
