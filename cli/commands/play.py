"""`fairdeal play GAME`: a table on this machine against bots."""

from __future__ import annotations

import asyncio
from random import Random, SystemRandom

from cli.commands.opening import bot_name, game_of, person_name
from cli.commands.rules import rules_lines
from cli.commands.whoami import login_name
from cli.context import Context
from cli.faults import DONE, MatchFailed
from cli.plain.run import sit
from cli.practice import PracticeTable
from cli.requests import TableRequest

HUMAN_PACE_S = 0.8


def run(request: TableRequest, context: Context) -> int:
    return asyncio.run(_play(request, context))


async def _play(request: TableRequest, context: Context) -> int:
    game = game_of(request)
    names = [person_name(request, login_name()), *(bot_name(number) for number in range(game.seats - 1))]
    screen = context.terminal.is_screen
    table = PracticeTable(
        game,
        names,
        (0,),
        Random(SystemRandom().getrandbits(64)),
        pace_s=HUMAN_PACE_S if screen else 0.0,
        grace_s=request.grace_s if screen else 0.0,
        rounds=request.rounds or 0,
    )
    columns = context.terminal.columns - 1 if screen else 10_000
    async with table:
        ended = await sit(table.people[0], context, lambda: rules_lines(context.words, game, game.seats, columns))
    if ended.broken is not None:
        reason = ended.broken.reason
        raise MatchFailed(reason.template, **reason.fields)
    return DONE
