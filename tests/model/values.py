"""What the model's seats say and know: values that are created once and compared by identity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Key: TypeAlias = int


class Player(NamedTuple):
    """Who sits in a seat. A bot's keeper is another key."""

    seat: int
    key: Key
    keeper: Key


Roll: TypeAlias = tuple[Player, ...]
"""The players of an epoch, by seat."""


class Attempt(NamedTuple):
    """An epoch that somebody signed for."""

    number: int
    roll: Roll


@dataclass(frozen=True, eq=False)
class Log:
    """A chain of certificates, by its last entry. Logs are created by `Book.log`, so equal logs are the same object."""

    parent: Log | None
    kind: str
    """start, open, move or close"""
    choice: tuple[int, ...]
    epoch: Epoch | None
    """In which it was voted; None at the start of the match."""
    height: int

    def __repr__(self) -> str:
        return "0" if self.epoch is None else f"{self.height}:{self.kind}{list(self.choice)}@{self.epoch.number}"

    def contains(self, other: Log) -> bool:
        """Whether `other` is a beginning of this log."""
        here: Log = self
        while here.height > other.height:
            assert here.parent is not None
            here = here.parent
        return here is other


@dataclass(frozen=True, eq=False)
class Epoch:
    """An epoch that began. Its identity stands for the hash of all `without`s that began it."""

    number: int
    roll: Roll
    start: Log
    is_void: bool
    """Whether the round that was open at its start is void."""

    def __repr__(self) -> str:
        return f"{self.number}{[p.key for p in self.roll]}from({self.start}){'void' if self.is_void else ''}"


@dataclass(frozen=True, eq=False)
class Vote:
    key: Key
    epoch: Epoch
    entry: Log


@dataclass(frozen=True, eq=False)
class Echo:
    """ "I have this certificate", or, for an epoch's start, "I saw this epoch begin"."""

    key: Key
    epoch: Epoch
    log: Log


@dataclass(frozen=True, eq=False)
class Duty:
    """A share, a key or the like that the log's last entry demands."""

    key: Key
    epoch: Epoch
    log: Log


@dataclass(frozen=True, eq=False)
class Closed:
    """ "I have this end of the match"."""

    key: Key
    epoch: Epoch
    log: Log


@dataclass(frozen=True, eq=False)
class Without:
    key: Key
    number: int
    stay: Roll
    added: Roll
    base: Epoch
    """The last epoch that its signer saw begin."""
    log: Log
    """Its signer's highest certificate."""
    vote: Vote | None
    """Its signer's vote above that."""
    earlier: tuple[Attempt, ...]
    """What its signer signed for since `base`."""

    @property
    def roll(self) -> Roll:
        return tuple(sorted(self.stay + self.added))

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.number, self.roll)


@dataclass(frozen=True, eq=False)
class Goodbye:
    key: Key
    number: int
    """The highest number that its signer signed."""


Message: TypeAlias = Vote | Echo | Duty | Closed | Without | Goodbye

MOVES = 2
"""Moves in a round."""


def between(epoch: Epoch, log: Log, after_void: bool = True) -> bool:
    """Whether no round is open."""
    return log.kind in ("start", "close") or (after_void and epoch.is_void and log is epoch.start)


def due(epoch: Epoch, log: Log) -> str:
    """What kind of entry comes next."""
    if between(epoch, log):
        return "open"
    moves, here = 0, log
    while here.kind == "move":
        assert here.parent is not None
        moves, here = moves + 1, here.parent
    return "move" if moves < MOVES else "close"


def holders(log: Log) -> Roll:
    """Who has a key in the round that is open at `log`."""
    here = log
    while here.kind != "open":
        assert here.parent is not None
        here = here.parent
    assert here.epoch is not None
    return here.epoch.roll


def rounds_closed(log: Log) -> int:
    """How many rounds are closed."""
    count, here = 0, log
    while here.parent is not None:
        count, here = count + (here.kind == "close"), here.parent
    return count


def demands_duties(log: Log) -> bool:
    """Whether an entry is followed by duties: the opening by shares, a move by shares or, at last, reveals."""
    return log.kind in ("open", "move")


class Book:
    """Creates logs and epochs, one object for equal ones."""

    def __init__(self, roll: Roll) -> None:
        self.root = Log(None, "start", (), None, 0)
        self._logs: dict[tuple[Log, str, tuple[int, ...], Epoch], Log] = {}
        self._epochs: dict[tuple[int, Roll, Log, bool], Epoch] = {}
        self.first = self.epoch(0, roll, self.root, False)

    def log(self, parent: Log, kind: str, choice: tuple[int, ...], epoch: Epoch) -> Log:
        name = (parent, kind, choice, epoch)
        if name not in self._logs:
            self._logs[name] = Log(parent, kind, choice, epoch, parent.height + 1)
        return self._logs[name]

    def epoch(self, number: int, roll: Roll, start: Log, is_void: bool) -> Epoch:
        name = (number, roll, start, is_void)
        if name not in self._epochs:
            self._epochs[name] = Epoch(number, roll, start, is_void)
        return self._epochs[name]
