"""Sitting down: at a table of one's own, at another's, at the one that was left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from cli.client.game_failures import SeatStopped
from cli.faults import FAILED
from cli.flow.playing import play
from cli.flow.session import Flow
from cli.flow.waiting import wait_in_room
from cli.news import Do
from protocol.errors import FairdealError
from protocol.games.catalogue import game_names
from protocol.values import replace

if TYPE_CHECKING:
    from cli.client.room import Door
    from cli.client.session import Session
    from cli.view.in_room import InRoom
    from cli.view.views import Piece
    from p2p.saved import SavedMatch
    from protocol.table.roster import Roster


async def _about_old(flow: Flow, session: Session, old: SavedMatch) -> bool:
    """A match was left here: back to it, put it aside, or give it up; False for neither."""
    from cli.client.aside import put_aside
    from cli.client.returning import resume, say_goodbye, title_of
    from cli.games.titles import game_title
    from cli.view.choosing import Alternative, ChoiceModel
    from protocol.table.roster import decode_roster

    _ = flow._
    title = title_of(old)
    game = game_title(_, decode_roster(old.roster).game)
    model = ChoiceModel(
        flow.settings,
        _("You have an unfinished match: {game}, {title}", game=game, title=title),
        (
            Alternative("back", _("Rejoin the match")),
            Alternative(
                "aside",
                _("Put it aside"),
                _("It stays unfinished, and nobody loses it. To rejoin: {@resume} in the lobby."),
            ),
            Alternative(
                "goodbye",
                _("Quit the match for good"),
                _("You give up and finish last."),
                is_final=True,
            ),
            Alternative("cancel", _("Not now"), _("Nothing changes. You can rejoin later.")),
        ),
    )
    flow.forget_choices()
    screen = flow.screen(model)
    session.node.keep_linked(old)
    try:
        chosen = await flow.choice(screen)
    finally:
        session.node.keep_linked(None)
    match chosen:
        case Do("chosen", "back"):
            screen.say(_("One moment…"))
            flow.app.redraw()
            return await resume(session, old)
        case Do("chosen", "aside"):
            put_aside(session, old)
            return True
        case Do("chosen", "goodbye"):
            screen.say(_("Telling the other players…"))
            flow.app.redraw()
            await say_goodbye(session, old)
            return True
        case _other:
            return False


async def _put_aside(flow: Flow, session: Session) -> str:
    """Leave the table as it is, for the room; whether we are there again, or in the lobby."""
    from cli.client.aside import put_table_aside

    is_back = await put_table_aside(session)
    flow.lobby_words = flow._("The match is put aside, unfinished. To rejoin it: {@resume} in the lobby.")
    return "room" if is_back else "lobby"


def _note_table(flow: Flow, roster: Roster) -> None:
    """The lobby offers this game the next time, whichever command opened it now."""
    from cli.view.opening import noted
    from protocol.games.catalogue import game_class

    usual = game_class(roster.game).OPTIONS
    chosen = {name: value for name, value in roster.options.items() if name in usual and value != usual[name].default}
    flow.settings.last_table = noted(roster.game, len(roster.members), chosen)
    flow.settings.save()


def note_kept_seat(flow: Flow, session: Session) -> None:
    """Whoever leaves the room while a table is being sealed has a seat there already, and is told that it is kept."""
    driver = session.seat.driver
    if driver is not None and not driver.table.is_over:
        flow.kept_seat = True
        flow.lobby_words = flow._("You stepped away. Your seat is kept: press {@resume} to rejoin.")


async def sit(flow: Flow, door: Door) -> str:
    """From coming into the room behind this door to leaving it, match after match; how the last one ended ("lobby": there one
    wants to go)."""
    if flow.app.presenter is None:
        flow.wait_screen(flow._("One moment…"))
    for module in ("cli.client.opening", "cli.client.room", "cli.flow.seat", "cli.view.room"):
        await asyncio.to_thread(import_module, module)
    await asyncio.to_thread(game_names)  # a slow search, which choosing another game must not wait for
    from cli.client.opening import open_session
    from cli.client.returning import say_goodbye
    from cli.client.room import act

    request = door.request
    if flow.serves_phones and request.command != "play":
        request = replace(request, phones=True)
    async with AsyncExitStack() as stack:
        session = await open_session(
            stack,
            request,
            flow.context.home,
            flow.notify,
            auto_ready=request.command == "play" or request.autoplay,
            title=flow._("{name}'s table"),
            system=flow.system,
        )
        old = session.unfinished
        if old is not None and not door.is_return:
            if request.fresh:
                await say_goodbye(session, old)
            elif not await _about_old(flow, session, old):
                return "neither"
        enter: Callable[[], Awaitable[None]] | None = partial(door.enter, session)
        chat: tuple[Piece, ...] = ()
        standing: InRoom | None = None
        while True:
            if not session.seat.seated.is_set():
                # If all others were ready for another match, its table is being sealed by now, which may fail.
                try:
                    room = await wait_in_room(
                        flow, session, enter if session.seat.driver is None else None, chat, standing
                    )
                except FairdealError as fault:
                    if session.seat.room is None:  # we were not let in
                        raise
                    flow.lobby_words = flow.explained(fault)
                    return "lobby"
                if room is None:
                    note_kept_seat(flow, session)
                    return "cancelled" if enter is not None else "lobby"
                chat, standing = tuple(room.chat), room.standing
            if request.command in ("play", "host"):
                _note_table(flow, session.driver.table.record.roster)
            try:
                outcome = await play(flow, session, chat)
            except SeatStopped as fault:
                flow.status, flow.lobby_words = FAILED, flow.explained(fault)
                flow.kept.append(flow.lobby_words)  # the file's name can be copied there
                return "lobby"
            if outcome == "aside":
                outcome = await _put_aside(flow, session)
                chat = (*chat, (flow.lobby_words, "gold"))
            elif outcome == "gave-up":
                outcome, chat = "room", (*chat, (flow.lobby_words, "gold"))
            if outcome not in ("again", "room") or session.node.waiting_room.room is None:
                return "lobby" if outcome == "room" else outcome
            if outcome == "again":
                await act(session, Do("ready", True))
            enter = None
