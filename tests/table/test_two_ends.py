"""Two files of one match that end differently: its seats played it twice, and signed everything twice."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.main import main
from protocol.table.comparing import TWO_VERSIONS, contradictory
from protocol.table.verify import verify
from protocol.wire import frame
from tests.independent import several
from tests.table.tables import Tables, stream
from tests.vectors.make_exchange import TINY

pytestmark = pytest.mark.usefixtures("toy_for_both")
Out = pytest.CaptureFixture[str]


def other_end(tables: Tables, seed: int) -> Tables:
    """The same seats play the same table again, in another way: all of them sign everything twice."""
    again = Tables("crazy-eights", 2, TINY, tables.seed, None, tables.roster.table)
    again.random = Random(seed)
    again.start()
    again.play()
    return again


def two_ends() -> list[Tables]:
    for seed in range(10, 60):
        one = Tables("crazy-eights", 2, TINY, seed, None, None)
        one.start()
        one.play()
        for other in range(3):
            if (two := other_end(one, other)).clients[0].transcript != one.clients[0].transcript:
                return [one, two]
    raise AssertionError("no two matches of one table")


@pytest.mark.slow
def test_two_ends_of_one_match_are_told(tmp_path: Path, capsys: Out) -> None:
    paths = []
    for number, tables in enumerate(two_ends()):
        paths.append(tmp_path / f"{number}")
        paths[-1].write_bytes(b"".join(map(frame, tables.clients[0].transcript)))
    data = [path.read_bytes() for path in paths]
    assert contradictory([verify(each, stream(1)) for each in data]) == [(0, 1)]
    assert main(["verify", *map(str, paths)]) == 1
    text = capsys.readouterr().out
    assert f"{paths[0]}: P0 and P1 cheated" in text and "show different endings of the same match" in text
    assert main(["verify", *map(str, paths), "--json"]) == 1
    lines: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all({each["what"] for each in line["evidence"]} == {TWO_VERSIONS, "contradiction"} for line in lines)
    assert several.compare(data)


@pytest.mark.slow
def test_a_contradiction_alone_accuses_nobody(capsys: Out) -> None:
    from cli.commands.verify import add_differences
    from cli.text import Translator
    from cli.view.verdict import report_lines

    tables = two_ends()[0]
    data = b"".join(map(frame, tables.clients[0].transcript))
    found = [verify(data, stream(1)) for _ in range(2)]
    found[1].match = bytes(32)
    add_differences(found, [Path("a"), Path("b")])
    assert [each.convicted for each in found] == [(), ()]
    lines = report_lines(Translator("en"), "a", found[0])
    assert lines[0] == "a: valid by itself, but it contradicts another file."
    assert any("a and b show different endings of the same match" in line for line in lines)
