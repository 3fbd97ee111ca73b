"""Describe long computations as jobs: pure functions that a driver runs in any thread, returning the result.

Each job has a name and is requested once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from hashlib import shake_256
from typing import Any, TypeAlias

from protocol.dealing.hashing import Rng
from protocol.errors import BadMessage
from protocol.values import dataclass

JobName: TypeAlias = tuple[Any, ...]

SMALL = 12
"""Jobs of at most this many multiplications (about 0.7 ms) are not worth another thread."""


class Urgency(Enum):
    """When a job's result is needed."""

    NOW = "now"
    """People wait for it."""
    SOON = "soon"
    """A coming move is quicker with it."""
    LATER = "later"
    """In the next round. It gives way to moves."""


class Pace(Enum):
    """How jobs for later may go on."""

    FULL = "full"
    """No round is played: people wait for the next one."""
    EASY = "easy"
    """A round is played."""
    STILL = "still"
    """A move is under way."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A computation. `weight` is its rough number of group multiplications."""

    name: JobName
    function: Callable[[], Any] = field(repr=False)
    weight: int = SMALL
    urgency: Urgency = Urgency.NOW

    def run(self) -> Result:
        """Return the function's value, or the fault that it found in a peer's message (BadMessage).

        Anything else that it raises is our fault (a bug, a library that does not load) and is kept as a crash.
        """
        try:
            return Result(self.function())
        except BadMessage as fault:
            return Result(None, fault)
        except Exception as error:  # a bug of ours or of the game accuses nobody: the seat stops
            return Result(None, crash=error)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a job: a value, or the fault of the peer whose message it checked, or an error of our own.

    `took_s`: how long it ran, in seconds, where that was measured; nothing depends on it.
    """

    value: Any = field(repr=False)
    fault: BadMessage | None = None
    took_s: float = 0.0
    crash: Exception | None = None


class Desk:
    """The requested jobs and their results."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        """Jobs that were not taken yet."""
        self._asked: dict[JobName, Job] = {}
        self._results: dict[JobName, Result] = {}

    def ask(
        self,
        name: JobName,
        function: Callable[[], Any],
        weight: int,
        urgency: Urgency = Urgency.NOW,
        trusted: bool = False,
    ) -> Result | None:
        """Return the result of a job, or None while it is under way. The first call requests it.

        `trusted` checks are skipped, because our own vote shows that they succeeded before.
        """
        if (result := self._results.get(name)) is not None:
            return result
        if trusted:
            result = self._results[name] = Result(None)
            return result
        if name not in self._asked:
            self._asked[name] = job = Job(name, function, weight, urgency)
            self.jobs.append(job)
        return None

    def result(self, name: JobName) -> Result | None:
        """Return the result of a job, or None, without requesting it."""
        return self._results.get(name)

    def is_asked(self, name: JobName) -> bool:
        """Whether this job is under way."""
        return name in self._asked

    def done(self, job: Job, result: Result) -> bool:
        """Keep a result; return False if this job is no longer requested, even if another one of the same name is."""
        if self._asked.get(job.name) is not job:
            return False
        del self._asked[job.name]
        self._results[job.name] = result
        return True

    def take_jobs(self) -> tuple[Job, ...]:
        """Return the jobs that are new since the last call."""
        jobs, self.jobs = tuple(self.jobs), []
        return jobs

    def drop(self, is_past: Callable[[JobName], bool]) -> None:
        """Drop results and unfinished jobs that are no longer needed."""
        self._results = {name: result for name, result in self._results.items() if not is_past(name)}
        self._asked = {name: job for name, job in self._asked.items() if not is_past(name)}
        self.jobs = [job for job in self.jobs if not is_past(job.name)]


def expand(seed: bytes) -> Rng:
    """Expand 32 fresh bytes to a stream of randomness for one job (SHAKE-256, in blocks with a counter)."""
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        return shake_256(b"fairdeal/v1/hash/expand" + counter.to_bytes(8, "big") + seed).digest(count)

    return draw
