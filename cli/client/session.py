"""Opening, joining and resuming a table: what `play`, `host` and `join` have in common.

A client is a node with a person (or a bot, with --autoplay) on its seat; bots of the host's machine are nodes of their own
beside it, with homes within the host's.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.client.bot_supervisor import note_ports, seat_again, tell
from cli.client.bots import Bots
from cli.client.outcome import report_of, result_of
from cli.client.resume import StaysAsItIs, unfinished
from cli.client.seat import LiveSeat
from cli.commands.opening import bot_name, game_of
from cli.commands.whoami import login_name
from cli.context import Context
from cli.faults import DONE, FAILED, MatchFailed, NobodyThere, WrongUse
from cli.news import Broken, MatchEnded
from cli.requests import TableRequest
from cli.view.effects import Do, Say
from p2p import bot_driver
from p2p.driver import Driver
from p2p.errors import HomeFault, LinkLost, PortTaken
from p2p.home import Home, open_home
from p2p.interfaces import Address, interfaces, own_hosts
from p2p.journal import Match
from p2p.network_adapters import for_friends
from p2p.node import DEFAULT_PORT, Node
from p2p.presence import Presence
from p2p.settings import Plan, Settings
from p2p.workers import Workers
from protocol.errors import FairdealError
from protocol.table.record import Phase
from protocol.table.roster import TableOptions, decode_roster
from protocol.table.seating import Refusal, Room
from protocol.table.verify import verify

if TYPE_CHECKING:
    from cli.plain.lines_in import Typed
    from cli.plain.run import Voice
    from cli.plain.waiting import RoomWindow

LOOPBACK = ("127.0.0.1", "::1")
ANYWHERE = ("0.0.0.0", "::")
HUMAN_PACE_S = 0.8
TROUBLE_S = 5.0
"""How long a match that nobody looks at may go on without a bot: it may be at its end."""


@dataclass
class Client:
    """Everything of one run that must be let go of at its end."""

    request: TableRequest
    context: Context
    home: Home
    node: Node
    seat: LiveSeat
    workers: Workers
    bots: Bots
    on_screen: bool = False
    """Somebody draws the waiting room, so it is not told in lines."""
    is_kept: bool = False
    """Whether the journals hold how the match came out."""
    window: RoomWindow | None = None
    """Where a waiting room is heard and typed in."""
    trouble: asyncio.Future[FairdealError] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Why a bot of ours plays no more."""

    @property
    def types_in_room(self) -> bool:
        """Whether a person, or a script, may type in the waiting room. With bots alone nobody is awaited: all is the table's."""
        return not self.on_screen and not self.request.autoplay and self.request.command != "play"

    @cached_property
    def typed(self) -> Typed:
        """What is typed, in the waiting room and at the table."""
        from cli.plain.lines_in import Typed

        return Typed(self.context.stdin)

    @cached_property
    def voice(self) -> Voice:
        """What is told in lines, there and there."""
        from cli.plain.run import Voice

        return Voice(self.context)


def run_client(request: TableRequest, context: Context, begin: Callable[[Client], Any]) -> int:
    """Run a client; `begin` (a coroutine function) brings it to a table."""
    return asyncio.run(_run(request, context, begin))


async def _run(request: TableRequest, context: Context, begin: Callable[[Client], Any]) -> int:
    async with AsyncExitStack() as stack:
        client = await open_client(stack, request, context)
        try:
            match = await unfinished(client)
        except StaysAsItIs:
            context.tell(context.words("Things stay as they are: you can take your seat again later."))
            return DONE
        if match is not None:
            await resume(client, match)
        else:
            await begin(client)
        return await _play(client)


async def open_client(
    stack: AsyncExitStack, request: TableRequest, context: Context, *, auto_ready: bool = True
) -> Client:
    """A client that listens and is not at a table yet; all of it is let go of with the stack. `auto_ready`: in the waiting
    room it is ready as soon as it sits."""
    _ = context.words
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # its warnings are of links that close, in no language of ours
    home = stack.enter_context(open_home(request.home or context.home))
    if home.guest:
        context.note(_("Another Fairdeal is running here: this one plays as guest {number}.", number=home.guest))
    workers = Workers()
    stack.callback(workers.close)
    name = clean_name(request.name or home.name or login_name())
    seat = LiveSeat()
    settings = Settings(
        f"{name} {home.guest + 1}" if home.guest and not request.name and not home.name else name,
        bot=request.autoplay,
        transcript=request.transcript,
        auto_ready=auto_ready,
        port=request.port or 0,
        hosts=LOOPBACK if request.command == "play" else ANYWHERE,
    )
    node = Node(home, settings, seat, workers)
    seat.node = node
    pace_s = 0.0 if request.autoplay else HUMAN_PACE_S
    bots = Bots(home, node.identity.public, settings.hosts, pace_s)
    client = Client(request, context, home, node, seat, workers, bots)
    bots.take_seats, bots.tell = partial(seat_again, client), partial(tell, client)
    if request.bots:
        bots.start()
    stack.push_async_callback(_close, client)
    seat.refused = asyncio.get_running_loop().create_future()
    if not gc.get_freeze_count():
        # What is loaded by now stays: a full collection of garbage, which lets nobody else go on, then skips it.
        gc.freeze()
    await _listen(client)
    if request.command != "play":
        presence = Presence(node)
        presence.start()
        stack.push_async_callback(presence.close)
        seat.on_change = presence.changed
    return client


async def _listen(client: Client) -> None:
    """The usual port if it is free, so that an address alone is enough to be found; else any."""
    request, node = client.request, client.node
    if request.port is None and request.command == "host":
        node.settings.port = DEFAULT_PORT
        try:
            await node.open()
        except PortTaken:
            node.settings.port = 0
        else:
            return
    await node.open()


async def _close(client: Client) -> None:
    async with AsyncExitStack() as stack:
        stack.push_async_callback(client.node.close)
        stack.callback(client.node.remember)
        stack.push_async_callback(client.bots.close)
        driver = client.seat.driver
        if driver is not None and driver.table.may_go and not client.is_kept:
            # Left for good, or before the file was checked: there is nothing to come back to.
            driver.close()
            if driver.fault is None:
                await _keep(client, driver)


# --- coming back ---


async def resume(client: Client, match: Match) -> None:
    """Take the seat of a match that was left here again; our bots come back with us."""
    if client.context.terminal.is_screen:
        _show_room(client)
    client.context.note(client.context.words("Taking up your match again; waiting for the others."))
    client.node.resume(match)
    await client.bots.resume(_bots_of(client, match), match.id)
    note_ports(client.node, await client.bots.introduce(client.node.identity.public, client.node.mesh.port))


def _bots_of(client: Client, match: Match) -> list[str]:
    """The bots that we kept in this match: those noted, or, if we were killed before, those whom all signed for as ours."""
    own = client.node.identity.public
    members = decode_roster(match.roster).members
    signed = [member.name for member in members if member.bot and member.keeper == own and member.key != own]
    return [str(name) for name in match.meta.get("bots") or signed]


# --- hosting ---


async def host(client: Client, bots: int) -> None:
    """Open a waiting room, with bots of this machine on the last seats."""
    request, context = client.request, client.context
    _ = context.words
    game = game_of(request)
    if request.recovery:
        raise WrongUse("--recovery on comes with a later version: until then a match needs all its players to the end")
    title = clean_name(request.table or _("{name}'s table", name=client.node.settings.name), "")
    everyone_is_bot = request.autoplay and bots == game.seats - 1
    options = TableOptions(
        recovery=False,
        time=_ms(request.time_s),
        grace=_ms(request.grace_s),
        pause=0 if everyone_is_bot else _ms(request.pause_or_default_s),
        leave_after=_ms(request.leave_after_s),
        rounds=request.rounds or 0,
        lots=request.lots or game.options.get("teams") == "lot",
        suggest=request.suggest,
        remind=request.remind,
    )
    _show_room(client)
    client.node.waiting.host(Plan(game, title, options))
    if request.command == "host" and not client.on_screen:
        for address in [] if client.window is not None else addresses_of(client.node.mesh.port):
            context.note(_("Friends can join with: fairdeal join {address}", address=address))
    for _bot in range(bots):
        await seat_bot(client)


async def seat_bot(client: Client) -> None:
    """One more bot of this machine sits down in our waiting room."""
    node = client.node
    await client.bots.seat(bot_name(len(client.bots)), [("127.0.0.1", node.mesh.port)], node.identity.public)


async def do_in_room(client: Client, chosen: Do | Say) -> None:
    """What somebody chose to do in the waiting room."""
    waiting = client.node.waiting
    match chosen:
        case Say(text):
            waiting.say(text)
        case Do("ready", ready):
            waiting.ready(bool(ready))
        case Do("move", place):
            waiting.move_to(int(place))
        case Do("refuse", key):
            waiting.refuse(key)
        case Do("bot"):
            room = waiting.room
            if room is not None and len(room.sitters) < len(room.seats):
                await seat_bot(client)
        case _other:
            pass


def _ms(seconds: float | None) -> int:
    return max(0, round((seconds or 0.0) * 1000))


def addresses_of(port: int) -> list[str]:
    """What to tell friends: the addresses of this machine that others can use, those of Wi-Fi and cable first."""
    found = own_hosts(for_friends(interfaces()))
    hosts = [host for host in found if host not in LOOPBACK and not host.startswith("fe80")]
    return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts[:3]]


def _show_room(client: Client) -> None:
    """Say who sits in the waiting room whenever that changes: to who hears and types there, or as progress of the work."""
    if client.on_screen:
        return
    if client.types_in_room:
        from cli.plain.waiting import RoomWindow

        client.window = RoomWindow(client)
        return
    _, shown = client.context.words, [""]
    if not client.request.autoplay:  # a table with bots alone: nobody is awaited
        client.context.note(_("The bots sit down; the cards are dealt in a moment."))
        return

    def changed(room: Room) -> None:
        names = _.list(clean_name(sitter.name) for sitter in room.sitters)
        free = len(room.seats) - len(room.sitters)
        line = _("Waiting room: {names}.", names=names)
        if free:
            line = _.join([line, _.n("One seat is free.", "{n} seats are free.", free)])
        if line != shown[0] and room.is_open:
            shown[0] = line
            client.context.note(line)

    client.seat.on_room_change = changed


# --- joining ---


async def join(client: Client, addresses: Sequence[Address], expect: bytes | None = None) -> None:
    """Sit down at the host found there; with `expect` only at that of this key."""
    _show_room(client)
    try:
        await client.node.waiting.join(addresses, expect)
    except Refusal as reason:
        raise NobodyThere(reason.template, **reason.fields) from reason
    except LinkLost as reason:
        if reason.reason in ("late", "lost"):
            raise NobodyThere("nobody answers there: see fairdeal doctor, here and on the host’s machine") from reason
        raise NobodyThere(reason.template, **reason.fields) from reason


# --- playing ---


async def _play(client: Client) -> int:
    """From the waiting room to the end of the match."""
    request, context, seat = client.request, client.context, client.seat
    if not await _wait_for_seats(client):
        return DONE
    assert seat.driver is not None
    driver = seat.driver
    note_bots(client, driver)
    _tell_words(client, driver)
    finishing = asyncio.create_task(finish(client))
    try:
        if request.autoplay:
            await _autoplay(client, driver, finishing)
        else:
            from cli.commands.rules import rules_read
            from cli.plain.run import sit

            def rules(asked: str) -> list[str]:
                return rules_read(context, driver.table.game, asked)

            ended = await sit(seat, context, rules, client.typed, client.voice)
            if ended.match is None and ended.broken is None and not driver.table.may_go:
                return DONE
        report = await finishing
    finally:
        finishing.cancel()
    if request.json:
        context.tell_json(report)
    if seat.broken is not None:
        raise MatchFailed(seat.broken.template, **seat.broken.fields)
    if driver.fault is not None:
        raise driver.fault
    return DONE if report["verified"] else FAILED


def _tell_words(client: Client, driver: Driver) -> None:
    """The table's words: as progress of the work, or to a person who has somebody to compare them with. Bots cannot."""
    _, record = client.context.words, driver.table.record
    words = " ".join(record.words)
    if client.request.autoplay:
        client.context.note(_("The table's words: {words}", words=words))
    elif sum(not member.bot for member in record.roster.members) > 1:
        client.voice.tell(_("The table’s words: {words}. Compare them aloud once.", words=words))


async def _wait_for_seats(client: Client) -> bool:
    """Until the table is sealed; False if we left before. Raises NobodyThere when that takes too long, or what the host
    refused us for."""
    seat, limit = client.seat, client.request.wait_or_default_s
    assert seat.refused is not None
    seated = asyncio.create_task(until_dealt(client))
    leaving = asyncio.create_task(_talk(client))
    try:
        done, _pending = await asyncio.wait(
            (seated, client.trouble, seat.refused, leaving), timeout=limit, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        for task in (seated, leaving):
            task.cancel()
        await asyncio.gather(seated, leaving, return_exceptions=True)
    if client.trouble in done and seated not in done:
        reason = client.trouble.result()
        raise MatchFailed(reason.template, **reason.fields)
    if seat.refused in done:
        reason = seat.refused.result()
        raise NobodyThere(reason.template, **reason.fields)
    if not done:
        raise NobodyThere("not enough players came in {seconds} seconds", seconds=round(limit or 0))
    if leaving in done and seated not in done:
        leaving.result()  # it may have failed
        return False
    return True


async def _talk(client: Client) -> None:
    """Hears what is typed in the waiting room; returns when we leave it."""
    if client.window is None:
        await asyncio.Event().wait()
    else:
        await client.window.listen()


async def until_dealt(client: Client) -> None:
    """The table is sealed and, after a return, all that were there are there again."""
    await client.seat.seated.wait()
    driver = client.seat.driver
    while driver is not None and driver.table.returning and not driver.finished.is_set():
        driver.changed.clear()
        await driver.changed.wait()


def note_bots(client: Client, driver: Driver) -> None:
    """For a later return: which bots of ours sit at this table."""
    if client.bots.names:
        client.node.journal.set_meta(driver.match, bots=client.bots.names)
        client.node.journal.commit()


async def _autoplay(client: Client, driver: Driver, finishing: asyncio.Task[dict[str, Any]]) -> None:
    """A bot plays this seat: the node's own, or one that takes over a seat that a person had."""
    player = None
    if not client.node.is_played:
        player = asyncio.create_task(bot_driver.play(driver, client.workers))
    try:
        await asyncio.wait((finishing, client.trouble), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((finishing,), timeout=TROUBLE_S)
        if not finishing.done():
            reason = client.trouble.result()
            raise MatchFailed(reason.template, **reason.fields)
    finally:
        if player is not None:
            player.cancel()


async def finish(client: Client) -> dict[str, Any]:
    """When the table is over: check the file, keep the scores, tell the screen. What `--json` prints."""
    driver = client.seat.driver
    assert driver is not None
    await driver.finished.wait()
    try:
        return await _finish(client, driver)
    except FairdealError as fault:
        client.seat.end(Broken(fault))  # nobody else would tell whoever waits for news
        raise


async def _finish(client: Client, driver: Driver) -> dict[str, Any]:
    seat = client.seat
    path = driver.transcript_path
    if driver.fault is None:
        await client.bots.finished()
        driver.close()
    if driver.fault is not None:
        seat.end(Broken(driver.fault, may_return=True))
        return report_of(driver, "", False)
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise HomeFault("{path} cannot be read ({reason})", path=path, reason=fault.strerror or str(fault)) from fault
    checked = await asyncio.to_thread(verify, data, os.urandom)
    is_over = driver.table.record.phase is Phase.OVER
    verified = checked.ok and checked.match == driver.table.record.previous
    await _keep(client, driver)
    if is_over:
        match = driver.table.record.previous.hex()
        seat.end(MatchEnded(driver.table.view(), match, str(path), verified))
    else:
        seat.end(Broken(seat.broken or FairdealError("the match was broken off")))
    return report_of(driver, str(path), verified)


async def _keep(client: Client, driver: Driver) -> None:
    """The match is over: the journals keep how it came out and whom we met, and forget its records."""
    room, journal = client.seat.room, client.node.journal
    status = "finished" if driver.table.record.phase is Phase.OVER else "broken"
    now = time.time()
    title = clean_name(room.title, "") if room is not None else ""
    driver.finish(now, result_of(driver, title), status)
    client.is_kept = True
    await client.bots.finish(title, status)
    for member in driver.table.record.roster.members:
        if member.key != client.node.identity.public:
            journal.met(member.key, member.name, at=now, addresses=client.node.mesh.addresses(member.key))
    journal.commit()
