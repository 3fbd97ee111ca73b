"""A watcher whose own program fails: the player is told, and does not wait for ever."""

from __future__ import annotations

import asyncio

import pytest

from p2p.node import TRANSCRIPT_PREFIX
from p2p.watcher import Watcher
from protocol.dealing import library
from protocol.dealing.library import LibraryUnusable
from protocol.errors import FairdealError, GameFailed
from protocol.games.crazy_eights import CrazyEights
from protocol.identity import Identity
from protocol.wire import frames
from tests.p2p.aio import run
from tests.table.kept.make import path


async def ended(frame_count: int) -> Exception | None:
    """Watch the beginning of a kept match, and return why that ended."""
    watcher = Watcher(Identity(b"w" * 32))
    try:
        for _, frame in list(frames(path("crazy-eights-short").read_bytes()))[:frame_count]:
            watcher._on_message(b"", TRANSCRIPT_PREFIX + frame)
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
        assert [watcher._on_message(b"", TRANSCRIPT_PREFIX + b"x") for _ in range(3)] == [None] * 3
        waiting = watcher._on_message(b"", TRANSCRIPT_PREFIX + b"x")
        assert waiting is not None
        task = asyncio.ensure_future(waiting)
        await asyncio.sleep(0)
        assert not task.done()
        await watcher.close()
        await task
        assert watcher._on_message(b"", TRANSCRIPT_PREFIX + b"x") is None

    run(scene())
