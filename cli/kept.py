"""The bots of a machine, in a process of their own: takes orders from their keeper line by line, answers each, and goes when the
keeper's end of the pipe closes, however that came.

An order is `{"n": number, "do": name, "with": {...}}`, its answer `{"n": number, "ok": value}` or `{"n": number, "fault":
[template, fields]}`; for a mistake of ours `{"n": number, "mistake": traceback}`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.outcome import result_of
from p2p.driver import Driver
from p2p.errors import HomeLocked
from p2p.home import Home, read_home
from p2p.interfaces import Address
from p2p.mesh import Way
from p2p.node import Node
from p2p.settings import Settings
from p2p.tidy import drop_library_copy
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.table.events import Event
from protocol.table.seating import Room

HOME_FREE_S = 5.0
"""A bot's home may still be held by the process of a keeper that was killed: it goes by itself."""


class Quiet:
    """The owner of a bot's node: nobody looks."""

    def on_room(self, room: Room) -> None:
        pass

    def on_said(self, key: bytes, text: str) -> None:
        pass

    def on_refused(self, reason: FairdealError) -> None:
        pass

    def on_table(self, driver: Driver) -> None:
        pass

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        pass

    def on_way(self, seat: Seat, way: Way) -> None:
        pass


class Kept:
    """Bots' nodes, each with a home within the keeper's. The methods are the orders."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float) -> None:
        self._home, self._keeper, self._hosts, self._pace_s = home, keeper, hosts, pace_s
        self._workers = Workers()
        self._nodes: list[Node] = []

    async def seat(self, name: str, host: Sequence[Sequence[Any]], expect: str) -> None:
        """Sit down in the waiting room of the host found there."""
        node = await self._open(name)
        addresses: list[Address] = [(str(where), int(port)) for where, port in host]
        await node.waiting.join(addresses, expect=bytes.fromhex(expect))

    async def resume(self, name: str, match: str) -> None:
        """Take the seat in this match again; who knows nothing of it stays out."""
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
        while self._nodes:
            node = self._nodes.pop()
            with contextlib.suppress(FairdealError):
                await node.close()
            node.home.close()
        self._workers.close()

    async def _open(self, name: str) -> Node:
        home = await self._take(name.casefold().replace(" ", "-"))
        settings = Settings(name, bot=True, keeper=self._keeper, pace_s=self._pace_s, hosts=self._hosts)
        try:
            node = Node(home, settings, Quiet(), self._workers)
        except BaseException:
            home.close()
            raise
        self._nodes.append(node)
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


async def serve(kept: Kept) -> None:
    """Until standard input ends."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
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
    await kept.close()


async def _carry_out(kept: Kept, order: dict[str, Any]) -> None:
    answer: dict[str, Any] = {"n": order["n"]}
    try:
        assert order["do"] in ORDERS
        answer["ok"] = await getattr(kept, order["do"])(**order["with"])
    except FairdealError as fault:
        answer["fault"] = [fault.template, {name: str(value) for name, value in fault.fields.items()}]
    except Exception:  # of ours: raised at the keeper, who writes it down
        answer["mistake"] = traceback.format_exc()
    with contextlib.suppress(OSError):  # the keeper is gone, and so are we in a moment
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def main(words: str) -> None:
    """`words`: JSON of home, keeper (hexadecimal), hosts, pace_s."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the person's client
    drop_library_copy()
    orders = json.loads(words)

    async def run() -> None:
        hosts = (str(orders["hosts"][0]), str(orders["hosts"][1]))
        home = read_home(Path(orders["home"]))
        await serve(Kept(home, bytes.fromhex(orders["keeper"]), hosts, float(orders["pace_s"])))

    asyncio.run(run())
