"""Send a table's transcript to one watcher: from the start, and as it grows, as fast as the watcher reads.

PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

import asyncio

from p2p.driver import Driver
from p2p.links import Link

PREFIX = b"t"
"""The first byte of a message that carries a piece of a transcript to a watcher."""
STALLED_S = 60.0
"""A watcher that reads almost nothing for so long leaves its place to others."""
LAST_S = 5.0
"""How long a watcher may take for what is left when the match is over, and once more to read what is already on its way."""
MAX_QUEUED_BYTES = 1 << 18


class WatcherStream:
    """One watcher's stream. `task` ends with it."""

    def __init__(self, driver: Driver, link: Link) -> None:
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        for message in driver.table.record.transcript[: driver.saved]:
            self._pieces.put_nowait(message)
        driver.watchers.add(self._pieces.put_nowait)  # not in the task: more may be saved before it starts
        self.task = asyncio.create_task(self._run(driver, link))
        self.task.add_done_callback(lambda _: driver.watchers.discard(self._pieces.put_nowait))
        self._timer: asyncio.TimerHandle | None = None

    def finish(self) -> None:
        """Send what is left, within LAST_S, and end."""
        if self._timer is None:
            self._pieces.put_nowait(None)
            self._timer = asyncio.get_running_loop().call_later(LAST_S, self.task.cancel)

    async def _run(self, driver: Driver, link: Link) -> None:
        reason, within_s = "over", None
        try:
            while (message := await self._pieces.get()) is not None:
                if not link.send(PREFIX + message):
                    return
                if link.queued > MAX_QUEUED_BYTES and not await link.drained(STALLED_S):
                    reason = "slow"
                    return
            within_s = LAST_S
        finally:
            if self._timer is not None:
                self._timer.cancel()
            link.close(reason, within_s=within_s)
