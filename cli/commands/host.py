"""`fairdeal host GAME`: opens a table and announces it on the network."""

from __future__ import annotations

from cli.commands.opening import game_of, on_screen
from cli.context import Context
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    game_of(request)

    if on_screen(request, context):
        from cli.screen.flow import run_table

        return run_table(request, context)
    from cli import tabling

    async def begin(client: tabling.Client) -> None:
        await tabling.host(client, request.bots or 0)

    return tabling.run_client(request, context, begin)
