"""What tests with an event loop share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from p2p.frames import Timing
from p2p.tls import Credentials

T = TypeVar("T")

MOST_PAUSE_S = 0.01
"""Between two looks at what takes long: looking costs processor time that others need."""

LOOPBACK = ("127.0.0.1", "::1")
QUICK = Timing(heartbeat_s=0.05, timeout_s=60.0, opening_s=60.0, dial_s=60.0, linger_s=0.5)
"""News travels at once, and a machine that stands still for a while ends nothing."""
PATIENT = Timing(heartbeat_s=600.0, timeout_s=600.0, opening_s=60.0, dial_s=60.0)
"""Nobody notices a silence by itself, and nobody says anything by itself."""


def run(deed: Coroutine[Any, Any, T], seconds: float = 240) -> T:
    """Runs one coroutine to its end in a loop of its own."""

    async def bounded() -> T:
        async with asyncio.timeout(seconds):
            return await deed

    return asyncio.run(bounded())


async def until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Returns as soon as the condition holds; fails if it never does."""
    pause = 0.002
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(pause)
            pause = min(pause * 1.05, MOST_PAUSE_S)


def people(count: int) -> list[Credentials]:
    """Some identities, the smallest key first."""
    return sorted((Credentials.of(bytes([n]) * 32) for n in range(1, count + 1)), key=lambda one: one.public)
