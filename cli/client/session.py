"""One client's stay in one room, without a face: host or join, and be back in the room after each match.

A session is a node with a seat; its bots are nodes in a subprocess, with homes inside this one. `opening` makes one and
releases it, `returning` takes an old seat again, and `ending` finishes a match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.client.addresses import addresses_of
from cli.client.bots import Bots
from cli.client.seat import LiveSeat
from cli.client.tables import hosted_game, next_bot_name
from cli.faults import NobodyThere
from cli.news import (
    BotsComing,
    Do,
    Hotspot,
    JoinAddress,
    Notify,
    PhonesAddress,
    PhonesServed,
    Say,
)
from cli.requests import TableRequest
from cli.text import key
from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.home import Home
from p2p.interfaces import Address
from p2p.node import Node
from p2p.ports import Jobs
from p2p.room.offers import SeatOffer
from p2p.saved import SavedMatch
from p2p.settings import TablePlan
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.games.game import NORMAL
from protocol.room.refusals import RoomRefusal
from protocol.table.options import RECOVERY_AUTO
from protocol.table.roster import TableOptions

if TYPE_CHECKING:
    from cli.phones.serving import Phones

RETRY_S = 0.5
PATIENCE_S = 3.0
TITLE = key("{name}'s table")


@dataclass
class Session:
    """Everything that must be released at the end of one stay. Created by `open_session`."""

    request: TableRequest
    notify: Notify
    home: Home
    node: Node
    seat: LiveSeat
    workers: Jobs
    bots: Bots
    is_saved: bool = False
    """Whether the journals hold the match's result."""
    bot_failure: asyncio.Future[FairdealError] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    """Set to the reason when one of our bots cannot continue."""
    bot_is_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    """Our player does not want to wait until somebody takes an empty seat: a bot is to take it."""
    title: str = TITLE
    """Default name of a room: a template with the host's name."""
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    """Releases what is opened later than the session."""
    phones: Phones | None = None
    _phones_address: str = ""
    _hotspot: Hotspot | None = None

    @property
    def driver(self) -> Driver:
        """The table's driver, once the table is sealed."""
        return self.seat.live

    # --- the room ---

    async def host(self, bots: int) -> None:
        """Open a room, with `bots` bots of this computer. Raises BadOption, WrongUse and what `serve_phones` raises."""
        request, node = self.request, self.node
        game = hosted_game(request)
        title = clean_name(request.table or self.title.format(name=node.settings.name), "")
        everyone_is_bot = request.autoplay and bots == game.seats - 1
        options = TableOptions(
            recovery=request.recovery or RECOVERY_AUTO,
            time=_ms(request.time_s),
            grace=_ms(request.grace_s),
            pause=0 if everyone_is_bot else _ms(request.pause_or_default_s),
            leave_after=_ms(request.leave_after_s),
            rounds=request.rounds or 0,
            lots=request.lots or game.options.get("teams") == "lot",
            suggest=request.suggest,
            remind=request.remind,
        )
        if request.command == "play" and not request.autoplay:
            self.notify(BotsComing())
        served = await self.serve_phones() if request.phones else None  # before anybody hears of a room without them
        node.waiting_room.open(TablePlan(game, title, options))
        if request.command == "host":
            for address in self.addresses:
                self.notify(JoinAddress(address))
        if served is not None:
            self.notify(PhonesAddress(served.address))
        self.bots.called = bots
        try:
            for _bot in range(bots):
                await self.seat_bot()
                self.bots.called -= 1
        finally:
            self.bots.called = 0

    # --- phones ---

    async def serve_phones(self, *, next_address: bool = False) -> PhonesServed:
        """Serve phones from now on, and return the address to show, with an invitation.

        It stays the same until `uninvite_phones`, or until `next_address` asks for another of our addresses. Raises NoAssets
        if what phones need is not installed, PortTaken if no port is free.
        """
        from cli.phones.hotspot import own_hotspot
        from cli.phones.serving import Phones

        self._hotspot = await asyncio.to_thread(own_hotspot)
        if self.phones is None:
            self.phones = await self.stack.enter_async_context(Phones(self.node))
        elif next_address:
            self.phones.next_host()
        if next_address or not self._phones_address:
            self._phones_address = self.phones.invite()
            self.node.phones.show_address(self._phones_address)
        return self.phones_served

    @property
    def phones_served(self) -> PhonesServed:
        """What is served to phones now."""
        if self.phones is None:
            return PhonesServed("", self.node.settings.name)
        name, phones = self.node.settings.name, self.phones
        return PhonesServed(self._phones_address, name, phones.loaded, phones.is_alone, self._hotspot)

    def uninvite_phones(self) -> None:
        """Let no more phones in; those that are here stay."""
        self._phones_address = ""
        self.node.phones.show_address("")
        if self.phones is not None:
            self.phones.uninvite()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to tell friends."""
        return addresses_of(self.node.mesh.port)

    @property
    def bot_level(self) -> str:
        """How well bots play for whom no other level was chosen."""
        return self.request.level or NORMAL

    async def seat_bot(self, level: str | None = None) -> None:
        """Seat one more bot of this computer in our room. `level`: how well it plays; None: as was asked for at the start."""
        node = self.node
        name = next_bot_name(level or self.bot_level, self.bots.names)
        key = await self.bots.seat(name, [("127.0.0.1", node.mesh.port)], node.identity.public)
        node.settings.bots.add(key)

    async def fill_seat(self, seat: Seat) -> None:
        """Let one more bot of this computer take an empty seat at our table. Raises the bot's error."""
        node, room, record = self.node, self.node.waiting_room.room, self.driver.table.record
        if room is None:
            return
        epoch = record.epoch
        taken = {*self.bots.names, *(guest.name for guest in room.members)}
        taken |= {record.member(each).name for each in range(record.size)}
        # A bot of the same name would have the same key, which has said something at this table already.
        taken |= {member.name for member in (*record.roster.members, *(each.member for each in record.replaced))}
        name = next_bot_name(self.bot_level, taken)
        is_host = node.waiting_room.is_host
        where = [("127.0.0.1", node.mesh.port)] if is_host else node.mesh.addresses(room.host)
        key = await self.bots.seat(name, where, room.host)
        self.bots.filling[name] = seat, key
        node.settings.bots.add(key)
        node.room_changed()  # the bot is welcome
        await self.bots.take_seat(name, where, room.host, record.roster, epoch, seat)
        self.note_bots()

    async def dismiss_bot(self, name: str) -> None:
        """Let one of our bots go, whose seat at our table somebody took."""
        key = self.bots.keys.get(name)
        await self.bots.dismiss(name)
        self.node.settings.bots.discard(key or b"")
        self.note_bots()

    def take_seat(self, offer: SeatOffer) -> None:
        """Sit down in a seat that we may take of the match that runs in our room, if those who play agree."""
        if self.node.driver is None:
            self.node.seat_taking.take(offer.roster, offer.epoch, offer.seat)

    def sits_down(self) -> bool:
        """Whether we have asked for a seat at the match that runs in our room, and do not have it yet."""
        driver = self.node.driver
        return driver is not None and driver.table.is_newcomer and not driver.table.is_present

    async def join(
        self, addresses: Sequence[Address], announced: Sequence[str] = (), patience_s: float = PATIENCE_S
    ) -> None:
        """Go into the room at these addresses. Raises NobodyThere, and what `serve_phones` raises.

        `announced`: the keys (hexadecimal) of which one must answer, if the room was found by its name. Then it was there a
        moment ago, so that a computer that is too busy to answer, or not heard on a bad Wi-Fi, is called twice.
        `patience_s`: so long a room is awaited that is not there yet: its host may have just started.
        """
        served = await self.serve_phones() if self.request.phones else None
        loop = asyncio.get_running_loop()
        until = loop.time() + patience_s
        may_be_late = bool(announced)
        try:
            while True:
                try:
                    await self.node.waiting_room.join(addresses, announced=announced)
                    break
                except LinkLost as reason:
                    if reason.reason != "late" or not may_be_late:
                        raise
                    may_be_late = False
                except RoomRefusal as reason:
                    if reason.code != "nothing" or loop.time() >= until:
                        raise NobodyThere(reason.template, **reason.fields) from reason
                await asyncio.sleep(RETRY_S)
        except LinkLost as reason:
            if reason.reason in ("late", "lost"):
                raise NobodyThere(
                    "cannot reach this table: run fairdeal doctor (D in the lobby) here and on the host’s computer"
                ) from reason
            raise NobodyThere(reason.template, **reason.fields) from reason
        if served is not None:
            self.notify(PhonesAddress(served.address))

    async def act(self, chosen: Do | Say) -> None:
        """Carry out a person's action in the room."""
        waiting_room = self.node.waiting_room
        match chosen:
            case Say(text):
                waiting_room.say(text)
            case Do("ready", ready):
                waiting_room.ready(bool(ready))
            case Do("plays", plays):
                waiting_room.play(bool(plays))
            case Do("move", place):
                waiting_room.move_to(int(place))
            case Do("start"):
                waiting_room.start()
            case Do("refuse", key):
                waiting_room.refuse(key)
                self.bots.forget(key)
            case Do("pick", key):
                waiting_room.pick(key)
            case Do("hand-over", key):
                waiting_room.hand_over(key)
            case Do("choose", TablePlan() as plan):
                waiting_room.choose(plan)
            case Do("close-room"):
                waiting_room.close_room()
            case Do("bot", level):
                room = waiting_room.room
                if room is not None and len(room.sitters) < len(room.seats):
                    await self.seat_bot(level)
            case _other:
                pass

    def again(self, is_ready: bool) -> bool:
        """After a match: be back in the room, ready for the next match or not; return whether there is a room."""
        seat, waiting_room = self.seat, self.node.waiting_room
        seat.forget()
        self.is_saved = False
        self.node.release(is_ready)
        seat.room = waiting_room.room
        if seat.room is not None:
            seat.on_room_change(seat.room)
        seat.on_change()
        return seat.room is not None

    async def wait_until_dealt(self) -> None:
        """Wait until the table is sealed and, after a return, until everyone who was there is back."""
        await self.seat.seated.wait()
        driver = self.seat.driver
        while driver is not None and driver.table.is_returning and not driver.finished.is_set():
            driver.changed.clear()
            await driver.changed.wait()

    @property
    def unfinished(self) -> SavedMatch | None:
        """The match that was left here, or None; one that was put aside does not count."""
        return self.node.resumable()

    def note_bots(self) -> None:
        """Record which of our bots sit at this table, for a later return."""
        if self.bots.names or self.driver.table.record.replaced:
            self.node.journal.set_meta(self.driver.match, bots=self.bots.names)
            self.node.journal.commit()


def _ms(seconds: float | None) -> int:
    return max(0, round((seconds or 0.0) * 1000))


Begin = Callable[[Session], Awaitable[None]]
"""Brings a session to a table, by opening or joining one."""
