"""Matches that are over: results for the scores, recordings for the replay, exported files."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from cli.news.playing import Player
from cli.news.table import Moved, RoundBegan, RoundEnded
from protocol.games.game import AnyGame
from protocol.games.views import PublicView
from protocol.values import dataclass

ASIDE = "aside"
"""The status of a match that was put aside: it can be gone back to."""
EVENING_ENDS_H = 6
"""A gap of so many hours between two matches begins a new evening."""


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """Somebody whose seat was taken by somebody else during a match. `key`: the fingerprint."""

    key: str
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match as the journal knows it. `ended`: seconds since 1970."""

    ended: float
    status: str
    game: str
    names: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    bots: tuple[bool, ...] = ()
    """Which of the players were bots."""
    path: str = ""
    """Its transcript, where one lies here."""
    keys: tuple[str, ...] = ()
    """The players' fingerprints."""
    room: str = ""
    """The id of the room in which it was played, in hexadecimal."""
    replaced: tuple[FormerPlayer, ...] = ()
    """Whose seats were taken by others during the match."""
    left: tuple[str, ...] = ()
    """Who was missing when a match was put aside."""
    id: bytes = b""
    """The table's id."""

    @property
    def day(self) -> str:
        return time.strftime("%Y-%m-%d", time.localtime(self.ended))


def same_evening(earlier: float, later: float) -> bool:
    """Whether two moments (seconds since 1970), with nothing played between them, belong to one evening."""
    return later - earlier < EVENING_ENDS_H * 3600


def evenings(matches: Iterable[Finished]) -> list[list[Finished]]:
    """Divide matches, newest first, into evenings."""
    found: list[list[Finished]] = []
    for each in matches:
        if found and same_evening(each.ended, found[-1][-1].ended):
            found[-1].append(each)
        else:
            found.append([each])
    return found


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """How a player, that is, a key (`key`: its fingerprint), has fared in some matches."""

    key: str
    name: str
    bot: bool = False
    played: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True)
class Tonight:
    """How an evening stands in a room: each player, and the matches that were put aside."""

    standings: tuple[PlayerStanding, ...] = ()
    aside: tuple[Finished, ...] = ()
    by: str = ""
    """Who says so: not all of it is checked here. Empty: we have played or checked all of it."""


NO_MATCHES = Tonight()


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step: the news, the view after it with all revealed hands, and its round."""

    news: RoundBegan | Moved | RoundEnded
    view: PublicView
    round: int


class Recording(Protocol):
    """A match that can be stepped through in both directions."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def steps(self) -> Sequence[RecordedStep]: ...
    @property
    def players(self) -> Sequence[Player]: ...


@dataclass(frozen=True)
class Recorded:
    """A recording in memory. `players`: who played, by seat, if more than the names is known."""

    game: AnyGame
    names: tuple[str, ...]
    steps: tuple[RecordedStep, ...]
    players: tuple[Player, ...] = ()


def rounds_of(recording: Recording) -> Iterator[int]:
    """Yield the index of each round's first step."""
    seen: set[int] = set()
    for place, step in enumerate(recording.steps):
        if step.round not in seen:
            seen.add(step.round)
            yield place


@dataclass(frozen=True, slots=True)
class ExportedFiles:
    """The exported files; `transcript` is None if there was none."""

    text: Path
    transcript: Path | None
