"""Sitting down: at a table of one's own, at another's, at the one that was left."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.faults import NobodyThere
from cli.requests import TableRequest
from cli.terminal.screens.playing import play
from cli.terminal.screens.session import Flow
from cli.terminal.screens.waiting import Begin, wait_in_room
from cli.view.effects import Do
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.session import Client
    from cli.terminal.screens.again import Again
    from cli.view.views import Piece
    from p2p.journal import Match
    from protocol.table.roster import Roster

REJOIN_S = 20.0
"""How long a guest tries to find the host's next table for a rematch."""

UNHURRIED_S = 12 * 3600.0
"""The pause between rounds where nobody else waits: Enter ends it."""


@dataclass(frozen=True, slots=True)
class Sat:
    """How sitting at a table ended; `again`: the next table, where an old seat was taken again and a rematch is wanted."""

    outcome: str
    again: Again | None = None


async def host(flow: Flow, request: TableRequest) -> str:
    """Opens a table, and another one for each rematch; how the last one ended ("lobby": there one wants to go)."""
    bots = request.bots or 0
    if request.command == "play" and request.pause_s is None and not request.autoplay:
        request = replace(request, pause_s=UNHURRIED_S)  # among bots the next round waits for the person alone

    async def begin(client: Client) -> None:
        from cli.client import session as client_session

        await client_session.host(client, bots)

    while (sat := await _at_table(flow, request, begin)).outcome == "rematch":
        if sat.again is not None:
            return await _play_again(flow, sat.again)
    return sat.outcome


async def join(
    flow: Flow, request: TableRequest, addresses: Any, patience_s: float = 0.0, expect: bytes | None = None
) -> str:
    """Sits down at a host's table (with `expect`: only at that of this key); for a rematch at the next one that this host opens;
    how the last one ended. `patience_s`: how long it is looked for."""

    async def begin(client: Client) -> None:
        from cli.client import session as client_session

        deadline = time.monotonic() + patience_s
        while True:
            try:
                await client_session.join(client, addresses, expect)
                return
            except FairdealError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.5)

    while (sat := await _at_table(flow, request, begin)).outcome == "rematch":
        if sat.again is not None:
            return await _play_again(flow, sat.again)
        patience_s = REJOIN_S
    return sat.outcome


async def _play_again(flow: Flow, next_one: Again) -> str:
    """To the rematch of a match whose seat had been taken again; how the last table ended."""
    if next_one.host is None:
        return await host(flow, next_one.request)
    return await join(flow, next_one.request, next_one.addresses, REJOIN_S, next_one.host)


async def resume(flow: Flow, request: TableRequest) -> str:
    """Takes up the match that was left here, and goes on to its rematch; how the last table ended."""

    async def begin(client: Client) -> None:
        from cli.client import session as client_session

        match = client.node.resumable()
        if match is None:
            raise NobodyThere("there is no unfinished match here")
        await client_session.resume(client, match)

    sat = await _at_table(flow, request, begin, True)
    if sat.outcome == "rematch" and sat.again is not None:
        return await _play_again(flow, sat.again)
    return sat.outcome


async def _about_old(flow: Flow, client: Client, old: Match) -> bool:
    """A match was left here: back to it, or give it up; False for neither."""
    from cli.client import resume
    from cli.client import session as client_session
    from cli.games.titles import game_title
    from cli.view.choosing import Answer, ChoicePresenter
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
                _("The match then ends for everybody."),
            ),
            Answer("cancel", _("Neither"), _("Things stay as they are: you can take your seat again later.")),
        ),
    )
    flow.forget_choices()
    chosen = await flow.choice(presenter)
    match chosen:
        case Do("chosen", "back"):
            presenter.say(_("One moment…"))
            flow.app.redraw()
            await client_session.resume(client, old)
            await client.seat.seated.wait()
            return True
        case Do("chosen", "goodbye"):
            presenter.say(_("Telling the others…"))
            flow.app.redraw()
            await resume.say_goodbye(client, old)
            return True
        case _other:
            return False


def _note_table(flow: Flow, roster: Roster) -> None:
    """The lobby offers this game the next time, whichever command opened it now."""
    from cli.view.opening import noted
    from protocol.games.catalogue import game_class

    usual = game_class(roster.game).OPTIONS
    chosen = {name: value for name, value in roster.options.items() if name in usual and value != usual[name].default}
    flow.settings.last_table = noted(roster.game, len(roster.members), chosen)
    flow.settings.save()


async def _at_table(flow: Flow, request: TableRequest, begin: Begin, is_return: bool = False) -> Sat:
    """From sitting down to leaving; how it ended."""
    if flow.app.presenter is None:
        flow.wait_screen(flow._("One moment…"))
    for module in ("cli.client.session", "cli.terminal.seat", "cli.view.room"):
        await asyncio.to_thread(import_module, module)
    from cli.client import resume
    from cli.client import session as client_session
    from cli.terminal.screens.again import OPENED_AS, OPENED_AT, again

    async with AsyncExitStack() as stack:
        client = await client_session.open_client(stack, request, flow.quiet, auto_ready=request.command == "play")
        client.on_screen = True
        old = client.node.resumable()
        if old is not None and not is_return:
            if request.fresh:
                await resume.say_goodbye(client, old)
            elif not await _about_old(flow, client, old):
                return Sat("neither")
            is_return = client.seat.driver is not None
        chat: tuple[Piece, ...] = ()
        if client.seat.driver is None:
            room = await wait_in_room(flow, client, request, begin)
            if room is None:
                return Sat("cancelled")
            chat = tuple(room.chat)
        if not is_return or old is None:
            assert client.seat.driver is not None
            if request.command in ("play", "host"):
                client.node.journal.set_meta(
                    client.seat.driver.match, **{OPENED_AS: request.command, OPENED_AT: request.port}
                )
                _note_table(flow, client.seat.driver.table.record.roster)
            return Sat(await play(flow, client, chat))
        following = again(request, old, client.node.identity.public)
        outcome = await play(flow, client, chat, following is not None)
        if following is not None and following.host is not None:
            # Where the host is now is known better than where they were when we left.
            now = client.node.mesh.addresses(following.host)
            following = replace(following, addresses=tuple(dict.fromkeys((*now, *following.addresses))))
        return Sat(outcome, following)
