"""A waiting room: who sits where, and what happens there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from protocol.errors import FairdealError
from protocol.table.roster import TableOptions


class Sitting(Protocol):
    """Somebody in the room (`protocol.room.values.Guest`)."""

    @property
    def key(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def bot(self) -> bool: ...
    @property
    def ready(self) -> bool: ...
    @property
    def keeper(self) -> bytes:
        """Whose computer runs this bot or serves this phone; its own key for everybody else."""

    @property
    def phone(self) -> bool: ...
    @property
    def plays(self) -> bool:
        """Whether it wants to play, rather than watch."""

    @property
    def playing(self) -> bool:
        """Whether its last match is not over yet on its computer."""


class Waiting(Protocol):
    """A room (`protocol.room.values.Room`)."""

    @property
    def host(self) -> bytes: ...
    @property
    def title(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def table(self) -> TableOptions: ...
    @property
    def members(self) -> Sequence[Sitting]:
        """Everyone who is here, in the order of arrival."""

    @property
    def seats(self) -> Sequence[Sitting | None]:
        """Who has a seat in the next match; as many as can play at most."""

    @property
    def is_open(self) -> bool:
        """Not being sealed now."""

    @property
    def is_playing(self) -> bool:
        """A match of this room is still running somewhere."""


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The room as it is now."""

    room: Waiting


@dataclass(frozen=True, slots=True)
class RoomChat:
    """Somebody's chat."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True)
class RoomAddresses:
    """Where friends find this table."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawTorn:
    """The match could not begin: these players' computers did not answer while the seats were drawn.

    `revealed`: our own number had been shown, so we are ready again only if our player says so; `count`: how many draws
    of ours were torn in a row.
    """

    silent: tuple[str, ...]
    revealed: bool
    count: int


@dataclass(frozen=True, slots=True)
class NotSigned:
    """A computer (`name`; empty for our own) did not agree to the player list of the match."""

    name: str
    reason: FairdealError


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """The host did not do what we asked for."""

    reason: FairdealError


@dataclass(frozen=True, slots=True)
class NameNoticed:
    """A name does not belong to its key as before.

    `before`: the name under which this key was last seen; empty if the key is new, and the name belonged to another one.
    """

    key: bytes
    name: str
    before: str = ""


RoomNews: TypeAlias = DrawTorn | NotSigned | RequestRefused | NameNoticed
