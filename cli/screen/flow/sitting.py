"""Sitting down: at a table of one's own, at another's, at the one that was left."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.faults import NobodyThere
from cli.requests import TableRequest
from cli.screen.effects import Do
from cli.screen.flow.playing import play
from cli.screen.flow.session import Flow
from cli.screen.flow.waiting import Begin, wait_in_room
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.tabling import Client
    from p2p.journal import Match

REJOIN_S = 20.0
"""How long a guest tries to find the host's next table for a rematch."""


async def host(flow: Flow, request: TableRequest) -> str:
    """Opens a table, and another one for each rematch; how the last one ended ("lobby": there one wants to go)."""
    bots = request.bots or 0

    async def begin(client: Client) -> None:
        from cli import tabling

        await tabling.host(client, bots)

    while (outcome := await _at_table(flow, request, begin)) == "rematch":
        pass
    return outcome


async def join(flow: Flow, request: TableRequest, addresses: Any) -> str:
    """Sits down at a host's table; for a rematch at the next one that this host opens; how the last one ended."""
    patience_s = 0.0

    async def begin(client: Client) -> None:
        from cli import tabling

        deadline = time.monotonic() + patience_s
        while True:
            try:
                await tabling.join(client, addresses)
                return
            except FairdealError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.5)

    while (outcome := await _at_table(flow, request, begin)) == "rematch":
        patience_s = REJOIN_S
    return outcome


async def resume(flow: Flow, request: TableRequest) -> None:
    """Takes up the match that was left here."""

    async def begin(client: Client) -> None:
        from cli import tabling

        match = client.node.resumable()
        if match is None:
            raise NobodyThere("there is no unfinished match here")
        await tabling.resume(client, match)

    await _at_table(flow, request, begin, True)


async def _about_old(flow: Flow, client: Client, old: Match) -> bool:
    """A match was left here: back to it, or give it up; False for neither."""
    from cli import tabling
    from cli.screen.present.choosing import Answer, ChoicePresenter
    from cli.screen.present.titles import game_title
    from protocol.table.roster import decode_roster

    _ = flow._
    title = clean_name(str(old.meta.get("title") or ""), "") or old.id.hex()[:8]
    game = game_title(_, decode_roster(old.roster).game)
    presenter = ChoicePresenter(
        flow.settings,
        time.monotonic,
        _("You left a match unfinished: {game}, {title}", game=game, title=title),
        (
            Answer("back", _("Take your old seat again")),
            Answer(
                "goodbye",
                _("Give it up for good"),
                _("Your hand is opened, and the others cannot finish the round without it."),
            ),
            Answer("cancel", _("Neither"), _("Things stay as they are: you can take your seat again later.")),
        ),
    )
    flow.forget_choices()
    chosen = await flow.choice(presenter)
    match chosen:
        case Do("chosen", "back"):
            await tabling.resume(client, old)
            await client.seat.seated.wait()
            return True
        case Do("chosen", "goodbye"):
            await tabling.say_goodbye(client, old)
            return True
        case _other:
            return False


async def _at_table(flow: Flow, request: TableRequest, begin: Begin, is_return: bool = False) -> str:
    """From sitting down to leaving; how it ended."""
    if flow.app.presenter is None:
        flow.wait_screen(flow._("One moment…"))
    for module in ("cli.tabling", "cli.screen.seat", "cli.screen.present.room"):
        await asyncio.to_thread(import_module, module)
    from cli import tabling

    async with AsyncExitStack() as stack:
        client = await tabling.open_client(stack, request, flow.quiet, auto_ready=request.command == "play")
        client.on_screen = True
        old = client.node.resumable()
        if old is not None and not is_return:
            if request.fresh:
                await tabling.say_goodbye(client, old)
            elif not await _about_old(flow, client, old):
                return "cancelled"
            elif client.seat.driver is not None:
                return await play(flow, client)
        room = await wait_in_room(flow, client, request, begin)
        return "cancelled" if room is None else await play(flow, client, tuple(room.chat))
