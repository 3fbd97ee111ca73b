"""Let long computations in the background stop for a while between two multiplications, or two sums.

A thread of low priority does not suffice: whenever it holds the interpreter's lock and does not get the processor, its whole
program stands still.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

_wait: ContextVar[Callable[[], object] | None] = ContextVar("wait", default=None)
"""Each thread has its own."""


def give_way_by(wait: Callable[[], object]) -> None:
    """Have this thread call `wait` before each multiplication or sum of a few from now on. It returns when there is time."""
    _wait.set(wait)


def gives_way() -> bool:
    """Whether this thread gives way."""
    return _wait.get() is not None


def give_way() -> None:
    """Wait for time, in a thread that gives way."""
    wait = _wait.get()
    if wait is not None:
        wait()
