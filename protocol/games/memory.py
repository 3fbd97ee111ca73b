"""What a seat remembers of the round: each move with the state before it, its own in the form that only it knows.

Rebuilt from the match's entries and the seat's own secrets at any time, also after a crash. Bots that can use it have
`choose_knowing` besides `choose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, runtime_checkable

from protocol.cards import Card, Seat
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Made:
    """A move as this seat knows it, and the state in which it was made."""

    state: Any
    seat: Seat
    move: Any


@dataclass(frozen=True, slots=True)
class Memory:
    """One seat's memory of a round: all moves since the deal, in order."""

    seat: Seat
    moves: tuple[Made, ...] = ()

    def then(self, made: Made) -> Memory:
        """Return the memory after one more move."""
        return Memory(self.seat, (*self.moves, made))


@runtime_checkable
class Remembering(Protocol):
    """A strategy that makes use of the seat's memory."""

    def choose_knowing(self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        """Choose as `Strategy.choose` does, with the memory of this round."""


def choose(strategy: Any, memory: Memory, state: Any, hand: Sequence[Card], rng: Random) -> Any | None:
    """Let a strategy choose a move for the seat whose memory this is; it gets the memory if it can use it."""
    if isinstance(strategy, Remembering):
        return strategy.choose_knowing(memory, state, memory.seat, hand, rng)
    return strategy.choose(state, memory.seat, hand, rng)
