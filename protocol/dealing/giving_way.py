"""Let long computations in the background stop for a while between two multiplications, or two sums.

A thread of low priority does not suffice: whenever it holds the interpreter's lock and does not get the processor, its whole
program stands still.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

_wait: ContextVar[Callable[[], object] | None] = ContextVar("wait", default=None)
"""Of one job: its thread has the event loop take up the result in a copy of its own context, and the loop must not wait."""


def give_way_by(wait: Callable[[], object]) -> None:
    """Have this context call `wait` before each multiplication or sum of a few from now on. It returns when there is time."""
    _wait.set(wait)


def gives_way() -> bool:
    """Whether this context gives way."""
    return _wait.get() is not None


def give_way() -> None:
    """Wait for time, in a context that gives way."""
    wait = _wait.get()
    if wait is not None:
        wait()
