"""What a seat knows of a round of Tichu beyond the public state: its own gifts, and what the others chose to do.

Folded from the round's moves, which the match keeps, so that it is the same after a crash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from protocol.cards import Card, Seat
from protocol.games.memory import Memory
from protocol.games.tichu.moves import GIFTS, Give, Pass, PlayCombination
from protocol.games.tichu.state import PLAY, SEATS, TichuState
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a seat in turn did in this state. `since`: the cards that it has played from then on, which it held, too."""

    state: TichuState
    move: Pass | PlayCombination
    since: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one seat knows. `gave`: which card each other seat got from it; `chosen`: what each other seat did in turn, the last
    first."""

    gave: Mapping[Seat, Card] = field(default_factory=dict)
    chosen: Mapping[Seat, tuple[Chosen, ...]] = field(default_factory=dict)


NOTHING = Knowledge()


def known(memory: Memory) -> Knowledge:
    """Fold the round's moves, our own in the form that only we know."""
    gave: dict[Seat, Card] = {}
    chosen: dict[Seat, list[Chosen]] = {}
    since: dict[Seat, tuple[Card, ...]] = {}
    for made in reversed(memory.moves):
        seat, move, state = made.seat, made.move, made.state
        if seat == memory.seat:
            if isinstance(move, Give) and not isinstance(move.cards, int):
                for step in range(GIFTS):
                    gave[(seat + step + 1) % SEATS] = move.cards[step]
        elif isinstance(move, (Pass, PlayCombination)):
            if isinstance(move, PlayCombination):
                since[seat] = (*since.get(seat, ()), *move.cards)
            if state.phase == PLAY and state.turn == seat:
                chosen.setdefault(seat, []).append(Chosen(state, move, since.get(seat, ())))
    return Knowledge(gave, {seat: tuple(made) for seat, made in chosen.items()})
