"""One peer of a measured table: a process with its own home that plays by itself.

Run as `python -m cli.bench.peer ARGUMENTS`, with JSON arguments. When the match is over it prints one line of JSON with
its times, by the system's monotonic clock, which all processes share.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cli.phones.serving import Phones
from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.interfaces import LOOPBACK
from p2p.node import Node, Owner
from p2p.presence import Presence
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.dealing import library
from protocol.errors import FairdealError, IllegalMove
from protocol.games.catalogue import load
from protocol.games.game import AnyGame
from protocol.table import events
from protocol.table.roster import TableOptions

STILL_S = 0.06
"""How long a peer waits before its move, in seconds, so that moves are measured one at a time."""
DRAW_BELOW = 8
"""With fewer cards in the hand a peer draws, so that draws into hands of seven cards are measured."""


class TimingOwner(Owner):
    """A node's owner that records when things happen."""

    def __init__(self) -> None:
        self.seated = asyncio.Event()
        self.driver: Driver | None = None
        self.sealed = 0.0
        self.dealt: dict[int, tuple[float, float]] = {}
        self.closed: dict[int, float] = {}
        self.moves: dict[int, tuple[Seat, str, int]] = {}
        """By height: who moved, what they did, and how many cards they then held."""
        self.settled: dict[int, float] = {}
        self.recycled: dict[int, int] = {}
        """By height: how many played cards were shuffled into the stock."""
        self.last: list[int] = []
        """The heights of the moves that ended a round."""
        self._round = 0
        self._moved: tuple[Seat, str, int] | None = None
        self._recycled = 0

    def on_refused(self, reason: FairdealError) -> None:
        print(reason, file=sys.stderr)

    def on_table(self, driver: Driver) -> None:
        self.driver = driver
        self.seated.set()

    def on_events(self, driver: Driver, happened: tuple[events.Event, ...]) -> None:
        now = time.monotonic()
        for event in happened:
            match event:
                case events.Sealed():
                    self.sealed = now
                case events.RoundOpened(number):
                    self._round = number
                case events.RoundClosed(number):
                    self.closed[number] = now
                    self.last.append(max(self.moves, default=0))
                case events.Settled(height):
                    self.settled[height] = now
                    if self._moved is not None:
                        self.moves[height], self._moved = self._moved, None
                    if self._recycled:
                        self.recycled[height], self._recycled = self._recycled, 0
                    if self._round and self._round not in self.dealt:
                        self.dealt[self._round] = self.closed.get(self._round - 1, self.sealed), now
                case events.Moved(seat, move, _, after):
                    self._moved = seat, str(move.get("do")), after.hand_sizes[seat]
                case events.Recycled(count):
                    self._recycled += count
                case _:
                    pass


async def play(
    driver: Driver, acted: dict[int, float], until: Callable[[], bool], draw_below: int, still_s: float
) -> None:
    """Draw while there are fewer cards in the hand than `draw_below`, otherwise play."""
    table = driver.table
    while not driver.finished.is_set() and not until():
        driver.changed.clear()
        if table.can_move and table.seat in table.game.awaited(table.record.state):
            await asyncio.sleep(still_s)
            chosen = _choose(table.game, table.legal(), len(table.cards) < draw_below)
            if chosen is not None and table.can_move:
                acted[table.record.height] = time.monotonic()
                try:
                    driver.feed(partial(table.act, chosen))
                except IllegalMove:
                    continue
        await driver.changed.wait()


def _choose(game: AnyGame, legal: Sequence[Any], draws: bool) -> Any:
    """Draw if it is wished, else play, else do whatever comes first."""
    by_kind: dict[str, Any] = {}
    for move in legal:
        by_kind.setdefault(str(game.encode(move)["do"]), move)
    first = next(iter(legal), None)
    wishes = ("draw", "play") if draws else ("play", "draw")
    return next((by_kind[kind] for kind in wishes if kind in by_kind), first)


async def run(arguments: dict[str, Any]) -> dict[str, Any]:
    """Host or join, play, and return the times."""
    workers, owner = Workers(), TimingOwner()
    acted: dict[int, float] = {}
    library.use(Path(arguments["library"]))
    with open_home(Path(arguments["home"])) as home:
        settings = NodeSettings(f"Peer {arguments['number']}", bot=False, hosts=LOOPBACK)
        settings.port = arguments["port"] if arguments["number"] == 0 else 0
        node = Node(home, settings, owner, workers)
        await node.open()
        presence = Presence(node)
        if arguments.get("is_announced"):
            presence.start()
        if arguments["number"] == 0:
            game = load(arguments["game"], arguments["seats"], arguments["options"])
            node.waiting_room.open(TablePlan(game, "bench", TableOptions(pause=0, grace=0, rounds=arguments["rounds"])))
        else:
            await _join(node, arguments["port"])
        phones = Phones(node, hosts=LOOPBACK[:1], port=0) if arguments.get("phones") else None
        if phones is not None:
            await phones.start()
            print(json.dumps({"phones": phones.invite()}), flush=True)
        gc.freeze()  # as in the program: see `cli.client.opening`
        await owner.seated.wait()
        assert owner.driver is not None
        driver = owner.driver
        rounds, moves = arguments["rounds"], arguments["moves"]
        if moves or rounds > 1:
            reporting = asyncio.create_task(_report(driver, arguments.get("report_s", 0)))

            def is_done() -> bool:
                return driver.table.record.height >= moves if moves else rounds in owner.dealt

            await play(
                driver, acted, is_done, arguments.get("draw_below", DRAW_BELOW), arguments.get("still_s", STILL_S)
            )
            reporting.cancel()
            await asyncio.sleep(1.0)  # for the others' last messages: the match is not played to its end
        else:
            while rounds not in owner.dealt:  # wakes with the table only: polling would be measured, too
                driver.changed.clear()
                await driver.changed.wait()
            await asyncio.sleep(0.5)
        if phones is not None:
            await phones.close()
        await presence.close()
        await node.close()
    workers.close()
    return {
        "seat": driver.table.seat,
        "sealed": owner.sealed,
        "dealt": owner.dealt,
        "acted": acted,
        "moves": owner.moves,
        "settled": owner.settled,
        "recycled": owner.recycled,
        "last": owner.last,
    }


async def _report(driver: Driver, every_s: float) -> None:
    """Print how far the match is, again and again; 0: never."""
    while every_s:
        print(json.dumps({"height": driver.table.record.height}), flush=True)
        await asyncio.sleep(every_s)


async def _join(node: Node, port: int) -> None:
    for _ in range(200):
        try:
            await node.waiting_room.join([("127.0.0.1", port)])
        except LinkLost:
            await asyncio.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(json.loads(sys.argv[1])))))
