"""Measure a function by its thread's processor time, which other load hardly affects.

If the system counts that too coarsely (Windows), the wall clock is used. Work and the operations that it is compared
with are measured in turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

IS_FINE = time.get_clock_info("thread_time").resolution < 1e-5
now_s = time.thread_time if IS_FINE else time.perf_counter


def per_call_s(work: Callable[[], object], for_s: float, at_least: int = 3) -> float:
    """Return the median time of one call, in seconds, measured for about `for_s` seconds after a first call to warm up."""
    work()
    times: list[float] = []
    until = time.perf_counter() + for_s
    while len(times) < at_least or time.perf_counter() < until:
        begun = now_s()
        work()
        times.append(now_s() - begun)
    return median(times)


def per_unit_s(work: Callable[[int], object], count: int, for_s: float) -> float:
    """Return the time per unit of work that does `count` units per call, for units too short for the clock."""
    return per_call_s(lambda: work(count), for_s) / count
