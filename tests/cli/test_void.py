"""What `fairdeal verify` says of rounds that were void."""

from __future__ import annotations

import pytest

from cli.commands.verify import report_json
from cli.text import Translator
from cli.view.verdict import report_lines
from tests.vectors.assumed import report_of
from tests.vectors.make_matches import FOLDER
from tests.vectors.make_matches_altered import report_of as looked_at

ONE = "  Round 1 was void: nobody scored in it."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "void"),
    {"void": [1], "convicted-and-void": [1], "broken-off": [1], "recovered": [], "lost": [1]}.items(),
)
def test_a_void_round_is_named(file: str, void: list[int]) -> None:
    """A player who left made it void, one who was caught, or nobody who could show the Mah Jong."""
    is_false = file == "convicted-and-void"  # a proof in it does not hold: whoever assumes that it does, finds no cheat
    report = looked_at((FOLDER / f"{file}.match").read_bytes()) if is_false else report_of(file)
    assert report_json(file, report)["void"] == void
    assert (ONE in report_lines(Translator(), file, report)) is (void == [1])


def test_several_are_named_in_one_line() -> None:
    report = report_of("void")
    report.void = [1, 3]
    assert "  Rounds 1 and 3 were void: nobody scored in them." in report_lines(Translator(), "x", report)
