"""From a seat to the end of its match: what is kept when a player leaves for good, and what is said when the disk fails."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.client.ending import finish
from cli.client.opening import open_session
from cli.client.returning import resume, say_goodbye
from cli.client.session import Session
from cli.client.system import System
from cli.console import Terminal
from cli.context import Context
from cli.faults import FAILED
from cli.news import Broken, News, RoundBegan
from cli.plain.lines_in import LineQueue
from cli.plain.old_match import OldMatch, StaysAsItIs, ask_about_old
from cli.plain.voice import Voice
from cli.requests import TableRequest
from cli.text import Translator
from p2p.driver import Driver
from p2p.errors import DiskFull
from p2p.journal import Journal
from p2p.saved import SavedMatch
from tests.cli.test_pipes import fairdeal

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("toy_programs")]
WAIT_S = 240


def context(folder: Path) -> Context:
    out = io.StringIO()
    return Context(Translator(), os.environ, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), folder)


@asynccontextmanager
async def opened(folder: Path, system: System | None = None) -> AsyncIterator[Session]:
    """A client with two bots beside it, not at a table yet."""
    request = TableRequest("play", game="crazy-eights", seats=3, bots=2, home=folder)
    async with asyncio.timeout(WAIT_S), AsyncExitStack() as stack:
        client = await open_session(stack, request, context(folder).home, context(folder).notify, system=system)
        yield client


@asynccontextmanager
async def at_table(folder: Path, system: System | None = None) -> AsyncIterator[Session]:
    """The same at a table where cards have been dealt."""
    async with opened(folder, system) as client:
        await client.host(2)
        while not isinstance(await client.seat.news.get(), RoundBegan):
            pass
        yield client


def driver_of(client: Session) -> Driver:
    assert client.seat.driver is not None
    return client.seat.driver


def matches(folder: Path) -> tuple[list[SavedMatch], list[SavedMatch]]:
    """Those that the next start finds open, and those that are over."""
    journal = Journal.read_only(folder / "journal.sqlite")
    try:
        return journal.unfinished(), journal.finished()
    finally:
        journal.close()


def news_of(client: Session) -> list[News | None]:
    found = []
    while not client.seat.news.empty():
        found.append(client.seat.news.get_nowait())
    return found


@pytest.mark.slow
def test_who_leaves_for_good_has_no_match_to_come_back_to(tmp_path: Path) -> None:
    done = fairdeal(tmp_path, "play", "crazy-eights", "--bots", "2", typed="draw\ngoodbye\nyes\n")
    assert "You quit for good." in done.stdout
    assert "You quit this match for good" in done.stderr
    assert done.returncode == FAILED
    left, over = matches(tmp_path)
    assert not left
    assert [match.status for match in over] == ["broken"]


@pytest.mark.slow
def test_leaving_for_good_is_kept_though_nobody_waits_for_the_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with at_table(tmp_path) as client:
            await client.seat.leave(True)

    asyncio.run(run())
    left, over = matches(tmp_path)
    assert not left and [match.status for match in over] == ["broken"]


@pytest.mark.slow
def test_leaving_keeps_the_match(tmp_path: Path) -> None:
    async def run() -> None:
        async with at_table(tmp_path) as client:
            await client.seat.leave(False)

    asyncio.run(run())
    left, over = matches(tmp_path)
    assert len(left) == 1 and not over


@pytest.mark.slow
def test_a_disk_that_is_full_at_the_very_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sits at the table waits for news: without this one it would wait for good."""

    def full(*_: Any, **__: Any) -> None:
        raise DiskFull("the disk is too full to write {path}: free up some space, then start again", path=tmp_path)

    async def run() -> None:
        async with at_table(tmp_path) as client:
            await client.seat.leave(True)
            with monkeypatch.context() as patched:
                patched.setattr(client.node.journal, "finish", full)
                with pytest.raises(DiskFull):
                    await finish(client)
            *_, last, end = news_of(client)
            assert isinstance(last, Broken) and isinstance(last.reason, DiskFull)
            assert end is None

    asyncio.run(run())


@pytest.mark.slow
def test_the_records_stay_until_the_file_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transcript can be written again from them, and from nothing else."""

    def full(_transcript: Any) -> None:
        raise DiskFull("the disk is too full to write {path}: free up some space, then start again", path=tmp_path)

    async def run() -> None:
        monkeypatch.setattr("p2p.transcripts.TranscriptFile.sync", full)
        async with at_table(tmp_path) as client:
            await client.seat.leave(True)
            report = await finish(client)
            assert not report["verified"]
            *_, last, end = news_of(client)
            assert isinstance(last, Broken) and isinstance(last.reason, DiskFull)
            assert end is None
            match = driver_of(client).match
            assert list(client.node.journal.records(match))

    # Opening a transcript syncs it, too: here only its end is at stake.
    monkeypatch.setattr("p2p.node.open_transcript", opening_without_sync)
    asyncio.run(run())
    left, over = matches(tmp_path)
    assert len(left) == 1 and not over


def opening_without_sync(path: Path, messages: Any = (), **_: Any) -> Any:
    from p2p.transcripts import TranscriptFile

    assert not list(messages)
    path.parent.mkdir(exist_ok=True)
    return TranscriptFile(path.open("wb"), path, 0, 0)


@pytest.mark.slow
def test_bots_come_back_though_we_were_killed_before_they_were_noted(tmp_path: Path) -> None:
    async def run() -> None:
        async with at_table(tmp_path) as client:
            names = list(client.bots.names)
            assert "bots" not in client.node.journal.match(driver_of(client).match).meta
        async with opened(tmp_path) as client:
            match = client.node.resumable()
            assert match is not None
            client.node.settings.name, name = "Root", client.node.settings.name
            await resume(client, match)
            assert client.node.settings.name == name, "as the others know us there"
            assert sorted(client.bots.names) == sorted(names)
            await client.wait_until_dealt()
            assert not driver_of(client).table.is_returning

    asyncio.run(run())


@pytest.mark.slow
def test_a_match_that_is_given_up_seats_nobody_at_the_next_table(tmp_path: Path) -> None:
    """It once did: the next waiting room was passed by before anybody sat in it."""

    async def run() -> None:
        async with at_table(tmp_path):
            pass
        async with opened(tmp_path) as client:
            old = client.node.resumable()
            assert old is not None
            client.node.settings.bot = True
            await say_goodbye(client, old)
            assert not client.node.has_bot, "an unattended seat is given up with its bot"
            client.node.settings.bot = False
            assert client.seat.driver is None and not client.seat.seated.is_set() and client.seat.news.empty()
            await client.host(2)
            await client.wait_until_dealt()
            driver = driver_of(client)
            assert driver.match != old.id and driver.table.record.words

    asyncio.run(run())


@pytest.mark.slow
def test_about_an_old_seat_it_is_asked_until_it_is_answered(tmp_path: Path) -> None:
    async def asked(*lines: str) -> OldMatch | None:
        """What becomes of the match; None if that is left open, and nothing else may begin."""
        async with opened(tmp_path) as client:
            match = client.unfinished
            assert match is not None
            typed, here = LineQueue(io.StringIO("\n".join(lines))), context(tmp_path)
            try:
                answer = await ask_about_old(here.words, match, typed, Voice(here))
            except StaysAsItIs:
                return None
            if answer is OldMatch.GIVEN_UP:
                await say_goodbye(client, match)
            return answer

    async def run() -> None:
        async with at_table(tmp_path):
            pass
        assert await asked("maybe", "yes") is OldMatch.REJOINED
        assert await asked("no", "yes") is OldMatch.ASIDE
        assert await asked("no", "no", "no") is None
        assert await asked("maybe") is None
        assert len(matches(tmp_path)[0]) == 1
        assert await asked("no", "no", "perhaps", "yes") is OldMatch.GIVEN_UP
        assert not matches(tmp_path)[0]

    asyncio.run(run())
