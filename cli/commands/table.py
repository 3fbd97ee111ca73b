"""What `play`, `host` and `join` share without a screen: a person in plain mode, or a bot (`--autoplay`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from cli.clean import clean_name
from cli.client import unattended
from cli.client.opening import open_session
from cli.client.outcome import result_of
from cli.client.results import finished_match
from cli.client.returning import resume, say_goodbye
from cli.client.session import Begin, Session
from cli.context import Context
from cli.faults import DONE, FAILED
from cli.news import PhonesAddress, Progress
from cli.requests import TableRequest
from cli.view.results import result_lines
from protocol.room.values import Room
from protocol.table.result import is_decided
from protocol.values import replace


def run_table(request: TableRequest, context: Context, begin: Begin) -> int:
    """Play in a room: a person as long as they stay, unattended as many matches as asked for; return the exit status."""
    if request.autoplay:
        return asyncio.run(_play_unattended(request, context, begin))
    from cli.commands.in_lines import play_in_lines  # with all of plain mode, which takes a while

    return asyncio.run(play_in_lines(request, context, begin))


async def _play_unattended(request: TableRequest, context: Context, begin: Begin) -> int:
    notify = _Notes(context, request.json).notify
    async with AsyncExitStack() as stack:
        session = await open_session(stack, request, context.home, notify, title=context.words(Session.title))
        if not await _is_back(session):
            session.seat.on_room_change = _RoomNotes(context)
            await begin(session)
        tell = context.tell_json if request.json else partial(_tell_result, context, session)
        return DONE if await unattended.play_room(session, tell) else FAILED


def _tell_result(context: Context, session: Session, report: Mapping[str, Any]) -> None:
    """Print how a match ended, and where its file is. No-op where our table failed: the error says it."""
    if path := report["transcript"]:
        status = "finished" if is_decided(session.driver.table.record) else "broken"
        match = finished_match(time.time(), status, result_of(session.driver, ""))
        for line in result_lines(context.words, replace(match, path=path), is_valid=report["verified"]):
            context.tell(line)


async def _is_back(session: Session) -> bool:
    """Return whether the match that was left here is resumed; say goodbye to it if that is wanted."""
    match = session.unfinished
    if match is None:
        return False
    if session.request.fresh:
        await say_goodbye(session, match)
        return False
    return await resume(session, match)


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
