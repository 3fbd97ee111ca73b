"""Long arithmetic as jobs: pure functions that a driver runs wherever it likes and hands back.

A job is named; a table asks for each once. Randomness is in its arguments, so that the same job gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import shake_256
from typing import Any, TypeAlias

from protocol.errors import FairdealError

Rng: TypeAlias = Callable[[int], bytes]

SMALL = 12
"""Multiplications (some 0.7 ms) below which a job is not worth another thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Work for another thread. `weight` is its rough number of group multiplications; `urgent` work is awaited by people."""

    name: tuple[Any, ...]
    function: Callable[[], Any] = field(repr=False)
    weight: int = SMALL
    urgent: bool = True

    def run(self) -> Result:
        """The function's value, or the fault that it found. Raises nothing that a peer can cause."""
        try:
            return Result(self.function())
        except FairdealError as fault:
            return Result(None, fault)


@dataclass(frozen=True, slots=True)
class Result:
    """What a job came to: a value, or the fault of whoever made what it checked. `took_s`: how long it ran, where whoever ran
    it has measured that; it decides nothing."""

    value: Any = field(repr=False)
    fault: FairdealError | None = None
    took_s: float = 0.0


def expand(seed: bytes) -> Rng:
    """Randomness for one job from 32 fresh bytes: a stream that only it uses (SHAKE-256, in blocks with a counter)."""
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        return shake_256(b"fairdeal/v1/hash/expand" + counter.to_bytes(8, "big") + seed).digest(count)

    return draw
