"""What asyncio complains about although nothing is wrong."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.bot_process import BotNodes, serve
from p2p.complaints import is_closed_twice, keep_closing_links_quiet
from p2p.handshake import start_tls
from tests.p2p.aio import QUICK, people, run, until

pytestmark = pytest.mark.sockets

ANN, BEN = people(2)
HELD_BACK_BYTES = 100_000
"""If that much waits for the system, asyncio keeps what is written next until there is room."""


class Fading(socket.socket):
    """A socket that can be full; then it takes one gulp more, and finds the peer gone."""

    is_full = False
    gulps = 0

    def send(self, data: Any, flags: int = 0) -> int:
        if self.is_full:
            raise BlockingIOError
        if not self.gulps:
            return super().send(data, flags)
        self.gulps -= 1
        if not self.gulps:
            raise BrokenPipeError
        return len(data)


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """asyncio's, as it is when a process starts; left as it was found."""
    found = logging.getLogger("asyncio")
    level, filters = found.level, found.filters[:]
    found.filters.clear()
    yield found
    found.setLevel(level)
    found.filters[:] = filters


async def lose_a_link_while_it_writes() -> list[dict[str, Any]]:
    """The peer is gone between two gulps of a link; return what the loop was told of it."""
    told: list[dict[str, Any]] = []

    def hear(loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        told.append(about)
        loop.default_exception_handler(about)

    asyncio.get_running_loop().set_exception_handler(hear)
    with socket.create_server(("127.0.0.1", 0)) as server:
        sock = Fading()
        sock.connect(server.getsockname())
        other, _ = server.accept()
    for each in (sock, other):
        each.setblocking(False)
    (_, writer), (_, there) = await asyncio.gather(
        start_tls(sock, ANN, is_caller=True, timing=QUICK), start_tls(other, BEN, is_caller=False, timing=QUICK)
    )
    sock.is_full = True
    writer.write(bytes(HELD_BACK_BYTES))
    writer.write(b"what waits until there is room")
    sock.is_full, sock.gulps = False, 2
    await until(lambda: sock.fileno() == -1)
    there.transport.abort()
    for end in (writer, there):
        with contextlib.suppress(OSError):
            await end.wait_closed()
    return told


def test_a_link_that_is_lost_between_two_gulps_is_nobodys_bug(
    caplog: pytest.LogCaptureFixture, logger: logging.Logger
) -> None:
    keep_closing_links_quiet()
    told = run(lose_a_link_while_it_writes())
    assert not caplog.messages
    assert all(is_closed_twice(about.get("exception")) for about in told)


def test_a_bug_is_told(caplog: pytest.LogCaptureFixture, logger: logging.Logger) -> None:
    async def scene() -> None:
        asyncio.get_running_loop().call_soon(lambda: None.close())  # type: ignore[attr-defined]
        await asyncio.sleep(0)

    keep_closing_links_quiet()
    run(scene())
    assert "has no attribute 'close'" in caplog.text


def test_a_complaint_without_an_exception_is_told(caplog: pytest.LogCaptureFixture, logger: logging.Logger) -> None:
    """As of a task that is still pending when it is thrown away."""

    async def scene() -> None:
        asyncio.get_running_loop().call_exception_handler({"message": "a task was destroyed"})

    keep_closing_links_quiet()
    run(scene())
    assert caplog.messages == ["a task was destroyed"]


def test_bots_play_on_after_it(monkeypatch: pytest.MonkeyPatch, logger: logging.Logger) -> None:
    """Any other fault that nobody caught ends the process of the bots."""

    async def scene(faults: Sequence[dict[str, Any]]) -> bool:
        bots = SimpleNamespace(close=lambda: asyncio.sleep(0))
        reading, writing = os.pipe()
        with open(reading, "rb") as commands, open(writing, "wb") as keeper:
            monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=commands))
            serving = asyncio.create_task(serve(cast(BotNodes, bots)))
            await asyncio.sleep(0)
            for each in faults:
                asyncio.get_running_loop().call_exception_handler(each)
            keeper.close()
            return await serving

    assert run(scene(run(lose_a_link_while_it_writes())))
    assert not run(scene([{"message": "a bug", "exception": AttributeError()}]))
