"""Long work in steps: a generator, so that whoever runs it may do something else between two of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from typing import TypeVar

Y = TypeVar("Y")
T = TypeVar("T")
Steps = Generator[Y, None, T]
"""Yields after each step, and returns what comes of them all."""


def done(steps: Steps[Y, T], after: Callable[[Y], object] = lambda _told: None) -> T:
    """Take all steps at once, call `after` with what each yields, and return what comes of them."""
    while True:
        try:
            told = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        after(told)


def unless(is_late: Callable[[], bool], steps: Steps[Y, T]) -> Steps[Y, T | None]:
    """Take steps until it is too late; None then."""
    with contextlib.closing(steps):
        while not is_late():
            try:
                told = next(steps)
            except StopIteration as stop:
                result: T = stop.value
                return result
            yield told
    return None
