"""Jobs in a page: one after another, those first that people wait for, and the event loop has its turn between two of them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from p2p.errors import SaveFault
from p2p.gate import Gate
from p2p.workers import timed
from protocol.errors import FairdealError
from protocol.steps import Steps
from protocol.table.work import Job, Pace, Result, Urgency

if TYPE_CHECKING:
    from p2p.browser.store import TabStore

T = TypeVar("T")
SLICE_S = 0.03
"""How long steps are taken one after another; a step may take longer."""


class PageJobs:
    """See `p2p.ports.Jobs`."""

    def __init__(self, store: TabStore) -> None:
        self._store = store
        self._waiting: dict[Urgency, deque[Callable[[], None]]] = {urgency: deque() for urgency in Urgency}
        self._gate = Gate()
        self._task: asyncio.Task[None] | None = None
        self._saving: set[asyncio.Task[None]] = set()
        self.is_used = False
        """Whether a table has had work done."""

    def submit(self, job: Job, done: Callable[[Job, Result], None]) -> None:
        self.is_used = True
        self._waiting[job.urgency].append(lambda: done(job, timed(job)))
        self._begin()

    def keep(self, holder: Hashable, pace: Pace) -> None:
        """Have jobs for later wait while a move is under way for this holder."""
        self._gate.keep(holder, pace)
        if pace is not Pace.STILL and self._waiting[Urgency.LATER]:
            self._begin()

    async def run(self, function: Callable[[], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def call() -> None:
            try:
                result = function()
            except Exception as fault:  # the caller's: raised where it waits
                if not future.done():
                    future.set_exception(fault)
            else:
                if not future.done():
                    future.set_result(result)

        self._waiting[Urgency.NOW].append(call)
        self._begin()
        return await future

    async def run_steps(self, steps: Steps[Any, T]) -> T:
        while True:
            until = time.perf_counter() + SLICE_S
            try:
                next(steps)
                while time.perf_counter() < until:
                    next(steps)
            except StopIteration as stop:
                result: T = stop.value
                return result
            await asyncio.sleep(0)

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(0)
            urgency = next((each for each in Urgency if self._waiting[each]), None)
            if urgency is None:
                return
            if urgency is Urgency.LATER and (closed_s := self._gate.closed_s):
                asyncio.get_running_loop().call_later(closed_s, self._begin)
                return
            self._waiting[urgency].popleft()()

    def save(self, write: Callable[[], None], done: Callable[[FairdealError | None], None]) -> None:
        write()
        task = asyncio.get_running_loop().create_task(self._flush(done))
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def _flush(self, done: Callable[[FairdealError | None], None]) -> None:
        try:
            await self._store.flush()
        except FairdealError as fault:
            done(fault)
        except Exception as bug:  # of ours: nothing may be sent that is not saved
            done(SaveFault("the match could not be saved ({reason})", reason=repr(bug)))
            raise
        else:
            done(None)

    def close(self) -> None:
        """Drop what has not begun."""
        for waiting in self._waiting.values():
            waiting.clear()
