"""Announce a node over mDNS, and search for the seats of its table that cannot be reached.

Every seat of a sealed table announces it, so that players find their way back even if the host's computer is gone.
Announcements are not trusted: links prove who is there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable

from p2p.discovery import Announcer, Browser
from p2p.node import Node
from p2p.routes import Route
from p2p.text import clean
from protocol.games.catalogue import load
from protocol.games.options import spelled
from protocol.room.values import Room
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION

CHECK_S = 0.5
MISSING_S = 2.0
"""A seat that cannot be reached for this long is searched for."""
TITLE_BYTES = 48
NAME_BYTES = 24
NAMES_BYTES = 100
AWAY_BYTES = 24
RULES_BYTES = 90
"""Texts for people are short: in total they must stay within `MAX_TEXT_BYTES`, or the table's id would be cut."""


def announcement_of(node: Node) -> dict[str, str] | None:
    """Return the properties that a node announces; None if it has nothing to announce."""
    about = {"v": str(PROTOCOL_VERSION), "key": node.identity.public.hex()}
    if node.driver is not None:
        record = node.driver.table.record
        if node.driver.table.is_over:
            return None
        if all(member.key != node.identity.public for member in record.roster.members):
            return about  # took a seat since: those who seek us find us, and all who announce the match can prove their seats
        missing = [key for key in _missing(node) if key in {record.key(seat) for seat in record.present}]
        state = "paused" if missing else "playing"
        size = str(record.size)
        about |= {"game": record.roster.game, "seats": size, "taken": size, "state": state, "id": record.table.hex()}
        about |= {"table": clean(node.title, TITLE_BYTES), "host": clean(node.host_name, NAME_BYTES)}
        members = [record.member(seat) for seat in range(record.size)]
        about |= {"players": names((member.name for member in members), NAMES_BYTES)}
        if missing:
            about |= {"away": names((member.name for member in members if member.key in missing), AWAY_BYTES)}
        if len(record.scores) == 2 and any(record.scores):
            about |= {"score": ":".join(map(str, record.scores))}
        return about
    if node.waiting_room.room is not None and node.waiting_room.is_host:
        room = node.waiting_room.room
        about |= {"game": room.game, "seats": str(len(room.seats)), "taken": str(len(room.sitters))}
        about |= {"state": "open", "id": room.id.hex(), "table": clean(room.title, TITLE_BYTES)}
        host = next((sitter.name for sitter in room.sitters if sitter.key == room.host), "")
        return about | {
            "host": clean(host, NAME_BYTES),
            "players": names((sitter.name for sitter in room.sitters), NAMES_BYTES),
            "rules": rules(room, RULES_BYTES),
        }
    return None


def rules(room: Room, limit: int) -> str:
    """Return a room's non-default options as KEY=VALUE, separated by commas, as many as fit into `limit` bytes.

    Includes the game's options, and of the table `time` (seconds), `suggest` and `remind`.
    """
    declared = load(room.game, len(room.seats), room.options).OPTIONS
    changed = {name: spelled(value) for name, value in room.options.items() if value != declared[name].default}
    if room.table.time:
        changed["time"] = str(round(room.table.time / 1000))
    changed |= {name: "false" for name in ("suggest", "remind") if not getattr(room.table, name)}
    found = ""
    for each in (f"{name}={value}" for name, value in changed.items()):
        longer = f"{found},{each}" if found else each
        if len(longer.encode()) <= limit:
            found = longer
    return found


def names(labels: Iterable[str], limit: int) -> str:
    """Join names with commas, as many as fit into `limit` bytes. Each is cut short and loses its own commas."""
    found = ""
    for label in labels:
        short = clean(label.replace(",", " "), NAME_BYTES)
        longer = f"{found},{short}" if found else short
        if len(longer.encode()) > limit:
            break
        found = longer
    return found


def _missing(node: Node) -> list[bytes]:
    """Return the keys that sit or sat at our table and cannot be reached now."""
    driver = node.driver
    if driver is None or driver.table.record.phase in (Phase.OVER, Phase.BROKEN):
        return []
    record = driver.table.record
    keys = [member.key for member in record.roster.members]
    keys += [key for key in map(record.key, range(record.size)) if key not in keys]  # who took a seat since
    return [key for key in keys if key != node.identity.public and node.mesh.route(key) is Route.NONE]


class Presence:
    """Announces one node, and searches for its missing peers, while open."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._announcer: Announcer | None = None
        self._browser: Browser | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._missing_since: float | None = None

    def start(self) -> None:
        """Start. Never fails for lack of a network."""
        self._task = asyncio.create_task(self._run(), name="presence")

    def changed(self) -> None:
        """Announce a change of the room or table now."""
        self._changed.set()

    async def _run(self) -> None:
        while True:
            await self._announce()
            await self._find_missing()
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):
                    await self._changed.wait()

    async def _announce(self) -> None:
        about = announcement_of(self._node)
        if about is None:
            if self._announcer is not None:
                await self._announcer.close()
                self._announcer = None
        elif self._announcer is None:
            self._announcer = Announcer()
            await self._announcer.start(self._node.mesh.port, about)
        else:
            await self._announcer.update(about)

    async def _find_missing(self) -> None:
        missing = _missing(self._node)
        now = asyncio.get_running_loop().time()
        if not missing:
            self._missing_since = None
            if self._browser is not None:
                await self._browser.close()
                self._browser = None
            return
        self._missing_since = self._missing_since or now
        if self._browser is None and now - self._missing_since >= MISSING_S:
            self._browser = Browser()
            await self._browser.start()
        if self._browser is None or self._node.driver is None:
            return
        for seen in self._browser.sightings:  # of any table: they may have ended this match, and opened another
            for key in missing:
                if key.hex() == seen.properties.get("key"):
                    self._node.mesh.add_addresses(key, seen.addresses)

    async def close(self) -> None:
        """Withdraw the announcement and stop searching. Safe to call twice."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._announcer is not None:
            await self._announcer.close()
        if self._browser is not None:
            await self._browser.close()
