"""`fairdeal join [TABLE or HOST[:PORT]]`: sits down at a table by name or address."""

from __future__ import annotations

from cli import tabling
from cli.context import Context
from cli.finding import find_table
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    async def begin(client: tabling.Client) -> None:
        await tabling.join(client, await find_table(request, context))

    return tabling.run_client(request, context, begin)
