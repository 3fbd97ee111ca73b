"""Somebody watches a match again and again, over real links: whoever shows it plays on, and shows it to others."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from cli.bench.floods import Target, new_identity
from p2p.budgets import PeerRank, Rate
from p2p.frames import FrameKind, Timing
from p2p.links import Link
from p2p.mesh import Mesh
from p2p.routes import Route, RouteChange
from p2p.streaming import PREFIX, SLICE_BYTES, Watchers
from p2p.tcp import TcpLinks
from tests.adversaries.declared import By, attack
from tests.adversaries.strangers.flooding import FRIEND, HOME, STRANGER
from tests.p2p.aio import LOOPBACK, people, run, until

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"),
]

MESSAGE = bytes(1000)
LONG = 600
"""So many messages: the match of a long evening has thousands."""


class Shown:
    """A client that shows a match, of which all is saved."""

    def __init__(self, messages: int) -> None:
        record = SimpleNamespace(transcript=[MESSAGE] * messages, seed=None)
        self.driver: Any = SimpleNamespace(
            table=SimpleNamespace(record=record), saved=messages, watchers=set(), reacted=set()
        )
        self.mesh = Mesh(
            TcpLinks(people(1)[0]),
            {},
            lambda *_: None,
            self._changed,
            on_stranger=lambda *_: None,
            standing=lambda key: PeerRank.WATCHER if key in self.watchers else PeerRank.LOOKER,
            timing=Timing(),
        )
        self.watchers = Watchers(self.mesh)

    def _changed(self, change: RouteChange) -> None:
        if change.route is Route.NONE:
            self.watchers.gone(change.key)
        else:
            self.watchers.admit(change.key, self.driver)


@asynccontextmanager
async def shown(messages: int) -> AsyncIterator[Shown]:
    one = Shown(messages)
    await one.mesh.listen(hosts=LOOPBACK)
    try:
        yield one
    finally:
        await one.mesh.close()


class Onlooker:
    """Who watches from this address, and how many messages have come."""

    def __init__(self) -> None:
        self.count = 0

    async def watch(self, one: Shown, host: str) -> Link:
        link = await Target(HOME, one.mesh.port, host).link(new_identity(), "watch")
        link.start(self._hear)
        return link

    def _hear(self, _link: Link, kind: FrameKind, data: bytes) -> None:
        self.count += kind is FrameKind.DATA and data.startswith(PREFIX)


def test_others_have_their_turn_while_a_whole_match_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads as fast as it is written is never waited for."""
    turns, in_turn, most = [0], [0, 0], [0]
    send = Link.send

    def counted(link: Link, message: bytes) -> bool:
        if in_turn[0] != turns[0]:
            in_turn[:] = [turns[0], 0]
        in_turn[1] += len(message)
        most[0] = max(most[0], in_turn[1])
        return send(link, message)

    async def others() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    async def scene() -> None:
        async with shown(LONG) as one:
            turning = asyncio.create_task(others())
            monkeypatch.setattr(Link, "send", counted)
            somebody = Onlooker()
            link = await somebody.watch(one, FRIEND)
            await until(lambda: somebody.count == LONG)
            turning.cancel()
            link.abort("seen")
        assert most[0] <= 2 * SLICE_BYTES

    run(scene())


@attack(
    By.STRANGER,
    "A match is watched from its start again and again, as fast as it can be read.",
    "Nobody needs to notice: watchers on one computer get a certain amount at once, and then a little each second.",
)
def test_a_match_is_not_shown_to_one_computer_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noticed by: nobody needs to. Whoever watches from another computer sees all of it."""
    monkeypatch.setattr("p2p.streaming.SHOWN", Rate(1, 3 * LONG * len(MESSAGE)))

    async def scene() -> None:
        async with shown(LONG) as one:
            count, stranger = 0, Onlooker()
            for _time in range(4):
                before = stranger.count
                link = await stranger.watch(one, STRANGER)
                await until(lambda: stranger.count >= before + LONG or is_held(one, stranger, before))  # noqa: B023
                link.abort("again")
                await until(lambda: not one.mesh.links)
                count += stranger.count - before == LONG
            assert count == 2
            friend = Onlooker()
            link = await friend.watch(one, FRIEND)
            await until(lambda: friend.count == LONG)
            link.abort("seen")

    run(scene())


def is_held(one: Shown, somebody: Onlooker, before: int) -> bool:
    """Whether all has come that was sent to somebody, who is sent no more now."""
    debt_s = one.watchers._shown.debt_s(STRANGER, asyncio.get_running_loop().time())
    return debt_s > 0 and somebody.count > before
