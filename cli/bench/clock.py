"""Times a function by the processor time of its thread, which a busy machine does not stretch much; where the system counts
that too coarsely (Windows), by the clock. Work and the operations that it is compared with are timed in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

IS_FINE = time.get_clock_info("thread_time").resolution < 1e-5
now_s = time.thread_time if IS_FINE else time.perf_counter


def per_call_s(work: Callable[[], object], for_s: float, at_least: int = 3) -> float:
    """The median time of one call, in seconds; the first call warms up. Measures for about so long by the clock."""
    work()
    times: list[float] = []
    until = time.perf_counter() + for_s
    while len(times) < at_least or time.perf_counter() < until:
        begun = now_s()
        work()
        times.append(now_s() - begun)
    return median(times)


def per_unit_s(work: Callable[[int], object], count: int, for_s: float) -> float:
    """The same of work that does `count` units at once: for units too short for the clock."""
    return per_call_s(lambda: work(count), for_s) / count
