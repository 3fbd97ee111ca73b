"""The bots of a machine: a process beside their keeper's, seated and let go of from there."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cli import tabling
from cli.bots import Bots, BotsGone
from cli.context import Context
from cli.playing import RoundBegan
from cli.requests import TableRequest
from cli.terminal import Terminal
from cli.words import Words
from p2p.home import open_home
from protocol.errors import FairdealError

pytestmark = pytest.mark.sockets
WAIT_S = 60
LOOPBACK = ("127.0.0.1", "::1")


def context(folder: Path) -> Context:
    out = io.StringIO()
    return Context(Words(), os.environ, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), folder)


def is_there(process: int) -> bool:
    """Whether a process runs that is nobody's remains."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def goes(is_so: Callable[[], bool]) -> bool:
    """Whether it comes true in time."""
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def process_of(bots: Bots) -> subprocess.Popen[str]:
    assert bots._process is not None
    return bots._process


def test_a_table_is_dealt_with_bots_of_another_process_and_all_of_it_is_let_go_of(tmp_path: Path) -> None:
    async def run() -> None:
        request = TableRequest("play", game="crazy-eights", seats=4, bots=3, home=tmp_path)
        async with asyncio.timeout(WAIT_S), AsyncExitStack() as stack:
            client = await tabling.open_client(stack, request, context(tmp_path))
            client.on_screen = True
            await tabling.host(client, 3)
            process = process_of(client.bots)
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            assert [player.bot for player in client.seat.players].count(True) == 3
            assert [player.through for player in client.seat.players if player.bot] == [
                client.seat.name(client.seat.seat or 0)
            ] * 3
            assert process.poll() is None
        assert process.poll() == 0  # it went by itself
        with open_home(tmp_path, guests=False) as home:  # and nothing holds a lock any more
            folders = {path.name for path in (tmp_path / "bots").iterdir()}
            assert len(folders) == 3
            for name in folders:
                home.bot(name).close()

    asyncio.run(run())


def test_what_goes_wrong_at_a_bot_is_told_to_its_keeper_and_the_bot_is_not_counted(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            try:
                with pytest.raises(FairdealError, match="nobody answers"):
                    await bots.seat("Bot Ada", [("127.0.0.1", 1)], b"k" * 32)
                assert not bots.names
            finally:
                await bots.close()
                await bots.close()

    asyncio.run(run())


def test_without_bots_there_is_no_process_and_nothing_to_wait_for(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            await bots.finished()
            await bots.finish("Kitchen", "finished")
            assert await bots.introduce(b"k" * 32, 1) == {}
            assert bots._process is None
            await bots.close()

    asyncio.run(run())


def test_bots_that_are_gone_keep_nobody_waiting(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            bots.start()
            process_of(bots).kill()
            bots.names.append("Bot Ada")
            async with asyncio.timeout(WAIT_S):
                with pytest.raises(BotsGone):
                    await bots.resume(["Bot Ada"], b"m" * 32)
                await bots.finished()
                await bots.finish("Kitchen", "finished")
                await bots.close()

    asyncio.run(run())


KEEPER = """
import asyncio, sys
from pathlib import Path
from cli.bots import Bots
from p2p.home import open_home
async def run():
    home = open_home(Path(sys.argv[1]))
    bots = Bots(home, b"k" * 32, ("127.0.0.1", "::1"), 0.0)
    bots.start()
    print(bots._process.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(run())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_bots_go_with_their_keeper_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    keeper = subprocess.Popen([sys.executable, "-c", KEEPER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert keeper.stdout is not None
    bots = int(keeper.stdout.readline())
    try:
        assert is_there(bots)
        keeper.send_signal(how)
        keeper.wait(WAIT_S)
        assert goes(lambda: not is_there(bots))
    finally:
        for process in (keeper.pid, bots):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        keeper.wait()
        keeper.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_ctrl_c_is_for_the_keeper_alone(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            bots.names.append("Bot Ada")
            await bots.finished()  # it has started and listens
            process_of(bots).send_signal(signal.SIGINT)
            await bots.finish("Kitchen", "finished")
            assert await bots.introduce(b"k" * 32, 1) == {}  # it still answers
            assert os.getpgid(process_of(bots).pid) != os.getpgid(0)
            await bots.close()

    asyncio.run(run())
