"""Starts a modified client of `cli.bench.floods` in a process of its own, which calls from another address."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOME, STRANGER, FRIEND = "127.0.0.1", "127.0.0.66", "127.0.0.77"
"""Linux answers at all of them: three computers, as far as a program can see."""


@contextmanager
def flooding(name: str, port: int) -> Iterator[None]:
    """Flood a port of this computer from STRANGER's address."""
    command = [sys.executable, "-m", "cli.bench.floods", name, HOME, str(port), STRANGER]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        yield
    finally:
        process.kill()
        process.communicate()
