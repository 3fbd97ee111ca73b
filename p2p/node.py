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
from typing import Any, Protocol

from p2p import bot_driver
from p2p.beats import MAX_ONLOOKERS
from p2p.driver import Driver
from p2p.errors import SaveDamaged
from p2p.home import Home
from p2p.interfaces import Address
from p2p.journal import Journal, Kind, Match, Record
from p2p.mesh import Change, Mesh, Way
from p2p.room import STATEMENT, Waiting
from p2p.room import Owner as RoomOwner
from p2p.settings import Settings
from p2p.tls import Credentials
from p2p.transcripts import open_transcript
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.dealing import library
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.table.events import Event
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION, Roster, decode_roster
from protocol.table.step import Entry
from protocol.table.table import Table
from protocol.wire import pack, unpack

WATCHED = b"t"
"""The first byte of a message that carries a piece of a transcript to a watcher."""
SEALING_S = 12.0
"""Who has not signed and shown its nonce by then is dropped, and all draw anew."""
DEFAULT_PORT = 4711
"""Where a host listens if it can, so that its address alone is enough."""


class Owner(RoomOwner, Protocol):
    """Who is told what happens at a node: in its waiting room, and at its table."""

    def on_table(self, driver: Driver) -> None:
        """A table is being sealed, or was taken up again."""

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        """The table's news."""

    def on_way(self, seat: Seat, way: Way) -> None:
        """How a seat can be reached now."""


class Node:
    """One client. Open it, then host, join or resume; `driver` is its table once that is sealed."""

    def __init__(self, home: Home, settings: Settings, owner: Owner, workers: Workers) -> None:
        library.load()  # what is wrong with it is said now, not in the middle of a deal
        self.home = home
        self.settings = settings
        self.identity = Identity(home.seed())
        self.owner = owner
        self.workers = workers
        self.waiting = Waiting(self, owner)
        self.driver: Driver | None = None
        self.title = ""
        self.host_name = ""
        """Who opened the table: a label for announcements."""
        self._sealing: asyncio.TimerHandle | None = None
        self._brain: asyncio.Task[None] | None = None
        self._watchers: dict[bytes, asyncio.Task[None]] = {}
        self._is_closed = False
        self.journal = Journal.open(home.journal)
        self.mesh = Mesh(
            Credentials.of(self.identity.secret_seed),
            self._fields(),
            self._on_message,
            self._on_change,
            on_passed_on=self._on_passed_on,
            on_stranger=self._on_stranger,
        )

    async def open(self) -> int:
        """Listen; returns the port."""
        port = await self.mesh.listen(self.settings.port, self.settings.hosts)
        self.refresh()
        return port

    async def close(self, reason: str = "bye") -> None:
        """Away: the seat is kept. Safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
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
            else:
                self.waiting.leave()

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

    def refresh(self) -> None:
        """Our hello says how things stand now."""
        self.mesh.fields.update(self._fields())

    def _fields(self) -> dict[str, Any]:
        """What our hello says about us and our table."""
        found: dict[str, Any] = {"v": PROTOCOL_VERSION, **self.settings.fields}
        if self.driver is not None:
            record = self.driver.table.record
            found |= {"id": record.table, "game": record.roster.game, "seats": record.size, "taken": record.size}
            found |= {"state": "over" if self.driver.table.is_over else "playing", "table": self.title}
        elif (room := self.waiting.room) is not None:
            found |= {"id": room.id, "game": room.game, "seats": len(room.seats), "taken": len(room.sitters)}
            found |= {"state": "open", "table": room.title, "host": self.waiting.is_host}
        return found

    # --- sealing and playing ---

    def seal(self, roster: Roster) -> None:
        """Sign this roster: the table begins, and is in the journal before anybody hears of it."""
        room = self.waiting.room
        assert room is not None
        addresses = self.waiting.addresses(room)
        game = load(roster.game, len(roster.members), roster.options)
        self.host_name = next((member.name for member in roster.members if member.key == room.host), "")
        meta = {"title": room.title, "name": self.settings.name, "host": self.host_name, "host_key": room.host.hex()}
        role = "host" if self.waiting.is_host else "guest"
        table_id = roster.table_id
        self.journal.begin_match(table_id, roster.encode(), role=role, created=time.time(), seats=addresses, meta=meta)
        self.journal.append(table_id, Record(Kind.SECRET, b"", pack(["nonce", self.waiting.nonce])))
        table = Table(roster, game, self.identity, self.waiting.nonce, os.urandom, asyncio.get_running_loop().time())
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
        self.title = self.waiting.room.title if self.waiting.room is not None else self.title
        self.refresh()
        keys = [member.key for member in table.record.roster.members]
        self.mesh.want({key: addresses.get(key, ()) for key in keys if key != self.identity.public}, keys)
        self.owner.on_table(driver)
        if self.settings.bot:
            self._brain = asyncio.create_task(bot_driver.play(driver, self.workers, self.settings.pace_s))
            self._brain.add_done_callback(lambda brain: _stop_seat(driver, brain))

    def _sealing_failed(self) -> None:
        self._sealing = None
        if self.driver is not None and self.driver.table.record.phase is Phase.SEALING:
            self.waiting.unsealed(self.driver.table.record)

    def abandon(self) -> None:
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
        self.refresh()

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
        if want == "watch" and (self.driver is None or len(self._watchers) >= MAX_ONLOOKERS):
            return "full" if self.driver is not None else "closed"
        if want == "sit" and (self.waiting.room is None or not self.waiting.is_host or self.driver is not None):
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
            self.mesh.watched_by(len(self._watchers))
        self.waiting.lost(change)

    def _on_message(self, author: bytes, data: bytes) -> None:
        if data.startswith(STATEMENT):
            self.waiting.hear(author, data)
        elif self.driver is not None:
            self.driver.receive(author, data)

    def _on_passed_on(self, author: bytes, data: bytes) -> None:
        if self.driver is not None:
            self.driver.receive(author, data, is_proved=False)

    # --- watchers ---

    def _let_watch(self, key: bytes) -> None:
        driver = self.driver
        if driver is None or key in self._watchers or len(self._watchers) >= MAX_ONLOOKERS:
            return
        self._watchers[key] = asyncio.create_task(self._stream(driver, key))
        self.mesh.watched_by(len(self._watchers))

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


def _stop_seat(driver: Driver, brain: asyncio.Task[None]) -> None:
    """A bot that failed leaves nobody waiting for its moves without a word: its seat stops."""
    if not brain.cancelled() and isinstance(mistake := brain.exception(), Exception):
        driver.crash(mistake)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
