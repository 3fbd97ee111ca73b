"""The bots of a machine, in a process of their own: takes orders from their keeper line by line, answers each, and goes when the
keeper's end of the pipe closes, however that came.

An order is `{"n": number, "do": name, "with": {...}}`, its answer `{"n": number, "ok": value}` or `{"n": number, "fault":
[template, fields]}`; for a mistake of ours `{"n": number, "mistake": traceback}`. An order that is given twice does no harm.

Unasked it says `{"name": bot, "fault": [template, fields]}` when a bot can do nothing more. A mistake of ours where nobody asked
ends the process: what it was is on standard error then, and the keeper starts another.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import json
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cli.client.outcome import result_of
from p2p.driver import Driver
from p2p.errors import HomeLocked
from p2p.home import Home, read_home
from p2p.interfaces import Address
from p2p.mesh import Way
from p2p.node import Node
from p2p.settings import Settings
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.dealing import library
from protocol.errors import FairdealError
from protocol.table.events import Event
from protocol.table.seating import Room

CLOSE_S = 8.0
HOME_FREE_S = 5.0
"""A bot's home may still be held by the process of a keeper that was killed: it goes by itself."""


Say = Callable[[dict[str, Any]], None]
"""Writes one line for the keeper."""


class Watched:
    """The owner of a bot's node: nobody looks, but its keeper hears when it can do nothing more."""

    def __init__(self, name: str, say: Say) -> None:
        self._name, self._say = name, say
        self._watching: asyncio.Task[None] | None = None

    def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    def on_room(self, room: Room) -> None:
        pass

    def on_said(self, key: bytes, text: str) -> None:
        pass

    def on_refused(self, reason: FairdealError) -> None:
        pass

    def on_table(self, driver: Driver) -> None:
        self.close()
        self._watching = asyncio.create_task(self._watch(driver))

    async def _watch(self, driver: Driver) -> None:
        await driver.finished.wait()
        if driver.fault is not None:
            self._say({"name": self._name, "fault": spelled(driver.fault)})

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        pass

    def on_way(self, seat: Seat, way: Way) -> None:
        pass


class Kept:
    """Bots' nodes, each with a home within the keeper's. The methods are the orders."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float, say: Say) -> None:
        self._home, self._keeper, self._hosts, self._pace_s, self._say = home, keeper, hosts, pace_s, say
        self._workers = Workers()
        self._by_name: dict[str, Node] = {}

    @property
    def _nodes(self) -> list[Node]:
        return list(self._by_name.values())

    async def seat(self, name: str, host: Sequence[Sequence[Any]], expect: str) -> str:
        """Sit down in the waiting room of the host found there; the bot's key."""
        node = await self._open(name)
        # Whoever opens a table has no other to come back to, so neither have its bots: that one was never sealed, or given up.
        for each in node.journal.unfinished():
            node.journal.finish(each.id, {}, at=time.time(), status="abandoned")
        node.journal.commit()
        addresses: list[Address] = [(str(where), int(port)) for where, port in host]
        await node.waiting.join(addresses, expect=bytes.fromhex(expect))
        return node.identity.public.hex()

    async def resume(self, name: str, match: str) -> None:
        """Take the seat in this match again; who knows nothing of it stays out."""
        node = self._by_name.get(name)
        if node is not None and node.driver is not None and node.driver.match.hex() == match:
            return
        node = await self._open(name)
        found = next((each for each in node.journal.unfinished() if each.id.hex() == match), None)
        if found is not None:
            node.resume(found)

    async def introduce(self, key: str, port: int) -> dict[str, int]:
        """Tell the bots where their keeper and each other listen; the port of each by its key."""
        own = {node.identity.public.hex(): node.mesh.port for node in self._nodes}
        for node in self._nodes:
            for each, where in {key: port, **own}.items():
                if each != node.identity.public.hex():
                    node.mesh.add_addresses(bytes.fromhex(each), [("127.0.0.1", where)])
        return own

    async def finished(self) -> None:
        """Until no bot has anything more to say at its table."""
        await asyncio.gather(*(node.driver.finished.wait() for node in self._nodes if node.driver is not None))

    async def finish(self, title: str, status: str) -> None:
        """The match is over: each bot keeps its result and forgets its records; who could not save all of it keeps those."""
        for node in self._nodes:
            if node.driver is not None and node.driver.fault is None:
                with contextlib.suppress(FairdealError):  # a bot's own disk: the person's match is as it is
                    node.driver.finish(time.time(), result_of(node.driver, title), status)

    async def close(self) -> None:
        """Away with all of them; their seats are kept."""
        for name in list(self._by_name):
            await self._let_go(name)
        self._workers.close()

    async def _let_go(self, name: str) -> None:
        node = self._by_name.pop(name)
        with contextlib.suppress(FairdealError):
            await node.close()
        assert isinstance(node.owner, Watched)
        node.owner.close()
        node.home.close()

    async def _open(self, name: str) -> Node:
        """A bot that is at no table, whatever it was before."""
        if name in self._by_name:
            await self._let_go(name)
        home = await self._take(name.casefold().replace(" ", "-"))
        settings = Settings(name, bot=True, keeper=self._keeper, pace_s=self._pace_s, hosts=self._hosts)
        try:
            node = Node(home, settings, Watched(name, self._say), self._workers)
        except BaseException:
            home.close()
            raise
        self._by_name[name] = node
        await node.open()
        return node

    async def _take(self, name: str) -> Home:
        deadline = time.monotonic() + HOME_FREE_S
        while True:
            try:
                return self._home.bot(name)
            except HomeLocked:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(0.1)


ORDERS = ("seat", "resume", "introduce", "finished", "finish")


async def serve(kept: Kept) -> bool:
    """Until standard input ends, or a mistake of ours shows where nobody awaits an answer: then False."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    is_sound = True

    def mistaken(loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        nonlocal is_sound
        match about.get("exception"):
            case FairdealError() as fault:
                say({"name": "", "fault": spelled(fault)})
            case OSError() | None:  # of a link, say: those come and go
                pass
            case _mistake:
                loop.default_exception_handler(about)
                is_sound = False
                lines.put_nowait(b"")

    loop.set_exception_handler(mistaken)

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: we are going for another reason
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    threading.Thread(target=read, name="orders", daemon=True).start()
    working: set[asyncio.Task[None]] = set()
    while line := await lines.get():
        task = asyncio.create_task(_carry_out(kept, json.loads(line)))
        working.add(task)
        task.add_done_callback(working.discard)
    for task in working:
        task.cancel()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_S):
            await kept.close()
    return is_sound


async def _carry_out(kept: Kept, order: dict[str, Any]) -> None:
    answer: dict[str, Any] = {"n": order["n"]}
    try:
        assert order["do"] in ORDERS
        answer["ok"] = await getattr(kept, order["do"])(**order["with"])
    except FairdealError as fault:
        answer["fault"] = spelled(fault)
    except Exception:  # of ours: raised at the keeper, who writes it down
        answer["mistake"] = traceback.format_exc()
    say(answer)


def spelled(fault: FairdealError) -> list[Any]:
    """A fault as it goes through the pipe."""
    return [fault.template, {name: str(value) for name, value in fault.fields.items()}]


def say(line: dict[str, Any]) -> None:
    """Writes one line for the keeper."""
    with contextlib.suppress(OSError):  # the keeper is gone, and so are we in a moment
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def main(words: str) -> None:
    """`words`: JSON of home, library (the folder of libsodium), keeper (hexadecimal), hosts, pace_s."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the person's client
    faulthandler.enable()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that a peer has hung up is no last word of ours
    orders = json.loads(words)
    library.use(Path(orders["library"]))

    async def run() -> bool:
        hosts = (str(orders["hosts"][0]), str(orders["hosts"][1]))
        home = read_home(Path(orders["home"]))
        return await serve(Kept(home, bytes.fromhex(orders["keeper"]), hosts, float(orders["pace_s"]), say))

    if not asyncio.run(run()):
        sys.stderr.flush()
        os._exit(1)  # a thread still waits for orders, and would keep the interpreter from ending in order
