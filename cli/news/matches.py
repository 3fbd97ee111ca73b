"""Matches that are over: results for the scores, recordings for the replay, files that were written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cli.news.table import Moved, RoundBegan, RoundEnded
from protocol.games.game import AnyGame, Data

EVENING_ENDS_H = 6
"""A match that ends before six in the morning belongs to the evening before."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over, as far as the journal knows."""

    ended: float
    status: str
    game: str
    names: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int

    @property
    def evening(self) -> str:
        return time.strftime("%Y-%m-%d", time.localtime(self.ended - EVENING_ENDS_H * 3600))


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the news, the view after it with all hands that are open, and the round it belongs to."""

    news: RoundBegan | Moved | RoundEnded
    view: Data
    round: int


class Recording(Protocol):
    """A match that can be stepped through, both ways."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def steps(self) -> Sequence[Step]: ...


@dataclass(frozen=True)
class Recorded:
    """A recording in memory."""

    game: AnyGame
    names: tuple[str, ...]
    steps: tuple[Step, ...]


def rounds_of(recording: Recording) -> Iterator[int]:
    """Where each round begins."""
    seen: set[int] = set()
    for place, step in enumerate(recording.steps):
        if step.round not in seen:
            seen.add(step.round)
            yield place


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written; no `transcript` where there is none."""

    text: Path
    transcript: Path | None
