"""In the room: until the table is sealed, or the person goes. A running match is watched from here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from cli.client.sitters import seat_offered
from cli.flow.looking import watch
from cli.flow.session import Flow
from cli.news import Do, RoomAddresses, RoomChanged, RoomChat, RoomNews, Say, SeatOffered
from cli.view.effects import ShowModel
from cli.view.in_room import InRoom
from cli.view.inputs import Act, Hear
from cli.view.partings import sits_down_told, watching_told
from cli.view.room_news import room_news_text
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.flow.seat import SeatSession
    from cli.view.room import RoomModel
    from cli.view.views import Piece
    from p2p.room.offers import SeatOffer
    from protocol.room.values import Room


async def wait_in_room(
    flow: Flow,
    session: Session,
    enter: Callable[[], Awaitable[None]] | None,
    chat: Sequence[Piece] = (),
    standing: InRoom | None = None,
) -> RoomModel | None:
    """In the room until the table is sealed; None if we left it. `enter` brings us in; without it we are back in it, `chat` was
    said before, and `standing` was how it stood then: what has changed since is told.

    Raises FairdealError if we are not let in, or the room is lost.
    """
    shown = RoomScreen(flow, session)
    shown.model.chat.extend(chat)
    shown.model.standing = standing
    return await shown.run(enter)


TWICE_S = 1.0
"""Pressing Enter twice within this time does not undo being ready."""


class RoomScreen:
    """The room on the screen."""

    def __init__(self, flow: Flow, session: Session) -> None:
        from cli.view.room import RoomModel

        self._flow, self._session = flow, session
        self._me = session.node.identity.public
        self.model: RoomModel = RoomModel(flow.settings, self._me, session.request.command in ("host", "play"))
        self._screen = flow.screen(self.model)
        self._watched: SeatSession | None = None
        """The match that is watched from here."""
        self._ready_at = -TWICE_S

    async def run(self, enter: Callable[[], Awaitable[None]] | None) -> RoomModel | None:
        """Show it; see `wait_in_room`."""
        from cli.client.comparing import compared_keys

        flow, session, seat = self._flow, self._session, self._session.seat
        self._say_guest()
        seat.on_room_change, seat.on_room_news, seat.on_chat = self._changed, self._noticed, self._said
        seat.offered, flow.take_seat = self._offered, self._take_seat
        self.model.reconnecting = lambda: seat.reconnecting_to_room
        self.model.bots_coming, self.model.sits_down = session.bots.coming, session.sits_down
        self.model.compared = compared_keys(session.node.journal, time.time())
        flow.forget_choices()
        flow.hold(self._screen)
        room = session.node.waiting_room.room
        if enter is not None:
            await enter()
        elif room is not None:
            self._changed(room)
        if enter is not None and session.request.phones:
            flow.choices.put_nowait(Do("phones"))
        self._hear(RoomAddresses(session.addresses if session.request.command != "play" else ()))
        assert seat.refused is not None
        seated = asyncio.create_task(seat.seated.wait())
        tallying = asyncio.create_task(self._tally())
        try:
            while True:
                choosing = asyncio.create_task(flow.choices.get())
                await asyncio.wait((seated, seat.refused, choosing), return_when=asyncio.FIRST_COMPLETED)
                if seated.done() or seat.refused.done():
                    choosing.cancel()
                if seated.done():
                    return self.model
                if seat.refused.done():
                    raise seat.refused.result()
                if not await self._carry_out(choosing.result(), seated):
                    return None
        finally:
            seated.cancel()
            tallying.cancel()
            await asyncio.gather(tallying, return_exceptions=True)

    async def _tally(self) -> None:
        """Tell the evening in this room, whenever it stands differently."""
        from cli.client.room import tally_of

        changed = asyncio.Event()
        if (evening := self._session.seat.evening) is not None:
            evening.on_change = changed.set
        while True:
            changed.clear()
            self.model.tonight = await tally_of(self._session)
            self._flow.app.redraw()
            await changed.wait()

    async def _carry_out(self, chosen: Do | Say, seated: asyncio.Task[Any]) -> bool:
        """Do what was chosen; return whether we are still here."""
        from cli.client.room import act

        if chosen == Do("back"):
            return False
        now = asyncio.get_running_loop().time()
        if chosen == Do("ready", True):
            self._ready_at = now
        elif chosen == Do("ready", False) and now < self._ready_at + TWICE_S:
            return True
        try:
            if chosen == Do("watch"):
                await self._watch(seated)
            elif chosen == Do("take-seat"):
                self._take_seat()
            elif isinstance(chosen, Do) and chosen.name.startswith("phones"):
                await self._phones(chosen.name)
            else:
                await act(self._session, chosen)
        except FairdealError as fault:
            self._screen.say(self._flow.explained(fault), True)
        self._flow.app.redraw()
        return chosen != Do("close-room")

    async def _phones(self, name: str) -> None:
        """Show the code that phones scan, another one, or let no more phones in."""
        from cli.view.phones import HELP_AFTER_S, PhonesPage

        session, app = self._session, self._flow.app
        if name == "phones-stop":
            session.uninvite_phones()
            self._screen.say(self._flow._("No more phones can join. The ones already here stay."))
            return
        await session.serve_phones(next_address=name == "phones-next")
        if name == "phones":
            page = PhonesPage(self._flow.settings, self.model.title, lambda: session.phones_served, time.monotonic)
            self._screen.take((ShowModel(page),))
        asyncio.get_running_loop().call_later(HELP_AFTER_S, app.redraw)

    async def _watch(self, seated: asyncio.Task[Any]) -> None:
        """Watch the running match until it is over, we come back, or our next match begins."""
        from cli.client.room import act, addresses_of_match

        flow, seat = self._flow, self._session.seat
        assert seat.refused is not None
        addresses = addresses_of_match(self._session)
        watching = asyncio.create_task(watch(flow, addresses, self._begins_to_watch))
        try:
            await asyncio.wait((watching, seated, seat.refused), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._watched = None
            if not watching.done():
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
            flow.hold(self._screen)
        if not watching.cancelled() and watching.result() == "again":
            await act(self._session, Do("ready", True))

    def _begins_to_watch(self, watched: SeatSession) -> None:
        """Its score sheet leads back here."""
        self._watched = watched
        watched.model.table.rounds.may_go_again = True
        if self.model.standing is not None:
            watched.model.table.rounds.look_at_room(self.model.standing)
        watched.model.table.offered, watched.model.table.sits_down = self.model.offered, self.model.sits_down
        watched.model.tell(watching_told(self._flow._), "gold")

    # --- what happens in the room ---

    def _changed(self, room: Room) -> None:
        if self._watched is not None:
            self._watched.model.table.rounds.look_at_room(InRoom(room, self._me))
        self._hear(RoomChanged(room))
        if wanted := self._flow.room_opens_with:
            self._flow.room_opens_with = ""
            self._screen.send(Act(wanted))
            self._flow.app.after()

    def _offered(self, offer: SeatOffer | None) -> None:
        """An empty seat at the running match can be taken, or no longer."""
        news = seat_offered(offer)
        self._hear(news)
        if self._watched is not None:
            self._watched.model.table.offered = self.model.offered

    def _take_seat(self) -> None:
        """Sit down there. The room's prompt says so until those who play have agreed."""
        offer = self._session.node.waiting_room.offer
        if offer is None:
            return
        self.model.offered = None
        self._session.take_seat(offer)
        if self._watched is not None:
            self._watched.model.table.offered = None
            self._watched.model.note(sits_down_told(self._flow._))
        self._flow.app.redraw()

    def _said(self, key: bytes, text: str) -> None:
        self._hear(RoomChat(key, text))

    def _noticed(self, news: RoomNews) -> None:
        told = room_news_text(self._flow._, news)
        self.model.chat.append((told, "alarm"))  # to be read also after the next key
        self._screen.say(told, True)
        self._flow.app.redraw()

    def _hear(self, news: RoomChanged | RoomChat | RoomAddresses | SeatOffered) -> None:
        self._screen.send(Hear(news))
        self._flow.app.redraw()

    def _say_guest(self) -> None:
        if number := self._session.home.guest:
            told = "Fairdeal is already running on this computer, so you play here as guest {number}."
            self._screen.say(self._flow._(told, number=number))
