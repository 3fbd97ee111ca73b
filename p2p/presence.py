"""Makes a node seen on the network, and finds the seats of its table that cannot be reached: over mDNS.

Every seat of a sealed table announces it, so that anyone finds back though the host's machine is gone. What is announcement_of is
believed by nobody: links prove who is there.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable

from p2p.discovery import Announcer, Browser
from p2p.mesh import Route
from p2p.node import Node
from p2p.text import clean
from protocol.games.catalogue import load
from protocol.games.options import spelled
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION
from protocol.table.seating import Room

CHECK_S = 0.5
MISSING_S = 2.0
"""A seat that cannot be reached for so long is looked for."""
KEY_DIGITS = 16
TITLE_BYTES = 48
NAME_BYTES = 24
NAMES_BYTES = 100
AWAY_BYTES = 24
RULES_BYTES = 90
"""What is for people is short: with the rest it must stay within `MAX_TEXT_BYTES`, else the table's id would be cut."""


def announcement_of(node: Node) -> dict[str, str] | None:
    """What a node's announcement says; None while it has nothing to announce."""
    about = {"v": str(PROTOCOL_VERSION), "key": node.identity.public.hex()[:KEY_DIGITS]}
    if node.driver is not None:
        record = node.driver.table.record
        if node.driver.table.is_over:
            return None
        missing = _missing(node)
        state = "paused" if missing else "playing"
        size = str(record.size)
        about |= {"game": record.roster.game, "seats": size, "taken": size, "state": state, "id": record.table.hex()}
        about |= {"table": clean(node.title, TITLE_BYTES), "host": clean(node.host_name, NAME_BYTES)}
        members = record.roster.members
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
    """What a table plays otherwise than usual, KEY=VALUE with commas between, as many as `limit` bytes hold: options of its
    game, and of its table `time` (seconds), `suggest` and `remind`."""
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
    """Names in a row with commas between them, as many as `limit` bytes hold, each short and without a comma of its own."""
    found = ""
    for label in labels:
        short = clean(label.replace(",", " "), NAME_BYTES)
        longer = f"{found},{short}" if found else short
        if len(longer.encode()) > limit:
            break
        found = longer
    return found


def _missing(node: Node) -> list[bytes]:
    """Keys of our table's seats that we cannot reach now."""
    driver = node.driver
    if driver is None or driver.table.record.phase in (Phase.OVER, Phase.BROKEN):
        return []
    keys = [member.key for member in driver.table.record.roster.members]
    return [key for key in keys if key != node.identity.public and node.mesh.route(key) is Route.NONE]


class Presence:
    """One node's voice and eyes on the network, for as long as it is open."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._announcer: Announcer | None = None
        self._browser: Browser | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._missing_since: float | None = None

    def start(self) -> None:
        """Begins; never fails for want of a network."""
        self._task = asyncio.create_task(self._run(), name="presence")

    def changed(self) -> None:
        """The room or the table is another: say so now."""
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
        table = self._node.driver.match.hex()
        for seen in self._browser.sightings:
            if seen.properties.get("id") != table:
                continue
            for key in missing:
                if key.hex()[:KEY_DIGITS] == seen.properties.get("key"):
                    self._node.mesh.add_addresses(key, seen.addresses)

    async def close(self) -> None:
        """Falls silent; safe to call twice."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._announcer is not None:
            await self._announcer.close()
        if self._browser is not None:
            await self._browser.close()
