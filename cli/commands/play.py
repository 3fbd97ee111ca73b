"""`fairdeal play GAME`: a table on this computer against bots, which are peers that shuffle, prove and sign like anyone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cli.client.tables import game_of
from cli.commands.opening import on_screen
from cli.context import Context
from cli.faults import WrongUse
from cli.requests import TableRequest

if TYPE_CHECKING:
    from cli.client.session import Session


def run(request: TableRequest, context: Context) -> int:
    game = game_of(request)
    if request.bots is not None and request.bots != game.seats - 1:
        raise WrongUse(
            "at play all other seats are bots: with {seats} seats {bots} of them", seats=game.seats, bots=game.seats - 1
        )
    if on_screen(request, context):
        from cli.terminal.screens import run_table as on_the_screen

        return on_the_screen(replace(request, bots=game.seats - 1), context)
    from cli.commands.table import run_table

    async def begin(session: Session) -> None:
        await session.host(game.seats - 1)

    return run_table(request, context, begin)
