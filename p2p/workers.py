"""Worker threads for cryptography and disk writes.

The group library releases the interpreter lock while it computes, so proofs of several seats run in parallel and the
event loop keeps running.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol, TypeVar

from p2p.gate import Gate
from protocol.dealing import once
from protocol.dealing.giving_way import give_way_by
from protocol.errors import FairdealError
from protocol.steps import Steps, done
from protocol.table.work import Job, Pace, Result, Urgency
from protocol.values import replace

if sys.platform != "win32":  # there, no process is forked
    os.register_at_fork(after_in_child=once.forked)

T = TypeVar("T")
URGENT_THREADS = 2
DISK_THREADS = 4
"""Each client in the process waits for its own disk; a commit does not need the interpreter."""

NICENESS = 5
"""Added to the niceness of computing threads, below the thread that draws the screen (Linux only)."""


def timed(job: Job) -> Result:
    """Run a job in this thread and record how long it took, in seconds."""
    began = time.perf_counter()
    result = job.run()
    return replace(result, took_s=time.perf_counter() - began)


def lower_priority() -> None:
    """Lower the priority of the current thread, on Linux."""
    if sys.platform == "linux":
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + NICENESS)


class Loop(Protocol):
    """What saving needs of an event loop."""

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object: ...

    def is_closed(self) -> bool: ...


def save_in(
    disk: Executor, loop: Loop, write: Callable[[], None], done: Callable[[FairdealError | None], None]
) -> None:
    """Call `write` in one of these threads, then `done` in the event loop."""

    def save() -> None:
        write()
        if not loop.is_closed():
            loop.call_soon_threadsafe(lambda: done(None))

    disk.submit(save)


class Workers:
    """Thread pools, shared by all clients of a process."""

    def __init__(self) -> None:
        self._urgent = ThreadPoolExecutor(URGENT_THREADS, "urgent", initializer=lower_priority)
        self._background = ThreadPoolExecutor(1, "background", initializer=lower_priority)
        self._gate = Gate()
        self._patient = ThreadPoolExecutor(1, "patient", initializer=lower_priority)
        self._pools = {Urgency.NOW: self._urgent, Urgency.SOON: self._background, Urgency.LATER: self._patient}
        self._disk = ThreadPoolExecutor(DISK_THREADS, "disk")

    def submit(self, job: Job, done: Callable[[Job, Result], None]) -> None:
        """Run a job in a thread and call `done` with the result in the event loop."""
        loop = asyncio.get_running_loop()

        def run() -> None:
            result = copy_context().run(self._patiently, job) if job.urgency is Urgency.LATER else timed(job)
            if not loop.is_closed():
                loop.call_soon_threadsafe(done, job, result)

        self._pools[job.urgency].submit(run)

    def keep(self, holder: Hashable, pace: Pace) -> None:
        """Have jobs for later go on at a pace. They stop between two multiplications."""
        self._gate.keep(holder, pace)

    def _patiently(self, job: Job) -> Result:
        give_way_by(self._gate.wait)
        return timed(job)

    def save(self, write: Callable[[], None], done: Callable[[FairdealError | None], None]) -> None:
        """Call `write` in a thread for the disk, then `done` in the event loop. `write` waits for the disk itself."""
        save_in(self._disk, asyncio.get_running_loop(), write, done)

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function in a worker thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._urgent, function)

    async def run_steps(self, steps: Steps[Any, T]) -> T:
        """Take all steps in a worker thread and return what comes of them."""
        return await self.run(partial(done, steps))

    def close(self) -> None:
        """Stop the threads; jobs that have not started are dropped."""
        self._urgent.shutdown(wait=False, cancel_futures=True)
        self._disk.shutdown(wait=False, cancel_futures=True)
        self._background.shutdown(wait=False, cancel_futures=True)
        self._patient.shutdown(wait=False, cancel_futures=True)
