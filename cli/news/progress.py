"""What a client reports before there is a table, as types; the faces put it into words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cli.news.table import BotsNews, Fate
from cli.news.tables import FoundTable
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class GuestProfile:
    """Another client uses this home, so this one plays as guest `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class Resuming:
    """The match that was left here is resumed; the other seats are awaited."""

    game: str
    table: str
    instead_of: str = ""
    """Another game that was asked for."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """An unfinished match of an older version cannot be resumed; `copy` is a file that holds it."""

    table: str
    copy: str


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """Friends can reach the room at this address."""

    address: str


@dataclass(frozen=True, slots=True)
class PhonesAddress:
    """Phones can sit down by opening this address."""

    address: str


@dataclass(frozen=True, slots=True)
class BotsComing:
    """Only bots are awaited: the deal follows in a moment."""


@dataclass(frozen=True, slots=True)
class Searching:
    """No table has been found yet; `is_again` from the second time on."""

    is_again: bool


@dataclass(frozen=True, slots=True)
class TableSeen:
    """One of several tables that match the request."""

    table: FoundTable


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nobody answers at the address yet; the client keeps trying."""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A computer that is not at the table sends or calls far too much, and is held back or cut off."""

    host: str


@dataclass(frozen=True, slots=True)
class BotsChanged:
    """Something happened to this client's bots. `is_seated`: at a sealed table."""

    piece: BotsNews
    is_seated: bool


@dataclass(frozen=True, slots=True)
class AwaitedSeats:
    """An unattended client's table waits for these players; with none of them it goes on.

    `vote_s`: in so many seconds the others can vote to play on without them (None: too few would be left).
    """

    names: tuple[str, ...]
    vote_s: float | None = None


@dataclass(frozen=True, slots=True)
class VotesCast:
    """The votes of people about playing on without somebody: who is for it, and who blocks it."""

    agreed: tuple[str, ...]
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayingOn:
    """An unattended client's table plays on without these players; `is_left_out`: without this client's own seat, `may_return`:
    until the next round. `ends_recovery`: see `WentOn`."""

    names: tuple[str, ...]
    fate: Fate
    is_left_out: bool = False
    may_return: bool = False
    ends_recovery: bool = False


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """At an unattended client's table this player takes a seat, or sits there again (`is_back`); `is_own`: this client.
    `was_ours`: in the place of this client. `bot`: see `TookSeat`."""

    name: str
    is_back: bool
    is_own: bool
    was_ours: bool = False
    bot: str = ""


@dataclass(frozen=True, slots=True)
class TableWords:
    """The table is sealed: its secret-check words, the same on all screens. `lacks_recovery`: see `TableFacts`."""

    words: tuple[str, ...]
    lacks_recovery: bool = False


Progress: TypeAlias = (
    GuestProfile
    | Resuming
    | SetAside
    | JoinAddress
    | PhonesAddress
    | BotsComing
    | Searching
    | TableSeen
    | NoAnswer
    | Disturbed
    | BotsChanged
    | AwaitedSeats
    | VotesCast
    | PlayingOn
    | SeatTaken
    | TableWords
)
Notify: TypeAlias = Callable[[Progress], None]
