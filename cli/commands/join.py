"""`fairdeal join [TABLE or HOST[:PORT]]`: sit down at a table by name or address."""

from __future__ import annotations

from cli.commands.opening import flow_for
from cli.context import Context
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    if not request.autoplay and (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_join

        return run_join(request, flow)
    from cli.client.joining import join
    from cli.commands.table import run_table

    return run_table(request, context, join)
