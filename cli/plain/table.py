"""A person at a table in lines: from the room to the end of the match."""

from __future__ import annotations

import asyncio
from typing import Any

from cli.client.session import Session
from cli.client.unattended import wait_for_deal
from cli.context import Context
from cli.news import BotsChanged, BotsStopped, BotStuck, JoinAddress, Progress, has_company
from cli.plain.lines_in import Typed
from cli.plain.pages import rules_read
from cli.plain.run import sit
from cli.plain.voice import Voice
from cli.plain.waiting import RoomWindow


class PlainTable:
    """What one run of plain mode has in common: what is typed, and what is told."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.typed = Typed(context.stdin)
        self.voice = Voice(context)
        self.window: RoomWindow | None = None
        """Where a room is heard and typed in."""

    def notify(self, progress: Progress) -> None:
        """Tell the client's progress, but what the room's window tells, and what the command ends with."""
        match progress:
            case JoinAddress() if self.window is not None:
                return
            case BotsChanged(BotStuck() | BotsStopped(is_for_good=True)):
                return
        self.context.notify(progress)

    def open_room(self, session: Session) -> None:
        """Tell who sits in the room, and take what is typed there. With bots alone nobody is awaited: all is the table's."""
        if session.request.command != "play":
            self.window = RoomWindow(session, self.context, self.typed, self.voice)

    async def play(self, session: Session) -> dict[str, Any] | None:
        """From the room to the end of the match; its report, None if we left before."""
        leaving = None if self.window is None else self.window.listen()
        if not await wait_for_deal(session, leaving):
            return None
        session.seat.on_room_change = lambda _room: None  # what matters now is the table
        session.note_bots()
        self._tell_words(session)
        driver = session.driver

        def rules(asked: str) -> list[str]:
            return rules_read(self.context, driver.table.game, asked)

        finishing = asyncio.create_task(session.finish())
        try:
            ended = await sit(session.seat, self.context, rules, self.typed, self.voice)
            if ended.match is None and ended.broken is None and not driver.table.may_go:
                return None
            return await finishing
        finally:
            finishing.cancel()

    def _tell_words(self, session: Session) -> None:
        """The table's words, to a person who has somebody to compare them with. Bots cannot."""
        if has_company(session.seat):
            words = " ".join(session.driver.table.record.words)
            self.voice.tell(self.context.words("Secret-check words: {words}. Read them out once.", words=words))
