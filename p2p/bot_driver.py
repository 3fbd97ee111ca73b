"""Play a seat with the game's own bot, which knows only what the seat knows."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random, SystemRandom

from p2p.driver import Driver
from p2p.ports import Jobs
from protocol.errors import IllegalMove, failures_of
from protocol.games.game import NORMAL
from protocol.games.memory import choose
from protocol.table.record import Phase


async def play(driver: Driver, workers: Jobs, pace_s: float = 0.0, level: str = NORMAL) -> None:
    """Play this seat until the table is finished. `pace_s`: seconds to wait before each move; `level`: how well to play.

    Raises GameFailed if the game or its bot raises what it should not.
    """
    with failures_of(driver.table.game.name):
        await _play(driver, workers, pace_s, level)


async def _play(driver: Driver, workers: Jobs, pace_s: float, level: str) -> None:
    table = driver.table
    strategy = table.game.strategy(level)
    rng = Random(SystemRandom().getrandbits(64))
    while not driver.finished.is_set():
        driver.changed.clear()
        record, following = table.record, table.record.rounds_closed + 1
        if record.phase is Phase.BETWEEN and following > 1 and record.ready.get(table.seat) != following:
            driver.feed(table.ready)  # bots never need the pause: only people prolong it
        if table.can_move and table.seat in table.game.to_act(table.record.state):
            state, seat, hand, height = table.record.state, table.seat, table.cards, table.record.height
            move = await workers.run(partial(choose, strategy, table.memory, state, hand, rng))
            if move is None and seat in table.game.awaited(state):
                move = table.game.default(state, seat, hand)
            if pace_s and move is not None:
                await asyncio.sleep(pace_s)
            if table.record.height != height:
                continue
            if move is not None and table.can_move:
                try:
                    driver.feed(partial(table.act, move))
                except IllegalMove:
                    await asyncio.sleep(0)  # the state changed while the bot was choosing
                else:
                    continue
        await driver.changed.wait()
