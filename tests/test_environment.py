"""Tests pass whatever the caller's environment says: some that would notice, under values that nobody expects."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SENSITIVE = (
    "tests/cli/test_pipes.py::test_it_speaks_the_systems_language",
    "tests/cli/test_arguments.py",
    "tests/cli/test_terminal.py",
    "tests/cli/test_log.py",
)
WORDS = {
    **dict.fromkeys(("LANG", "LANGUAGE", "LC_MESSAGES"), "ja_JP.UTF-8"),
    **{"LC_ALL": "C.UTF-8", "TERM": "dumb", "COLORTERM": "truecolor", "NO_COLOR": "1", "FORCE_COLOR": "1"},
    **{"ACCESSIBLE": "1", "COLUMNS": "20", "LINES": "5", "SSH_CONNECTION": "1 2 3 4", "TMUX": "/nowhere,1,0"},
}
FOLDERS = ("FAIRDEAL_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


@pytest.mark.slow
def test_sensitive_tests_pass_in_a_hostile_environment(tmp_path: Path) -> None:
    folders = {name: str(tmp_path / name) for name in FOLDERS}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow", *SENSITIVE]
    environ = {**os.environ, **WORDS, **folders}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert list(tmp_path.iterdir()) == []
