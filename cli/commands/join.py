"""`fairdeal join [TABLE or HOST[:PORT]]`: sit down at a table by name or address."""

from __future__ import annotations

from cli.commands.opening import on_screen
from cli.context import Context
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    if on_screen(request, context):
        from cli.terminal.screens import run_join

        return run_join(request, context)
    from cli.client.joining import join
    from cli.commands.table import run_table

    return run_table(request, context, join)
