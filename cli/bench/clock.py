"""Times a function: the shortest of many calls, which is what it takes when nothing else wants the processor. Work and the
operations that it is compared with are timed in turns, so that a busy machine slows both."""

from __future__ import annotations

import time
from collections.abc import Callable


def per_call_s(work: Callable[[], object], for_s: float, at_least: int = 3) -> float:
    """The shortest time of one call, in seconds; the first call warms up."""
    work()
    best, calls = float("inf"), 0
    until = time.perf_counter() + for_s
    while calls < at_least or time.perf_counter() < until:
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
        calls += 1
    return best


def per_unit_s(work: Callable[[int], object], count: int, for_s: float) -> float:
    """The same of work that does `count` units at once: for units too short for the clock."""
    return per_call_s(lambda: work(count), for_s) / count
