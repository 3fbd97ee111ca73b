"""`fairdeal join [TABLE or HOST[:PORT]]`: sits down at a table by name or address."""

from __future__ import annotations

from cli.commands.opening import on_screen
from cli.context import Context
from cli.finding import find_table, is_free
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    if on_screen(request, context):
        from cli.screen.flow import run_join

        return run_join(request, context)
    from cli import tabling

    async def begin(client: tabling.Client) -> None:
        limit = request.wait_or_default_s
        await tabling.join(client, await find_table(request.where, limit, context, is_free))

    return tabling.run_client(request, context, begin)
