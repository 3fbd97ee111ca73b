"""The whole benchmark: its rows in order, the computer that they were measured on, and how they are printed."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from cli.bench.rows import Measurement
from cli.clean import pad, width
from cli.text import Translator
from protocol.dealing import sums
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class MeasurementGroup:
    """Rows that are measured together, and their names."""

    names: tuple[str, ...]
    rows: Callable[[bool], Iterable[Measurement]]


def _dealing(quick: bool) -> Iterator[Measurement]:
    from cli.bench import dealing

    for_s = 0.15 if quick else 1.0
    yield from dealing.group_rows(for_s)
    for cards in (52,) if quick else (52, 104, 112):
        yield from dealing.shuffle_rows(cards, for_s)
    for cards in (1, 13):
        yield from dealing.share_rows(cards, for_s)
    yield from dealing.remask_rows(for_s)


def _deals(quick: bool) -> Iterator[Measurement]:
    """Yield first deals between processes on this computer."""
    from cli.bench import tables

    for game, seats in (("crazy-eights", 4),) if quick else (("crazy-eights", 4), ("crazy-eights", 10), ("tichu", 4)):
        yield from tables.deal_rows(game, seats)


def _ahead(quick: bool) -> Iterator[Measurement]:
    """Yield deals that were prepared in the round before, and what preparing costs the moves of that round."""
    from cli.bench import tables

    for game, seats in (("crazy-eights", 4),) if quick else (("crazy-eights", 4), ("crazy-eights", 10)):
        yield from tables.ahead_rows(game, seats, 1 if quick else 4)


def _moves(quick: bool) -> Iterator[Measurement]:
    """Yield moves and draws between processes on this computer."""
    from cli.bench import tables

    for seats in (4,) if quick else (4, 10):
        yield from tables.move_rows(seats, 30 if quick else 60)


def _exchange(quick: bool) -> Iterator[Measurement]:
    from cli.bench import tables

    yield from tables.exchange_rows(2 if quick else 7)


def _recycle(quick: bool) -> Iterator[Measurement]:
    from cli.bench import tables

    yield from tables.recycle_rows(4)


def _verifying(quick: bool) -> Iterator[Measurement]:
    from cli.bench import verifying

    yield from verifying.verify_rows(2, 3) if quick else verifying.verify_rows(8, 7)


def _engines(quick: bool) -> Iterator[Measurement]:
    from cli.bench import engines

    for name in engines.engine_names():
        yield engines.engine_row(name, 0.3 if quick else 2.0)


def _program(quick: bool) -> Iterator[Measurement]:
    from cli.bench import program

    yield from program.start_rows(3 if quick else 9)
    yield from program.lobby_rows(3 if quick else 9)
    yield program.memory_row()


def _hostile(quick: bool) -> Iterator[Measurement]:
    """Yield what a match loses under each flood from a stranger. Only when asked for: it takes minutes."""
    from cli.bench import hostile

    yield from hostile.hostile_rows(2 if quick else 6)


def _phones(quick: bool) -> Iterator[Measurement]:
    """Yield how fast a phone's page is in Chromium here, beside the native client. Only when asked for: it needs a browser."""
    from cli.bench import phones

    yield from phones.phones_rows(quick)


GROUPS = (
    MeasurementGroup(
        (
            "group.mul",
            "group.add",
            "shuffle.make",
            "shuffle.prove",
            "shuffle.half",
            "shuffle.verify",
            "shuffle.verify_chain",
            "share.prove",
            "share.verify",
            "remask",
            "remask.half",
        ),
        _dealing,
    ),
    MeasurementGroup(("deal",), _deals),
    MeasurementGroup(("deal.ahead", "move.ahead"), _ahead),
    MeasurementGroup(("move", "draw"), _moves),
    MeasurementGroup(("exchange",), _exchange),
    MeasurementGroup(("recycle",), _recycle),
    MeasurementGroup(("verify.match",), _verifying),
    MeasurementGroup(("engine.",), _engines),
    MeasurementGroup(("start", "memory"), _program),
)
ASKED_FOR = (MeasurementGroup(("hostile",), _hostile), MeasurementGroup(("phones",), _phones))
"""Measured only when they are named."""


def measured(quick: bool, only: Sequence[str] = ()) -> Iterator[Measurement]:
    """Measure all rows, or those whose names begin with one of `only`, and yield each."""
    for group in (*GROUPS, *ASKED_FOR) if only else GROUPS:
        if only and not any(name.startswith(wish) or wish.startswith(name) for name in group.names for wish in only):
            continue
        for row in group.rows(quick):
            if not only or any(row.name.startswith(wish) for wish in only):
                yield row


def plotted(quick: bool) -> Iterator[Measurement]:
    """Yield deals and moves for each number of seats, for a plot."""
    from cli.bench import tables
    from cli.bench.plot import SEATS

    for seats in SEATS:
        yield from tables.deal_rows("crazy-eights", seats)
        yield from tables.move_rows(seats, 30 if quick else 60)


def machine() -> dict[str, object]:
    """Describe the computer of the measurement."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sums": "libsodium" if sums.compiled() is None else "compiled",
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def row_json(row: Measurement) -> dict[str, object]:
    return {
        "name": row.name,
        "params": dict(row.params),
        "value": rounded(row.value),
        "unit": row.unit,
        "floor": None if row.floor is None else rounded(row.floor),
    }


def rounded(value: float) -> float:
    """Round to four significant digits."""
    return float(f"{value:.4g}")


def row_line(_: Translator, row: Measurement) -> str:
    """Format a row for people: name, parameters, figure, and its ratio to the floor."""
    params = _(", ").join(f"{name} {value}" for name, value in row.params.items())
    figure = f"{rounded(row.value):,g} {row.unit}".replace("us", "µs")
    line = f"{pad(row.name, 22)}{pad(params, max(44, width(params) + 2))}{pad(figure, 18, right=True)}"
    if row.floor:
        line += _(
            "   floor {floor}, {times} times that",
            floor=f"{rounded(row.floor):g}",
            times=f"{row.value / row.floor:.2f}",
        )
    return line
