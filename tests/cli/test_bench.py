"""The benchmark's rows have the names and shape of the contract."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli.bench.program import lobby_rows, memory_row, peak_mib
from cli.bench.report import GROUPS, machine, measured, row_json, row_line
from cli.bench.rows import Measurement
from cli.main import main
from cli.text import Translator


@pytest.mark.slow
def test_every_proof_has_a_floor_below_it() -> None:
    rows = list(measured(True, ["group", "shuffle", "share", "remask"]))
    names = {row.name for row in rows}
    assert names == set(GROUPS[0].names)
    for row in rows:
        assert row.value > 0
        assert row.floor is not None
        assert row.floor > 0
        # A shared machine may be slow while one is measured and fast for the other; more than that is a wrong count.
        assert row.value > row.floor / 4, row


def test_engines_are_measured_for_every_game() -> None:
    from cli.bench.engines import engine_names, engine_row

    rows = [engine_row(name, 0.01) for name in engine_names()]
    assert [row.name for row in rows] == [
        "engine.crazy-eights",
        "engine.two-four-jack",
        "engine.mau-mau",
        "engine.macau-wars",
        "engine.tichu",
    ]
    assert all(row.value > 100 for row in rows)


def test_memory_is_that_of_a_process_of_its_own() -> None:
    assert 5 < memory_row().value < 500
    assert 5 < peak_mib() < 4000


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_lobby_is_waited_for_in_a_terminal() -> None:
    (row,) = lobby_rows(1)
    assert (row.name, row.params) == ("start", {"shows": "lobby"})
    assert row.floor is not None
    assert row.value > row.floor > 0


def test_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(tmp_path), "bench", "--quick", "--only", "engine.mau", "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert set(found) == {"machine", "rows"}
    assert set(found["machine"]) == {"cpu", "cores", "system", "python"}
    (row,) = [row for row in found["rows"] if row["name"] == "engine.mau-mau"]
    assert set(row) == {"name", "params", "value", "unit", "floor"}
    assert row["floor"] is None
    assert main(["--home", str(tmp_path), "bench", "--only", "nonsense"]) == 2


def test_a_row_is_readable() -> None:
    line = row_line(Translator(), Measurement("shuffle.prove", {"cards": 52}, 31.2741, "ms", 20.05))
    assert line.split() == ["shuffle.prove", "cards", "52", "31.27", "ms", "floor", "20.05,", "1.56", "times", "that"]
    assert row_json(Measurement("start", {}, 0.123456, "ms"))["value"] == 0.1235


def test_the_machine_is_named() -> None:
    assert machine()["cpu"]
