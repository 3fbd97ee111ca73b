"""A waiting room: who sits where, and what happens there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from protocol.table.roster import TableOptions


class Sitting(Protocol):
    """Somebody in the room (`protocol.table.seating.Sitter`)."""

    @property
    def key(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def bot(self) -> bool: ...
    @property
    def ready(self) -> bool: ...


class Waiting(Protocol):
    """A waiting room (`protocol.table.seating.Room`)."""

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
    def seats(self) -> Sequence[Sitting | None]: ...
    @property
    def is_open(self) -> bool:
        """Not yet being sealed."""


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
