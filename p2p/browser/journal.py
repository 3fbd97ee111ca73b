"""A home's journal in a page: in memory, and as a log of changes in the browser's database (p2p.browser.store).

The same promises as p2p.journal, but one: `commit` does not wait until everything is durable, `Store.flush` does.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from p2p.browser.store import TabStore, damaged
from p2p.interfaces import Address
from p2p.saved import (
    MAX_ADDRESSES,
    MAX_PEERS,
    MAX_TOMBSTONES,
    JournalRecord,
    Json,
    Peer,
    RecordKind,
    SavedMatch,
    Tombstone,
    newcomers_of,
)
from protocol.values import replace

Seats = Mapping[bytes, Iterable[Address]]
RESUMABLE = ("open", "aside")


class BrowserJournal:
    """See `p2p.saved.Journals`. Every change is made by one of the `_do_` methods, from plain data, so that the log can repeat
    it."""

    def __init__(self, path: Path, store: TabStore) -> None:
        self._path, self._store = path, store
        self._lock = threading.RLock()
        self._matches: dict[bytes, SavedMatch] = {}
        self._records: dict[bytes, list[JournalRecord]] = {}
        self._tombstones: dict[bytes, bytes] = {}
        self._peers: dict[bytes, Peer] = {}

    def repeat(self, changes: Iterable[Any]) -> None:
        """Make changes that were saved. Raises SaveDamaged."""
        try:
            for name, *args in changes:
                getattr(self, f"_do_{name}")(*args)
        except (AttributeError, TypeError, ValueError, KeyError) as fault:
            raise damaged() from fault

    def everything(self) -> list[Any]:
        """Return changes that lead to what is here now."""
        found: list[Any] = []
        for match in self._matches.values():
            found.append(["begin", match.id, match.roster, match.role, match.created, _plain(match.seats), match.meta])
            if match.status in RESUMABLE:
                found += [["append", match.id, [_record(each) for each in self._records.get(match.id, [])]]]
            if match.status == "aside":
                found.append(["aside", match.id, match.result, match.finished])
            elif match.status != "open":
                tombstone = self._tombstones.get(match.id)
                found.append(["finish", match.id, match.result, match.finished, match.status, tombstone])
        found += [["peer", each.key, each.name, each.seen, list(map(list, each.addresses))] for each in self.peers]
        return found

    @property
    def peers(self) -> list[Peer]:
        return list(self._peers.values())

    @property
    def waits_for_disk(self) -> bool:
        return False

    @property
    def lock(self) -> AbstractContextManager[Any]:
        return self._lock

    @property
    def path(self) -> Path:
        return self._path

    @property
    def set_aside(self) -> tuple[SavedMatch, ...]:
        return ()

    # --- writing ---

    def _change(self, name: str, *args: Any) -> None:
        getattr(self, f"_do_{name}")(*args)
        self._store.note([name, *args])

    def begin_match(
        self, match: bytes, roster: bytes, *, role: str, created: float, seats: Seats, meta: Json | None = None
    ) -> None:
        if match in self._matches:
            raise ValueError(f"match {match.hex()} is in the journal already")
        self._change("begin", match, roster, role, created, _plain(seats), meta or {})

    def _do_begin(self, match: bytes, roster: bytes, role: str, created: float, seats: Any, meta: Json) -> None:
        self._matches[match] = SavedMatch(match, roster, "open", role, created, _seats(seats), dict(meta))
        self._leave_out()

    def append(self, match: bytes, *records: JournalRecord) -> None:
        self._change("append", match, [_record(each) for each in records])

    def _do_append(self, match: bytes, records: list[Any]) -> None:
        self._records.setdefault(match, []).extend(
            JournalRecord(RecordKind(kind), sender, data) for kind, sender, data in records
        )

    def set_meta(self, match: bytes, **values: Any) -> None:
        self._change("meta", match, values)

    def _do_meta(self, match: bytes, values: Json) -> None:
        meta = {key: value for key, value in (self.match(match).meta | values).items() if value is not None}
        self._matches[match] = replace(self._matches[match], meta=meta)

    def set_seats(self, match: bytes, seats: Seats) -> None:
        self._change("seats", match, _plain(seats))

    def _do_seats(self, match: bytes, seats: Any) -> None:
        self._matches[match] = replace(self.match(match), seats=_seats(seats))

    def finish(
        self, match: bytes, result: Json, *, at: float, status: str = "finished", tombstone: bytes | None = None
    ) -> None:
        self._change("finish", match, result, at, status, tombstone)
        self._store.hurry()  # nobody may wait for it, and a page that is loaded anew then must not begin with the old match

    def _do_finish(self, match: bytes, result: Json | None, at: float, status: str, tombstone: bytes | None) -> None:
        self._matches[match] = replace(self.match(match), result=result, finished=at, status=status)
        self._records.pop(match, None)
        if tombstone is not None:
            self._tombstones[match] = tombstone
        for old in list(self._tombstones)[:-MAX_TOMBSTONES]:
            del self._tombstones[old]
        self._leave_out()

    def put_aside(self, match: bytes, result: Json, *, at: float) -> None:
        self._change("aside", match, result, at)
        self._store.hurry()

    def _do_aside(self, match: bytes, result: Json | None, at: float) -> None:
        self._matches[match] = replace(self.match(match), result=result, finished=at, status="aside")

    def take_up(self, match: bytes) -> None:
        if self.match(match).status == "aside":
            self._change("up", match)

    def _do_up(self, match: bytes) -> None:
        self._matches[match] = replace(self.match(match), result=None, finished=None, status="open")

    def discard(self, match: bytes) -> None:
        self._change("discard", match)

    def _do_discard(self, match: bytes) -> None:
        self._matches.pop(match, None)
        self._records.pop(match, None)
        self._leave_out()

    def _leave_out(self) -> None:
        open_ones = (match.id.hex()[:16] for match in self._matches.values() if match.status in RESUMABLE)
        self._store.leave_out(frozenset(f"transcripts/{name}.fairdeal" for name in open_ones))

    def remember_peer(self, key: bytes, name: str, *, at: float, addresses: Iterable[Address] = ()) -> None:
        known = self.peer(key)
        where = tuple(addresses) or (known.addresses if known else ())
        self._change("peer", key, name, at, [list(each) for each in where[:MAX_ADDRESSES]])

    def _do_peer(self, key: bytes, name: str, at: float, addresses: list[Any]) -> None:
        self._peers[key] = Peer(key, name, at, tuple((host, port) for host, port in addresses))
        for old in sorted(self._peers.values(), key=lambda each: each.seen)[:-MAX_PEERS]:
            del self._peers[old.key]

    def commit(self) -> None:
        """Nothing to do: `Store.flush` writes, and waits."""

    def rollback(self) -> None:
        """Drop what is not saved. What is in memory stays: after a fault nothing is sent any more."""
        self._store.forget()

    # --- reading ---

    def records(self, match: bytes, since: int = 0) -> Iterator[tuple[int, JournalRecord]]:
        yield from list(enumerate(self._records.get(match, [])))[since:]

    def match(self, match: bytes) -> SavedMatch:
        found = self._matches.get(match)
        if found is None:
            raise KeyError(match.hex())
        return found

    def tombstone(self, match: bytes) -> Tombstone | None:
        page = self._tombstones.get(match)
        if page is None:
            return None
        found = self.match(match)
        return Tombstone(found.roster, page, newcomers=newcomers_of(found.meta))

    def tombstone_rosters(self) -> list[tuple[bytes, frozenset[bytes]]]:
        matches = map(self.match, self._tombstones)
        return [(match.roster, newcomers_of(match.meta)) for match in matches]

    def unfinished(self) -> list[SavedMatch]:
        found = [match for match in self._matches.values() if match.status == "open"]
        return sorted(found, key=lambda match: -match.created)

    def aside(self) -> list[SavedMatch]:
        found = [match for match in self._matches.values() if match.status == "aside"]
        return sorted(found, key=lambda match: -(match.finished or 0.0))

    def finished(self, limit: int = 1000) -> list[SavedMatch]:
        found = [match for match in self._matches.values() if match.status not in ("open", "old")]
        return sorted(found, key=lambda match: -(match.finished or 0.0))[:limit]

    def peer(self, key: bytes) -> Peer | None:
        return self._peers.get(key)

    def close(self) -> None:
        """The page goes on with it."""

    def abandon(self) -> None:
        """The page goes on with it."""


_opened: dict[Path, BrowserJournal] = {}


async def open_journal(path: Path, store: TabStore, changes: list[Any]) -> BrowserJournal:
    """Open the page's journal with what was saved, and shorten the log. Raises SaveDamaged and SaveFault."""
    journal = _opened[path] = BrowserJournal(path, store)
    journal.repeat(changes)
    store.everything = journal.everything
    await store.replace(journal.everything())
    return journal


def opened(path: Path) -> BrowserJournal:
    """Return the journal that is open for this path; an empty one if none is."""
    return _opened.get(path) or BrowserJournal(path, TabStore(path.parent))


def _plain(seats: Seats) -> list[Any]:
    return [[key, [list(each) for each in list(where)[:MAX_ADDRESSES]]] for key, where in seats.items()]


def _seats(plain: list[Any]) -> dict[bytes, tuple[Address, ...]]:
    return {key: tuple((host, port) for host, port in where) for key, where in plain}


def _record(record: JournalRecord) -> list[Any]:
    return [record.kind.value, record.sender, record.data]
