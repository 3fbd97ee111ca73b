"""`fairdeal play GAME`: a table on this machine against bots, which are peers that shuffle, prove and sign like anyone."""

from __future__ import annotations

from dataclasses import replace

from cli.commands.opening import game_of, on_screen
from cli.context import Context
from cli.faults import WrongUse
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    game = game_of(request)
    if request.bots is not None and request.bots != game.seats - 1:
        raise WrongUse(
            "at play all other seats are bots: with {seats} seats {bots} of them", seats=game.seats, bots=game.seats - 1
        )

    if on_screen(request, context):
        from cli.terminal.screens import run_table

        return run_table(replace(request, bots=game.seats - 1), context)
    from cli.client import session as client_session

    async def begin(client: client_session.Client) -> None:
        await client_session.host(client, game.seats - 1)

    return client_session.run_client(request, context, begin)
