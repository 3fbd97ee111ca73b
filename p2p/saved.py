"""What a home keeps of matches and people, whatever keeps it: SQLite (p2p.journal) or a browser's database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from p2p.interfaces import Address
from protocol.values import dataclass

MAX_PEERS = 1000
MAX_TOMBSTONES = 64
"""For so many of the last matches we can still tell others how they ended."""
MAX_ADDRESSES = 16

Json = dict[str, Any]


class RecordKind(StrEnum):
    """The kinds of records: a message received or sent, a secret of this seat, a mark of the driver."""

    IN = "in"
    OUT = "out"
    SECRET = "secret"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """One event of a match. `sender` is the public key of a received message, empty otherwise."""

    kind: RecordKind
    sender: bytes
    data: bytes

    def __repr__(self) -> str:
        shown = "hidden" if self.kind is RecordKind.SECRET else f"{len(self.data)} bytes"
        return f"Record({self.kind.value}, {shown}, sender={self.sender.hex()[:8]})"


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match. `seats`: the last known addresses of each seat's key; `created`, `finished`: seconds since 1970."""

    id: bytes
    roster: bytes
    status: str
    role: str
    created: float
    seats: Mapping[bytes, tuple[Address, ...]]
    meta: Json
    finished: float | None = None
    result: Json | None = None


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What tells others how a match ended. `transcript`: its file, if that is not at its usual place."""

    roster: bytes
    page: bytes
    transcript: Path | None = None
    newcomers: frozenset[bytes] = frozenset()
    """The keys that took a seat, and are not in the roster."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A person met before: the name last shown, when, and their addresses."""

    key: bytes
    name: str
    seen: float
    addresses: tuple[Address, ...]


def copy_path(path: Path) -> Path:
    """Return where a copy of a journal of the older version is kept."""
    return path.with_name(f"{path.stem}-old{path.suffix}")


class Journals(Protocol):
    """A home's journal as the client uses it. See p2p.journal for what each method promises."""

    @property
    def waits_for_disk(self) -> bool:
        """Whether everything is durable when `commit` returns."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held during each call. Hold it around calls that belong in one transaction."""

    @property
    def path(self) -> Path: ...

    @property
    def set_aside(self) -> tuple[SavedMatch, ...]: ...

    def begin_match(
        self,
        match: bytes,
        roster: bytes,
        *,
        role: str,
        created: float,
        seats: Mapping[bytes, Iterable[Address]],
        meta: Json | None = None,
    ) -> None: ...

    def append(self, match: bytes, *records: JournalRecord) -> None: ...

    def set_meta(self, match: bytes, **values: Any) -> None: ...

    def set_seats(self, match: bytes, seats: Mapping[bytes, Iterable[Address]]) -> None: ...

    def finish(
        self, match: bytes, result: Json, *, at: float, status: str = "finished", tombstone: bytes | None = None
    ) -> None: ...

    def put_aside(self, match: bytes, result: Json, *, at: float) -> None: ...

    def take_up(self, match: bytes) -> None: ...

    def discard(self, match: bytes) -> None: ...

    def remember_peer(self, key: bytes, name: str, *, at: float, addresses: Iterable[Address] = ()) -> None: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def records(self, match: bytes, since: int = 0) -> Iterator[tuple[int, JournalRecord]]: ...

    def match(self, match: bytes) -> SavedMatch: ...

    def tombstone(self, match: bytes) -> Tombstone | None: ...

    def tombstone_rosters(self) -> list[tuple[bytes, frozenset[bytes]]]: ...

    def unfinished(self) -> list[SavedMatch]: ...

    def aside(self) -> list[SavedMatch]: ...

    def finished(self, limit: int = 1000) -> list[SavedMatch]: ...

    def peer(self, key: bytes) -> Peer | None: ...

    @property
    def peers(self) -> list[Peer]: ...

    def close(self) -> None: ...

    def abandon(self) -> None: ...


def newcomers_of(meta: Mapping[str, Any]) -> frozenset[bytes]:
    """Return the keys that took a seat in a match, as its meta says."""
    return frozenset(bytes.fromhex(key) for key in meta.get("newcomers") or ())
