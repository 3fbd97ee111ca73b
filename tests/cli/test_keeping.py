"""Bots whose process is killed at any moment of a table come back to it by themselves, and the match goes on to its end."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.client import bots as bots_module
from cli.client import unattended
from cli.client.bots import Bots
from cli.client.opening import open_session
from cli.client.session import Session
from cli.console import Terminal
from cli.context import Context
from cli.faults import MatchFailed
from cli.news import Away, Back, BotsBack, BotsNews, BotsStopped, BotStuck, News, Paused, RoundBegan
from cli.plain.session import LineSession as PlainSession
from cli.requests import TableRequest
from cli.text import Translator
from p2p.driver import Driver
from p2p.errors import DiskFull
from p2p.journal import Journal
from protocol.table.record import Phase
from protocol.table.table import Table
from tests.toy_program import in_toy_group

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]
WAIT_S = 240
SEATS, BOTS = 3, 2
NAMES = ("Bot Ada", "Bot Emmy")


async def played(client: Session) -> dict[str, Any]:
    """One match, unattended: its result."""
    results: list[dict[str, Any]] = []
    assert await unattended.play_room(client, results.append)
    (result,) = results
    return result


def kill(bots: Bots) -> None:
    assert bots._process is not None
    bots._process.process.kill()


@asynccontextmanager
async def opened(
    folder: Path, *, autoplay: bool = True, rounds: int = 1, told: list[BotsNews] | None = None
) -> AsyncIterator[tuple[Session, io.StringIO]]:
    """A client that is at no table yet, and what it says in lines."""
    request = TableRequest(
        "play",
        game="crazy-eights",
        options=(("hand", "3"), ("target", "1000")),  # which no single round decides
        seats=SEATS,
        bots=BOTS,
        rounds=rounds,
        home=folder,
        autoplay=autoplay,
    )
    lines = io.StringIO()
    context = Context(
        Translator(), os.environ, io.StringIO(), lines, lines, Terminal(False, True, False, 0, 80), folder
    )
    async with asyncio.timeout(WAIT_S), AsyncExitStack() as stack:
        client = await open_session(stack, request, context.home, context.notify)
        if told is not None:
            tell = client.bots.on_news

            def also(news: BotsNews) -> None:
                told.append(news)
                tell(news)

            client.bots.on_news = also
        yield client, lines


def after_each_input(client: Session, look: Callable[[Driver], None]) -> None:
    """Calls `look` after each input that one of this client's tables takes, the first ones included."""
    on_table = client.seat.on_table

    def began(driver: Driver) -> None:
        feed = driver.feed

        def fed(call: object) -> None:
            feed(call)  # type: ignore[arg-type]
            look(driver)

        driver.feed = fed  # type: ignore[method-assign]
        on_table(driver)

    client.seat.on_table = began  # type: ignore[method-assign]


def kill_once(client: Session, is_time: Callable[[Table], bool]) -> list[Phase]:
    """Kills the bots at the first moment of which this is true; when that was."""
    killed: list[Phase] = []

    def look(driver: Driver) -> None:
        if not killed and is_time(driver.table):
            killed.append(driver.table.record.phase)
            kill(client.bots)

    after_each_input(client, look)
    return killed


def is_sealing(table: Table) -> bool:
    return table.record.phase is Phase.SEALING


def signatures_of_bots(table: Table) -> list[bool]:
    record = table.record
    own = next(place for place in range(record.size) if record.key(place) == table.identity.public)
    return [record.from_seat(place, "seal") is not None for place in range(record.size) if place != own]


def is_signed_by_a_bot(table: Table) -> bool:
    return is_sealing(table) and any(signatures_of_bots(table))


def is_sealed_by_bots(table: Table) -> bool:
    return is_sealing(table) and all(signatures_of_bots(table))


def is_shuffling(table: Table) -> bool:
    """Somebody's shuffle of the first deck has come, and not all have."""
    record = table.record
    count = sum(record.from_seat(seat, "shuffled", 1, 0) is not None for seat in range(record.size))
    return 0 < count < record.size


def is_opening(table: Table) -> bool:
    """Somebody has revealed a key of the first round. The closing may come and go within one input; this does not: it needs
    our own key too."""
    record = table.record
    revealed = any(record.from_seat(seat, "reveal", 1) is not None for seat in range(record.size))
    return revealed and record.phase is not Phase.OVER


MOMENTS = {
    "as it is sealed": is_sealing,
    "when the bots have signed": is_sealed_by_bots,
    "before the first deal": lambda table: table.record.phase is Phase.BETWEEN,
    "in a deal": is_shuffling,
    "in a round": lambda table: table.record.phase is Phase.PLAYING and table.record.height > 6,
    "as a round is opened": is_opening,
    # The others may have opened the next one already when we close this one.
    "between two rounds": lambda table: table.record.rounds_closed == 1 and not table.is_over,
    "when it is over": lambda table: table.record.phase is Phase.OVER,
}
FEW = ("when the bots have signed", "in a round", "when it is over")
"""Those of `make test`; the others differ from these in nothing that is known."""


def results(folder: Path) -> list[tuple[str, str]]:
    """How each home of this machine keeps the match that was finished there: its status and the hash of its end."""
    found = []
    for home in (folder, *(folder / "bots").iterdir()):
        journal = Journal.read_only(home / "journal.sqlite")
        try:
            assert not journal.unfinished()
            found += [
                (match.status, (match.result or {})["match"])
                for match in journal.finished()
                if match.status not in ("abandoned", "torn")
            ]
        finally:
            journal.close()
    return found


@pytest.mark.parametrize(
    "moment", [pytest.param(moment, marks=() if moment in FEW else pytest.mark.soak) for moment in MOMENTS]
)
def test_bots_that_are_killed_come_back_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    monkeypatch.setattr("p2p.room.hosting.SEALING_S", 6.0)
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, rounds=2 if "two rounds" in moment else 1, told=told) as (client, lines):
            killed = kill_once(client, MOMENTS[moment])
            await client.host(BOTS)
            assert (await played(client))["verified"]
            assert len(killed) == 1
            if killed != [Phase.OVER]:
                assert told == [BotsStopped(NAMES), BotsBack(NAMES)]
                assert "Bot Ada and Bot Emmy stopped and are being restarted.\n" in lines.getvalue()
                assert "Bot Ada and Bot Emmy are back.\n" in lines.getvalue()

    asyncio.run(run())
    ends = results(tmp_path)
    assert len(ends) == SEATS
    assert len(set(ends)) == 1
    assert ends[0][0] == "finished"


def test_the_wait_for_what_bots_have_to_say_at_the_end_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, told=told) as (client, _lines):
            finished = client.bots.finished

            async def killed() -> None:
                asked = asyncio.create_task(finished())
                await asyncio.sleep(0)  # the order is written
                kill(client.bots)
                await asked

            monkeypatch.setattr(client.bots, "finished", killed)
            await client.host(BOTS)
            assert (await played(client))["verified"]
            assert told == [BotsStopped(NAMES), BotsBack(NAMES)]

    asyncio.run(run())
    assert len(set(results(tmp_path))) == 1


def test_bots_that_are_killed_in_the_waiting_room_sit_down_again(tmp_path: Path) -> None:
    told: list[BotsNews] = []

    def names(client: Session) -> list[str]:
        room = client.node.waiting_room.room
        return [sitter.name for sitter in room.sitters if sitter.bot] if room is not None else []

    async def run() -> None:
        async with opened(tmp_path, autoplay=False, told=told) as (client, lines):
            await client.host(1)
            while names(client) != ["Bot Ada"]:
                await asyncio.sleep(0.01)
            kill(client.bots)
            while names(client):
                await asyncio.sleep(0.01)
            while names(client) != ["Bot Ada"]:
                await asyncio.sleep(0.01)
            assert told[:1] == [BotsStopped(("Bot Ada",))]
            await client.seat_bot()
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            assert told == [BotsStopped(("Bot Ada",)), BotsBack(("Bot Ada",))]
            assert "Bot Ada stopped and is being restarted.\n" in lines.getvalue()

    asyncio.run(run())


def test_at_the_table_it_is_said_once(tmp_path: Path) -> None:
    """The keeper is told by its bots' news; that the links are lost needs no words beside them."""

    async def run() -> None:
        async with opened(tmp_path, autoplay=False) as (client, lines):
            await client.host(BOTS)
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            lines.truncate(lines.seek(0))
            kill(client.bots)
            heard: list[News | None] = []
            while BotsBack(NAMES) not in heard or len(client.seat.away) > 0:
                heard.append(await client.seat.news.get())
            assert heard.count(BotsStopped(NAMES)) == heard.count(BotsBack(NAMES)) == 1
            links = [piece for piece in heard if isinstance(piece, (Away, Back))]
            assert links and all(piece.is_ours for piece in links)
            assert all(isinstance(piece, (BotsStopped, BotsBack, Away, Back, Paused)) for piece in heard)
            assert not lines.getvalue()

    asyncio.run(run())


def test_in_lines_it_is_said_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path, autoplay=False) as (client, _lines):
            await client.host(BOTS)
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            session = PlainSession(client.seat, Translator(), lambda _line: None)
            seat = next(seat for seat, player in enumerate(client.seat.players) if player.bot)
            assert session.told(Away(seat, is_ours=True)) == session.told(Back(seat, is_ours=True)) == []
            assert session.told(BotsStopped(NAMES)) == ["Bot Ada and Bot Emmy stopped and are being restarted."]
            assert session.told(BotsBack(NAMES)) == ["Bot Ada and Bot Emmy are back."]
            assert session.told(BotsStopped(NAMES, True, "/l")) == [
                "The bots on this computer keep stopping: leave, then rejoin. Details: /l"
            ]
            assert session.told(BotStuck("Bot Ada", DiskFull("the disk is too full to write {path}", path="/j"))) == [
                (
                    "Bot Ada can’t continue. The disk is too full to write /j. Then leave and rejoin: the bots "
                    "come back with you."
                )
            ]

    asyncio.run(run())


def test_who_plays_unattended_ends_when_its_bots_stop_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could take the seat again; the seat is kept."""
    monkeypatch.setattr("cli.client.bots.WAIT_S", (0.0, 0.0))
    monkeypatch.setattr("cli.client.unattended.BOT_FAILURE_S", 0.2)
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, told=told) as (client, _lines):
            kill_once(client, MOMENTS["in a round"])
            begin = client.bots._start_process

            def begin_and_kill() -> object:
                process = begin()
                kill(client.bots)
                if process is not None:
                    process.kill()
                return process

            await client.host(BOTS)
            monkeypatch.setattr(client.bots, "_start_process", begin_and_kill)
            with pytest.raises(MatchFailed, match="run the same command to rejoin"):
                await played(client)
            assert told == [BotsStopped(NAMES), BotsStopped(NAMES, True)]

    asyncio.run(run())
    journal = Journal.read_only(tmp_path / "journal.sqlite")
    try:
        assert len(journal.unfinished()) == 1
    finally:
        journal.close()


BROKEN = """
import json, sys
words = sys.argv[1]
sys.path[:] = json.loads(words)["path"]
from pathlib import Path
from cli.client.bot_process import main
"""
FULL_DISK = BROKEN + (
    "from p2p.errors import DiskFull\nfrom p2p.journal import Journal\nappend = Journal.append\n"
    'def full(self, match, *records):\n    if "emmy" in str(self.path) and any(each.kind.value '
    '== "out" for each in records):\n        raise DiskFull("the disk is too full to write '
    '{path}: free up some space, then start again", path=self.path)\n    append(self, match, '
    "*records)\nJournal.append = full\nmain(words)\n"
)
UNSIGNED = (
    BROKEN
    + """
from p2p.node import Node
home = Path(json.loads(words)["home"])
real = Node.seal
def seal(self, roster):
    if self.settings.name == "Bot Emmy" and not (home / "was-here").exists():
        (home / "was-here").touch()
        return
    real(self, roster)
Node.seal = seal
main(words)
"""
)
MISTAKE = (
    BROKEN
    + """
from p2p import bot_driver
home = Path(json.loads(words)["home"])
real = bot_driver.play
async def play(*about):
    if not (home / "was-here").exists():
        (home / "was-here").touch()
        raise ZeroDivisionError("a mistake of ours")
    await real(*about)
bot_driver.play = play
main(words)
"""
)


def test_a_sealing_that_one_bot_had_signed_and_another_not_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots_module, "CODE", in_toy_group(UNSIGNED))
    monkeypatch.setattr("p2p.room.hosting.SEALING_S", 6.0)
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, told=told) as (client, _lines):
            killed = kill_once(client, is_signed_by_a_bot)
            await client.host(BOTS)
            assert (await played(client))["verified"]
            assert killed == [Phase.SEALING]
            assert told == [BotsStopped(NAMES), BotsBack(NAMES)]

    asyncio.run(run())
    assert len(set(results(tmp_path))) == 1


def test_a_bot_whose_disk_is_full_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_module, "CODE", in_toy_group(FULL_DISK))
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, told=told) as (client, _lines):
            await client.host(BOTS)
            with pytest.raises(MatchFailed, match=r"the disk is too full to write .*bot-emmy.*: free up some space"):
                await played(client)
            assert [(type(piece), getattr(piece, "name", "")) for piece in told] == [(BotStuck, "Bot Emmy")]

    asyncio.run(run())


def test_a_mistake_of_ours_is_written_down_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots_module, "CODE", in_toy_group(MISTAKE))
    told: list[BotsNews] = []

    async def run() -> None:
        async with opened(tmp_path, told=told) as (client, _lines):
            await client.host(BOTS)
            assert (await played(client))["verified"]

    asyncio.run(run())
    stopped = told[0]
    assert isinstance(stopped, BotsStopped)
    assert "ZeroDivisionError: a mistake of ours" in Path(stopped.log).read_text()
    assert told[1:] == [BotsBack(NAMES)]
