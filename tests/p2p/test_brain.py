"""A bot between rounds: the pause is for people, and it says that it needs none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p import bot_driver
from p2p.driver import Driver
from p2p.workers import Workers
from protocol.table.record import Phase


class Fake:
    """A driver whose table does nothing but note that its seat is ready; it ends after a moment."""

    def __init__(self, phase: Phase, rounds_closed: int) -> None:
        record = SimpleNamespace(phase=phase, rounds_closed=rounds_closed, ready={})
        self.table: Any = SimpleNamespace(
            record=record,
            seat=1,
            can_move=False,
            ready=self._ready,
            game=SimpleNamespace(name="x", strategy=self._strategy),
        )
        self.changed, self.finished = asyncio.Event(), asyncio.Event()
        self.said: list[int] = []
        self.level = ""
        self.is_closed = False

    def _strategy(self, level: str) -> None:
        self.level = level

    def _ready(self, _now: float) -> None:
        self.said.append(self.table.record.rounds_closed + 1)
        self.table.record.ready[1] = self.said[-1]

    def feed(self, call: Callable[[float], Any]) -> None:
        if not self.is_closed:
            call(0.0)


@pytest.mark.parametrize(
    ("phase", "rounds", "is_closed", "said"),
    [
        (Phase.BETWEEN, 1, False, [2]),
        (Phase.BETWEEN, 4, False, [5]),
        (Phase.BETWEEN, 0, False, []),
        (Phase.OVER, 1, False, []),
        (Phase.BETWEEN, 1, True, []),
    ],
)
def test_a_bot_says_once_that_it_needs_no_pause(phase: Phase, rounds: int, is_closed: bool, said: list[int]) -> None:
    """A driver that is closed takes nothing: then the bot waits, and does not ask on and on."""

    async def go() -> list[int]:
        fake = Fake(phase, rounds)
        fake.is_closed = is_closed
        task = asyncio.create_task(bot_driver.play(cast(Driver, fake), cast(Workers, None)))
        for _turn in range(5):
            await asyncio.sleep(0)
            fake.changed.set()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return fake.said

    assert asyncio.run(go()) == said


@pytest.mark.parametrize("level", ["easy", "strong"])
def test_a_bot_plays_at_its_level(level: str) -> None:
    async def go() -> str:
        fake = Fake(Phase.OVER, 1)
        fake.finished.set()
        await bot_driver.play(cast(Driver, fake), cast(Workers, None), level=level)
        return fake.level

    assert asyncio.run(go()) == level
