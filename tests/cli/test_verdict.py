"""What `fairdeal verify` says of a file that ends in the middle of a round."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.text import Translator, load_translator
from cli.view.verdict import report_lines
from protocol.errors import BadMessage
from protocol.table.verify import Failure, NamedStep, Report, verify
from protocol.wire import frames
from tests.table.tables import stream

DATA_FOLDER = Path(__file__).parent.parent / "vectors" / "matches"
DATA = (DATA_FOLDER / "recycled.match").read_bytes()
STARTS = [at for at, _ in frames(DATA)]
MESSAGES_BEFORE_THE_HANDS = 330
MOVES = 121
"""In those messages."""


FALSE = (DATA_FOLDER / "false-shuffle.match").read_bytes()


def told(data: bytes) -> list[str]:
    """What is said of it. All its proofs hold, as the tests of the vectors find: they are not looked at again."""
    return report_lines(Translator(), "f", verify(data, stream(1), decide=lambda _: True))


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


@pytest.mark.parametrize(
    ("lang", "step", "reason"),
    [
        ("de", "Vorbereitung von Runde 1", "ein Mischbeweis ist ungültig"),
        ("ja", "第1ラウンドの準備", "シャッフルの証明が正しくありません"),
    ],
)
def test_steps_and_reasons_are_told_in_the_readers_language(lang: str, step: str, reason: str) -> None:
    """Of a file that is false, and of one that proves who cheated."""
    _ = load_translator(lang)
    failed = Failure(NamedStep("preparing round {number}", 1), None, BadMessage("a shuffle proof is not valid"), 9)
    assert f"  {step}: {reason}" in report_lines(_, "f", Report(failed=failed))
    assert any(line.endswith(f": {reason}") for line in report_lines(_, "f", verify(FALSE, stream(1))))


def test_what_a_stranger_says_is_told_as_it_is() -> None:
    """A game of another package raises what it likes, also what looks like a place for something."""
    report = Report(evidence=[{"what": "breach", "seat": None, "reason": "{@play} {x} {"}])
    failed = Failure(NamedStep("step {number}", 3), None, BadMessage("{@play} {x} {"), 9)
    report.failed = failed
    lines = report_lines(Translator(), "f", report)
    assert "  step 3: {@play} {x} {" in lines
    assert "  Found during the match: ? broke a rule: {@play} {x} {" in lines
