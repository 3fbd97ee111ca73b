"""A person in a room in lines: match after match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from cli.client import unattended
from cli.client.aside import put_table_aside
from cli.client.ending import finish
from cli.client.filling import fill_now
from cli.client.room import tally_of
from cli.client.session import Session
from cli.context import Context
from cli.faults import NobodyThere
from cli.games.cards import plain
from cli.games.explain import explain
from cli.games.registry import take_fault
from cli.news import BotsChanged, BotsStopped, BotStuck, JoinAddress, PhonesAddress, Progress
from cli.plain.lines_in import LineQueue
from cli.plain.pages import rules_read
from cli.plain.run import sit
from cli.plain.verbs import shown, words_for
from cli.plain.voice import Voice
from cli.plain.waiting import RoomWindow
from cli.view.partings import recovery_lacks
from cli.view.secret_check import asks_for_words, words_told
from protocol.errors import FairdealError

Report: TypeAlias = Callable[[dict[str, Any]], None]
ASIDE: dict[str, Any] = {}
"""Stands for the report of a match that is put aside."""


class PlainTable:
    """What one run of plain mode has in common: what is typed, and what is told."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.typed = LineQueue(context.stdin)
        self.voice = Voice(context)
        self.window: RoomWindow | None = None
        """Where a room is heard and typed in."""
        self._has_played = False
        self._again = words_for(context.words, "room again")

    def notify(self, progress: Progress) -> None:
        """Tell the client's progress, but what the room's window tells, and what the command ends with."""
        match progress:
            case JoinAddress() if self.window is not None:
                return
            case PhonesAddress() if self.window is not None:
                self.window.phones.show()
                return
            case BotsChanged(BotStuck() | BotsStopped(is_for_good=True)):
                return
        self.context.notify(progress)

    def open_room(self, session: Session) -> None:
        """Tell who sits in the room, and take what is typed there. With bots alone nobody is awaited: all is the table's."""
        if session.request.command != "play":
            self.window = RoomWindow(session, self.context, self.typed, self.voice)

    async def play_room(self, session: Session, report: Report) -> bool:
        """Match after match, until the person leaves the room or it is gone; `report` receives each result.

        A script plays one match, and another for each "again" that follows it. Return whether all files were verified.
        Raises what breaks off a script's match, or stops our table.
        """
        is_fine = True
        while True:
            try:
                found = await self._play(session)
            except NobodyThere as gone:
                if self._has_played:
                    self.voice.tell(explain(self.context.words, gone))
                    return is_fine
                raise
            if found is None:
                return is_fine
            if found == ASIDE:
                if not await put_table_aside(session):
                    return is_fine
                await self._open_window(session)
                continue
            report(found)
            self._has_played = True
            is_fine = is_fine and found["verified"] and session.seat.broken is None
            if not await self._comes_back(session):
                unattended.raise_what_ended(session)
                return is_fine

    async def _comes_back(self, session: Session) -> bool:
        """Be in the room again after a match; return whether we are."""
        broken, ended = session.seat.broken, session.driver.table.record.broken
        has_quit = ended is not None and ended.seat == session.driver.table.seat
        if session.driver.fault is not None or session.node.waiting_room.room is None:
            return False
        if not self.context.terminal.is_screen and plain(await self.typed.peek() or "") not in self._again:
            return False
        session.node.settings.auto_ready = False  # from now on everyone says so
        if not session.again(is_ready=False):
            return False
        if broken is not None and not has_quit:  # of that one was told at once
            self.voice.tell(explain(self.context.words, broken))
        await self._open_window(session)
        return True

    async def _open_window(self, session: Session) -> None:
        """Hear and type in the room again."""
        known, room = self.window, session.node.waiting_room.room
        before = known.talk.room if known is not None and known.talk.room is not None else room
        host = before.host if before is not None else b""
        self.window = RoomWindow(session, self.context, self.typed, self.voice, host, await tally_of(session))

    async def _play(self, session: Session) -> dict[str, Any] | None:
        """From the room to the end of the match; its report, ASIDE if it is to be put aside, None if we left before."""
        leaving = None if self.window is None else self.window.listen()
        if not await unattended.wait_for_deal(session, leaving):
            return None
        session.seat.on_room_change = lambda _room: None  # what matters now is the table
        session.note_bots()
        self._tell_words(session)
        if session.seat.facts.lacks_recovery:
            self.voice.tell(recovery_lacks(self.context.words))
        driver = session.driver
        if (fault := take_fault(driver.table.game)) is not None:
            self.voice.tell(explain(self.context.words, fault))

        def rules(asked: str) -> list[str]:
            return rules_read(self.context, driver.table.game, asked)

        finishing = asyncio.create_task(finish(session))
        try:
            ended = await sit(session.seat, self.context, rules, self.typed, self.voice, lambda: fill_now(session))
            if ended.is_aside:
                return ASIDE
            if ended.match is None and ended.broken is None and not driver.table.may_go:
                return None
            return await finishing
        except (FairdealError, OSError):
            raise
        except Exception as error:  # the game or its face, maybe a stranger's
            raise session.seat.failed(error) from error
        finally:
            finishing.cancel()

    def _tell_words(self, session: Session) -> None:
        """The table's words, to a person who has somebody to compare them with. Bots cannot."""
        _ = self.context.words
        if asks_for_words(session.seat):
            self.voice.tell(words_told(_, session.seat))
            self.voice.tell(_("If they match, type {verb}.", verb=shown(_, "words")))
