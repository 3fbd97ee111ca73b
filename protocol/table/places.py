"""Rank the seats at the end of a match. (PROTOCOL.md, "The result".)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from protocol.cards import Seat
from protocol.games.game import AnyGame
from protocol.values import dataclass


class Departure(Enum):
    """Why a seat stands last, whatever its points say."""

    LEFT = "left"
    CONVICTED = "convicted"
    WITHHELD = "withheld"
    """It was left out while the table waited for its keys of a round that had ended."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's place in the result, from 1, and why it stands last, if its points are not the reason."""

    seat: Seat
    place: int
    reason: Departure | None = None


def places_of(game: AnyGame, scores: Sequence[int], departed: Mapping[Seat, Departure]) -> tuple[Place, ...]:
    """Return the place of every seat, by seat. Equal scores share a place; those who departed share the last one."""
    worth = {
        seat: -score if game.few_points_win else score
        for team, score in zip(game.teams, scores, strict=True)
        for seat in team
    }
    stayed = {seat: value for seat, value in worth.items() if seat not in departed}

    def place(seat: Seat) -> int:
        return 1 + sum(value > worth[seat] for value in stayed.values()) if seat in stayed else 1 + len(stayed)

    return tuple(Place(seat, place(seat), departed.get(seat)) for seat in sorted(worth))
