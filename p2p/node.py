"""One client: it is in a room, seals a table, plays, is back in the room, and returns after it was away.

A node owns a home's journal and a mesh, which last over all matches, and has at most one table at a time. It reports to
its `Owner`. A person's client and each of its bots are separate nodes with their own homes and identities, even within
one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import Awaitable, Collection, Iterable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from p2p import bot_driver
from p2p.budgets import PeerRank
from p2p.costs import processor_time
from p2p.driver import ASKED_S, Driver
from p2p.errors import SaveDamaged
from p2p.home import Home
from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.past import Past, send_answer
from p2p.ports import Jobs, Ports, native_ports
from p2p.room.owner import RoomOwner
from p2p.room.phones import RoomPhones
from p2p.room.seat_taking import SeatTaking
from p2p.room.waiting_room import STATEMENT, WaitingRoom
from p2p.routes import Route, RouteChange
from p2p.saved import JournalRecord, Json, RecordKind, SavedMatch
from p2p.settings import NodeSettings
from p2p.streaming import Watchers
from p2p.transcripts import open_transcript, read_transcript
from p2p.troubles import Trouble
from protocol.cards import Seat
from protocol.dealing import library, sums
from protocol.errors import BadMessage, FairdealError, GameFailed
from protocol.identity import Identity
from protocol.room.statements import decode_room, encode_room
from protocol.room.values import Room
from protocol.table import warming
from protocol.table.events import Event, RoundOpened, Sealed
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION, Member, Roster, decode_roster, game_of, is_of_this_version
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from protocol.table.work import Job, Urgency
from protocol.wire import pack, unpack

MAX_SHOWN_ROSTER_BYTES = 3 << 10
"""A longer roster would not fit into a hello."""
MAX_EARLY = 512
MAX_EARLY_BYTES = 1 << 18
"""How much of a table we keep that we are not asked to sign yet: another player's link may be faster than the host's."""
UNKNOWN = b""
"""Whose account pays what is passed on of keys that we don't know: there can be any number of them."""
DEFAULT_PORT = 4711
"""The port on which a host listens if it can, so that its address alone is enough."""


class Owner(RoomOwner):
    """Receives what happens at a node: in its waiting room and at its table. Override what is needed."""

    def on_table(self, driver: Driver) -> None:
        """A table is being sealed, or was resumed."""

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        """The table reports events."""

    def on_route(self, seat: Seat, route: Route) -> None:
        """The route to a seat has changed."""

    def on_asleep(self, seat: Seat, is_asleep: bool) -> None:
        """Nobody looks at this seat's page any more, or somebody does again."""

    def on_failure(self, fault: GameFailed) -> FairdealError:
        """The game failed, and our seat at its table stops: keep what led to it, and return the fault to tell."""
        return fault

    def on_trouble(self, trouble: Trouble) -> None:
        """A computer that is not at our table costs more than it should, and is held back or cut off."""


class Node:
    """One client. Open it, then host, join or resume; `driver` runs its table once that is sealed."""

    def __init__(
        self, home: Home, settings: NodeSettings, owner: Owner, workers: Jobs, ports: Ports | None = None
    ) -> None:
        ports = ports or native_ports()
        library.load()  # report a broken library now, not in the middle of a deal
        sums.compiled()  # its self-test takes some milliseconds, which a deal need not wait for
        self.home = home
        self.settings = settings
        self.identity = Identity(home.seed())
        self.owner = owner
        self.workers = workers
        self.waiting_room = WaitingRoom(self, owner)
        self.seat_taking = SeatTaking(self, self.waiting_room, owner)
        self.phones = RoomPhones(self, self.waiting_room)
        self.driver: Driver | None = None
        self.title = ""
        self.host_name = ""
        """The name of the host, for announcements."""
        self._early: deque[tuple[bytes, bytes]] = deque(maxlen=MAX_EARLY)
        self._early_bytes = 0
        self._matches = 0
        """How many matches are over."""
        self._bot_task: asyncio.Task[None] | None = None
        self._restoring: frozenset[bytes] = frozenset()
        """The seats of a match that is being read again: what they say meanwhile is heard afterwards."""
        self._kept: frozenset[bytes] = frozenset()
        """The other seats of a match that was left here, while its player decides whether to go back to it."""
        self._restored = asyncio.Event()
        self.is_closed = self._is_warm = False
        self.journal = ports.open_journal(home.journal)
        self._past = Past(self.journal, home.transcripts)
        self._links, self._has_disk = ports.links(self.identity.secret_seed), ports.has_disk
        self.mesh = Mesh(
            self._links,
            self._fields(),
            self._on_message,
            self._on_change,
            on_relayed=self._on_relayed,
            on_introduced=self._on_introduced,
            serves=self.settings.phones.__contains__,
            on_stranger=self._on_stranger,
            standing=self._standing,
            on_trouble=owner.on_trouble,
            on_flood=self._on_flood,
            on_asleep=self._on_asleep,
        )
        self._watchers = Watchers(self.mesh)

    async def open(self) -> int:
        """Start listening; return the port."""
        port = await self.mesh.listen(self.settings.port, self.settings.hosts)
        self.refresh()
        return port

    async def close(self, reason: str = "bye") -> None:
        """Leave and keep the seat. Safe to call twice."""
        if self.is_closed:
            return
        self.is_closed = True
        tasks = self._watchers.tasks
        if self._bot_task is not None:
            self._bot_task.cancel()
            tasks.append(self._bot_task)
        async with AsyncExitStack() as stack:
            stack.callback(self._close_journal)
            stack.push_async_callback(self.mesh.close, reason)
            stack.push_async_callback(_wait_all, tasks)
            # Before the first await, so that the last messages are sent even if this call is cancelled.
            if self.driver is not None:
                self.driver.close()
            self._watchers.end(self.driver)
            self.waiting_room.close()

    def _close_journal(self) -> None:
        try:
            self.journal.close()
        except BaseException:  # whatever it was: a journal half closed must not be written to again
            self.journal.abandon()
            raise

    @property
    def has_bot(self) -> bool:
        """Whether this node's own bot plays its seat."""
        return self._bot_task is not None

    def refresh(self) -> None:
        """Update our hello to the current state."""
        self.mesh.fields.clear()
        self.mesh.fields.update(self._fields())

    def room_changed(self) -> None:
        """Update our hello and the wanted links after a change of the room."""
        self.refresh()
        servers = self.phones.note_servers()
        if not self.is_closed:
            self._links.phones_are_served(servers)
            self.want_links()
            self.seat_taking.offer_soon()
        if not self._is_warm and self.waiting_room.room is not None:
            self._is_warm = True
            self.workers.submit(
                Job(("warm-up",), warming.warm_up, warming.CARDS, Urgency.SOON), lambda _job, _result: None
            )

    def _fields(self) -> dict[str, Any]:
        """Return the fields of our hello: about us, our room and our table."""
        found: dict[str, Any] = {"v": PROTOCOL_VERSION, **self.settings.fields}
        if (room := self.waiting_room.room) is not None:
            found |= {"room": room.id, "game": room.game, "seats": room.most, "taken": len(room.sitters)}
            found |= {"state": "open", "table": room.title, "host": self.waiting_room.is_host}
            if not self.waiting_room.is_host and (at := self.mesh.addresses(room.host)):
                found |= {"at": list(at[0]), "at_key": room.host}
        if self.driver is not None:
            record = self.driver.table.record
            found |= {"id": record.table, "game": record.roster.game, "seats": record.size, "taken": record.size}
            found |= {"state": "over" if self.driver.table.is_over else "playing", "table": self.title}
            if len(roster := record.roster.encode()) <= MAX_SHOWN_ROSTER_BYTES:
                found["roster"] = roster
        return found

    def want_links(self) -> None:
        """Keep links to everyone at our table and in our room; the seats of the table come first in the order."""
        wanted: dict[bytes, tuple[Address, ...]] = {}
        seats = self.driver.keys if self.driver is not None else sorted(self._restoring or self._kept)
        wanted |= dict.fromkeys(seats, ())
        for key, addresses in self.waiting_room.addresses().items():
            wanted[key] = addresses
        own = self.identity.public
        order = [*wanted, own] if own not in wanted else list(wanted)
        wanted.pop(own, None)
        self.mesh.want(wanted, order, wanted.keys() - {*seats})

    def keep_linked(self, match: SavedMatch | None) -> None:
        """Keep links to the others of a match that was left here, who call us all the time; None: to nobody any more."""
        members = () if match is None else decode_roster(match.roster).members
        self._kept = frozenset(member.key for member in members) - {self.identity.public}
        self.want_links()

    # --- sealing and playing ---

    def seal(self, roster: Roster) -> None:
        """Sign this roster; the table starts."""
        driver = self.begin_match(roster, self.waiting_room.entry.nonce)
        self.waiting_room.sealing.began()
        early, self._early_bytes = list(self._early), 0
        self._early.clear()
        for author, data in early:
            if self._is_seat(author):
                driver.receive(author, data)

    def begin_match(self, roster: Roster, nonce: bytes, seat: Seat | None = None, empty_in: int = 0) -> Driver:
        """Be at the table of a match of our room: it is in the journal before anyone hears of it.

        `nonce`: our contribution to the draw; `seat`: the one that we take, if we are not in the roster, which is free in the
        epoch `empty_in`.
        """
        room, match, addresses = self.waiting_room.room, roster.table_id, self.waiting_room.addresses()
        assert room is not None
        table, path = self._table(roster, nonce, seat), self._transcript_path(match)
        self.host_name = next((guest.name for guest in room.members if guest.key == room.host), "")
        meta: Json = {"title": room.title, "name": self.settings.name, "host": self.host_name}
        meta |= {"host_key": room.host.hex(), "room": room.id.hex(), "word": encode_room(room).hex()}
        if self.settings.transcript is not None:
            meta["transcript"] = str(path.absolute())
        if self.settings.serves:
            meta["serves"] = True
        if seat is not None:
            meta |= {"taking": seat, "empty_in": empty_in}
            self.journal.discard(match)  # we may have been at this table before
        role = "host" if self.waiting_room.is_host else "guest"
        self.journal.begin_match(match, roster.encode(), role=role, created=time.time(), seats=addresses, meta=meta)
        self.journal.append(match, JournalRecord(RecordKind.SECRET, b"", pack(["nonce", nonce])))
        driver = self._begin_table(table, addresses, path, [])
        driver.start()
        return driver

    def is_over(self, match: bytes) -> bool:
        """Whether we know that this match is over: we have played it, or fetched and checked it."""
        with contextlib.suppress(KeyError):
            return self.journal.match(match).status not in ("open", "aside")
        return False

    def _table(self, roster: Roster, nonce: bytes, seat: Seat | None) -> Table:
        """Return our table. `seat`: the one that we take, if we are not in the roster."""
        own = self.identity.public
        keeper = self.settings.keeper if self.settings.is_kept_bot else None  # a phone that comes later keeps itself
        taking = (
            None if seat is None else (seat, Member(own, self.settings.name, keeper or own, keeper is not None, b""))
        )
        now = asyncio.get_running_loop().time()
        return Table(roster, game_of(roster), self.identity, nonce, os.urandom, now, taking)

    def _transcript_path(self, match: bytes) -> Path:
        """Return where a new match is written: under the name that was asked for, from the second match on with a number."""
        asked = self.settings.transcript
        if asked is None:
            return self.home.transcripts / f"{match.hex()[:16]}.fairdeal"
        numbered = (asked.with_name(f"{asked.stem}-{number}{asked.suffix}") for number in count(2))
        return next(path for path in numbered if not path.exists()) if self._matches else asked

    def _begin_table(
        self,
        table: Table,
        addresses: Mapping[bytes, tuple[Address, ...]],
        path: Path,
        written: list[bytes],
        bug: Exception | None = None,
    ) -> Driver:
        """`written`: the messages that belong in the transcript already; `bug`: why the table cannot be played on."""
        driver = Driver(
            table,
            self.journal,
            self.mesh,
            open_transcript(path, written, is_late=not self._has_disk),
            self.workers,
            lambda events: self._on_events(driver, events),
            lambda seat, route: self.owner.on_route(seat, route),
            lambda fault: self.owner.on_failure(fault),
        )
        self.driver = driver
        if bug is not None:
            driver.crash(bug)
        self.title = self.waiting_room.room.title if self.waiting_room.room is not None else self.title
        self.refresh()
        self.want_links()
        for key, known in addresses.items():
            self.mesh.add_addresses(key, known)
        self.owner.on_table(driver)
        if self.settings.bot and bug is None:
            self._bot_task = asyncio.create_task(
                bot_driver.play(driver, self.workers, self.settings.pace_s, self.settings.level)
            )
            self._bot_task.add_done_callback(partial(self._bot_ended, driver))
        return driver

    def _bot_ended(self, driver: Driver, task: asyncio.Task[None]) -> None:
        """A bug in a bot must not leave the others waiting for its moves: the process of a kept bot ends with it, and is started
        anew by its keeper; any other seat stops."""
        if task.cancelled() or not isinstance(bug := task.exception(), Exception):
            return
        if self.settings.is_kept_bot:
            task.get_loop().call_exception_handler({"message": "a bot failed", "exception": bug, "task": task})
        else:
            driver.crash(bug)

    def _on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        self.owner.on_events(driver, events)
        if any(isinstance(event, Sealed) for event in events) and not driver.table.is_newcomer:
            self.waiting_room.sealing.done()
        if any(isinstance(event, RoundOpened) for event in events):
            self.waiting_room.sealing.dealt()
        self.seat_taking.hear(driver, events)

    def abandon(self, silent: Collection[bytes]) -> None:
        """Discard a table that was never sealed because of the silent ones. Nothing was dealt; its roster is kept."""
        driver, self.driver = self.driver, None
        self.stop_bot()
        if driver is not None:
            path = driver.transcript_path
            result = {"silent": [key.hex() for key in sorted(silent)]}
            driver.finish(time.time(), result, "torn")
            driver.finished.set()
            if self.settings.transcript is None:
                path.unlink(missing_ok=True)
        self.room_changed()

    def discard_match(self) -> None:
        """Leave a table at which we have no seat, and keep nothing of its match."""
        driver, self.driver = self.driver, None
        self.stop_bot()
        if driver is not None:
            driver.close()
            driver.finished.set()
            driver.changed.set()
            with contextlib.suppress(FairdealError):
                self.journal.discard(driver.match)
                self.journal.commit()
            driver.transcript_path.unlink(missing_ok=True)
        self.room_changed()

    def release(self, is_ready: bool) -> None:
        """Be free for the room's next match: the table's match is over, and its result is kept."""
        if self.driver is not None:
            self.driver.close()
            self._matches += 1
        self._watchers.end(self.driver)
        self.driver = None
        self.stop_bot()
        self.room_changed()
        self.waiting_room.returned(is_ready)

    def stop_bot(self) -> None:
        """Make no more moves by a bot of our own at this table."""
        if self._bot_task is not None:
            self._bot_task.cancel()
            self._bot_task = None

    # --- coming back ---

    def resumable(self) -> SavedMatch | None:
        """Return the match that was left unfinished here, or None. One of another version of the protocol stays in the journal:
        nobody can play it on with this version."""
        return next((match for match in self.journal.unfinished() if is_of_this_version(match.roster)), None)

    def aside(self) -> list[SavedMatch]:
        """Return the matches that were put aside here and can be resumed, latest first."""
        return [match for match in self.journal.aside() if is_of_this_version(match.roster)]

    async def resume(self, match: SavedMatch) -> None:
        """Return to the old seat: a long match is read again message by message, away from the event loop.

        Raises SaveDamaged if the journal does not hold the whole match.
        """
        self.journal.take_up(match.id)
        self.journal.commit()
        roster = decode_roster(match.roster)
        entries: list[Entry] = []
        nonce: bytes | None = None
        for _, record in self.journal.records(match.id):
            if record.kind is RecordKind.SECRET and nonce is None:
                nonce = self._read_nonce(record.data)
                continue
            entries.append(Entry(record.kind.value, record.data))
        table = self._table(roster, nonce or b"", self.seat_taking.resume(match.meta))
        self.title = str(match.meta.get("title") or "")
        self.host_name = str(match.meta.get("host") or "")
        self._restoring = frozenset(member.key for member in roster.members) - {self.identity.public}
        self._restored.clear()
        self.want_links()
        step, bug = Step(), None
        try:
            step = await self.workers.run_steps(table.restoring(entries, asyncio.get_running_loop().time()))
        except Exception as error:  # a bug of the game or of ours stops the seat and keeps it, as in `Driver.feed`
            bug = error
        finally:
            self._restoring = frozenset()
            asyncio.get_running_loop().call_soon(self._restored.set)  # when our table is there
        if self.is_closed:  # meanwhile
            return
        path = Path(match.meta["transcript"]) if "transcript" in match.meta else self._transcript_path(match.id)
        written = list(table.record.transcript) if bug is None or not path.exists() else read_transcript(path)[0]
        driver = self._begin_table(table, match.seats, path, written, bug)
        if bug is None:
            driver.resume(step)
        if table.record.phase is Phase.SEALING and not table.is_newcomer:
            self.waiting_room.sealing.began()
        elif (room := _room_of(match)) is not None:
            self.waiting_room.restore(room)

    def _read_nonce(self, data: bytes) -> bytes:
        value = unpack(data)
        if type(value) is not list or len(value) != 2 or value[0] != "nonce":
            raise SaveDamaged(
                "the beginning of the match is missing from the saved matches in {path}", path=self.home.journal
            )
        return bytes(value[1])

    def save_addresses(self) -> None:
        """Record where the seats were last reached, so that they can be found even if the host's computer is gone."""
        if self.driver is not None:
            keys = self.driver.keys
            self.journal.set_seats(self.driver.match, {key: self.mesh.addresses(key) for key in keys})
            self.journal.commit()

    # --- what arrives ---

    def _on_stranger(self, key: bytes, fields: Mapping[str, Any]) -> str | None:
        """Decide whether a stranger may link: to look, to sit down, or to watch."""
        version, want = fields.get("v", PROTOCOL_VERSION), fields.get("want", "look")
        if type(version) is int and version != PROTOCOL_VERSION:
            return "older" if version < PROTOCOL_VERSION else "newer"
        if want == "watch" and self.driver is None:
            return "closed"
        if want == "watch" and self._watchers.are_closed:
            return "full"
        return None

    def _standing(self, key: bytes) -> PeerRank:
        """Return what a peer without a seat is to us: it decides what the peer may send."""
        room = self.waiting_room.room
        if key == self.waiting_room.host:
            return PeerRank.CHOSEN
        if room is not None and room.guest(key) is not None:
            return PeerRank.MEMBER
        return PeerRank.WATCHER if key in self._watchers else PeerRank.LOOKER

    def _on_asleep(self, key: bytes, is_asleep: bool) -> None:
        record = None if self.driver is None else self.driver.table.record
        seat = None if record is None else record.seat_of(key)
        if record is not None and seat is not None and record.key(seat) == key:
            self.owner.on_asleep(seat, is_asleep)

    def _on_change(self, change: RouteChange) -> None:
        if self.driver is not None:
            self.driver.route_changed(change)
        self.waiting_room.route_changed(change)
        self.seat_taking.mind_company()
        if change.route is Route.NONE:
            self._watchers.gone(change.key)
        else:
            self.seat_taking.offer_soon()
            link = self.mesh.links.get(change.key)
            if link is not None and link.hello.fields.get("want") == "watch" and not link.is_caller:
                self._watchers.admit(change.key, self.driver)

    def _on_message(self, author: bytes, data: bytes) -> Awaitable[None] | None:
        if self._restoring:  # who has taken a seat since is not known yet, and sounds like a stranger
            return self._hear_later(author, data)
        if data.startswith(STATEMENT):
            return self.mesh.charges.charged(author, lambda: self.waiting_room.receive(author, data))
        if self.driver is not None and not self.driver.is_closed and self._may_speak(author, data):
            return self.driver.receive(author, data)
        began = processor_time()
        if (answer := self._past.answer(author, data, asyncio.get_running_loop().time())) is not None:
            self.mesh.hear_out(author)
            return send_answer(self.mesh, author, answer)
        if not self._keep_early(author, data) and not self._is_expected(author):
            self.mesh.cut(author, "uninvited")
        return self.mesh.charges.charged_since(author, began)

    async def _hear_later(self, author: bytes, data: bytes) -> None:
        """Hear what a seat says when our match was read again; until then its link is not read on."""
        await self._restored.wait()
        waiting = self._on_message(author, data)
        if waiting is not None:
            await waiting

    def _is_expected(self, key: bytes) -> bool:
        return self._is_seat(key) or key in self._kept or self._past.knows(key, asyncio.get_running_loop().time())

    def _may_speak(self, author: bytes, data: bytes) -> bool:
        """Whether this key has a seat at our table, or is somebody of the room who would take one."""
        room = self.waiting_room.room
        if self.driver is None or self.driver.sits(author) or room is None or room.guest(author) is None:
            return self._is_seat(author)
        if self.driver.let_follow(author, data):
            self.seat_taking.offer_soon()  # others are offered another one
            # Until nobody waits for it any more.
            asyncio.get_running_loop().call_later(ASKED_S, self.seat_taking.offer_soon)
        return self._is_seat(author)

    def _is_seat(self, key: bytes) -> bool:
        return self.driver is not None and self.driver.seat_of(key) is not None

    def _on_relayed(self, author: bytes, via: bytes, data: bytes) -> Awaitable[None] | None:
        if data.startswith(STATEMENT):
            self.mesh.charges.charged_relay(via, author, lambda: self.waiting_room.receive(author, data, via))
        elif self.driver is not None:
            return self.driver.receive(author, data, via)
        return None

    def _on_introduced(self, author: bytes, via: bytes, data: bytes) -> None:
        """Somebody speaks through a phone's server: a phone that would come into our room, or the host whom ours asks."""
        if not data.startswith(STATEMENT) or (self.waiting_room.room is None and author != self.waiting_room.host):
            return
        room = self.waiting_room
        self.mesh.charges.charged_relay(via, UNKNOWN, lambda: room.receive(author, data, via, is_introduced=True))

    def _on_flood(self, key: bytes, host: str) -> None:
        """Name who was cut off, since what it said cost too much: a seat of our table, or else a computer."""
        if self.driver is None or not self.driver.flooded_by(key):
            self.mesh.report(host, "flood")

    def _keep_early(self, author: bytes, data: bytes) -> bool:
        """Keep what a member says at a table that we are about to be asked to sign; return whether it is a member."""
        room = self.waiting_room.room
        if room is None or room.guest(author) is None:
            return False
        if self.driver is None and self._early_bytes + len(data) <= MAX_EARLY_BYTES:
            self._early.append((author, data))
            self._early_bytes += len(data)
        return True


async def _wait_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


def _room_of(match: SavedMatch) -> Room | None:
    """Return the room of a match as its host showed it when the match began, or None."""
    try:
        return decode_room(bytes.fromhex(str(match.meta["room"])), bytes.fromhex(str(match.meta["word"])))
    except (KeyError, ValueError, BadMessage):
        return None
