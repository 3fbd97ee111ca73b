"""`fairdeal bench`: measure this computer."""

from __future__ import annotations

from cli.bench.report import machine, measured, row_json, row_line
from cli.context import Context
from cli.faults import DONE, WrongUse
from cli.requests import BenchRequest


def run(request: BenchRequest, context: Context) -> int:
    """Print rows as they are measured; with --json, one object at the end."""
    where = machine()
    rows = []
    if not request.json:
        context.tell(" · ".join(str(value) for value in where.values()))
    for row in measured(request.quick, request.only):
        rows.append(row)
        if request.json:
            context.note(row_line(context.words, row))
        else:
            context.tell(row_line(context.words, row))
    if not rows:
        raise WrongUse("no row name starts with {names}", names=", ".join(request.only))
    if request.json:
        context.tell_json({"machine": where, "rows": [row_json(row) for row in rows]})
    return DONE
