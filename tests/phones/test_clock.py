"""A page's timers are set while time goes on, and while the whole page may be stopped."""

from __future__ import annotations

import asyncio

import pytest

from p2p.browser.clock import forgive_lateness
from tests.phones.page_loop import PageLoop


class Stopped(PageLoop):
    """Each look at the clock is a while after the one before."""

    def time(self) -> float:
        self.passed = getattr(self, "passed", 0.0) + 0.01
        return super().time() + self.passed


def test_what_became_due_while_it_was_being_set_is_done_at_once() -> None:
    async def wait() -> None:
        loop = asyncio.get_running_loop()
        forgive_lateness(loop)
        rung = asyncio.Event()
        loop.call_at(loop.time() + 0.005, rung.set)
        await rung.wait()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.015):
                await asyncio.sleep(60)

    with asyncio.Runner(loop_factory=Stopped) as runner:
        runner.run(wait())
