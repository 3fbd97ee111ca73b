"""Let long computations in the background stop for a while between two multiplications, or two sums.

A thread of low priority does not suffice: whenever it holds the interpreter's lock and does not get the processor, its whole
program stands still.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import local


class _OfThread(local):
    """Each thread's own. (Not a context's: whatever a thread has the event loop do runs in a copy of that thread's context, and
    so does all that follows from it. The event loop would wait.)"""

    wait: Callable[[], object] | None = None


_of_thread = _OfThread()


def give_way_by(wait: Callable[[], object]) -> None:
    """Have this thread call `wait` before each multiplication or sum of a few from now on. It returns when there is time."""
    _of_thread.wait = wait


def gives_way() -> bool:
    """Whether this thread gives way."""
    return _of_thread.wait is not None


def give_way() -> None:
    """Wait for time, in a thread that gives way."""
    wait = _of_thread.wait
    if wait is not None:
        wait()
