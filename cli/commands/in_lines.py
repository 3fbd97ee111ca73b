"""What `play`, `host` and `join` do for a person in plain mode."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from cli.client.aside import put_aside
from cli.client.opening import open_session
from cli.client.returning import resume, say_goodbye
from cli.client.session import Begin, Session
from cli.context import Context
from cli.faults import DONE, FAILED
from cli.plain.old_match import OldMatch, StaysAsItIs, ask_about_old, takes_up
from cli.plain.table import PlainTable
from cli.requests import TableRequest
from p2p.saved import SavedMatch


async def play_in_lines(request: TableRequest, context: Context, begin: Begin) -> int:
    """Play in a room as long as the person stays; return the exit status."""
    lines = PlainTable(context)
    async with AsyncExitStack() as stack:
        session = await open_session(stack, request, context.home, lines.notify, title=context.words(Session.title))
        try:
            is_back = await _take_old_seat(session, lines, context)
        except StaysAsItIs:
            context.tell(context.words("Nothing changes. You can rejoin later."))
            return DONE
        if not is_back:
            lines.open_room(session)
            await begin(session)
        tell = context.tell_json if request.json else (lambda _report: None)
        try:
            return DONE if await lines.play_room(session, tell) else FAILED
        except asyncio.CancelledError:  # Ctrl-C
            driver = session.seat.driver
            if driver is not None and not driver.table.is_over:
                context.note("\n" + context.words("You stepped away. Your seat is kept."))
            raise


async def _take_old_seat(session: Session, lines: PlainTable, context: Context) -> bool:
    """Return whether the match that was left here is resumed; put it aside or say goodbye to it if that is wanted. Raises
    StaysAsItIs."""
    match, request, is_asked = session.unfinished, session.request, context.terminal.is_screen
    if match is not None and request.fresh:
        await say_goodbye(session, match)
        return False
    if is_asked and match is None and request.command == "join" and request.where is None:
        match = await _wanted_again(session, lines, context)
    elif is_asked and match is not None and not await _rejoins(session, match, lines, context):
        return False
    if match is None:
        return False
    if is_asked:
        lines.open_room(session)
    return await resume(session, match)


async def _wanted_again(session: Session, lines: PlainTable, context: Context) -> SavedMatch | None:
    """Return the match that was put aside last, if it is to be taken up: a person has no other way back without the lobby."""
    for match in session.node.aside()[:1]:
        if await takes_up(context.words, match, lines.typed, lines.voice):
            return match
    return None


async def _rejoins(session: Session, match: SavedMatch, lines: PlainTable, context: Context) -> bool:
    """Return whether the person goes back to the match; otherwise it is put aside or given up."""
    session.node.keep_linked(match)
    try:
        answer = await ask_about_old(context.words, match, lines.typed, lines.voice)
    finally:
        session.node.keep_linked(None)
    if answer is OldMatch.ASIDE:
        put_aside(session, match)
    elif answer is OldMatch.GIVEN_UP:
        lines.voice.tell(context.words("Telling the other players…"))
        await say_goodbye(session, match)
    return answer is OldMatch.REJOINED
