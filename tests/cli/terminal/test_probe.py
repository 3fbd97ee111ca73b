"""How wide a suit is drawn, asked of a pseudo-terminal that answers as told."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

import pytest

from cli.terminal.probe import is_wide

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals there", allow_module_level=True)


@pytest.fixture
def pair() -> Iterator[tuple[int, int]]:
    import pty

    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


@pytest.mark.parametrize(
    ("reply", "wide"), [(b"\x1b[1;2R", False), (b"\x1b[7;3R", True), (b"x\x1b[1;3R", True), (b"", False)]
)
def test_the_column_tells_the_width(pair: tuple[int, int], reply: bytes, wide: bool) -> None:
    ours, theirs = pair

    def answer() -> None:
        asked = b""
        while b"\x1b[6n" not in asked:
            asked += os.read(ours, 100)
        os.write(ours, reply)

    thread = threading.Thread(target=answer)
    thread.start()
    with (
        os.fdopen(theirs, "r", encoding="utf-8", closefd=False) as stdin,
        os.fdopen(theirs, "w", encoding="utf-8") as stdout,
    ):
        import termios

        before = termios.tcgetattr(theirs)
        assert is_wide(stdin, stdout) is wide
        assert termios.tcgetattr(theirs) == before
        thread.join()


def test_a_file_is_not_asked(tmp_path: object) -> None:
    with open(os.devnull, encoding="utf-8") as stdin, open(os.devnull, "w", encoding="utf-8") as stdout:
        assert is_wide(stdin, stdout) is False
