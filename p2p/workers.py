"""Threads for long arithmetic: what people wait for before what can wait. The group library lets go of the interpreter
lock while it computes, so that proofs of several seats run side by side and the event loop goes on."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from protocol.table.work import Job, Result

T = TypeVar("T")
URGENT_THREADS = 2
DISK_THREADS = 4
"""Each client of the process waits for its own disk; a commit needs no interpreter."""

NICENESS = 5
"""By how much arithmetic is nicer than the thread that draws the screen, where a thread has a niceness of its own."""


def timed(job: Job) -> Result:
    """Runs a job here and now, and says how long that took."""
    began = time.perf_counter()
    result = job.run()
    return replace(result, took_s=time.perf_counter() - began)


def lower_priority() -> None:
    """In a thread of arithmetic: the threads that answer people come first."""
    if sys.platform == "linux":
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + NICENESS)


class Workers:
    """Shared by all clients of a process."""

    def __init__(self) -> None:
        self._urgent = ThreadPoolExecutor(URGENT_THREADS, "urgent", initializer=lower_priority)
        self._background = ThreadPoolExecutor(1, "background", initializer=lower_priority)
        self.disk = ThreadPoolExecutor(DISK_THREADS, "disk")
        """Writes what must be saved."""

    def submit(self, job: Job, done: Callable[[Job, Result], None]) -> None:
        """Run a job; `done` is called in the event loop."""
        loop = asyncio.get_running_loop()
        pool = self._urgent if job.urgent else self._background

        def run() -> None:
            result = timed(job)
            if not loop.is_closed():
                loop.call_soon_threadsafe(done, job, result)

        pool.submit(run)

    async def run(self, function: Callable[[], T]) -> T:
        """Somebody's thoughts (a bot's), off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._urgent, function)

    def close(self) -> None:
        """Lets go of the threads; what has not begun is dropped."""
        self._urgent.shutdown(wait=False, cancel_futures=True)
        self.disk.shutdown(wait=False, cancel_futures=True)
        self._background.shutdown(wait=False, cancel_futures=True)
