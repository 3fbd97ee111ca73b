"""A player's program that comes and goes, or falls asleep and wakes, as fast as it can: a few of these are told."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from cli.client.table_news import TableNews
from cli.news import Away, Back
from p2p.budgets import LINES, Buckets
from p2p.heartbeats import Heartbeat
from p2p.routes import Route
from tests.adversaries.declared import By, attack
from tests.fuzz.meshes import SEAT, Table
from tests.p2p.aio import run

TIMES = 200


@attack(
    By.PLAYER,
    "A player’s program disconnects and reconnects, or says that its phone sleeps and wakes, as fast as it can.",
    "Nobody needs to notice: only a few of these changes per player are shown, and then the last one.",
)
def test_who_comes_and_goes_without_end_is_told_of_a_few_times() -> None:
    now = [0.0]

    async def deed() -> None:
        departures = SimpleNamespace(goodbyes={})
        record = SimpleNamespace(
            seed=b"seed", is_over=False, present=(0, 1), ledger=SimpleNamespace(departures=departures)
        )
        sleep: Any = SimpleNamespace(slept_s=lambda: 0.0)
        table: Any = TableNews(lambda: now[0], asyncio.Event(), sleep)
        table.driver = SimpleNamespace(table=SimpleNamespace(record=record))
        table._has_begun, table._is_ours, table._put_clock = True, lambda _seat: False, lambda _driver: None
        for _ in range(TIMES):
            table.route_changed(1, Route.NONE)
            table.route_changed(1, Route.DIRECT)
        told = [table.queue.get_nowait() for _ in range(table.queue.qsize())]
        assert [type(each) for each in told] == [Away, Back] * int(LINES.burst + 1)
        assert not table.away
        now[0] = 2 / LINES.per_s
        table.route_changed(1, Route.NONE)
        assert table.away == {1}

    run(deed())


def test_who_falls_asleep_without_end_is_told_of_a_few_times() -> None:
    async def deed() -> None:
        table, told = Table(), list[bool]()
        mesh, wire = table.mesh, table.wires[SEAT]
        mesh._on_asleep = lambda _key, is_asleep: told.append(is_asleep)

        def beat(is_asleep: bool) -> None:
            asleep = frozenset({SEAT} if is_asleep else ())
            mesh._on_heartbeat(wire, Heartbeat(0, {}, asleep).encode("192.0.2.1"))  # type: ignore[arg-type]

        for at in range(TIMES):
            beat(not at % 2)
        assert len(told) <= LINES.burst + 1
        for _ in range(TIMES):
            beat(True)  # it stays so, and is not believed yet
        assert mesh._naps.debt_s(SEAT, asyncio.get_running_loop().time()) <= 1 / LINES.per_s
        mesh._naps = Buckets(LINES)  # later
        beat(True)
        assert told[-1]
        beat(False)
        assert not told[-1]

    run(deed())
