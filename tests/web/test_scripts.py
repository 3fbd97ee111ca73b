"""The page's own small parts, tried out by Node's test runner."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node.js is not installed here")
def test_the_scripts_pass_their_own_tests() -> None:
    assert NODE is not None
    files = sorted(map(str, HERE.glob("*.test.mjs")))
    done = subprocess.run([NODE, "--test", *files], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-4000:]
    passed = re.search(r"^(?:#|ℹ) pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None and int(passed[1]) > 100
