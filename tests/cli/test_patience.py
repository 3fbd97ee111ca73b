"""What takes long, such as reading a long match on a phone, is said meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from cli.flow import looking
from cli.flow.looking import patiently
from protocol.errors import BadMessage


def test_what_is_done_at_once_is_not_spoken_of() -> None:
    async def at_once() -> int:
        return 7

    said: list[str] = []
    assert asyncio.run(patiently(at_once(), lambda: said.append("wait"))) == 7
    assert not said


def test_what_takes_long_is_said_once_and_its_fault_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "PATIENCE_S", 0.01)

    async def both() -> None:
        said = asyncio.Event()

        async def long() -> None:
            await said.wait()
            raise BadMessage("no match")

        with pytest.raises(BadMessage, match="no match"):
            await patiently(long(), said.set)

    asyncio.run(asyncio.wait_for(both(), 30))


def test_who_leaves_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "PATIENCE_S", 0.0)

    async def left() -> bool:
        told, ended = asyncio.Event(), False

        async def endless() -> None:
            nonlocal ended
            try:
                await asyncio.Event().wait()
            finally:
                ended = True

        waiting = asyncio.ensure_future(patiently(endless(), told.set))
        await told.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.sleep(0)
        return ended

    assert asyncio.run(asyncio.wait_for(left(), 30))
