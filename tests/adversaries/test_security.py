"""SECURITY.md says what the tests declare, and every kind of attacker is among them."""

from __future__ import annotations

import subprocess
import sys

from tests.adversaries.declared import By
from tests.adversaries.security import FILE, ROOT


def test_the_page_is_what_the_tests_declare() -> None:
    """In a process of its own: the declarations are collected by importing the tests anew."""
    program = "from tests.adversaries.security import text; import sys; sys.stdout.buffer.write(text().encode())"
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT).stdout
    assert made.decode() == FILE.read_text(encoding="utf-8"), "run `make security` and look at the difference"
    assert all(f"## {by.value}\n" in made.decode() for by in By)
    assert made.count(b"\n- **") > 40
