"""A friend with a modified client floods the host with messages that are all signed and valid, over a real link."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p.budgets import Rate
from p2p.home import open_home
from p2p.node import Node
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.games.catalogue import load
from protocol.identity import Identity, check_signature
from protocol.table.events import Accused, Awaiting, SendsTooMuch
from protocol.table.roster import TableOptions
from tests.adversaries.declared import By, attack
from tests.adversaries.seats.flooder import FLOODS, PACE_S
from tests.adversaries.seats.linked import Witness, driver_of
from tests.lan.hostile import memory_mib
from tests.p2p.aio import LOOPBACK, until

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the memory in use as Linux tells it"),
]
PART_S = 1.0
RELAYED = "relayed"
ALIKE = ("slots", "beside", "signatures", "evidence", "heartbeats", "statements")
"""What is charged for as the others are; what comes of it is tested without a second program in `tests/table/adversaries` and
`tests/adversaries/test_members.py`."""
UNTIL_CUT_S = 60.0
MOST_KEPT = 100
"""Messages of one seat: about this height and round."""
LAG = 3000
"""Nothing may hold the event loop up for longer than checking so many signatures takes on the same computer, about a third of a
second. Without budgets a flood did so for four times as long."""


def most_lag_s() -> float:
    """In processor time."""
    identity, label, message = Identity(bytes(32)), b"calibration", bytes(100)
    signature = identity.sign(label, message)
    begin = time.thread_time()
    for _ in range(LAG // 10):
        check_signature(identity.public, label, message, signature)
    return (time.thread_time() - begin) * 10


class Lag:
    """For how long the event loop computes without a turn for others, in processor time: other programs do not matter."""

    def __init__(self) -> None:
        self.most_s = 0.0
        self._task = asyncio.create_task(self._measure())

    async def _measure(self) -> None:
        while True:
            began = time.thread_time()
            await asyncio.sleep(0)
            self.most_s = max(self.most_s, time.thread_time() - began)
            await asyncio.sleep(0.002)

    def take(self) -> float:
        most_s, self.most_s = self.most_s, 0.0
        return most_s

    def stop(self) -> None:
        self._task.cancel()


@attack(
    By.PLAYER,
    "A player’s program sends as much as the network carries, all of it signed and valid.",
    "After about a second of wasted computing, by the flooded computer.",
    "the player is named on the screen as sending too much, and ignored for a minute; nobody is convicted",
)
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.soak if kind in ALIKE else ()) for kind in FLOODS if kind != RELAYED],
)
def test_a_seat_that_floods_is_named_and_cut_off_and_holds_up_nobody_else(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noticed by: the host, after a second of computing for nothing. Named: the seat, to the host's person; nobody is accused."""
    # On a busy computer a flood comes to less than is allowed.
    monkeypatch.setattr("p2p.costs.IDLE_TIME", Rate(0.01, 0.2))
    asyncio.run(flooded(kind, tmp_path))


@attack(
    By.PLAYER,
    "A player’s program endlessly passes on what another player is supposed to have said.",
    "After about a second of wasted computing, by the flooded computer: it drops what that player passes on.",
)
def test_a_seat_that_floods_in_anothers_name_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named: nobody for the flood, as an honest player may pass on what it cannot know.

    The match goes on without the flooder before: its own words would wait behind its flood, and the others for them.
    """
    monkeypatch.setattr("p2p.costs.IDLE_TIME", Rate(0.01, 0.2))
    asyncio.run(flooded(RELAYED, tmp_path))


async def flooded(kind: str, folder: Path) -> None:
    with ExitStack() as stack:
        workers, witnesses = Workers(), [Witness(), Witness()]
        stack.callback(workers.close)
        homes = [stack.enter_context(open_home(folder / str(number))) for number in range(2)]
        nodes = [
            Node(home, NodeSettings(f"P{at}", bot=True, hosts=LOOPBACK, pace_s=PACE_S), witness, workers)
            for at, (home, witness) in enumerate(zip(homes, witnesses, strict=True))
        ]
        try:
            for node in nodes:
                await node.open()
            options = TableOptions(pause=0, grace=0, rounds=1000, recovery="off")
            nodes[0].waiting_room.open(TablePlan(load("crazy-eights", 3, {"target": 100_000}), "T", options))
            await nodes[1].waiting_room.join([("127.0.0.1", nodes[0].mesh.port)])
            await under_attack(kind, folder, nodes, witnesses, stack)
        finally:
            for node in nodes:
                await node.close()


async def under_attack(kind: str, folder: Path, nodes: list[Node], witnesses: list[Witness], stack: ExitStack) -> None:
    words = ["-m", "tests.adversaries.seats.flooder", kind, str(folder / "m"), str(nodes[0].mesh.port)]
    flooder = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    stack.callback(flooder.communicate)
    stack.callback(flooder.kill)
    assert flooder.stdin is not None and flooder.stdout is not None

    def tell(what: str) -> None:
        assert flooder.stdin is not None
        print(what, file=flooder.stdin, flush=True)

    if kind == "words":
        await until(lambda: nodes[0].driver is not None and nodes[0].driver.table.record.round is not None)
        room = nodes[0].waiting_room.room
        nodes[0].waiting_room.hand_over(
            next(guest.key for guest in room.members if guest.name == "Mallory") if room else b""
        )
    assert await asyncio.to_thread(flooder.stdout.readline) == "ready\n"
    driver, process = driver_of(nodes[0]), os.getpid()
    guilty = next(seat for seat in range(3) if driver.table.record.member(seat).name == "Mallory")
    if kind == RELAYED:
        tell("cheat")
        await until(lambda: guilty not in driver.table.record.present)
    lag = Lag()
    tell("idle")  # the same work, sent to nobody
    await asyncio.sleep(PART_S)
    memory = memory_mib(process)
    lag.take()
    tell("flood")
    if kind == RELAYED:
        author = next(m.key for m in driver.table.record.roster.members if m.name == "P1")
        bad, now = driver.table.record.key(guilty), asyncio.get_running_loop().time
        await until(lambda: nodes[0].mesh.charges.relayed.is_in_debt(bad, author, now()), UNTIL_CUT_S)
        height = driver.table.record.height
        await until(lambda: driver.table.record.height > height + 5, UNTIL_CUT_S)
    else:
        await until(lambda: SendsTooMuch(guilty) in witnesses[0].events, UNTIL_CUT_S)
    busy_s = lag.take()
    lag.stop()
    assert busy_s < most_lag_s()
    assert memory_mib(process) - memory < 30
    store = driver.table.record.ledger.store
    assert sum(seat == guilty for seat, _, _ in store.said) < MOST_KEPT
    if kind != RELAYED:
        await until(lambda: nodes[0].mesh.links.keys() == {nodes[1].identity.public})
    heard = [event for witness in witnesses for event in witness.events]
    assert {event.seat for event in heard if isinstance(event, Accused)} <= {guilty}
    assert {event.seat for event in heard if isinstance(event, SendsTooMuch)} <= (
        {guilty} if kind != RELAYED else set()
    )
    awaited = {seat for event in heard if isinstance(event, Awaiting) for seat in event.seats}
    assert awaited <= {guilty}, "an honest seat was waited for"
