"""A watcher whose own program fails: the player is told, and does not wait for ever."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p.absence import Absence
from p2p.errors import LinkRefused
from p2p.frames import Timing
from p2p.interfaces import Address
from p2p.links import Link
from p2p.saving import Batch
from p2p.streaming import PREFIX, WatcherStream
from p2p.watcher import Stale, Watcher
from protocol.dealing import library
from protocol.dealing.library import LibraryUnusable
from protocol.errors import FairdealError, GameFailed
from protocol.games.crazy_eights import CrazyEights
from protocol.identity import Identity
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.verify import Follower
from protocol.wire import frames
from tests.p2p.aio import run, until
from tests.p2p.test_node import party
from tests.table.kept.make import path


async def ended(frame_count: int) -> Exception | None:
    """Watch the beginning of a kept match, and return why that ended."""
    watcher = Watcher(Identity(b"w" * 32))
    try:
        for _, frame in list(frames(path("crazy-eights-short").read_bytes()))[:frame_count]:
            watcher._on_message(b"", PREFIX + frame)
        reader = asyncio.create_task(watcher._read())
        while await watcher.scenes.get() is not None:
            pass
        await reader
    finally:
        await watcher.close()
    return watcher.reason


@pytest.mark.parametrize(
    ("error", "expected"), [(KeyError("no"), GameFailed), (LibraryUnusable("no libsodium"), LibraryUnusable)]
)
def test_a_failing_game_or_library_ends_watching_with_its_reason(
    error: Exception, expected: type[FairdealError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise error

    if isinstance(error, LibraryUnusable):
        monkeypatch.setattr(library, "load", broken)
    else:
        monkeypatch.setattr(CrazyEights, "start", broken)
    assert isinstance(run(ended(40)), expected)


def test_a_table_that_sends_faster_than_we_check_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.watcher.MAX_WAITING", 3)

    async def scene() -> None:
        watcher = Watcher(Identity(b"w" * 32))
        assert [watcher._on_message(b"", PREFIX + b"x") for _ in range(3)] == [None] * 3
        waiting = watcher._on_message(b"", PREFIX + b"x")
        assert waiting is not None
        task = asyncio.ensure_future(waiting)
        await asyncio.sleep(0)
        assert not task.done()
        await watcher.close()
        await task
        assert watcher._on_message(b"", PREFIX + b"x") is None

    run(scene())


@pytest.mark.sockets
@pytest.mark.usefixtures("toy_programs")
def test_a_stream_leaves_nothing_out_that_is_saved_while_it_begins(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(TableOptions(pause=0, grace=0, rounds=1))
            driver = friends.driver(0)
            await until(lambda: driver.saved > 0)
            saved, sent = driver.saved, list[bytes]()

            def send(message: bytes) -> bool:
                sent.append(message)
                return True

            link: Any = SimpleNamespace(send=send, queued=0, close=lambda *_, **__: None)
            stream = WatcherStream(driver, link, lambda: ())
            driver._send(Batch(transcript=[b"saved in the same turn of the loop"]))
            stream.finish()
            await stream.task
            told = [message for message in sent if not message.startswith(PREFIX)]
            assert len(sent) == saved + 1 + len(told) == saved + 2
            assert sent[-1] == PREFIX + b"saved in the same turn of the loop"
            assert not driver.watchers

    run(scene())


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.usefixtures("toy_programs")
@pytest.mark.parametrize("does_room_go_on", [False, True])
def test_a_watcher_that_reads_slowly_is_sent_the_end_of_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does_room_go_on: bool
) -> None:
    """Its last messages still wait to be sent when the players go, or are back in their room. Then it needs longer to read
    them than a goodbye may take."""
    monkeypatch.setattr("p2p.streaming.MAX_QUEUED_BYTES", 0)
    monkeypatch.setattr("p2p.streaming.LAST_S", 50.0)
    monkeypatch.setattr("p2p.watcher.MAX_WAITING", 0)

    async def scene() -> None:
        async with party(tmp_path) as friends:
            held = asyncio.Event()
            drained = Link.drained

            async def slowly(link: Link, limit_s: float | None = None) -> bool:
                await held.wait()
                return await drained(link, limit_s)

            monkeypatch.setattr(Link, "drained", slowly)
            monkeypatch.setattr(Link, "queued", 1)
            await friends.deal(TableOptions(pause=0, grace=0, rounds=1))
            watcher = Watcher(Identity(b"w" * 32))
            reads = asyncio.Event()
            monkeypatch.setattr(Watcher, "_wait_for_room", lambda _: reads.wait())
            await watcher.watch([("127.0.0.1", friends.nodes[0].mesh.port)])
            driver = friends.driver(0)
            await driver.finished.wait()
            driver.close()
            held.set()
            asyncio.get_running_loop().call_later(2 * Timing().linger_s, reads.set)
            if does_room_go_on:
                friends.nodes[0].release(is_ready=False)
            else:
                await friends.nodes.pop(0).close()
            while await watcher.scenes.get() is not None:
                pass
            assert watcher.follower is not None
            assert watcher.follower.record.phase is Phase.OVER, watcher.reason
            assert watcher.follower.record.previous == driver.table.record.previous
            await watcher.close()

    run(scene())


def known() -> tuple[list[bytes], Follower, int]:
    """The messages of a kept match, what has read half of them, and how many that is."""
    every = [frame for _, frame in frames(path("crazy-eights-short").read_bytes())]
    follower, half = Follower(every[0], os.urandom), len(every) // 2
    for frame in every[1:half]:
        follower.feed(frame)
    return every, follower, half


def test_a_stream_that_begins_anew_is_passed_over_as_far_as_it_is_known() -> None:
    async def scene() -> None:
        every, follower, _half = known()
        watcher = Watcher(Identity(b"w" * 32))
        watcher.follower, watcher._again_at = follower, 0
        for frame in [*every, None]:
            watcher._frames.put_nowait(frame)
        await watcher._read_stream()
        assert list(follower.frames) == every and follower.report.failed is None
        assert follower.record.phase is Phase.OVER and not watcher.scenes.empty()
        await watcher.close()

    run(scene())


def test_what_another_seat_does_not_have_is_forgotten() -> None:
    async def scene() -> None:
        every, follower, half = known()
        watcher = Watcher(Identity(b"w" * 32))
        watcher.follower, watcher._again_at = follower, 0
        for frame in [*every[: half - 2], every[half - 1], None]:
            watcher._frames.put_nowait(frame)
        await watcher._read_stream()
        assert list(follower.frames) == [*every[: half - 2], every[half - 1]]
        await watcher.close()

    run(scene())


@pytest.mark.sockets
@pytest.mark.usefixtures("toy_programs")
def test_another_seat_is_watched_when_the_one_that_was_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who keeps the table waiting is known until that one says it: nobody is back because we look elsewhere."""
    monkeypatch.setattr("p2p.streaming.LOOK_S", 0.05)
    monkeypatch.setattr("p2p.watcher.NOTICED_S", 0.0)
    link_to, known = Watcher._link_to, list[Absence | None]()

    async def noted(watcher: Watcher, address: Address, before: bytes) -> bool:
        assert watcher.is_looking
        known.append(watcher.absence)
        return await link_to(watcher, address, before)

    monkeypatch.setattr(Watcher, "_link_to", noted)

    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            watcher = Watcher(Identity(b"w" * 32))
            table = friends.driver(1).match
            await watcher.watch([("127.0.0.1", node.mesh.port) for node in friends.nodes], table.hex())
            first = watcher._seat
            await watcher.scenes.get()
            assert watcher.title == friends.nodes[0].title != ""
            stays, gone = sorted(friends.nodes, key=lambda node: node.identity.public == first)
            assert stays.driver is not None and gone.driver is not None
            stays.mesh.sleep(True)
            asleep = Absence(asleep=(stays.driver.table.seat,))
            await until(lambda: watcher.absence == asleep)
            friends.nodes.remove(gone)
            await gone.close()
            await until(lambda: watcher._seat not in (b"", first) and watcher._again_at != 0)
            assert watcher.follower is not None and watcher.follower.record.table == table
            assert watcher.reason is None and not watcher.is_looking
            assert known and set(known) == {asleep}
            seat = gone.driver.table.seat
            await until(lambda: watcher.absence is not None and watcher.absence.away == (seat,))
            await watcher.close()

    run(scene())


def test_a_seat_that_others_have_left_behind_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.watcher._epoch_of", lambda _frame: -1)

    async def scene() -> None:
        every, follower, half = known()
        watcher = Watcher(Identity(b"w" * 32))
        watcher.follower, watcher._again_at = follower, half - 2
        watcher._frames.put_nowait(every[half - 1])
        with pytest.raises(Stale):
            await watcher._read_stream()
        assert len(follower.frames) == half
        await watcher.close()

    run(scene())


@pytest.mark.parametrize(("reason", "is_long"), [("closed", False), ("full", True)])
def test_a_patient_watcher_looks_no_longer_where_nobody_plays_any_more(
    reason: str, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> bytes:
        raise LinkRefused("refused", reason=reason)

    monkeypatch.setattr("p2p.mesh.Mesh.call", refused)

    async def scene() -> None:
        watcher = Watcher(Identity(b"w" * 32), look_s=600.0)
        assert not await watcher._link_to(("192.0.2.1", 4711), b"")
        assert (watcher._look_s == 600.0) == is_long
        await watcher.close()

    run(scene())
