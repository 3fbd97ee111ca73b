"""What `play`, `host` and `join` share without a screen: a person in plain mode, or a bot (`--autoplay`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from cli.clean import clean_name
from cli.client import unattended
from cli.client.aside import put_aside
from cli.client.opening import open_session
from cli.client.returning import resume, say_goodbye
from cli.client.session import Session
from cli.context import Context
from cli.faults import DONE, FAILED
from cli.news import PhonesAddress, Progress
from cli.plain.old_match import OldMatch, StaysAsItIs, ask_about_old, takes_up
from cli.plain.table import PlainTable
from cli.requests import TableRequest
from p2p.saved import SavedMatch
from protocol.room.values import Room

Begin = Callable[[Session], Awaitable[None]]
"""Brings a session to a table, by opening or joining one."""


def run_table(request: TableRequest, context: Context, begin: Begin) -> int:
    """Play in a room: a person as long as they stay, unattended as many matches as asked for; return the exit status."""
    return asyncio.run(_run(request, context, begin))


async def _run(request: TableRequest, context: Context, begin: Begin) -> int:
    lines = None if request.autoplay else PlainTable(context)
    notify = _Notes(context, request.json).notify if lines is None else lines.notify
    async with AsyncExitStack() as stack:
        session = await open_session(stack, request, context.home, notify, title=context.words(Session.title))
        try:
            is_back = await _take_old_seat(session, lines, context)
        except StaysAsItIs:
            context.tell(context.words("Nothing changes. You can rejoin later."))
            return DONE
        if not is_back:
            _open_room(session, lines, context)
            await begin(session)
        tell = context.tell_json if request.json else _ignore
        if lines is None:
            return DONE if await unattended.play_room(session, tell) else FAILED
        return DONE if await lines.play_room(session, tell) else FAILED


def _ignore(_report: dict[str, Any]) -> None:
    pass


async def _take_old_seat(session: Session, lines: PlainTable | None, context: Context) -> bool:
    """Return whether the match that was left here is resumed; put it aside or say goodbye to it if that is wanted. Raises
    StaysAsItIs."""
    match, request = session.unfinished, session.request
    is_asked = lines is not None and context.terminal.is_screen
    if match is not None and request.fresh:
        await say_goodbye(session, match)
        return False
    if lines is not None and is_asked:
        if match is None and request.command == "join" and request.where is None:
            match = await _wanted_again(session, lines, context)
        elif match is not None and not await _rejoins(session, match, lines, context):
            return False
    if match is None:
        return False
    if is_asked:
        _open_room(session, lines, context)
    return await resume(session, match)


async def _wanted_again(session: Session, lines: PlainTable, context: Context) -> SavedMatch | None:
    """Return the match that was put aside last, if it is to be taken up: a person has no other way back without the lobby."""
    for match in session.node.aside()[:1]:
        if await takes_up(context.words, match, lines.typed, lines.voice):
            return match
    return None


async def _rejoins(session: Session, match: SavedMatch, lines: PlainTable, context: Context) -> bool:
    """Return whether the person goes back to the match; otherwise it is put aside or given up."""
    answer = await ask_about_old(context.words, match, lines.typed, lines.voice)
    if answer is OldMatch.ASIDE:
        put_aside(session, match)
    elif answer is OldMatch.GIVEN_UP:
        lines.voice.tell(context.words("Telling the other players…"))
        await say_goodbye(session, match)
    return answer is OldMatch.REJOINED


def _open_room(session: Session, lines: PlainTable | None, context: Context) -> None:
    if lines is not None:
        lines.open_room(session)
    else:
        session.seat.on_room_change = _RoomNotes(context)


class _Notes:
    """Prints an unattended client's progress; where phones can sit down is part of the answer with --json."""

    def __init__(self, context: Context, is_json: bool) -> None:
        self._context, self._is_json = context, is_json

    def notify(self, progress: Progress) -> None:
        if self._is_json and isinstance(progress, PhonesAddress):
            self._context.tell_json({"phones": progress.address})
        else:
            self._context.notify(progress)


class _RoomNotes:
    """Prints who sits in the room whenever that changes, as a progress note."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._last = ""

    def __call__(self, room: Room) -> None:
        _ = self._context.words
        names = _.list(clean_name(sitter.name) for sitter in room.sitters)
        free = len(room.seats) - len(room.sitters)
        line = _("In the room: {names}.", names=names)
        if free:
            line = _.join([line, _.n("One seat is free.", "{n} seats are free.", free)])
        if line != self._last and room.is_open and not room.is_playing:
            self._last = line
            self._context.note(line)
