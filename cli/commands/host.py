"""`fairdeal host GAME`: open a table and announce it on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.client.tables import game_of
from cli.commands.opening import on_screen
from cli.context import Context
from cli.requests import TableRequest

if TYPE_CHECKING:
    from cli.client.session import Session


def run(request: TableRequest, context: Context) -> int:
    game_of(request)
    if on_screen(request, context):
        from cli.terminal.screens import run_table as on_the_screen

        return on_the_screen(request, context)
    from cli.commands.table import run_table

    async def begin(session: Session) -> None:
        await session.host(request.bots or 0)

    return run_table(request, context, begin)
