"""One client's stay in one room, without a face: host, join or resume, play match after match, release.

A session is a node with a seat; its bots are nodes in a subprocess, with homes inside this one.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.client.bot_supervisor import add_bot_addresses, report, restore_seats
from cli.client.bots import Bots
from cli.client.filling import fill_seats
from cli.client.outcome import report_of, result_of
from cli.client.seat import LiveSeat
from cli.client.system import System, native_system
from cli.client.tables import bot_name, hosted_game, login_name
from cli.faults import NobodyThere, WrongUse
from cli.news import (
    BotsComing,
    Broken,
    Disturbed,
    Do,
    GuestProfile,
    JoinAddress,
    MatchEnded,
    Notify,
    PhonesAddress,
    PhonesServed,
    Resuming,
    Say,
    SetAside,
)
from cli.requests import TableRequest
from cli.text import key
from p2p.driver import Driver
from p2p.errors import HomeFault, LinkLost, PortTaken
from p2p.home import Home, open_home
from p2p.interfaces import Address, interfaces, own_hosts
from p2p.mesh import Route
from p2p.network_adapters import for_friends
from p2p.node import DEFAULT_PORT, Node
from p2p.ports import Jobs
from p2p.room.offers import Offer
from p2p.saved import Match, copy_path
from p2p.settings import NodeSettings, TablePlan
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.games.game import NORMAL
from protocol.room.refusals import Refusal
from protocol.table.options import RECOVERY_AUTO, RECOVERY_ON
from protocol.table.record import Phase
from protocol.table.result import is_decided, places_of_match
from protocol.table.roster import Member, TableOptions, decode_roster
from protocol.table.verify import verify

if TYPE_CHECKING:
    from cli.phones.serving import Phones

LOOPBACK = ("127.0.0.1", "::1")
ANYWHERE = ("0.0.0.0", "::")
HUMAN_PACE_S = 0.8
GOODBYE_S = 5.0
"""How long to look for the others, to tell them that an old seat is given up, in seconds."""
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

    @property
    def driver(self) -> Driver:
        """The table's driver, once the table is sealed."""
        return self.seat.live

    # --- the room ---

    async def host(self, bots: int) -> None:
        """Open a room, with `bots` bots of this computer. Raises BadOption, WrongUse, and what `serve_phones` raises."""
        request, node = self.request, self.node
        game = hosted_game(request)
        if request.recovery == RECOVERY_ON and request.command == "play":
            raise WrongUse("--recovery on needs players on at least three computers")
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
        for _bot in range(bots):
            await self.seat_bot()

    # --- phones ---

    async def serve_phones(self, *, next_address: bool = False) -> PhonesServed:
        """Serve phones from now on, and return the address to show, with an invitation.

        It stays the same until `uninvite_phones`, or until `next_address` asks for another of our addresses. Raises NoAssets
        if what phones need is not installed, PortTaken if no port is free.
        """
        from cli.phones.serving import Phones

        if self.phones is None:
            self.phones = await self.stack.enter_async_context(Phones(self.node))
        elif next_address:
            self.phones.next_host()
        if next_address or not self._phones_address:
            self._phones_address = self.phones.invite()
        return self.phones_served

    @property
    def phones_served(self) -> PhonesServed:
        """What is served to phones now."""
        if self.phones is None:
            return PhonesServed("", self.node.settings.name)
        return PhonesServed(self._phones_address, self.node.settings.name, self.phones.loaded, self.phones.is_alone)

    def uninvite_phones(self) -> None:
        """Let no more phones in; those that are here stay."""
        self._phones_address = ""
        if self.phones is not None:
            self.phones.uninvite()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to tell friends."""
        return addresses_of(self.node.mesh.port)

    async def seat_bot(self) -> None:
        """Seat one more bot of this computer in our room."""
        node = self.node
        name = next(each for each in map(bot_name, itertools.count()) if each not in self.bots.names)
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
        name = next(each for each in map(bot_name, itertools.count()) if each not in taken)
        is_host = node.waiting_room.is_host
        where = [("127.0.0.1", node.mesh.port)] if is_host else node.mesh.addresses(room.host)
        node.settings.bots.add(await self.bots.seat(name, where, room.host))
        node.room_changed()  # the bot is welcome
        await self.bots.take_seat(name, record.roster, epoch, seat)
        self.note_bots()

    def take_seat(self, offer: Offer) -> None:
        """Sit down in an empty seat of the match that runs in our room, if those who play agree."""
        if self.node.driver is None:
            self.node.take_seat(offer.roster, offer.epoch, offer.seat)

    async def join(self, addresses: Sequence[Address], announced: Sequence[str] = ()) -> None:
        """Go into the room at these addresses. Raises NobodyThere, and what `serve_phones` raises.

        `announced`: the beginnings of the keys (hexadecimal) of which one must answer, if the room was found by its name.
        """
        served = await self.serve_phones() if self.request.phones else None
        try:
            await self.node.waiting_room.join(addresses, announced=announced)
        except Refusal as reason:
            raise NobodyThere(reason.template, **reason.fields) from reason
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
            case Do("hand-over", key):
                waiting_room.hand_over(key)
            case Do("choose", TablePlan() as plan):
                waiting_room.choose(plan)
            case Do("close-room"):
                waiting_room.close_room()
            case Do("bot"):
                room = waiting_room.room
                if room is not None and len(room.sitters) < len(room.seats):
                    await self.seat_bot()
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
        while driver is not None and driver.table.returning and not driver.finished.is_set():
            driver.changed.clear()
            await driver.changed.wait()

    # --- a match that was left here ---

    @property
    def unfinished(self) -> Match | None:
        """The match that was left here, or None."""
        return self.node.resumable()

    async def resume(self, match: Match) -> bool:
        """Return to the seat of a match that was left here, with our bots.

        Return whether the seat is there: a table that was being sealed may never have begun.
        """
        self.notify(Resuming())
        self.node.settings.name = str(match.meta.get("name") or self.node.settings.name)  # as the others know us there
        self.node.resume(match)
        driver = self.node.driver
        self.bots.level = self.request.level or str(match.meta.get("level") or NORMAL)
        await self.bots.resume(_bots_of(self, match), match.id)
        found = await self.bots.introduce(self.node.identity.public, self.node.mesh.port)
        self.node.settings.bots.update(found)
        add_bot_addresses(self.node, found)
        own = self.node.identity.public
        is_server = any(member.keeper == own != member.key and not member.bot for member in _members(match))
        if is_server or match.meta.get("serves"):
            await self.serve_phones()  # they come back by themselves
        if driver is not None and driver.table.record.seed is None:
            waiting = [asyncio.create_task(each.wait()) for each in (self.seat.seated, driver.finished)]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
        return self.node.driver is not None

    async def say_goodbye(self, match: Match) -> None:
        """Give up the old seat, and tell whoever of the old table can be reached."""
        node = self.node
        node.resume(match)
        driver = node.driver
        assert driver is not None
        others = [member.key for member in driver.table.record.roster.members]
        deadline = time.monotonic() + GOODBYE_S
        while time.monotonic() < deadline and all(node.mesh.route(key) is Route.NONE for key in others):
            await asyncio.sleep(0.05)
        driver.feed(driver.table.leave)
        await asyncio.sleep(0.2)
        driver.finish(time.time(), result_of(driver, ""), "left")
        node.driver = None
        self.seat.forget()
        node.waiting_room.leave()
        for other in others:
            node.mesh.drop(other, "goodbye")

    # --- the match ---

    def note_bots(self) -> None:
        """Record which of our bots sit at this table, for a later return."""
        if self.bots.names:
            self.node.journal.set_meta(self.driver.match, bots=self.bots.names, level=self.bots.level)
            self.node.journal.commit()

    async def finish(self) -> dict[str, Any]:
        """Wait for the table's end, verify the transcript, save and report the result; return what `--json` prints."""
        driver = self.driver
        filling = asyncio.create_task(fill_seats(self))
        try:
            await driver.finished.wait()
        finally:
            filling.cancel()
        try:
            return await self._finish(driver)
        except FairdealError as fault:
            self.seat.end(Broken(fault))  # otherwise readers of the news would wait forever
            raise

    async def _finish(self, driver: Driver) -> dict[str, Any]:
        seat, path = self.seat, driver.transcript_path
        if driver.fault is None:
            await self.bots.finished()
            driver.close()
        if driver.fault is not None:
            seat.end(Broken(driver.fault, may_return=True))
            return report_of(driver, "", False)
        try:
            data = path.read_bytes()
        except OSError as fault:
            raise HomeFault("cannot read {path} ({reason})", path=path, reason=fault.strerror or str(fault)) from fault
        checked = await asyncio.to_thread(verify, data, os.urandom)
        record = driver.table.record
        verified = checked.ok and checked.match == driver.table.record.previous
        await self.save_result(driver)
        if is_decided(record):
            match, places = record.previous.hex(), places_of_match(record)
            early = None if record.phase is Phase.OVER and not record.ended_short else seat.broken
            seat.end(MatchEnded(driver.table.view(), match, str(path), verified, places, early))
        else:
            seat.end(Broken(seat.broken or FairdealError("the match ended early")))
        return report_of(driver, str(path), verified)

    async def save_result(self, driver: Driver) -> None:
        """Record the result and the people met in the journals, and delete the match's records."""
        room, journal = self.seat.room, self.node.journal
        status = "finished" if is_decided(driver.table.record) else "broken"
        now = time.time()
        title = clean_name(room.title, "") if room is not None else ""
        driver.finish(now, result_of(driver, title), status)
        self.is_saved = True
        await self.bots.finish(title, status)
        for member in driver.table.record.roster.members:
            if member.key != self.node.identity.public:
                journal.remember_peer(member.key, member.name, at=now, addresses=self.node.mesh.addresses(member.key))
        journal.commit()

    async def close(self) -> None:
        """Release everything; a match in progress stays in the journal."""
        self.seat.on_room_change = self.seat.on_room_news = _not_told
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.node.close)
            stack.callback(self.node.save_addresses)
            stack.push_async_callback(self.bots.close)
            driver = self.seat.driver
            if driver is not None and driver.table.is_over and not self.is_saved:
                # Left for good, or before the file was verified: there is nothing to return to.
                driver.close()
                if driver.fault is None:
                    await self.save_result(driver)


async def open_session(
    stack: AsyncExitStack,
    request: TableRequest,
    home: Path,
    notify: Notify,
    *,
    auto_ready: bool = True,
    title: str = TITLE,
    system: System | None = None,
) -> Session:
    """Return a session that listens but is not at a table yet. The stack releases all of it.

    `auto_ready`: be ready as soon as we sit down.
    """
    system = system or native_system()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # its warnings are about closing links, and not translated
    opened = stack.enter_context(open_home(request.home or home))
    if opened.guest:
        notify(GuestProfile(opened.guest))
    workers = system.jobs()
    stack.callback(workers.close)
    name = clean_name(request.name or opened.name or login_name())
    seat = LiveSeat()
    seat.on_disturbed = lambda host: notify(Disturbed(host))
    settings = NodeSettings(
        f"{name} {opened.guest + 1}" if opened.guest and not request.name and not opened.name else name,
        bot=request.autoplay,
        level=request.level or NORMAL,
        transcript=request.transcript,
        auto_ready=auto_ready,
        port=request.port or 0,
        hosts=LOOPBACK if request.command == "play" else ANYWHERE,
        start_after_s=request.start_after_s,
        keeper=None if request.autoplay else system.keeper,
    )
    node = Node(opened, settings, seat, workers, system.ports)
    seat.node = node
    for match in node.journal.set_aside:
        title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
        notify(SetAside(title, str(copy_path(opened.journal))))
    bots = Bots(opened, node.identity.public, settings.hosts, 0.0 if request.autoplay else HUMAN_PACE_S)
    bots.level = request.level or NORMAL
    session = Session(request, notify, opened, node, seat, workers, bots, title=title, stack=stack)
    bots.restore_seats, bots.on_news = partial(restore_seats, session), partial(report, session)
    if request.bots:
        bots.start()
    stack.push_async_callback(session.close)
    seat.refused = asyncio.get_running_loop().create_future()
    if not gc.get_freeze_count():
        # Loaded modules stay in memory. Freezing excludes them from full garbage collections, which block all threads.
        gc.freeze()
    await _listen(session)
    if request.command != "play" and system.presence is not None:
        presence = system.presence(node)
        presence.start()
        stack.push_async_callback(presence.close)
        seat.on_change = presence.changed
    return session


async def _listen(session: Session) -> None:
    """Listen on the default port if it is free, so that the address alone is enough, otherwise on any port."""
    request, node = session.request, session.node
    if request.port is None and request.command == "host":
        node.settings.port = DEFAULT_PORT
        try:
            await node.open()
        except PortTaken:
            node.settings.port = 0
        else:
            return
    await node.open()


def _members(match: Match) -> tuple[Member, ...]:
    return decode_roster(match.roster).members


def _bots_of(session: Session, match: Match) -> list[str]:
    """Return the names of our bots in this match: as recorded, or, if we were killed before that, as the roster says."""
    own = session.node.identity.public
    members = decode_roster(match.roster).members
    signed = [member.name for member in members if member.bot and member.keeper == own and member.key != own]
    return [str(name) for name in match.meta.get("bots") or signed]


def addresses_of(port: int) -> tuple[str, ...]:
    """Return the addresses of this computer that friends can use, Wi-Fi and cable first."""
    found = own_hosts(for_friends(interfaces()))
    hosts = [host for host in found if host not in LOOPBACK and not host.startswith("fe80")]
    return tuple(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts[:3])


def _not_told(_news: object) -> None:
    """Nobody is told what happens to the room while we leave it."""


def _ms(seconds: float | None) -> int:
    return max(0, round((seconds or 0.0) * 1000))
