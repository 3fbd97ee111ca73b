"""The process that runs a client's bots: reads commands from the keeper line by line and answers each.

It exits when the keeper's end of the pipe closes. A command is `{"n": number, "do": name, "with": {...}}`. Its answer
is `{"n": number, "ok": value}`, or `{"n": number, "fault": [template, fields]}`, or `{"n": number, "mistake":
traceback}` for a bug. Commands are idempotent.

Without being asked, the process sends `{"name": bot, "fault": [template, fields], "is_bug": bool}` when a bot cannot
continue (`is_bug`: because the game failed). A bug outside of a command ends the process with the traceback on standard
error, and the keeper starts another one; if it is the game's, `{"failed": [template, fields]}` says so before.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import json
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cli.client.game_failures import FailureNoted, noted
from cli.client.outcome import result_of
from p2p.complaints import is_closed_twice, keep_closing_links_quiet
from p2p.driver import Driver
from p2p.errors import HomeLocked, LinkLost
from p2p.home import Home, read_home
from p2p.interfaces import Address
from p2p.node import Node, Owner
from p2p.settings import NodeSettings
from p2p.workers import Workers
from protocol.dealing import library
from protocol.errors import FairdealError, GameFailed
from protocol.table.roster import decode_roster

CLOSE_S = 8.0
IN_ROOM_S = 10.0
CALLS = 4
"""How often a bot calls its host before it gives up. What answers late is the computer that they share, when it is busy."""
LOOK_EVERY_S = 0.25
"""How often is looked whether a bot still sits at its table."""
HOME_FREE_S = 5.0
"""How long to wait for a bot's home that the process of a killed keeper still holds; that process exits by itself."""


Send = Callable[[dict[str, Any]], None]
"""Writes one line to the keeper."""


class NotInRoom(FairdealError):
    """A bot that was to take a seat is not in the room."""


class BotOwner(Owner):
    """The owner of a bot's node: reports to the keeper when the bot cannot continue."""

    def __init__(self, name: str, keeper: Path, send: Send) -> None:
        """`keeper`: the folder of the keeper's home."""
        self._name, self._keeper, self._send = name, keeper, send
        self._waiting: asyncio.Task[None] | None = None

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def on_table(self, driver: Driver) -> None:
        self.close()
        self._waiting = asyncio.create_task(self._wait_finished(driver))

    def on_failure(self, fault: GameFailed) -> FairdealError:
        return noted(fault, self._keeper)

    async def _wait_finished(self, driver: Driver) -> None:
        await driver.finished.wait()
        if driver.fault is not None:
            is_bug = isinstance(driver.fault, FailureNoted)
            self._send({"name": self._name, "fault": encode_fault(driver.fault), "is_bug": is_bug})


class BotNodes:
    """The bots' nodes, each with a home inside the keeper's. Its public methods are the commands."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float, send: Send) -> None:
        self._home, self._keeper, self._hosts, self._pace_s, self._send = home, keeper, hosts, pace_s, send
        self._workers = Workers()
        self._by_name: dict[str, Node] = {}
        self._in_rooms: set[str] = set()
        """Who went into a room since this process began."""

    @property
    def _nodes(self) -> list[Node]:
        return list(self._by_name.values())

    async def seat(self, name: str, host: Sequence[Sequence[Any]], expect: str, level: str, kept: Sequence[str]) -> str:
        """Sit down in the waiting room of the host at these addresses; return the bot's key in hexadecimal.

        `kept`: the matches to which the keeper may go back. The bot has no others to return to either.
        """
        node = await self._open(name, level)
        for each in node.journal.unfinished():
            if each.id.hex() in kept:
                continue
            node.journal.finish(each.id, {}, at=time.time(), status="abandoned")
        node.journal.commit()
        addresses: list[Address] = [(str(where), int(port)) for where, port in host]
        for call in range(1, CALLS + 1):
            try:
                await node.waiting_room.join(addresses, expect=bytes.fromhex(expect))
                break
            except LinkLost as lost:
                if lost.reason != "late" or call == CALLS:
                    raise
        self._in_rooms.add(name)
        return node.identity.public.hex()

    async def take_seat(
        self,
        name: str,
        host: Sequence[Sequence[Any]],
        expect: str,
        level: str,
        kept: Sequence[str],
        roster: str,
        epoch: int,
        seat: int,
    ) -> None:
        """Take an empty seat of the match that runs in the room of the host at these addresses; no-op if it sits there. A bot of
        a process that was started anew goes into the room first. Raises NotInRoom, and what `seat` raises."""
        if name in self._by_name and self._by_name[name].driver is not None:
            return
        if name not in self._in_rooms:
            await self.seat(name, host, expect, level, kept)
        node, deadline = self._by_name[name], time.monotonic() + IN_ROOM_S
        while (room := node.waiting_room.room) is None or room.guest(node.identity.public) is None:
            if time.monotonic() > deadline:
                raise NotInRoom("{name} cannot get into the room", name=name)
            await asyncio.sleep(0.02)
        if node.driver is None:
            node.seat_taking.take(decode_roster(bytes.fromhex(roster)), epoch, seat)

    async def resume(self, name: str, match: str, level: str) -> None:
        """Return to the seat in this match; no-op for a bot that has no record of it."""
        node = self._by_name.get(name)
        if node is not None and node.driver is not None and node.driver.match.hex() == match:
            return
        node = await self._open(name, level)
        found = next((each for each in node.journal.unfinished() if each.id.hex() == match), None)
        if found is not None:
            await node.resume(found)

    async def introduce(self, key: str, port: int) -> dict[str, int]:
        """Tell the bots where their keeper and the other bots listen; return each bot's port by its key."""
        own = {node.identity.public.hex(): node.mesh.port for node in self._nodes}
        for node in self._nodes:
            for each, where in {key: port, **own}.items():
                if each != node.identity.public.hex():
                    node.mesh.add_addresses(bytes.fromhex(each), [("127.0.0.1", where)])
        return own

    async def ping(self) -> None:
        """Answer, to show that the process does not hang."""

    async def finished(self) -> None:
        """Wait until no bot has anything more to send at its table. A bot that does not sit there (any more) has nothing to send:
        its keeper quit the match, or somebody else was quicker to take the seat. The others may play on for long."""
        await asyncio.gather(*(_played(node.driver) for node in self._nodes if node.driver is not None))

    async def finish(self, title: str, status: str) -> None:
        """End the match: each bot keeps its result and deletes its records, unless it could not save everything.

        Then it is ready for the next match of its room.
        """
        for node in self._nodes:
            if node.driver is not None and node.driver.fault is None:
                has_end = node.driver.finished.is_set()
                result, what = (result_of(node.driver, title), status) if has_end else ({}, "abandoned")
                with contextlib.suppress(FairdealError):  # a bot's disk error does not affect the person's match
                    node.driver.finish(time.time(), result, what)
                    node.release(True)

    async def put_aside(self) -> None:
        """Leave the table and keep the seats there: each bot is ready for the next match of its room."""
        for node in self._nodes:
            if node.driver is not None:
                with contextlib.suppress(FairdealError):
                    node.save_addresses()
                    node.release(True)

    async def dismiss(self, name: str) -> None:
        """Leave the match, in which somebody else has the seat, and the room; no-op for a bot that is not here."""
        if name not in self._by_name:
            return
        node = self._by_name[name]
        with contextlib.suppress(FairdealError):
            if node.driver is not None:
                node.driver.close()
                node.journal.finish(node.driver.match, {}, at=time.time(), status="abandoned")
                node.journal.commit()
        await self._close_bot(name)

    async def close(self) -> None:
        """Stop all bots and keep their seats."""
        for name in list(self._by_name):
            await self._close_bot(name)
        self._workers.close()

    async def _close_bot(self, name: str) -> None:
        node = self._by_name.pop(name)
        self._in_rooms.discard(name)
        with contextlib.suppress(FairdealError):
            await node.close()
        assert isinstance(node.owner, BotOwner)
        node.owner.close()
        node.home.close()

    async def _open(self, name: str, level: str) -> Node:
        """Return a new node for this bot, closing its old one."""
        if name in self._by_name:
            await self._close_bot(name)
        home = await self._lock_home(re.sub("[^a-z0-9]+", "-", name.casefold()).strip("-"))
        settings = NodeSettings(
            name, bot=True, keeper=self._keeper, pace_s=self._pace_s, level=level, hosts=self._hosts
        )
        try:
            node = Node(home, settings, BotOwner(name, self._home.path, self._send), self._workers)
        except BaseException:  # whatever it was: the home's lock is let go
            home.close()
            raise
        self._by_name[name] = node
        await node.open()
        return node

    async def _lock_home(self, name: str) -> Home:
        deadline = time.monotonic() + HOME_FREE_S
        while True:
            try:
                return self._home.bot(name)
            except HomeLocked:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(0.1)


async def _played(driver: Driver) -> None:
    """Wait until a bot's match is over, or it does not sit there. (Not for `driver.changed`: the bot waits for it and
    clears it, so that one of the two would miss a change.)"""
    while driver.table.is_present and not driver.finished.is_set():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY_S):
                await driver.finished.wait()


COMMANDS = ("ping", "seat", "take_seat", "resume", "introduce", "finished", "finish", "put_aside", "dismiss")


async def serve(bots: BotNodes) -> bool:
    """Carry out commands until standard input ends (True), or until a bug shows outside of a command (False)."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    is_healthy = True

    def on_exception(loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        nonlocal is_healthy
        match about.get("exception"):
            case FairdealError() as fault if not isinstance(fault, GameFailed):
                send({"name": "", "fault": encode_fault(fault), "is_bug": False})
            case OSError() | None:  # such as a lost link
                pass
            case fault if is_closed_twice(fault):
                pass
            case bug:
                if isinstance(bug, GameFailed):
                    send({"failed": encode_fault(bug)})
                loop.default_exception_handler(about)
                is_healthy = False
                lines.put_nowait(b"")

    loop.set_exception_handler(on_exception)

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the process is exiting
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    threading.Thread(target=read, name="commands", daemon=True).start()
    working: set[asyncio.Task[None]] = set()
    while line := await lines.get():
        task = asyncio.create_task(_carry_out(bots, json.loads(line)))
        working.add(task)
        task.add_done_callback(working.discard)
    for task in working:
        task.cancel()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_S):
            await bots.close()
    return is_healthy


async def _carry_out(bots: BotNodes, command: dict[str, Any]) -> None:
    answer: dict[str, Any] = {"n": command["n"]}
    try:
        assert command["do"] in COMMANDS
        answer["ok"] = await getattr(bots, command["do"])(**command["with"])
    except FairdealError as fault:
        answer["fault"] = encode_fault(fault)
    except Exception:  # a bug: raised again at the keeper, who logs it
        answer["mistake"] = traceback.format_exc()
    send(answer)


def encode_fault(fault: FairdealError) -> list[Any]:
    """Encode a fault for the pipe."""
    return [fault.template, {name: str(value) for name, value in fault.fields.items()}]


def send(line: dict[str, Any]) -> None:
    """Write one line to the keeper."""
    with contextlib.suppress(OSError):  # the keeper is gone, so this process is about to exit
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def main(words: str) -> None:
    """Run the process. `words`: JSON with home, library (libsodium's folder), keeper (hexadecimal), hosts, pace_s."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the person's client
    faulthandler.enable()
    keep_closing_links_quiet()
    arguments = json.loads(words)
    library.use(Path(arguments["library"]))

    async def run() -> bool:
        hosts = (str(arguments["hosts"][0]), str(arguments["hosts"][1]))
        home = read_home(Path(arguments["home"]))
        return await serve(BotNodes(home, bytes.fromhex(arguments["keeper"]), hosts, float(arguments["pace_s"]), send))

    if not asyncio.run(run()):
        sys.stderr.flush()
        os._exit(1)  # the thread that reads commands would block a normal exit
