"""The benchmark's rows have the names and shape of the contract."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cli.bench.program import lobby_rows, memory_row, peak_mib
from cli.bench.report import GROUPS, machine, measured, row_json, row_line
from cli.bench.rows import Measurement
from cli.main import main
from cli.text import Translator

MATCHES = Path(__file__).parent.parent / "vectors" / "matches"


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


@pytest.mark.slow
def test_memory_is_that_of_a_process_of_its_own() -> None:
    ours = b"x" * (300 << 20)
    assert 5 < memory_row().value < 250
    assert len(ours) >> 20 < peak_mib() < 8000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_lobby_is_waited_for_in_a_terminal() -> None:
    (row,) = lobby_rows(1)
    assert (row.name, row.params) == ("start", {"shows": "lobby"})
    assert row.floor is not None
    assert row.value > row.floor > 0


@pytest.mark.slow
def test_json_is_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.bench import engines

    measure = engines.engine_row
    monkeypatch.setattr(engines, "engine_row", lambda name, for_s: measure(name, for_s / 100))
    assert main(["--home", str(tmp_path), "bench", "--quick", "--only", "engine.mau", "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert set(found) == {"machine", "rows"}
    assert set(found["machine"]) == {"cpu", "cores", "system", "python", "sums"}
    (row,) = [row for row in found["rows"] if row["name"] == "engine.mau-mau"]
    assert set(row) == {"name", "params", "value", "unit", "floor"}
    assert row["floor"] is None
    assert main(["--home", str(tmp_path), "bench", "--only", "nonsense"]) == 2


def test_a_row_is_readable() -> None:
    line = row_line(Translator(), Measurement("shuffle.prove", {"cards": 52}, 31.2741, "ms", 20.05))
    assert line.split() == ["shuffle.prove", "cards", "52", "31.27", "ms", "floor", "20.05,", "1.56", "times", "that"]
    assert row_json(Measurement("start", {}, 0.123456, "ms"))["value"] == 0.1235


def plot_rows() -> list[Measurement]:
    rows = [Measurement("deal", {"seats": seats}, 40.0 * seats, "ms", 30.0 * seats) for seats in (10, 2, 4)]
    for figure, value in (("median", 9.0), ("p99", 700.0)):
        rows.append(Measurement("move", {"seats": 2, "figure": figure}, value, "ms", 3.0))
    return rows


def test_a_plot_shows_what_was_measured_beside_the_floor() -> None:
    from cli.bench.plot import MEASURED, charts_of, svg_of

    deal, move = charts_of(Translator(), plot_rows())
    assert (deal.seats, deal.measured, deal.floors) == ([2, 4, 10], [80.0, 160.0, 400.0], [60.0, 120.0, 300.0])
    assert (move.seats, move.measured) == ([2], [9.0])
    drawing = ElementTree.fromstring(svg_of(Translator(), plot_rows(), "a <fast> computer"))
    space = "{http://www.w3.org/2000/svg}"
    said = [each.text for each in drawing.iter(f"{space}text")]
    assert "a <fast> computer" in said
    first = drawing.find(f"{space}g")
    assert first is not None
    points = [each for each in first.iter(f"{space}circle") if each.get("fill") == MEASURED]
    (left, low), (_, middle), (right, high) = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in points]
    assert left < right
    assert low - middle == pytest.approx((low - high) / 4, abs=0.2), "80, 160 and 400 ms are in proportion"
    svg_of(Translator(), [], "nothing measured")


@pytest.mark.parametrize(("most", "step"), [(7.0, 2.0), (480.0, 100.0), (1.1, 0.5), (1000.0, 200.0), (0.04, 0.01)])
def test_the_grid_has_round_numbers(most: float, step: float) -> None:
    from cli.bench.plot import nice_step

    assert nice_step(most) == pytest.approx(step)


def test_a_plot_is_drawn_into_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.commands.bench.plotted", lambda quick: iter(plot_rows()))
    folder, file = tmp_path / "a" / "b", tmp_path / "file"
    assert main(["--home", str(tmp_path), "bench", "--plot", str(folder)]) == 0
    assert (folder / "deal-and-move.svg").read_text(encoding="utf-8").startswith("<svg")
    assert str(folder) in capsys.readouterr().err
    file.touch()
    assert main(["--home", str(tmp_path), "bench", "--plot", str(file / "c")]) == 2
    assert main(["--home", str(tmp_path), "bench", "--plot", str(folder), "--only", "deal"]) == 2


def test_the_machine_is_named() -> None:
    assert machine()["cpu"]


@pytest.mark.slow
def test_operations_of_a_verified_match_are_counted() -> None:
    from cli.bench.verifying import counted
    from protocol.dealing import library

    before = library.load()
    ops, report = counted((MATCHES / "recycled.match").read_bytes())
    assert library.load() is before
    assert report.ok
    assert report.heights > 2
    # Each share that was checked stands for two points in a sum.
    assert ops.mul > 2 * report.checks["shares"]
    assert min(ops.base, ops.add) > 0


def _report(seat: int, acted: dict[str, float], settled: dict[str, float]) -> dict[str, Any]:
    moves = {"3": [0, "draw", 8], "4": [1, "play", 6]}
    return {"seat": seat, "acted": acted, "settled": settled, "moves": moves, "recycled": {"3": 5}}


def test_a_move_lasts_until_the_last_other_seat_has_settled_it() -> None:
    from cli.bench.tables import Timed, timed_moves

    reports = [
        _report(0, {"3": 1.0}, {"3": 9.0, "4": 2.5}),
        _report(1, {"4": 2.0}, {"3": 1.25, "4": 9.0}),
        _report(2, {"4": 1.5}, {"3": 1.5, "4": 2.25}),  # it chose, too, but another's move was counted
    ]
    assert timed_moves(reports) == [Timed("draw", 8, 5, 500.0, 3), Timed("play", 6, 0, 500.0, 4)]


def test_a_play_that_ends_a_round_is_not_compared_with_others() -> None:
    from cli.bench.tables import plays_ms

    def reports(last: list[int]) -> list[Any]:
        told = _report(0, {"3": 1.0}, {"4": 2.5}), _report(1, {"4": 2.0}, {"3": 1.25})
        return [each | {"last": last} for each in told]

    assert plays_ms(reports([])) == [500.0]
    assert plays_ms(reports([4])) == []


def test_an_exchange_lasts_from_the_last_gift_to_the_last_hand() -> None:
    """All chose at height 3; the last gift came in at 6, after the one before it had settled at its giver."""
    from cli.bench.tables import exchange_ms

    moves = {"3": [0, "give", 11], "4": [2, "give", 11], "5": [1, "give", 11], "6": [3, "give", 14]}

    def report(seat: int, settled: dict[str, float]) -> dict[str, Any]:
        return {"seat": seat, "acted": {"3": 1.0}, "settled": settled, "moves": moves}

    reports = [report(seat, {"5": 2.0 + seat / 100, "6": 2.5}) for seat in range(3)]
    assert exchange_ms([*reports, report(3, {"5": 2.25, "6": 2.75})]) == [500.0]
    assert exchange_ms([*reports, report(3, {"5": 2.25})]) == [], "it was not seen to the end"


@pytest.mark.slow
@pytest.mark.sockets
def test_plays_and_draws_of_real_peers_are_measured() -> None:
    from cli.bench.tables import move_rows

    rows = move_rows(2, 16)
    assert {(row.name, row.params["figure"]) for row in rows} == {
        (name, figure) for name in ("move", "draw") for figure in ("median", "p99")
    }
    assert all(row.floor is not None and 0 < row.floor < row.value for row in rows)


@pytest.mark.slow
@pytest.mark.sockets
def test_a_second_deal_of_real_peers_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of hands that are soon played."""
    from cli.bench import tables
    from cli.bench.tables import ahead_rows, measure

    def of_few_cards(game: str, seats: int, options: dict[str, Any], **more: Any) -> list[Any]:
        return measure(game, seats, options=options | {"hand": 2}, **more)

    monkeypatch.setattr(tables, "measure", of_few_cards)
    rows = ahead_rows("crazy-eights", 2)
    assert [row.name for row in rows] == ["deal.ahead", *["move.ahead"] * 4]
    assert rows[0].floor is not None and 0 < rows[0].floor < rows[0].value
