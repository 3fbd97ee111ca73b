"""`fairdeal host GAME`: opens a table and announces it on the network."""

from __future__ import annotations

from cli.commands.opening import game_of, on_screen
from cli.context import Context
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    game_of(request)

    if on_screen(request, context):
        from cli.terminal.screens import run_table

        return run_table(request, context)
    from cli.client import session as client_session

    async def begin(client: client_session.Client) -> None:
        await client_session.host(client, request.bots or 0)

    return client_session.run_client(request, context, begin)
