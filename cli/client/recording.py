"""A finished match, step by step: what a replay needs, and where its steps come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from cli.news import Moved, RoundBegan, RoundEnded
from protocol.games.game import AnyGame, Data


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
