"""Long arithmetic as jobs: pure functions that a driver runs wherever it likes and hands back.

Each job has a name and is asked for once. Its randomness is in its arguments, so the same job gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import shake_256
from typing import Any, TypeAlias

from protocol.errors import FairdealError

Rng: TypeAlias = Callable[[int], bytes]
JobName: TypeAlias = tuple[Any, ...]

SMALL = 12
"""Multiplications (some 0.7 ms) below which a job is not worth another thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Work for another thread. `weight` is its rough number of group multiplications; people wait for `urgent` work."""

    name: JobName
    function: Callable[[], Any] = field(repr=False)
    weight: int = SMALL
    urgent: bool = True

    def run(self) -> Result:
        """Return the function's value, or the fault that it found; anything else it raises is a bug, and is kept as a crash."""
        try:
            return Result(self.function())
        except FairdealError as fault:
            return Result(None, fault)
        except Exception as error:
            return Result(None, crash=error)


@dataclass(frozen=True, slots=True)
class Result:
    """What a job came to: a value, or the fault of whoever made what it checked, or the error that a bug raised.

    `took_s`: how long it ran, where that was measured; nothing depends on it.
    """

    value: Any = field(repr=False)
    fault: FairdealError | None = None
    took_s: float = 0.0
    crash: Exception | None = None


class Desk:
    """Jobs that were asked for, and their results."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        """Jobs that nobody has taken yet."""
        self._asked: set[JobName] = set()
        self._results: dict[JobName, Result] = {}

    def ask(
        self,
        name: JobName,
        function: Callable[[], Any],
        weight: int,
        urgent: bool = True,
        trusted: bool = False,
    ) -> Result | None:
        """Return the result of a job, or None while it is under way; the first call asks for it. `trusted` work is not done
        again: it has no value, and one's own vote says that it succeeded."""
        if (result := self._results.get(name)) is not None:
            return result
        if trusted:
            result = self._results[name] = Result(None)
            return result
        if name not in self._asked:
            self._asked.add(name)
            self.jobs.append(Job(name, function, weight, urgent))
        return None

    def result(self, name: JobName) -> Result | None:
        """Return the result of a job that may have been asked for."""
        return self._results.get(name)

    def is_asked(self, name: JobName) -> bool:
        """Whether this job is under way."""
        return name in self._asked

    def done(self, name: JobName, result: Result) -> bool:
        """Keep a result; False where nobody asked for it (any more)."""
        if name not in self._asked:
            return False
        self._asked.discard(name)
        self._results[name] = result
        return True

    def take_jobs(self) -> tuple[Job, ...]:
        """Return the jobs that are new since the last call."""
        jobs, self.jobs = tuple(self.jobs), []
        return jobs

    def names(self) -> Iterable[JobName]:
        """Return the names of all results that are held."""
        return self._results

    def drop(self, is_past: Callable[[JobName], bool]) -> None:
        """Forget results (and unfinished work) that nobody needs any more."""
        self._results = {name: result for name, result in self._results.items() if not is_past(name)}
        self._asked = {name for name in self._asked if not is_past(name)}


def expand(seed: bytes) -> Rng:
    """Return randomness for one job from 32 fresh bytes: a stream that only it uses (SHAKE-256, in blocks with a counter)."""
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        return shake_256(b"fairdeal/v1/hash/expand" + counter.to_bytes(8, "big") + seed).digest(count)

    return draw
