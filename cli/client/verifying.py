"""Verify match files: many sums at a time, and on several cores.

A file is read by one process, message by message, for each says what the next may be. What takes most of the time, sums of many
multiples and signatures, is answered later, many together, or by others meanwhile: the reader assumes that each is valid. If all
of them were, nothing would have come out otherwise. If a single one was not, nothing of that counts, and the file is verified
again, one message after the other: so whom a file convicts, and in which words, comes from there alone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from protocol.checks import Check
from protocol.dealing import library, sums
from protocol.dealing.seed_claim import SeedClaim
from protocol.dealing.together import all_hold

if TYPE_CHECKING:  # a helper starts sooner without it
    from protocol.table.verify import Progress, Report

LEAST_BYTES = 400_000
"""A shorter file is verified before another process has started."""
MOST_HELPERS = 6
"""The reader does not keep more of them busy."""
BATCH = 2000
"""So many multiplications are sent when a round is closed, at least: within a round, half of them are of points that another of
its sums has, too."""
ALONE = 6400
"""How many are done at the end of a round where there are no helpers."""
MOST = 12800
"""After so many, the end of the round is not waited for."""
AHEAD = 3
"""How many batches may wait for each helper. With more the reader stops reading, and answers one itself."""


class Refuted(Exception):
    """Something that was assumed is not so."""


class Verifier:
    """Verifies files, with helpers that are started for the first long one and stop with `close`."""

    def __init__(self, count: int | None = None) -> None:
        """`count`: how many processes may compute at a time, this one among them; None: as many as there are cores for us."""
        self._helpers = min((cores() if count is None else count) - 1, MOST_HELPERS)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the helpers, once each has finished what it is at."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def verify(self, data: bytes, progress: Progress | None = None) -> Report:
        """Verify a file, as `protocol.table.verify.verify` does, and with its errors."""
        from protocol.table.verify import verify

        assumed = Assumed(self._started() if len(data) >= LEAST_BYTES else None, self._helpers * AHEAD)

        def show(done: int, total: int) -> None:
            assumed.look()
            if progress is not None:
                progress(done, total)

        try:
            report = verify(data, os.urandom, show, assumed)
            assumed.finish()
        except BrokenExecutor:  # helpers cannot start, or were killed
            self.close()
            self._helpers = 0
        except Exception:  # whatever came of it: what it means is said by who assumes nothing
            assumed.cancel()
        else:
            return report
        return verify(data, os.urandom, progress)

    def _started(self) -> ProcessPoolExecutor | None:
        if self._pool is None and self._helpers > 0:
            with suppress(OSError, ImportError, NotImplementedError):  # there are systems without what it takes
                self._pool = ProcessPoolExecutor(
                    self._helpers, get_context(_way_to_start()), _begin, (library.folder_in_use(),)
                )
        return self._pool


class Assumed:
    """Takes every check for valid, and has helpers look. A `Decide`."""

    def __init__(self, pool: ProcessPoolExecutor | None, most: int) -> None:
        """`pool`: the helpers, if there are any; `most`: so many batches may wait for them."""
        self._pool, self._most = pool, most
        self._full = ALONE if pool is None else BATCH
        self._batch: list[Check] = []
        self._weight = 0
        self._is_closed = False
        """Whether the last check was about the end of a round: those that follow share few points with it."""
        self._sent: deque[tuple[Future[bool], list[Check]]] = deque()

    def __call__(self, check: Check) -> bool:
        self._batch.append(check)
        self._weight += check.weight
        self._is_closed = isinstance(check, SeedClaim)
        return True

    def look(self) -> None:
        """Send what has come together, and look what was found. Raises Refuted."""
        while self._sent and self._sent[0][0].done():
            _take(self._sent.popleft()[0].result())
        if self._weight < (self._full if self._is_closed else MOST):
            return
        batch, self._batch, self._weight = self._batch, [], 0
        if self._pool is not None and len(self._sent) < self._most:
            self._sent.append((self._pool.submit(all_hold, batch, os.urandom), batch))
        else:
            _take(all_hold(batch, os.urandom))

    def finish(self) -> None:
        """Wait until everything is answered. Raises Refuted."""
        _take(all_hold(self._batch, os.urandom))
        while self._sent:  # the last ones may not have begun: do them here meanwhile
            future, batch = self._sent.pop()
            _take(all_hold(batch, os.urandom) if future.cancel() else future.result())

    def cancel(self) -> None:
        """Forget what was not begun."""
        for future, _ in self._sent:
            future.cancel()


def _way_to_start() -> Literal["fork", "spawn"]:
    """A copy of this process has all that a helper needs, which takes a new one 80 ms to load. But threads are not copied, and
    what they were at stays half done: beside any, as on a screen, a helper is a new process. (Other systems than Linux have
    threads of their own.)"""
    if sys.platform != "linux" or threading.active_count() > 1:
        return "spawn"
    library.load()
    sums.compiled()
    return "fork"


def _take(hold: bool) -> None:
    if not hold:
        raise Refuted


def _begin(folder: Path | None) -> None:
    """Begin a helper: with the same library, and stopped by its parent alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if folder is not None:
        library.use(folder)


def cores() -> int:
    """Return how many cores we may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
