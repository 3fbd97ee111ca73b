"""What `fairdeal verify` says of a file that ends in the middle of a round."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.text import Translator
from cli.view.verdict import report_lines
from protocol.table.verify import verify
from protocol.wire import frames
from tests.table.tables import stream

DATA = (Path(__file__).parent.parent / "vectors" / "matches" / "recycled.match").read_bytes()
STARTS = [at for at, _ in frames(DATA)]
MESSAGES_BEFORE_THE_HANDS = 330
MOVES = 121
"""In those messages."""


def told(data: bytes) -> list[str]:
    return report_lines(Translator(), "f", verify(data, stream(1)))


@pytest.mark.slow
def test_moves_are_told_although_no_hand_was_shown() -> None:
    lines = told(DATA[: STARTS[MESSAGES_BEFORE_THE_HANDS]])
    (checked,) = [line for line in lines if line.startswith("  Checked: 0 rounds,")]
    assert checked.endswith(" 0 moves.")
    assert f"  {MOVES} more moves, in an unfinished round, were checked without the hands." in lines


@pytest.mark.slow
def test_they_are_told_where_a_file_fails_too() -> None:
    start = STARTS[MESSAGES_BEFORE_THE_HANDS]
    lines = told(DATA[: start - 1])
    assert lines[0] == "f: NOT valid."
    assert lines[-1].endswith(" more moves, in an unfinished round, were checked without the hands.")


@pytest.mark.slow
def test_a_whole_round_is_checked_with_its_hands() -> None:
    assert not [line for line in told(DATA) if "without the hands" in line]
