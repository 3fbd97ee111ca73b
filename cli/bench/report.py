"""The whole benchmark: which rows there are, in which order, on which machine, and the table that people read."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.bench.rows import Row
from cli.clean import pad, width
from cli.text import Translator


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together, and the names that they have."""

    names: tuple[str, ...]
    rows: Callable[[bool], Iterable[Row]]


def _dealing(quick: bool) -> Iterator[Row]:
    from cli.bench import dealing

    for_s = 0.15 if quick else 1.0
    yield from dealing.group_rows(for_s)
    for cards in (52,) if quick else (52, 104, 112):
        yield from dealing.shuffle_rows(cards, for_s)
    for cards in (1, 13):
        yield from dealing.share_rows(cards, for_s)
    yield from dealing.remask_rows(for_s)


def _tables(quick: bool) -> Iterator[Row]:
    """Deals, moves and draws between processes on this machine."""
    from cli.bench import tables

    for game, seats in (("crazy-eights", 4),) if quick else (("crazy-eights", 4), ("crazy-eights", 10), ("tichu", 4)):
        yield from tables.deal_rows(game, seats)
    for seats in (4,) if quick else (4, 10):
        yield from tables.move_rows(seats, 30 if quick else 60)


def _engines(quick: bool) -> Iterator[Row]:
    from cli.bench import engines

    for name in engines.engine_names():
        yield engines.engine_row(name, 0.3 if quick else 2.0)


def _program(quick: bool) -> Iterator[Row]:
    from cli.bench import program

    yield from program.start_rows(3 if quick else 9)
    yield from program.lobby_rows(3 if quick else 9)
    yield program.memory_row()


GROUPS = (
    Group(
        (
            "group.mul",
            "group.add",
            "shuffle.make",
            "shuffle.prove",
            "shuffle.verify",
            "shuffle.verify_chain",
            "share.prove",
            "share.verify",
            "remask",
        ),
        _dealing,
    ),
    Group(("deal", "move", "draw"), _tables),
    Group(("engine.",), _engines),
    Group(("start", "memory"), _program),
)


def measured(quick: bool, only: Sequence[str] = ()) -> Iterator[Row]:
    """All rows, or those whose names begin with one of `only`, as they are measured."""
    for group in GROUPS:
        if only and not any(name.startswith(wish) or wish.startswith(name) for name in group.names for wish in only):
            continue
        for row in group.rows(quick):
            if not only or any(row.name.startswith(wish) for wish in only):
                yield row


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def row_json(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "params": dict(row.params),
        "value": rounded(row.value),
        "unit": row.unit,
        "floor": None if row.floor is None else rounded(row.floor),
    }


def rounded(value: float) -> float:
    """Four digits that mean something."""
    return float(f"{value:.4g}")


def row_line(_: Translator, row: Row) -> str:
    """A row for people: name, what of, figure, and how many times its floor that is."""
    params = _(", ").join(f"{name} {value}" for name, value in row.params.items())
    figure = f"{rounded(row.value):,g} {row.unit}".replace("us", "µs")
    line = f"{pad(row.name, 22)}{pad(params, max(44, width(params) + 2))}{pad(figure, 18, right=True)}"
    if row.floor:
        line += _(
            "   floor {floor}, {times} times", floor=f"{rounded(row.floor):g}", times=f"{row.value / row.floor:.2f}"
        )
    return line
