"""`fairdeal bench`: measure this computer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cli.bench.report import machine, measured, plotted, row_json, row_line
from cli.bench.rows import Measurement
from cli.clean import clean
from cli.context import Context
from cli.faults import DONE, WrongUse
from cli.requests import BenchRequest


def run(request: BenchRequest, context: Context) -> int:
    """Print rows as they are measured; with --json, one object at the end. With --plot, draw them."""
    if request.plot is not None and request.only:
        raise WrongUse("--plot chooses its own rows: leave out --only")
    folder = None if request.plot is None else _made(request.plot)
    where = machine()
    rows = []
    if not request.json:
        context.tell(" · ".join(str(value) for value in where.values()))
    found = measured(request.quick, request.only) if folder is None else plotted(request.quick)
    for row in found:
        rows.append(row)
        if request.json:
            context.note(row_line(context.words, row))
        else:
            context.tell(row_line(context.words, row))
    if not rows:
        raise WrongUse("no row name starts with {names}", names=", ".join(request.only))
    if folder is not None:
        _draw(rows, " · ".join(str(value) for value in where.values()), folder, context)
    if request.json:
        context.tell_json({"machine": where, "rows": [row_json(row) for row in rows]})
    return DONE


def _made(folder: Path) -> Path:
    """Make a folder, before minutes of measuring. Raises WrongUse."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise _unwritable(folder, fault) from fault
    return folder


def _draw(rows: Sequence[Measurement], about: str, folder: Path, context: Context) -> None:
    from cli.bench.plot import svg_of

    _, path = context.words, folder / "deal-and-move.svg"
    try:
        path.write_text(svg_of(_, rows, about), encoding="utf-8")
    except OSError as fault:
        raise _unwritable(path, fault) from fault
    context.note(_("The plot is in {path}", path=clean(str(path))))


def _unwritable(path: Path, fault: OSError) -> WrongUse:
    return WrongUse("{path} cannot be written ({reason})", path=clean(str(path)), reason=fault.strerror or str(fault))
