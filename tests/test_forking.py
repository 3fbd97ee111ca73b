"""Processes that are forked run each test once, and lose nothing of what happens in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONFTEST = """
from tests.forking import add_option as pytest_addoption, run as pytest_runtestloop
"""
TESTS = {
    "test_results.py": """
import pytest
def test_passed(tmp_path): (tmp_path / "own").touch(exist_ok=False)
def test_failed(): print("what it printed"); assert 1 == 2
def test_skipped(): pytest.skip("no need")
@pytest.fixture
def broken():
    yield
    raise OSError
def test_torn_down(broken): pass
@pytest.mark.parametrize("each", range(60))
def test_many(each): pass
""",
    "test_ending.py": """
import os
def test_that_ends_the_process(): os._exit(0)
""",
}


def run(folder: Path, *words: str) -> str:
    for name, text in {"conftest.py": CONFTEST, **TESTS}.items():
        (folder / name).write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "--rootdir",
        str(folder),
        str(folder),
        "-rA",
        "-W",
        "error",
        *words,
    ]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked")
def test_each_test_is_run_once_and_what_happened_is_told(tmp_path: Path) -> None:
    said = run(tmp_path, "--forks", "1,2", "-k", "not ends_the_process")
    told = Counter(re.findall(r"^(PASSED|FAILED|SKIPPED|ERROR)\b.*?::(\w+)", said, re.MULTILINE))
    assert told == {
        ("PASSED", "test_passed"): 1,
        ("FAILED", "test_failed"): 1,
        ("PASSED", "test_torn_down"): 1,
        ("ERROR", "test_torn_down"): 1,
        ("PASSED", "test_many"): 60,
    }
    assert "1 skipped" in said and "what it printed" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked")
def test_the_test_in_which_a_process_ends_fails(tmp_path: Path) -> None:
    said = run(tmp_path, "--forks", "0,1", "-k", "passed or ends_the_process")
    assert re.findall(r"^FAILED .*::(\w+)", said, re.MULTILINE) == ["test_that_ends_the_process"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked")
def test_no_more_tests_are_begun_after_the_first_failure(tmp_path: Path) -> None:
    said = run(tmp_path, "--forks", "1,0", "-x", "-k", "failed or many")
    assert said.count("PASSED") == 1  # the one that it had looked at already
