"""One client's life at one table: it waits in a room, seals, plays, and comes back after it was away.

A node owns a home's journal and a mesh, and has at most one table. Its owner is told what happens through `Owner`. A person's
client and each of its bots are nodes of their own, with homes and identities of their own, also within one process.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from p2p import brain
from p2p.driver import Driver
from p2p.errors import LinkLost, SaveDamaged
from p2p.home import Home
from p2p.interfaces import Address
from p2p.journal import Journal, Kind, Match, Record
from p2p.mesh import Change, Mesh, Way
from p2p.tls import Credentials
from p2p.transcripts import open_transcript
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption, FairdealError
from protocol.games.catalogue import load
from protocol.games.game import AnyGame
from protocol.identity import Identity
from protocol.table.events import Event
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION, Roster, TableOptions, decode_roster, nonce_hash
from protocol.table.seating import (
    Refusal,
    Room,
    Sitter,
    Statement,
    decode_room,
    read_statement,
    state,
)
from protocol.table.table import Entry, Table
from protocol.wire import pack, unpack

STATEMENT = b"\x93\xa1w"
"""How a statement of a waiting room begins: an array of three, the text "w"."""
WATCHED = b"t"
"""The first byte of a message that carries a piece of a transcript to a watcher."""
SEALING_S = 12.0
"""Who has not signed and shown its nonce by then is dropped, and all draw anew."""
MAX_WATCHERS = 8
DEFAULT_PORT = 4711
"""Where a host listens if it can, so that its address alone is enough."""


class Owner(Protocol):
    """Who is told what happens at a node."""

    def on_room(self, room: Room) -> None:
        """The waiting room has changed."""

    def on_said(self, key: bytes, text: str) -> None:
        """Somebody said something in the waiting room."""

    def on_refused(self, reason: FairdealError) -> None:
        """We cannot sit here, or have lost the seat in the waiting room."""

    def on_table(self, driver: Driver) -> None:
        """A table is being sealed, or was taken up again."""

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        """The table's news."""

    def on_way(self, seat: Seat, way: Way) -> None:
        """How a seat can be reached now."""


@dataclass(slots=True)
class Plan:
    """A table that a host wants to open."""

    game: AnyGame
    title: str
    options: TableOptions


@dataclass(slots=True)
class Settings:
    """How this node behaves: its label, whether a bot plays it, and who answers for it."""

    name: str
    bot: bool = False
    keeper: bytes | None = None
    pace_s: float = 0.0
    transcript: Path | None = None
    auto_ready: bool = True
    port: int = 0
    hosts: tuple[str, str] = ("0.0.0.0", "::")
    fields: Mapping[str, Any] = field(default_factory=dict)


class Node:
    """One client. Open it, then host, join or resume; `driver` is its table once that is sealed."""

    def __init__(self, home: Home, settings: Settings, owner: Owner, workers: Workers) -> None:
        self.home = home
        self.settings = settings
        self.identity = Identity(home.seed())
        self.owner = owner
        self.workers = workers
        self.room: Room | None = None
        self.driver: Driver | None = None
        self.is_host = False
        self.title = ""
        self.host_name = ""
        """Who opened the table: a label for announcements."""
        self._host: bytes | None = None
        self._host_address: str = ""
        self._nonce = b""
        self._counter = 0
        self._sealing: asyncio.TimerHandle | None = None
        self._brain: asyncio.Task[None] | None = None
        self._watchers: dict[bytes, asyncio.Task[None]] = {}
        self.journal = Journal.open(home.journal)
        self.mesh = Mesh(
            Credentials.of(self.identity.secret_seed),
            self._fields(),
            self._on_message,
            self._on_change,
            on_stranger=self._on_stranger,
        )

    async def open(self) -> int:
        """Listen; returns the port."""
        port = await self.mesh.listen(self.settings.port, self.settings.hosts)
        self.mesh.fields.update(self._fields())
        return port

    async def close(self, reason: str = "bye") -> None:
        """Away: the seat is kept. Safe to call twice."""
        tasks = [task for task in (self._brain, *self._watchers.values()) if task is not None]
        for task in tasks:
            task.cancel()
        if self._sealing is not None:
            self._sealing.cancel()
        async with AsyncExitStack() as stack:
            stack.callback(self._close_journal)
            stack.push_async_callback(self.mesh.close, reason)
            stack.push_async_callback(_ended, tasks)
            # Before anything is awaited: what is left to be said goes out though somebody is in a hurry.
            if self.driver is not None:
                self.driver.close()
            elif self.room is not None and not self.is_host and self._host is not None:
                self._tell(self._host, "leave")

    def _close_journal(self) -> None:
        try:
            self.journal.close()
        except BaseException:
            self.journal.abandon()
            raise

    @property
    def is_played(self) -> bool:
        """Whether this node's own bot plays its seat."""
        return self._brain is not None

    def _fields(self) -> dict[str, Any]:
        """What our hello says about us and our table."""
        found: dict[str, Any] = {"v": PROTOCOL_VERSION, **self.settings.fields}
        if self.driver is not None:
            record = self.driver.table.record
            found |= {"id": record.table, "game": record.roster.game, "seats": record.size, "taken": record.size}
            found |= {"state": "over" if self.driver.table.is_over else "playing", "table": self.title}
        elif self.room is not None:
            room = self.room
            found |= {"id": room.id, "game": room.game, "seats": len(room.seats), "taken": len(room.sitters)}
            found |= {"state": "open", "table": room.title, "host": self.is_host}
        return found

    # --- the waiting room: host ---

    def host(self, plan: Plan) -> None:
        """Open a waiting room and sit down in it."""
        game = plan.game
        self.is_host = True
        self._nonce = os.urandom(32)
        seats: tuple[Sitter | None, ...] = (self._sitter(), *(None for _ in range(game.seats - 1)))
        room = Room(
            os.urandom(16),
            self.identity.public,
            plan.title,
            game.name,
            game.version,
            dict(game.options),
            plan.options,
            seats,
        )
        self._show(room)

    def start(self) -> None:
        """The host begins: all are asked to sign. Raises Refusal while seats are empty."""
        room = self.room
        if room is None or not self.is_host or len(room.sitters) < len(room.seats):
            raise Refusal("the table can begin when all its seats are taken")
        roster = room.roster(os.urandom(16))
        self._show(replace(room, is_open=False))
        for sitter in room.sitters:
            self._tell(sitter.key, "roster", roster=roster.encode())
        self._seal(roster)

    def refuse(self, key: bytes) -> None:
        """The host does not want this key at the table."""
        if self.room is not None and self.is_host and self.driver is None and key != self.identity.public:
            self._tell(key, "refused", reason="the host does not want you at this table", fields={})
            room = self.room.without(key)
            self._show(replace(room, refused=room.refused | {key}))

    def _sitter(self) -> Sitter:
        keeper = self.settings.keeper or self.identity.public
        hashed = nonce_hash(self._nonce)
        ready = self.settings.auto_ready
        return Sitter(self.identity.public, self.settings.name, keeper, self.settings.bot, hashed, ready)

    def _show(self, room: Room) -> None:
        """The room has changed: tell all who sit in it, and begin when all are there."""
        self.room = room
        self.mesh.fields.update(self._fields())
        shown = room.encode()
        for sitter in room.sitters:
            if sitter.key != self.identity.public:
                self._tell(sitter.key, "room", room=shown)
        self.owner.on_room(room)
        if room.can_start and room.is_open:
            self.start()

    def _host_hears(self, said: Statement) -> None:
        room = self.room
        assert room is not None
        try:
            match said.kind:
                case "sit":
                    self._welcome(said)
                case "leave" if self.driver is None:
                    self._show(room.without(said.key))
                case "ready" if self.driver is None:
                    self._show(room.with_ready(said.key, said.body["ready"]))
                case "move" if self.driver is None:
                    self._show(room.moved(said.key, said.body["seat"]))
                case "say" if room.place_of(said.key) is not None:
                    for sitter in room.sitters:
                        if sitter.key != self.identity.public:
                            self._tell(sitter.key, "said", text=said.body["text"], who=said.key)
                    self.owner.on_said(said.key, said.body["text"])
        except Refusal as reason:
            self._tell(said.key, "refused", reason=reason.template, fields=dict(reason.fields))

    def _welcome(self, said: Statement) -> None:
        assert self.room is not None
        body = said.body
        link = self.mesh.links.get(said.key)
        address = link.address if link is not None and link.address is not None else ("", 0)
        before = self.room.place_of(said.key)
        ready = before is None and body["bot"]
        sitter = Sitter(said.key, body["name"], body["keeper"], body["bot"], body["nonce"], ready, address)
        self._show(self.room.with_sitter(sitter))

    # --- the waiting room: guest ---

    async def join(self, addresses: Iterable[Address], expect: bytes | None = None) -> None:
        """Ask for a seat at the host found there. Raises LinkLost."""
        self._nonce = os.urandom(32)
        key = await self.mesh.call(addresses, expect)
        link = self.mesh.links.get(key)
        if link is None:
            raise LinkLost("the host has hung up", reason="closed")
        fields = link.hello.fields
        room = fields.get("id")
        if fields.get("state") != "open" or not fields.get("host") or not isinstance(room, bytes):
            self.mesh.drop(key, "bye")
            raise Refusal("there is no open table at this address")
        self._host = key
        self._host_address = link.address[0] if link.address is not None else ""
        self._sit(room)

    def _sit(self, room: bytes) -> None:
        assert self._host is not None
        keeper = self.settings.keeper or self.identity.public
        body = {"name": self.settings.name, "keeper": keeper, "bot": self.settings.bot}
        self._tell(self._host, "sit", room_id=room, nonce=nonce_hash(self._nonce), **body)
        if self.settings.auto_ready:
            self._tell(self._host, "ready", room_id=room, ready=True)

    def ready(self, ready: bool = True) -> None:
        """In the waiting room: we are ready, or not."""
        if self.room is None or self.driver is not None:
            return
        if self.is_host:
            self._show(self.room.with_ready(self.identity.public, ready))
        elif self._host is not None:
            self._tell(self._host, "ready", ready=ready)

    def move_to(self, seat: Seat) -> None:
        """In the waiting room: take another free seat. Raises Refusal for the host; guests are told."""
        if self.room is None or self.driver is not None:
            return
        if self.is_host:
            self._show(self.room.moved(self.identity.public, seat))
        elif self._host is not None:
            self._tell(self._host, "move", seat=seat)

    def say_in_room(self, text: str) -> None:
        """In the waiting room: chat."""
        if self.room is None:
            return
        if self.is_host:
            for sitter in self.room.sitters:
                if sitter.key != self.identity.public:
                    self._tell(sitter.key, "said", text=text, who=self.identity.public)
        elif self._host is not None:
            self._tell(self._host, "say", text=text)

    def _guest_hears(self, said: Statement) -> None:
        match said.kind:
            case "room":
                self._see(decode_room(said.room, said.body["room"]))
            case "roster":
                self._asked_to_sign(said)
            case "refused":
                fields = {str(key): value for key, value in said.body["fields"].items()}
                self._give_up(Refusal(said.body["reason"], **fields))
            case "said":
                self.owner.on_said(said.body["who"], said.body["text"])

    def _see(self, room: Room) -> None:
        """The host shows its room. If we were sealing, somebody was dropped: sit again, with a fresh nonce."""
        try:
            game = load(room.game, len(room.seats), room.options)
            if game.version != room.rules_version:
                raise BadOption(
                    "the host plays {game} by rules of version {theirs}, and this program knows version {ours}",
                    game=room.game,
                    theirs=room.rules_version,
                    ours=game.version,
                )
        except BadOption as reason:
            self._give_up(reason)
            return
        if self.driver is not None:
            if self.driver.table.record.phase is not Phase.SEALING or not room.is_open:
                return
            self._abandon()
            self._nonce = os.urandom(32)
            self._sit(room.id)
            return
        self.room = room
        self.mesh.fields.update(self._fields())
        self.owner.on_room(room)

    def _asked_to_sign(self, said: Statement) -> None:
        roster = decode_roster(said.body["roster"])
        if self.room is None or self.driver is not None:
            return
        own = {self.identity.public: nonce_hash(self._nonce)}
        own |= {sitter.key: sitter.nonce_hash for sitter in self.room.sitters if sitter.keeper == self.identity.public}
        self.room.check_roster(roster, own)
        self._seal(roster)

    def _give_up(self, reason: FairdealError) -> None:
        if self.driver is not None:
            return
        if self._host is not None:
            self._tell(self._host, "leave")
            self.mesh.drop(self._host, "bye")
        self._host = self.room = None
        self.owner.on_refused(reason)

    def _tell(self, key: bytes, kind: str, room_id: bytes | None = None, **body: Any) -> None:
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        self._counter += 1
        self.mesh.send(key, state(self.identity, room, self._counter, kind, **body))

    # --- sealing and playing ---

    def _seal(self, roster: Roster) -> None:
        """Sign this roster: the table begins, and is in the journal before anybody hears of it."""
        assert self.room is not None
        addresses = self._addresses_of_room(self.room)
        title = self.room.title
        game = load(roster.game, len(roster.members), roster.options)
        self.host_name = next((member.name for member in roster.members if member.key == self.room.host), "")
        meta = {"title": title, "name": self.settings.name, "host": self.host_name}
        role = "host" if self.is_host else "guest"
        table_id = roster.table_id
        self.journal.begin_match(table_id, roster.encode(), role=role, created=time.time(), seats=addresses, meta=meta)
        self.journal.append(table_id, Record(Kind.SECRET, b"", pack(["nonce", self._nonce])))
        table = Table(roster, game, self.identity, self._nonce, os.urandom, asyncio.get_running_loop().time())
        self._take_up(table, addresses, [])
        assert self.driver is not None
        self.driver.start()
        self._sealing = asyncio.get_running_loop().call_later(SEALING_S, self._sealing_failed)

    def _take_up(self, table: Table, addresses: Mapping[bytes, tuple[Address, ...]], written: list[bytes]) -> None:
        path = self.settings.transcript or self.home.transcripts / f"{table.record.table.hex()[:16]}.fairdeal"
        driver = Driver(
            table,
            self.journal,
            self.mesh,
            open_transcript(path, written),
            self.workers,
            lambda events: self.owner.on_events(driver, events),
            lambda seat, way: self.owner.on_way(seat, way),
        )
        self.driver = driver
        self.title = self.room.title if self.room is not None else self.title
        self.mesh.fields.update(self._fields())
        keys = [member.key for member in table.record.roster.members]
        self.mesh.want({key: addresses.get(key, ()) for key in keys if key != self.identity.public}, keys)
        self.owner.on_table(driver)
        if self.settings.bot:
            self._brain = asyncio.create_task(brain.play(driver, self.workers, self.settings.pace_s))

    def _addresses_of_room(self, room: Room) -> dict[bytes, tuple[Address, ...]]:
        """Where the others are. What the host sees as its own machine is for us the machine where we found the host."""
        found: dict[bytes, tuple[Address, ...]] = {}
        for sitter in room.sitters:
            host, port = sitter.address
            if sitter.key == self._host:
                link = self.mesh.links.get(self._host)
                found[sitter.key] = (link.address,) if link is not None and link.address is not None else ()
            elif port:
                is_hosts_machine = host in ("127.0.0.1", "::1")
                found[sitter.key] = ((self._host_address if is_hosts_machine and self._host_address else host, port),)
            else:
                found[sitter.key] = ()
        return found

    def _sealing_failed(self) -> None:
        """Somebody did not sign in time: the host goes back to the waiting room without them, and the others follow."""
        self._sealing = None
        driver = self.driver
        if driver is None or driver.table.record.phase is not Phase.SEALING or not self.is_host:
            return
        record = driver.table.record
        silent = {
            record.roster.members[place].key
            for place in range(record.size)
            if record.from_seat(place, "seal") is None or record.from_seat(place, "nonce") is None
        }
        if record.from_all("seal") is None:
            silent = {
                record.roster.members[place].key
                for place in range(record.size)
                if record.from_seat(place, "seal") is None
            }
        self._abandon()
        assert self.room is not None
        room = replace(self.room, is_open=True)
        for key in silent - {self.identity.public}:
            room = room.without(key)
            self.mesh.drop(key, "silent")
        self._nonce = os.urandom(32)
        place = room.place_of(self.identity.public)
        assert place is not None
        room = replace(room, seats=tuple(replace(s, ready=False) if s is not None else None for s in room.seats))
        room = room.with_sitter(self._sitter())
        self._show(room)

    def _abandon(self) -> None:
        """This roster was never sealed: nothing was dealt, nothing is kept."""
        driver, self.driver = self.driver, None
        if self._brain is not None:
            self._brain.cancel()
            self._brain = None
        if driver is not None:
            path = self.home.transcripts / f"{driver.match.hex()[:16]}.fairdeal"
            driver.finish(time.time(), {}, "abandoned")
            if self.settings.transcript is None:
                path.unlink(missing_ok=True)
        self.mesh.fields.update(self._fields())

    # --- coming back ---

    def resumable(self) -> Match | None:
        """The match that was left unfinished here, if any."""
        return next(iter(self.journal.unfinished()), None)

    def resume(self, match: Match) -> None:
        """Take the old seat again. Raises SaveDamaged if the journal does not hold it whole."""
        roster = decode_roster(match.roster)
        game = load(roster.game, len(roster.members), roster.options)
        entries: list[Entry] = []
        nonce = b""
        for _, record in self.journal.records(match.id):
            if record.kind is Kind.SECRET and not nonce:
                nonce = self._old_nonce(record.data)
                continue
            entries.append(Entry(record.kind.value, record.data))
        table = Table(roster, game, self.identity, nonce, os.urandom, asyncio.get_running_loop().time())
        self.title = str(match.meta.get("title") or "")
        self.host_name = str(match.meta.get("host") or "")
        step = table.restore(entries, asyncio.get_running_loop().time())
        self._take_up(table, match.seats, list(table.record.transcript))
        assert self.driver is not None
        self.driver.take_up(step)

    def _old_nonce(self, data: bytes) -> bytes:
        value = unpack(data)
        if type(value) is not list or len(value) != 2 or value[0] != "nonce":
            raise SaveDamaged("the journal {path} does not hold its match from the start", path=self.home.journal)
        return bytes(value[1])

    def remember(self) -> None:
        """Keep where the seats were last reached: so that anyone finds back though the host's machine is gone."""
        if self.driver is not None:
            keys = [
                member.key for member in self.driver.table.record.roster.members if member.key != self.identity.public
            ]
            self.journal.set_seats(self.driver.match, {key: self.mesh.addresses(key) for key in keys})
            self.journal.commit()

    # --- what arrives ---

    def _on_stranger(self, key: bytes, fields: Mapping[str, Any]) -> str | None:
        """Whether somebody new may link: to look at what we are, to sit down, to watch."""
        want = fields.get("want", "look")
        if want == "watch" and (self.driver is None or len(self._watchers) >= MAX_WATCHERS):
            return "full" if self.driver is not None else "closed"
        if want == "sit" and (self.room is None or not self.is_host or self.driver is not None):
            return "closed"
        return None

    def _on_change(self, change: Change) -> None:
        if self.driver is not None:
            self.driver.change(change)
        if change.way is Way.NONE:
            self._gone(change)
        else:
            link = self.mesh.links.get(change.key)
            if link is not None and link.hello.fields.get("want") == "watch" and not link.is_caller:
                self._let_watch(change.key)

    def _gone(self, change: Change) -> None:
        watcher = self._watchers.pop(change.key, None)
        if watcher is not None:
            watcher.cancel()
        if self.driver is not None or self.room is None:
            if self.driver is None and change.key == self._host:
                self._lost_host(change)
            return
        if self.is_host:
            if self.room.place_of(change.key) is not None:
                self._show(self.room.without(change.key))
        elif change.key == self._host:
            self._lost_host(change)

    def _lost_host(self, change: Change) -> None:
        self._host = self.room = None
        self.owner.on_refused(LinkLost("the host has closed the table ({reason})", reason=change.reason or "link lost"))

    def _on_message(self, author: bytes, data: bytes) -> None:
        if data.startswith(STATEMENT):
            try:
                said = read_statement(data, author)
                if self.is_host and self.room is not None:
                    self._host_hears(said)
                elif author == self._host:
                    self._guest_hears(said)
            except BadMessage:
                return  # a stranger's nonsense; links bound how much of it there can be
            except Refusal as reason:
                self._give_up(reason)
        elif self.driver is not None:
            self.driver.receive(author, data)

    # --- watchers ---

    def _let_watch(self, key: bytes) -> None:
        driver = self.driver
        if driver is None or key in self._watchers or len(self._watchers) >= MAX_WATCHERS:
            return
        self._watchers[key] = asyncio.create_task(self._stream(driver, key))

    async def _stream(self, driver: Driver, key: bytes) -> None:
        """Send the transcript from its start and as it grows, as fast as the watcher reads."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        for message in driver.table.record.transcript[: driver.shown]:
            queue.put_nowait(message)
        driver.watchers.add(queue.put_nowait)
        try:
            while True:
                message = await queue.get()
                link = self.mesh.links.get(key)
                if link is None or not link.send(WATCHED + message):
                    return
                if link.queued > 1 << 18:
                    await link.drained()
        finally:
            driver.watchers.discard(queue.put_nowait)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
