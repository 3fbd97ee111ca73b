"""The bots of a machine: in a thread of their own, seated and let go of from the person's."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cli import tabling
from cli.bots import Bots
from cli.context import Context
from cli.playing import RoundBegan
from cli.requests import TableRequest
from cli.terminal import Terminal
from cli.words import Words
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.workers import Workers

pytestmark = pytest.mark.sockets
WAIT_S = 60


def context(folder: Path) -> Context:
    out = io.StringIO()
    return Context(Words(), os.environ, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), folder)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "bots"]


def test_a_table_is_dealt_with_bots_in_their_own_thread_and_all_of_it_is_let_go_of(tmp_path: Path) -> None:
    async def run() -> None:
        request = TableRequest("play", game="crazy-eights", seats=4, bots=3, home=tmp_path)
        async with AsyncExitStack() as stack:
            client = await tabling.open_client(stack, request, context(tmp_path))
            client.on_screen = True
            assert not threads()  # who plays without bots has no such thread
            await tabling.host(client, 3)
            assert threads() == ["bots"]
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            assert [player.bot for player in client.seat.players].count(True) == 3
            own = asyncio.get_running_loop()
            assert all(task.get_loop() is own for task in asyncio.all_tasks())
            assert not any("brain" in repr(task) for task in asyncio.all_tasks())  # bots think elsewhere
        assert not threads()
        with open_home(tmp_path, guests=False) as home:  # nothing holds a lock any more
            folders = {path.name for path in (tmp_path / "bots").iterdir()}
            assert len(folders) == 3
            for name in folders:
                home.bot(name).close()

    async def bounded() -> None:
        async with asyncio.timeout(WAIT_S):
            await run()

    asyncio.run(bounded())


def test_what_goes_wrong_at_a_bot_is_told_to_its_keeper(tmp_path: Path) -> None:
    async def run() -> None:
        workers = Workers()
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, ("127.0.0.1", "::1"), 0.0, workers)
            try:
                with pytest.raises(LinkLost):
                    await bots.seat("Bot Ada", [("127.0.0.1", 1)], b"k" * 32)
            finally:
                await bots.close()
                await bots.close()
            workers.close()
        assert not threads()

    asyncio.run(run())


def test_without_bots_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    async def run() -> None:
        workers = Workers()
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, ("127.0.0.1", "::1"), 0.0, workers)
            await bots.finished()
            assert await bots.introduce(b"k" * 32, 1) == {}
            await bots.close()
        workers.close()
        assert not threads()

    asyncio.run(run())
