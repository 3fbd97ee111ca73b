"""Guests who ask before the room is open: the host's computer listens already, and opens its room a moment later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.client.opening import open_session
from cli.client.session import Session
from cli.faults import NobodyThere
from cli.requests import TableRequest
from p2p.errors import LinkLost
from p2p.interfaces import Address
from protocol.room.refusals import RoomRefusal
from tests.p2p.aio import run, until

pytestmark = pytest.mark.sockets


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[tuple[Session, Session]]:
    """A host that listens and has no room yet, and a guest."""
    async with AsyncExitStack() as stack:

        async def one(command: str, **more: Any) -> Session:
            request = TableRequest(command, home=folder / command, **more)
            return await open_session(stack, request, folder / command, lambda _progress: None)

        yield await one("host", game="crazy-eights", seats=2, port=0), await one("join")


def test_a_room_that_opens_a_moment_later_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with two(tmp_path) as (host, guest):
            waiting_room = guest.node.waiting_room
            ask, is_refused = waiting_room.join, asyncio.Event()

            async def noted(addresses: Sequence[Address], **more: Any) -> None:
                try:
                    await ask(addresses, **more)
                except RoomRefusal:
                    is_refused.set()
                    raise

            monkeypatch.setattr(waiting_room, "join", noted)
            joining = asyncio.create_task(guest.join([("127.0.0.1", host.node.mesh.port)], patience_s=60))
            await is_refused.wait()
            await host.host(0)
            await joining
            await until(
                lambda: host.node.waiting_room.room is not None and len(host.node.waiting_room.room.members) == 2
            )

    run(deed())


@pytest.mark.parametrize(("times", "is_in"), [(1, True), (2, False)])
def test_a_listed_table_that_does_not_answer_in_time_is_called_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, is_in: bool
) -> None:
    async def deed() -> None:
        async with two(tmp_path) as (host, guest):
            await host.host(0)
            ask, late = guest.node.waiting_room.join, [LinkLost("no answer from that address", reason="late")] * times

            async def slow(addresses: Sequence[Address], **more: Any) -> None:
                if late:
                    raise late.pop()
                await ask(addresses, **more)

            monkeypatch.setattr(guest.node.waiting_room, "join", slow)
            key, place = host.node.identity.public.hex(), ("127.0.0.1", host.node.mesh.port)
            if not is_in:
                with pytest.raises(NobodyThere, match="cannot reach this table"):
                    await guest.join([place], [key])
                return
            await guest.join([place], [key])
            await until(
                lambda: host.node.waiting_room.room is not None and len(host.node.waiting_room.room.members) == 2
            )

    run(deed())


def test_without_a_room_that_is_said_in_the_end(tmp_path: Path) -> None:
    async def deed() -> None:
        async with two(tmp_path) as (host, guest):
            with pytest.raises(NobodyThere, match="no table to join"):
                await guest.join([("127.0.0.1", host.node.mesh.port)], patience_s=0)

    run(deed())
