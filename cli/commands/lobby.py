"""`fairdeal` alone: the lobby, full screen; without a screen the tables in lines."""

from __future__ import annotations

from cli.context import Context
from cli.requests import Common, TablesRequest


def run(request: Common, context: Context) -> int:
    if context.terminal.plain:
        from cli.commands import tables

        return tables.run(TablesRequest("tables", json=request.json), context)
    from cli.screen.flow import run_lobby

    return run_lobby(context)
