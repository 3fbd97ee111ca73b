"""Tests pass whatever the caller's environment says: some that would notice, under values that nobody expects."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LANGUAGE = ("tests/cli/test_pipes.py::test_it_speaks_the_systems_language", "tests/cli/test_terminal.py")
LOG = ("tests/cli/test_log.py",)
ALONE: dict[str, tuple[str, tuple[str, ...]]] = {
    "LC_ALL": ("C.UTF-8", LANGUAGE),
    "LANG": ("ja_JP.UTF-8", LANGUAGE),
    "NO_COLOR": ("1", LANGUAGE),
    "TERM": ("dumb", LANGUAGE),
    "COLORTERM": ("truecolor", LANGUAGE),
    "TMUX": ("/nowhere,1,0", LANGUAGE),
    "ACCESSIBLE": ("1", LANGUAGE),
    "FAIRDEAL_HOME": ("", LOG),
    "XDG_DATA_HOME": ("", LOG),
    "XDG_CONFIG_HOME": ("", LOG),
}
"""An unusual value for each variable, and the tests that would notice it; empty: a folder of the test's own."""
ENOUGH = ("NO_COLOR", "FAIRDEAL_HOME")
"""Those of `make test`: one of the terminal, one of the folders."""
TOGETHER = {
    **dict.fromkeys(("LANG", "LANGUAGE", "LC_MESSAGES"), "ja_JP.UTF-8"),
    **{"LC_ALL": "C.UTF-8", "TERM": "dumb", "COLORTERM": "truecolor", "NO_COLOR": "1", "FORCE_COLOR": "1"},
    **{"ACCESSIBLE": "1", "COLUMNS": "20", "LINES": "5", "SSH_CONNECTION": "1 2 3 4", "TMUX": "/nowhere,1,0"},
}
FOLDERS = ("FAIRDEAL_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def passes(tests: Sequence[str], **environ: str) -> None:
    """Run these tests with these variables, and none of the others that matter."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow and not soak",
        *tests,
    ]
    quiet = {name: value for name, value in os.environ.items() if name not in {*ALONE, *TOGETHER, *FOLDERS}}
    done = subprocess.run(command, cwd=ROOT, env=quiet | environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in ENOUGH else pytest.mark.soak) for each in ALONE]
)
def test_sensitive_tests_pass_with_one_unusual_variable(name: str, tmp_path: Path) -> None:
    """Of several at once, one may hide what another breaks."""
    value, tests = ALONE[name]
    passes(tests, **{name: value or str(tmp_path / name)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_sensitive_tests_pass_in_a_hostile_environment(tmp_path: Path) -> None:
    passes(
        (*LANGUAGE, *LOG, "tests/cli/test_arguments.py"), **TOGETHER, **{name: str(tmp_path / name) for name in FOLDERS}
    )
    assert list(tmp_path.iterdir()) == []
