"""Programs that run some code of ours in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def begun(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A program that runs this code with these arguments. It speaks English, and is killed in the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "LANG": "C"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
