"""One peer of a measured table: a process of its own with a home of its own, playing on command of nobody.

Run as `python -m cli.bench.peer`, with its orders as JSON in the first argument; prints one line of JSON with its times (the
system's monotonic clock, which all processes share) when the match is over.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.mesh import Way
from p2p.node import Node
from p2p.settings import Plan, Settings
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.dealing import library
from protocol.errors import FairdealError, IllegalMove
from protocol.games.catalogue import load
from protocol.table import events
from protocol.table.roster import TableOptions
from protocol.table.seating import Room

STILL_S = 0.06
"""How long a peer lets the table be still before it moves, so that one move is measured at a time."""
DRAW_BELOW = 8


class Watch:
    """A node's owner that notes when things happen."""

    def __init__(self) -> None:
        self.seated = asyncio.Event()
        self.driver: Driver | None = None
        self.sealed = 0.0
        self.dealt: dict[int, tuple[float, float]] = {}
        self.closed: dict[int, float] = {}
        self.moves: dict[int, tuple[Seat, str, int]] = {}
        self.settled: dict[int, float] = {}
        self._round = 0
        self._moved: tuple[Seat, str, int] | None = None

    def on_room(self, room: Room) -> None:
        pass

    def on_said(self, key: bytes, text: str) -> None:
        pass

    def on_refused(self, reason: FairdealError) -> None:
        print(reason, file=sys.stderr)

    def on_way(self, seat: Seat, way: Way) -> None:
        pass

    def on_table(self, driver: Driver) -> None:
        self.driver = driver
        self.seated.set()

    def on_events(self, driver: Driver, heard: tuple[events.Event, ...]) -> None:
        now = time.monotonic()
        for event in heard:
            match event:
                case events.Sealed():
                    self.sealed = now
                case events.RoundOpened(number):
                    self._round = number
                case events.RoundClosed(number):
                    self.closed[number] = now
                case events.Settled(height):
                    self.settled[height] = now
                    if self._moved is not None:
                        self.moves[height], self._moved = self._moved, None
                    if self._round and self._round not in self.dealt:
                        self.dealt[self._round] = self.closed.get(self._round - 1, self.sealed), now
                case events.Moved(seat, move):
                    sizes = driver.table.record.state.hand_sizes if driver.table.record.state is not None else ()
                    held = sizes[seat] if seat < len(sizes) else 0
                    self._moved = seat, str(move.get("do")), held
                case _:
                    pass


async def play(driver: Driver, acted: dict[int, float], moves: int) -> None:
    """Draw while the hand is small, else play: so that draws with seven cards in hand are among the moves."""
    table = driver.table
    while not driver.finished.is_set() and table.record.height < moves:
        driver.changed.clear()
        if table.can_move and table.seat in table.game.awaited(table.record.state):
            await asyncio.sleep(STILL_S)
            chosen = _choose(table.legal(), len(table.cards), table.record.height)
            if chosen is not None and table.can_move:
                acted[table.record.height] = time.monotonic()
                try:
                    driver.feed(partial(table.act, chosen))
                except IllegalMove:
                    continue
        await driver.changed.wait()


def _choose(legal: Any, held: int, height: int) -> Any:
    by_kind: dict[str, Any] = {}
    for move in legal:
        by_kind.setdefault(type(move).__name__.lower(), move)
    wish = "draw" if held < DRAW_BELOW or height % 2 else "play"
    return by_kind.get(wish) or by_kind.get("play") or by_kind.get("draw") or next(iter(legal), None)


async def run(orders: dict[str, Any]) -> dict[str, Any]:
    """Host or join, play, and report."""
    workers, watch = Workers(), Watch()
    acted: dict[int, float] = {}
    library.use(Path(orders["library"]))
    with open_home(Path(orders["home"])) as home:
        settings = Settings(f"Peer {orders['number']}", bot=False, hosts=("127.0.0.1", "::1"), port=orders["port"])
        settings.port = orders["port"] if orders["number"] == 0 else 0
        node = Node(home, settings, watch, workers)
        await node.open()
        if orders["number"] == 0:
            game = load(orders["game"], orders["seats"], orders["options"])
            node.waiting.host(Plan(game, "bench", TableOptions(pause=0, grace=0, rounds=orders["rounds"])))
        else:
            await _join(node, orders["port"])
        await watch.seated.wait()
        assert watch.driver is not None
        driver = watch.driver
        if orders["moves"]:
            await play(driver, acted, orders["moves"])
            await asyncio.sleep(1.0)  # the others' last messages: nobody waits for this match's end
        else:
            while orders["rounds"] not in watch.dealt:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
        await node.close()
    workers.close()
    return {
        "seat": driver.table.seat,
        "sealed": watch.sealed,
        "dealt": watch.dealt,
        "acted": acted,
        "moves": watch.moves,
        "settled": watch.settled,
    }


async def _join(node: Node, port: int) -> None:
    for _ in range(200):
        try:
            await node.waiting.join([("127.0.0.1", port)])
        except LinkLost:
            await asyncio.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(json.loads(sys.argv[1])))))
