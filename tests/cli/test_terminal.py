"""What the terminal can do, the drawn table, and lines as they are typed or piped."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.clean import width
from cli.console import MANY, MONO, SIXTEEN, TRUE, Terminal, colours, look, paint
from cli.games.base.narrator import Narrator
from cli.games.cards import Cards
from cli.plain.drawing import Drawing
from cli.plain.lines_in import MAX_LINE, LineQueue, read_lines
from cli.text import load_translator
from protocol.cards import JOKER, PACK_52, PACK_TICHU
from protocol.games import load
from protocol.games.deck_style import FRENCH, TICHU
from protocol.games.views import PublicView, SeatView

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Stream(io.StringIO):
    """A stream that says what the test wants."""

    def __init__(self, tty: bool, encoding: str = "utf-8") -> None:
        super().__init__()
        self._tty, self._encoding = tty, encoding

    def isatty(self) -> bool:
        return self._tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


@pytest.mark.parametrize(
    ("environ", "stdin", "stdout", "plain"),
    [
        ({"TERM": "xterm"}, True, True, False),
        ({"TERM": "dumb"}, True, True, True),
        ({"TERM": "xterm"}, False, True, True),
        ({"TERM": "xterm"}, True, False, True),
        ({"TERM": "xterm", "ACCESSIBLE": "1"}, True, True, True),
    ],
)
def test_plain_mode_is_chosen_where_nobody_looks(
    environ: dict[str, str], stdin: bool, stdout: bool, plain: bool
) -> None:
    assert look(environ, Stream(stdin), Stream(stdout)).plain is plain


def test_flags_win() -> None:
    found = look({"TERM": "xterm"}, Stream(True), Stream(True), plain=True, ascii_only=True)
    assert (found.plain, found.ascii_only, found.is_screen) == (True, True, True)


def test_ascii_where_the_encoding_has_no_suits() -> None:
    assert look({}, Stream(True), Stream(True, "latin-1")).ascii_only
    assert not look({}, Stream(True), Stream(True, "UTF-8")).ascii_only


def test_a_closed_stream_is_no_screen() -> None:
    closed = Stream(True)
    closed.close()
    assert not look({}, io.StringIO(), Stream(True)).is_screen
    assert look({}, None, None).plain  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, MONO),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, TRUE),
        ({"TERM": "linux"}, SIXTEEN),
        ({"TERM": "xterm"}, MANY),
        ({"TERM": "dumb"}, MONO),
    ],
)
def test_how_many_colours(environ: dict[str, str], depth: int) -> None:
    assert colours(environ) == depth


def test_paint_is_undone_at_the_end_of_the_text() -> None:
    assert paint("x", MONO, "#ff0000") == "x"
    assert paint("x", TRUE, "#b83200", "#f7f2e4") == "\x1b[38;2;184;50;0;48;2;247;242;228mx\x1b[0m"
    assert paint("x", MANY, "#ff0000") == "\x1b[38;5;196mx\x1b[0m"
    assert paint("x", SIXTEEN, "#ff0000", "#000000") == "\x1b[31;40mx\x1b[0m"


# --- the drawn table ---


def drawing(columns: int, depth: int, ascii_only: bool, faces: tuple[str, ...] = (*PACK_52, JOKER)) -> Drawing:
    terminal = Terminal(True, False, ascii_only, depth, columns)
    return Drawing(terminal, Cards(load_translator("en"), faces, TICHU if faces == PACK_TICHU else FRENCH))  # type: ignore[arg-type]


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 40),
    st.integers(20, 120),
    st.sampled_from([MONO, SIXTEEN, MANY, TRUE]),
    st.booleans(),
    st.sampled_from([(*PACK_52, JOKER), PACK_TICHU]),
    st.randoms(use_true_random=False),
)
def test_hands_fit_the_terminal_and_mark_what_can_be_played(
    count: int, columns: int, depth: int, ascii_only: bool, faces: tuple[str, ...], rng: Random
) -> None:
    hand = tuple(rng.choice(faces) for _ in range(count))
    playable = frozenset(card for card in hand if rng.random() < 0.5)
    lines = drawing(columns, depth, ascii_only, faces).hand(hand, playable)  # type: ignore[arg-type]
    shown = [ESCAPE.sub("", line) for line in lines]
    assert all(width(line) <= columns for line in shown)
    marks = "".join(shown[1::2]).count("*" if ascii_only else "·")
    assert marks == sum(card in playable for card in hand)
    numbers = [int(number) for number in re.findall(r"\d+", " ".join(shown[1::2]))]
    assert numbers == list(range(1, count + 1))
    if depth == MONO:
        assert lines == shown
    if ascii_only:
        assert all(line.isascii() for line in shown)


def test_long_and_wide_names_wrap() -> None:
    game = load("crazy-eights", 6)
    names = ["花子" * 5, "x" * 20, "Mia", "Jonas", "Priya", "Sam"]
    narrator = Narrator(load_translator("en"), game, names, 0)
    view = PublicView(seats=tuple(SeatView(hand_size=size) for size in (5, 4, 3, 2, 1, 0)), turn=1, out=(5,))
    for columns in (40, 80):
        lines = [ESCAPE.sub("", line) for line in drawing(columns, TRUE, False).seats(narrator, view)]
        assert all(width(line) <= columns for line in lines)
        assert "▶" + "x" * 20 + " 4" in " ".join(lines)
        assert "Sam -" in " ".join(lines)


# --- lines ---


def test_lines_are_read_below_the_buffer_whatever_their_ends() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, "8s hearts\r\nスペードの8\n\nlast".encode())
    os.close(write_end)
    with open(read_end, encoding="utf-8") as stream:
        assert list(read_lines(stream)) == ["8s hearts", "スペードの8", "", "last"]


def test_bytes_that_are_no_text_are_no_fault() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"\xff\xfe8s\n\xe3\x81")
    os.close(write_end)
    with open(read_end, encoding="utf-8") as stream:
        assert list(read_lines(stream)) == ["\ufffd\ufffd8s", "\ufffd"]


def test_streams_that_are_missing_or_closed_have_no_lines() -> None:
    closed = io.StringIO("x")
    closed.close()
    assert list(read_lines(None)) == []
    assert list(read_lines(closed)) == []
    assert list(read_lines(io.StringIO("a\nb"))) == ["a", "b"]


def test_a_line_of_a_megabyte_is_cut() -> None:
    async def first(lines: AsyncIterator[str]) -> str:
        return await anext(lines)

    found = asyncio.run(first(aiter(LineQueue(io.StringIO("x" * 1_000_000)))))
    assert len(found) == MAX_LINE


def test_a_program_ends_while_somebody_could_still_type() -> None:
    """A thread that waits for a key must not keep the interpreter, nor crash it."""
    code = textwrap.dedent(
        """
        import asyncio, sys
        from cli.plain.lines_in import LineQueue
        async def go():
            async for line in LineQueue(sys.stdin):
                print(line, flush=True)
                return
        asyncio.run(go())
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(b"8s\n")
        program.stdin.flush()
        assert program.stdout.readline().strip() == b"8s"
        assert program.wait(20) == 0
        assert program.stderr.read() == b""
