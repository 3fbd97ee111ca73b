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
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.clean import clean_name
from cli.client.bot_process import BotNodes
from cli.client.bots import WAIT_S as WAITS
from cli.client.bots import Bots, BotsGone
from cli.client.opening import open_session
from cli.client.sitters import names_of
from cli.client.subprocess import Subprocess
from cli.client.tables import BOT_NAMES, bot_name, next_bot_name
from cli.console import Terminal
from cli.context import Context
from cli.news import BotsBack, BotsNews, BotsStopped, RoundBegan, level_of, name_with_levels
from cli.requests import TableRequest
from cli.text import Translator
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.room.waiting_room import WaitingRoom
from protocol.errors import FairdealError
from protocol.games.catalogue import game_class, load
from protocol.games.game import EASY, LEVELS, NORMAL
from protocol.table.roster import Member
from tests.table.tables import Tables

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("toy_programs")]
WAIT_S = 240
LOOPBACK = ("127.0.0.1", "::1")


def context(folder: Path) -> Context:
    out = io.StringIO()
    return Context(Translator(), os.environ, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), folder)


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
    return bots._process.process


async def other_process(bots: Bots, before: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """The next one, once it runs."""
    while bots._process is None or bots._process.process is before:
        await asyncio.sleep(0.01)
    return bots._process.process


async def given_up(bots: Bots) -> list[int]:
    """Kills one process after the other until no more are started; who they were."""
    killed = []
    process = process_of(bots)
    while True:
        process.kill()
        killed.append(process.pid)
        while bots._process is not None and bots._process.process is process:
            await asyncio.sleep(0.01)
        if bots._process is None:
            return killed
        process = bots._process.process


@asynccontextmanager
async def named(folder: Path, *names: str) -> AsyncIterator[tuple[Bots, list[BotsNews]]]:
    """Bots of these names that sit nowhere, and what is told of them."""
    with open_home(folder) as home:
        bots, told = Bots(home, b"k" * 32, LOOPBACK, 0.0), list[BotsNews]()
        bots.names += names
        bots.on_news = told.append
        bots.start()
        async with asyncio.timeout(WAIT_S):
            try:
                yield bots, told
            finally:
                await bots.close()


@pytest.mark.slow
def test_a_table_is_dealt_with_bots_of_another_process_and_all_of_it_is_let_go_of(tmp_path: Path) -> None:
    async def run() -> None:
        request = TableRequest("play", game="crazy-eights", seats=4, bots=3, home=tmp_path)
        async with asyncio.timeout(WAIT_S), AsyncExitStack() as stack:
            client = await open_session(stack, request, context(tmp_path).home, context(tmp_path).notify)
            await client.host(3)
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


@pytest.mark.slow
def test_what_goes_wrong_at_a_bot_is_told_to_its_keeper_and_the_bot_is_not_counted(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            try:
                with pytest.raises(FairdealError, match="no answer from that address"):
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


@pytest.mark.slow
def test_who_is_killed_is_started_anew_and_hears_the_orders_that_were_under_way(tmp_path: Path) -> None:
    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            await bots.finished()
            first = process_of(bots)
            os.kill(first.pid, signal.SIGSTOP)  # so that it answers nothing
            asked = asyncio.create_task(bots.introduce(b"k" * 32, 1))
            await asyncio.sleep(0)
            first.kill()
            assert await asked == {}
            second = process_of(bots)
            assert second.pid != first.pid
            assert first.poll() == -signal.SIGKILL
            assert second.poll() is None
            assert told == [BotsStopped(("Bot Ada",)), BotsBack(("Bot Ada",))]

    asyncio.run(run())


@pytest.mark.slow
def test_a_bot_that_was_about_to_sit_down_asks_for_its_seat_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with named(tmp_path) as (bots, _told):
            process = process_of(bots)
            asked = asyncio.create_task(bots.seat("Bot Ada", [("127.0.0.1", 1)], b"k" * 32))
            await asyncio.sleep(0)
            process.kill()
            with pytest.raises(FairdealError, match="no answer from that address"):
                await asked
            assert process_of(bots) is not process
            assert not bots.names

    asyncio.run(run())


@pytest.mark.slow
def test_a_bot_that_dies_while_it_takes_a_seat_goes_into_the_room_again(tmp_path: Path) -> None:
    roster = Tables("crazy-eights", 2).roster

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, _told):
            await bots.finished()
            process = process_of(bots)
            os.kill(process.pid, signal.SIGSTOP)  # so that it answers nothing
            asked = asyncio.create_task(bots.take_seat("Bot Ada", [("127.0.0.1", 1)], b"k" * 32, roster, 1, 0))
            await asyncio.sleep(0)
            process.kill()
            with pytest.raises(FairdealError, match="no answer from that address"):
                await asked
            assert process_of(bots) is not process

    asyncio.run(run())


@pytest.mark.slow
def test_who_ends_again_and_again_is_given_up_and_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.client.bots.WAIT_S", (0.0,) * len(WAITS))

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            killed = await given_up(bots)
            assert len(set(killed)) == 5
            assert told[0] == BotsStopped(("Bot Ada",))
            assert told.index(BotsStopped(("Bot Ada",), True)) == len(told) - 1
            # That they stopped is not said twice in a row.
            assert all(piece != before for before, piece in pairwise(told))
            with pytest.raises(BotsGone, match="keep stopping: leave, then rejoin"):
                await bots.resume(["Bot Ada"], b"m" * 32)
            await bots.finished()
            await bots.finish("Kitchen", "finished")
            assert not any(is_there(process) for process in killed)
            # It can be tried again all the same.
            with pytest.raises(FairdealError, match="no answer from that address"):
                await bots.seat("Bot Emmy", [("127.0.0.1", 1)], b"k" * 32)
            assert process_of(bots).poll() is None

    asyncio.run(run())


def test_between_two_ends_the_wait_grows() -> None:
    assert WAITS[0] == 0.0
    assert list(WAITS) == sorted(set(WAITS))


@pytest.mark.sample
@pytest.mark.parametrize("is_new", [False, True])
def test_closing_while_they_are_started_anew_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    """Closed while a new one is waited for, or as soon as it is there."""
    monkeypatch.setattr("cli.client.bots.WAIT_S", (0.0 if is_new else 3600.0,))
    begun: list[Subprocess] = []

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            real = bots._start_process

            def begin() -> Subprocess | None:
                process = real()
                begun.extend([process] if process is not None else [])
                return process

            monkeypatch.setattr(bots, "_start_process", begin)
            first = process_of(bots)
            first.kill()
            while not told:
                await asyncio.sleep(0.01)
            if is_new:
                await other_process(bots, first)
            await bots.close()
            await bots.close()
            assert len(begun) == is_new
            assert first.poll() is not None
            assert all(process.process.poll() is not None for process in begun)
            with pytest.raises(BotsGone):
                await bots.seat("Bot Ada", [("127.0.0.1", 1)], b"k" * 32)

    asyncio.run(run())


def test_last_words_are_in_a_file_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.client.bots.CODE", "raise SystemExit('no such wheel')")
    monkeypatch.setattr("cli.client.bots.WAIT_S", (0.0,))

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            await bots.finished()
            assert isinstance(told[-1], BotsStopped)
            assert told[-1].is_for_good
            assert "no such wheel" in Path(told[-1].log).read_text()
            assert Path(told[-1].log).is_relative_to(tmp_path)

    asyncio.run(run())


def test_a_process_that_cannot_be_started_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    monkeypatch.setattr("cli.client.bots.WAIT_S", (0.0,))

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            with pytest.raises(BotsGone):
                await bots.seat("Bot Emmy", [("127.0.0.1", 1)], b"k" * 32)
            assert told == [BotsStopped(("Bot Ada",)), BotsStopped(("Bot Ada",), True)]

    asyncio.run(run())


KEEPER = """
import asyncio, sys
from pathlib import Path
from cli.client.bots import Bots
from p2p.errors import LinkLost
from p2p.home import open_home
from p2p.room.waiting_room import WaitingRoom
async def run():
    home = open_home(Path(sys.argv[1]))
    bots = Bots(home, b"k" * 32, ("127.0.0.1", "::1"), 0.0)
    bots.start()
    print(bots._process.process.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(run())
"""


@pytest.mark.sample
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_process_that_hangs_is_started_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.client.bots.PING_EVERY_S", 0.05)
    monkeypatch.setattr("cli.client.bots.HANGS_S", 5.0)

    async def run() -> None:
        async with named(tmp_path, "Bot Ada") as (bots, told):
            await bots._is_up.wait()
            hanging = process_of(bots)
            hanging.send_signal(signal.SIGSTOP)
            await other_process(bots, hanging)
            await bots._is_up.wait()
            assert [type(piece) for piece in told] == [BotsStopped, BotsBack]
            assert hanging.poll() == -signal.SIGKILL

    asyncio.run(run())


def test_bots_play_at_the_level_chosen_when_they_sit_down(tmp_path: Path) -> None:
    async def run() -> None:
        with open_home(tmp_path) as home:
            nodes = BotNodes(home, b"k" * 32, LOOPBACK, 0.0, lambda _line: None)
            node = await nodes._open("Bot Ada (strong)", "strong")
            assert node.settings.level == "strong"
            assert (await nodes._open("Bot Ada", "easy")).settings.level == "easy"
            await nodes.close()

    asyncio.run(run())


def test_waiting_for_the_end_takes_no_news_from_the_bot_that_moves(tmp_path: Path) -> None:
    """A bot that was choosing waits for the next change afterwards: one that came meanwhile must still be there."""

    async def run() -> None:
        with open_home(tmp_path) as home:
            nodes = BotNodes(home, b"k" * 32, LOOPBACK, 0.0, lambda _line: None)
            table = SimpleNamespace(is_present=True)
            driver = SimpleNamespace(table=table, finished=asyncio.Event(), changed=asyncio.Event())
            node: Any = SimpleNamespace(driver=driver)
            nodes._by_name["Bot Ada"] = node
            waiting = asyncio.create_task(nodes.finished())
            await asyncio.sleep(0)
            driver.changed.set()
            for _turn in range(5):
                await asyncio.sleep(0)
            assert driver.changed.is_set() and not waiting.done()
            table.is_present = False  # its keeper has quit
            driver.changed.set()
            async with asyncio.timeout(WAIT_S):
                await waiting

    asyncio.run(run())


@pytest.mark.parametrize(("reason", "calls"), [("late", 4), ("lost", 1)])
def test_a_bot_calls_its_host_again_where_that_is_late(
    reason: str, calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a computer that is busy a bot may come late to its own keeper's room, and the room was closed for it."""
    called, answers_at = [0], 0

    async def join(*_: object, **__: object) -> None:
        called[0] += 1
        if called[0] != answers_at:
            raise LinkLost("no answer from that address", reason=reason)

    monkeypatch.setattr(WaitingRoom, "join", join)

    async def run() -> None:
        with open_home(tmp_path) as home:
            nodes = BotNodes(home, b"k" * 32, LOOPBACK, 0.0, lambda _line: None)
            where = [("127.0.0.1", 1)]
            try:
                with pytest.raises(LinkLost):
                    await nodes.seat("Bot Ada", where, "00" * 32, NORMAL, [])
                assert called[0] == calls
                nonlocal answers_at
                called[0], answers_at = 0, calls
                assert await nodes.seat("Bot Ada", where, "00" * 32, NORMAL, [])
            finally:
                await nodes.close()

    asyncio.run(run())


def test_the_process_is_told_the_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, Any]] = []

    async def ask(_bots: Bots, command_name: str, **arguments: Any) -> str:
        said.append((command_name, arguments.get("level")))
        return "00"

    async def ready(_bots: Bots) -> None:
        pass

    monkeypatch.setattr(Bots, "_ask", ask)
    monkeypatch.setattr(Bots, "_ready_process", ready)

    async def run() -> None:
        with open_home(tmp_path) as home:
            bots = Bots(home, b"k" * 32, LOOPBACK, 0.0)
            await bots.seat("Bot Ada (strong)", [("127.0.0.1", 1)], b"k" * 32)
            await bots.seat("Bot Emmy", [("127.0.0.1", 1)], b"k" * 32)
            await bots.resume(["Bot Ada (strong)", "Bot Kurt (easy)"], b"m" * 32)

    asyncio.run(run())
    assert said == [("seat", "strong"), ("seat", "normal"), ("resume", "strong"), ("resume", "easy")]


@pytest.mark.parametrize("level", LEVELS)
def test_a_bots_name_says_how_well_it_plays(level: str) -> None:
    for number in range(len(BOT_NAMES)):
        name = bot_name(number, level)
        assert clean_name(name) == name, "short enough to be shown whole"
        assert level_of(name) == level


def test_a_bot_of_another_level_has_another_name() -> None:
    assert next_bot_name("strong", ["Bot Ada", "Bot Emmy (easy)"]) == "Bot Sofia (strong)"
    assert next_bot_name("normal", ["Bot Ada (easy)"]) == "Bot Emmy"


def test_a_bot_is_not_called_strong_where_the_game_has_no_strong_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games from elsewhere may have none."""
    monkeypatch.setattr(game_class("two-four-jack"), "levels", (EASY, NORMAL))
    assert name_with_levels("Bot Ada (strong)", LEVELS) == "Bot Ada (strong)"
    assert name_with_levels("Bot Ada (strong)", (EASY, NORMAL)) == "Bot Ada"
    members = tuple(Member(bytes([at]) * 32, name, b"", bot, b"") for at, (name, bot) in enumerate(SEATED))
    record: Any = SimpleNamespace(size=len(members), game=load("two-four-jack", 2), member=lambda seat: members[seat])
    assert names_of(record) == ["Bot Ada", "Kim (strong)"], "people are called as they like"


SEATED = (("Bot Ada (strong)", True), ("Kim (strong)", False))
