"""What `fairdeal verify` says of a seat that somebody else took."""

from __future__ import annotations

import pytest

from cli.commands.verify import report_json
from cli.text import Translator
from cli.view.verdict import report_lines
from tests.vectors.assumed import report_of


@pytest.mark.slow
@pytest.mark.parametrize("file", ["taken-by-a-newcomer", "taken-by-a-bot"])
def test_who_sat_there_before_is_named(file: str) -> None:
    report = report_of(file)
    ((seat, name, fingerprint),) = report.replaced
    now, other = report.players[seat]
    assert now != name and other != fingerprint
    assert f"  {now} took over the seat of {name} ({fingerprint})." in report_lines(Translator(), file, report)
    assert report_json(file, report)["replaced"] == [{"seat": seat, "name": name, "fingerprint": fingerprint}]
    left = [each["name"] for each in report.evidence if each["what"] == "goodbye" and each["seat"] == seat]
    assert left in ([name], [])
