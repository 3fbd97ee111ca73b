"""What `fairdeal verify` says of rounds that were void."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands.verify import report_json
from cli.text import Translator
from cli.view.verdict import report_lines
from protocol.table.verify import verify
from tests.table.tables import stream

FOLDER = Path(__file__).parent.parent / "vectors" / "matches"
ONE = "  Round 1 was void: nobody scored in it."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "void"),
    {"void": [1], "convicted-and-void": [1], "broken-off": [1], "recovered": [], "lost": [1]}.items(),
)
def test_a_void_round_is_named(file: str, void: list[int]) -> None:
    """A player who left made it void, one who was caught, or nobody who could show the Mah Jong."""
    report = verify((FOLDER / f"{file}.match").read_bytes(), stream(1))
    assert report_json(file, report)["void"] == void
    assert (ONE in report_lines(Translator(), file, report)) is (void == [1])


def test_several_are_named_in_one_line() -> None:
    report = verify((FOLDER / "void.match").read_bytes(), stream(1))
    report.void = [1, 3]
    assert "  Rounds 1 and 3 were void: nobody scored in them." in report_lines(Translator(), "x", report)
