"""The questions by which public values are judged: does this sum vanish, is this signature valid?

Whoever reads a message mostly needs the answer at once. Whoever verifies a whole file may assume the answer that every valid file
gives, yes, and have many looked up meanwhile, by other processes: `deciding` says how that is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol, TypeAlias


class Check(Protocol):
    """A question about public values, which can be sent to another process."""

    @property
    def weight(self) -> int:
        """How long the answer takes, in multiplications of the group, roughly."""

    def holds(self) -> bool:
        """Find the answer."""


Decide: TypeAlias = Callable[[Check], bool]


def at_once(check: Check) -> bool:
    """Find the answer now."""
    return check.holds()


_DECIDE: Final[ContextVar[Decide]] = ContextVar("decide", default=at_once)


def holds(check: Check) -> bool:
    """Whether the answer is yes. At once, unless this thread decides in another way."""
    return _DECIDE.get()(check)


@contextmanager
def deciding(decide: Decide) -> Iterator[None]:
    """Decide so in this thread meanwhile.

    What answers yes without looking has to look later: nothing that came of it counts if a single answer was no.
    """
    token = _DECIDE.set(decide)
    try:
        yield
    finally:
        _DECIDE.reset(token)
