"""`fairdeal host GAME`: open a table and announce it on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.client.tables import game_of
from cli.commands.opening import flow_for
from cli.context import Context
from cli.requests import TableRequest

if TYPE_CHECKING:
    from cli.client.session import Session


def run(request: TableRequest, context: Context) -> int:
    game_of(request)
    if not request.autoplay and (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_table as with_face

        return with_face(request, flow)
    from cli.commands.table import run_table

    async def begin(session: Session) -> None:
        await session.host(request.bots or 0)

    return run_table(request, context, begin)
