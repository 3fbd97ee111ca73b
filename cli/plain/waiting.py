"""A waiting room at work in lines: the node's room and chat are told, typed lines are answered and carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.client.sitters import seat_offered
from cli.games.explain import explain
from cli.news import NO_MATCHES, Do, RoomNews, Say, Tonight
from cli.plain.pages import rules_read
from cli.plain.phones import PhonesTalk
from cli.plain.room import BACK, RoomTalk
from cli.plain.watching import watch_match
from cli.view.partings import sits_down_told
from cli.view.room_news import room_news_text
from protocol.errors import BadOption, FairdealError
from protocol.games.catalogue import game_class

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.context import Context
    from cli.plain.lines_in import LineQueue
    from cli.plain.voice import Voice
    from p2p.room.offers import SeatOffer
    from protocol.room.values import Room


class RoomWindow:
    """Listens to the node as soon as it is made, and to who types while `listen` runs."""

    def __init__(
        self,
        session: Session,
        context: Context,
        typed: LineQueue,
        voice: Voice,
        host_before: bytes | None = None,
        tonight: Tonight = NO_MATCHES,
    ) -> None:
        """`host_before`: a match of this room is over, and this one hosted it when it began."""
        node, self._session = session.node, session
        self._context, self._typed, self._voice = context, typed, voice
        self._ = context.words
        self._has_changed = asyncio.Event()
        self._is_script = not context.terminal.is_screen
        """Its lines may be meant for the table: what is nothing for a waiting room stays, with all that follows."""
        self.talk = RoomTalk(
            self._,
            node.identity.public,
            node.settings.name,
            session.request.command == "host",
            is_ready=node.settings.auto_ready and host_before is None,
            host_before=host_before,
            tonight=tonight,
            rules=self._rules,
            bots_coming=session.bots.coming,
        )
        has_code = context.terminal.is_screen and not context.terminal.ascii_only
        has_code = has_code and not context.environ.get("ACCESSIBLE")
        self.phones = PhonesTalk(self._, session, self._tell, has_code)
        session.seat.on_room_change = self._changed
        session.seat.on_chat = self._heard
        session.seat.on_room_news = self._noticed
        session.seat.offered = self._offered
        self._tallying: asyncio.Task[None] | None = None
        if session.seat.evening is not None:
            session.seat.evening.on_change = self._evening_changed
        if host_before is not None and node.waiting_room.room is not None:
            self._changed(node.waiting_room.room)

    # --- what is told ---

    def _changed(self, room: Room) -> None:
        is_first = self.talk.room is None
        is_new_room = is_first and not self.talk.is_back
        told, friends = self.talk.changed(room), list[str]()
        if self.talk.is_host and not self.talk.addresses and self._session.request.command != "play":
            self.talk.addresses = self._session.addresses
            friends = self.talk.friends()
        self._has_changed.set()
        if told and not is_first:
            told = [self._.join(told)]
        if told or friends:
            self._tell([*friends, *told] if is_new_room else [*told, *friends])

    def _heard(self, who: bytes, text: str) -> None:
        self._tell(self.talk.heard(who, text))

    def _noticed(self, news: RoomNews) -> None:
        self._tell([room_news_text(self._, news)])

    def _offered(self, offer: SeatOffer | None) -> None:
        news = seat_offered(offer)
        self._tell(self.talk.seat_offered(news))

    def _evening_changed(self) -> None:
        """We hear how the evening stands, or have checked it."""
        if self._tallying is None or self._tallying.done():
            self._tallying = asyncio.create_task(self._tell_evening())

    async def _tell_evening(self) -> None:
        from cli.client.room import tally_of

        tonight = await tally_of(self._session)
        if self._session.node.driver is None and (told := self.talk.evening_changed(tonight)):
            self._tell(told)

    def _take_seat(self) -> None:
        offer = self._session.node.waiting_room.offer
        if offer is not None:
            self.talk.offered = None
            self._session.take_seat(offer)
            self._tell([sits_down_told(self._)])

    def _tell(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._voice.tell(line)
        self._voice.prompt()

    def _rules(self, room: Room, asked: str) -> Sequence[str]:
        """The rules as this table plays them."""

        try:
            game = game_class(room.game)(len(room.seats), room.options)
        except BadOption:
            return [self._("There are no rules to show here.")]
        return rules_read(self._context, game, asked)

    # --- what is typed ---

    async def listen(self) -> None:
        """Returns when we leave. Lines that are meant for the table are not taken."""
        try:
            await self._listen()
        finally:
            self.phones.close()

    async def _listen(self) -> None:
        typed, talk = self._typed, self.talk
        while True:
            line = await typed.peek()
            if line is None and not self._is_script:
                return self._leave()
            if line is None or (self._is_script and not talk.knows(line)):
                await asyncio.Event().wait()  # the table will read it
            while self._is_script and not talk.is_waiting():
                self._has_changed.clear()
                await self._has_changed.wait()
            typed.take()
            self._voice.entered()
            told, deed = talk.answer(line or "")
            if deed == BACK:
                return self._leave()
            if told:
                self._tell(told)
            if deed is not None:
                await self._do(deed)
            if deed == Do("close-room"):
                return self._voice.tell(self._("You closed the room."))

    def _leave(self) -> None:
        is_seated = self.talk.room is None
        self._voice.tell(self._("You stepped away. Your seat is kept.") if is_seated else self._("You left the room."))

    async def _do(self, deed: Do | Say) -> None:
        from cli.client.room import act

        try:
            if deed == Do("watch"):
                await watch_match(self._session, self._context, self._typed, self._voice)
                self._tell([self._("You’re back in the room.")])
            elif deed == Do("take-seat"):
                self._take_seat()
            elif isinstance(deed, Do) and deed.name.startswith("phones"):
                await self.phones.do(deed.name)
            else:
                await act(self._session, deed)
        except FairdealError as fault:
            self._tell([explain(self._, fault)])
