"""`fairdeal join [TABLE or HOST[:PORT]]`: sits down at a table by name or address."""

from __future__ import annotations

from cli.commands.opening import on_screen
from cli.context import Context
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    if on_screen(request, context):
        from cli.terminal.screens import run_join

        return run_join(request, context)
    from cli.client import joining
    from cli.client import session as client_session

    async def begin(client: client_session.Client) -> None:
        await joining.join(client, request, context)

    return client_session.run_client(request, context, begin)
