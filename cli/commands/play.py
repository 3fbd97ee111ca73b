"""`fairdeal play GAME`: a table on this computer against bots, which are peers that shuffle, prove and sign like anyone."""

from __future__ import annotations

from cli.client.tables import game_of
from cli.commands import host
from cli.context import Context
from cli.faults import WrongUse
from cli.requests import TableRequest
from protocol.values import replace


def run(request: TableRequest, context: Context) -> int:
    bots = game_of(request).seats - 1
    if request.bots is not None and request.bots != bots:
        raise WrongUse(
            "with play, all other seats are bots: {seats} seats means {bots} bots", seats=bots + 1, bots=bots
        )
    return host.run(replace(request, bots=bots), context)
