"""The journal of a home: its matches, record by record, and the people met.

Nothing may be sent before it is in the journal: append what an input led to, `commit()`, then send. Only `commit` waits
for the disk. After a crash the journal holds what the last finished commit held, so that a seat that returns never
signs a second version of anything. The database is SQLite in WAL mode with synchronous=FULL; one process writes (the
home's lock ensures that), others may read at the same time. Threads may share it: see `lock`.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from p2p.database import check, closing_on_fault, connect, damaged, faults, keep_copy, reject_truncated
from p2p.errors import SaveFault
from p2p.home import make_private_folder, writing
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
    copy_path,
    newcomers_of,
)

SCHEMA = 2
"""Rises with the protocol: matches of another protocol cannot be resumed."""

TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE matches (
    id BLOB PRIMARY KEY, roster BLOB NOT NULL, status TEXT NOT NULL, role TEXT NOT NULL, created REAL NOT NULL,
    seats TEXT NOT NULL, meta TEXT NOT NULL, finished REAL, result TEXT, tombstone BLOB
);
CREATE TABLE records (
    match BLOB NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, sender BLOB NOT NULL, data BLOB NOT NULL, crc INTEGER NOT NULL
);
CREATE UNIQUE INDEX by_match ON records (match, n);
CREATE TABLE peers (key BLOB PRIMARY KEY, name TEXT NOT NULL, seen REAL NOT NULL, addresses TEXT NOT NULL);
"""


class Journal:
    """An open journal: `open` to write (one process), `read_only` beside a running client.

    `was_clean` says whether the last writer closed it. If not, it was killed or the computer stopped. Every finished
    commit is still there, unless the disk reported writes that it had not done.
    """

    def __init__(self, database: sqlite3.Connection, path: Path, *, writable: bool) -> None:
        self._db = database
        self._next: dict[bytes, int] = {}
        self.lock = threading.RLock()
        """Held during each call. Hold it around calls that belong in one transaction."""
        self.waits_for_disk = True
        self.path = path
        self.writable = writable
        self.was_clean = True
        self.set_aside: tuple[SavedMatch, ...] = ()
        """The unfinished matches of an older version that this opening has set aside."""

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open or create the journal at `path`. Raises SaveDamaged, SaveLocked, HomeUnwritable or DiskFull."""
        make_private_folder(path.parent)
        with writing(path):
            # Created first, so that only the owner can ever read it. SQLite gives the WAL the same permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        reject_truncated(path)
        with faults(path), closing_on_fault(connect(f"{path.absolute().as_uri()}?mode=rw")) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            database.execute("PRAGMA fullfsync=ON")  # macOS: fsync alone leaves the bytes in the drive's cache
            database.execute("PRAGMA checkpoint_fullfsync=ON")
            journal = cls(database, path, writable=True)
            if journal._is_old():
                keep_copy(database, copy_path(path))
            database.execute("BEGIN IMMEDIATE")
            journal._prepare()
            database.execute("COMMIT")
        return journal

    @classmethod
    def read_only(cls, path: Path) -> Journal:
        """Open the journal at `path` for reading; an empty one in memory if nobody has played yet."""
        if not path.exists():
            with faults(path):
                empty = connect("file:?mode=memory")
                empty.executescript(TABLES)
            return cls(empty, path, writable=False)
        reject_truncated(path)
        with faults(path), closing_on_fault(connect(f"{path.absolute().as_uri()}?mode=ro")) as database:
            journal = cls(database, path, writable=False)
            journal._check_version()
            journal.was_clean = journal._about("open") is None
        return journal

    def _prepare(self) -> None:
        """Within a transaction: create or check the tables, and mark the journal as open."""
        if not self._db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            for statement in filter(str.strip, TABLES.split(";")):
                self._db.execute(statement)
            self._db.execute("INSERT INTO about VALUES ('schema', ?)", (str(SCHEMA),))
        self._check_version()
        if self._is_old():
            self._upgrade()
        self.was_clean = self._about("open") is None
        if not self.was_clean:
            check(self._db, self.path)
        self._db.execute("INSERT OR REPLACE INTO about VALUES ('open', ?)", (str(os.getpid()),))

    def _check_version(self) -> None:
        found = self._about("schema")
        if found is None or not found.isdecimal():
            raise damaged(self.path)
        if int(found) > SCHEMA:
            raise SaveFault(
                "the saved matches in {path} are from a newer version of Fairdeal: update Fairdeal, then "
                "start it again",
                path=self.path,
            )

    def _is_old(self) -> bool:
        """Whether an older version wrote this journal."""
        if not self._db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'about'").fetchone():
            return False
        found = self._about("schema")
        return found is not None and found.isdecimal() and int(found) < SCHEMA

    def _upgrade(self) -> None:
        """Within a transaction: keep what has no protocol, and set unfinished matches aside; `copy_path` holds all of them."""
        self.set_aside = tuple(self._matches("WHERE status = 'open' ORDER BY created DESC"))
        self._db.execute("ALTER TABLE matches ADD COLUMN tombstone BLOB")
        self._db.execute("UPDATE matches SET status = 'old', finished = created WHERE status = 'open'")
        self._db.execute("DELETE FROM records")
        self._db.execute("UPDATE about SET value = ? WHERE key = 'schema'", (str(SCHEMA),))

    def _about(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    # --- writing: everything stays in one transaction until commit() ---

    def begin_match(
        self,
        match: bytes,
        roster: bytes,
        *,
        role: str,
        created: float,
        seats: Mapping[bytes, Iterable[Address]],
        meta: Json | None = None,
    ) -> None:
        """Record a sealed table. Raises ValueError if the match is already here. `created`: seconds since 1970."""
        row = (match, roster, "open", role, created, pack_seats(seats), json.dumps(meta or {}))
        with self._write():
            try:
                self._db.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)", row)
            except sqlite3.IntegrityError as fault:
                raise ValueError(f"match {match.hex()} is in the journal already") from fault

    def append(self, match: bytes, *records: JournalRecord) -> None:
        """Add records to a match, in this order. They may be acted on after the next commit()."""
        with self._write():
            n = self._next.get(match)
            if n is None:
                (n,) = self._db.execute(
                    "SELECT coalesce(max(n) + 1, 0) FROM records WHERE match = ?", (match,)
                ).fetchone()
            self._db.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)",
                [(match, n + i, r.kind.value, r.sender, r.data, zlib.crc32(r.data)) for i, r in enumerate(records)],
            )
            self._next[match] = n + len(records)

    def set_meta(self, match: bytes, **values: Any) -> None:
        """Change entries of a match's meta (JSON values; None removes)."""
        meta = self.match(match).meta | values
        remaining = {key: value for key, value in meta.items() if value is not None}
        with self._write():
            self._db.execute("UPDATE matches SET meta = ? WHERE id = ?", (json.dumps(remaining), match))

    def set_seats(self, match: bytes, seats: Mapping[bytes, Iterable[Address]]) -> None:
        """Record where the seats were last reached, so that they can be found even if the host's computer is gone."""
        with self._write():
            self._db.execute("UPDATE matches SET seats = ? WHERE id = ?", (pack_seats(seats), match))

    def finish(
        self, match: bytes, result: Json, *, at: float, status: str = "finished", tombstone: bytes | None = None
    ) -> None:
        """Close a match with its result and delete its records and secrets. The transcript must be complete before.

        `tombstone`: the page that tells others how the match ended.
        """
        with self._write():
            self._db.execute(
                "UPDATE matches SET status = ?, finished = ?, result = ?, tombstone = ? WHERE id = ?",
                (status, at, json.dumps(result), tombstone, match),
            )
            self._db.execute("DELETE FROM records WHERE match = ?", (match,))
            self._db.execute(
                "UPDATE matches SET tombstone = NULL WHERE tombstone IS NOT NULL AND id NOT IN "
                "(SELECT id FROM matches WHERE tombstone IS NOT NULL ORDER BY finished DESC LIMIT ?)",
                (MAX_TOMBSTONES,),
            )
            self._next.pop(match, None)

    def put_aside(self, match: bytes, result: Json, *, at: float) -> None:
        """Keep an unfinished match for later, with how it stood: nothing offers to go back to it before anything else."""
        with self._write():
            self._db.execute(
                "UPDATE matches SET status = 'aside', finished = ?, result = ? WHERE id = ?",
                (at, json.dumps(result), match),
            )

    def take_up(self, match: bytes) -> None:
        """Make a match that was put aside an unfinished one again."""
        with self._write():
            self._db.execute(
                "UPDATE matches SET status = 'open', finished = NULL, result = NULL WHERE id = ? AND status = 'aside'",
                (match,),
            )

    def discard(self, match: bytes) -> None:
        """Forget a match at which we had no seat."""
        with self._write():
            self._db.execute("DELETE FROM records WHERE match = ?", (match,))
            self._db.execute("DELETE FROM matches WHERE id = ?", (match,))
            self._next.pop(match, None)

    def remember_peer(self, key: bytes, name: str, *, at: float, addresses: Iterable[Address] = ()) -> None:
        """Record a person under their key. Without addresses, the known ones are kept. `at`: seconds since 1970."""
        known = self.peer(key)
        where = tuple(addresses) or (known.addresses if known else ())
        with self._write():
            row = (key, name, at, json.dumps(where[:MAX_ADDRESSES]))
            self._db.execute("INSERT OR REPLACE INTO peers VALUES (?, ?, ?, ?)", row)
            self._db.execute(
                "DELETE FROM peers WHERE key NOT IN (SELECT key FROM peers ORDER BY seen DESC LIMIT ?)", (MAX_PEERS,)
            )

    def commit(self) -> None:
        """Write everything to the disk and wait for it. Free if there is nothing to write."""
        with self.lock, faults(self.path):
            if self._db.in_transaction:
                self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Discard what was written since the last commit."""
        with self.lock:
            with faults(self.path):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            self._next.clear()

    @contextlib.contextmanager
    def _write(self) -> Iterator[None]:
        assert self.writable, "opened for reading"
        with self.lock, faults(self.path):
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            yield

    # --- reading: includes uncommitted changes of this journal ---

    def records(self, match: bytes, since: int = 0) -> Iterator[tuple[int, JournalRecord]]:
        """Yield (number, record) of a match from number `since` on. Raises SaveDamaged at the first changed record."""
        with faults(self.path):
            rows = self._db.execute(
                "SELECT n, kind, sender, data, crc FROM records WHERE match = ? AND n >= ? ORDER BY n", (match, since)
            )
            for expected, (n, kind, sender, data, crc) in enumerate(rows, start=since):
                if (
                    n != expected
                    or kind not in list(RecordKind)
                    or not isinstance(data, bytes)
                    or zlib.crc32(data) != crc
                ):
                    raise damaged(self.path)
                yield n, JournalRecord(RecordKind(kind), bytes(sender), data)

    def match(self, match: bytes) -> SavedMatch:
        """Return one match. Raises KeyError if there is none with this id."""
        found = self._matches("WHERE id = ?", match)
        if not found:
            raise KeyError(match.hex())
        return found[0]

    def tombstone(self, match: bytes) -> Tombstone | None:
        """Return what tells others how a match ended that is over here, or None."""
        if self._is_old():
            return None
        with self.lock, faults(self.path):
            row = self._db.execute(
                "SELECT roster, tombstone, meta FROM matches WHERE id = ? AND tombstone IS NOT NULL", (match,)
            ).fetchone()
        if row is None:
            return None
        meta = json.loads(row[2])
        path = meta.get("transcript")
        return Tombstone(bytes(row[0]), bytes(row[1]), Path(path) if path else None, newcomers_of(meta))

    def tombstone_rosters(self) -> list[tuple[bytes, frozenset[bytes]]]:
        """Return the rosters of all matches of which we can tell how they ended, each with the keys that took a seat since."""
        with self.lock, faults(self.path):
            rows = self._db.execute("SELECT roster, meta FROM matches WHERE tombstone IS NOT NULL").fetchall()
        return [(bytes(roster), newcomers_of(json.loads(meta))) for roster, meta in rows]

    def unfinished(self) -> list[SavedMatch]:
        """Return the matches that can be resumed, latest first."""
        if self._is_old():
            return []
        return self._matches("WHERE status = 'open' ORDER BY created DESC")

    def aside(self) -> list[SavedMatch]:
        """Return the matches that were put aside, and can be resumed, latest first."""
        return self._matches("WHERE status = 'aside' ORDER BY finished DESC")

    def finished(self, limit: int = 1000) -> list[SavedMatch]:
        """Return the matches that are over or were put aside, latest first."""
        return self._matches("WHERE status NOT IN ('open', 'old') ORDER BY finished DESC LIMIT ?", limit)

    def _matches(self, where: str, *values: object) -> list[SavedMatch]:
        with self.lock, faults(self.path):
            rows = self._db.execute(
                "SELECT id, roster, status, role, created, seats, meta, finished, result FROM matches " + where, values
            ).fetchall()
            return [
                SavedMatch(
                    id=key,
                    roster=roster,
                    status=status,
                    role=role,
                    created=created,
                    seats=unpack_seats(seats),
                    meta=json.loads(meta),
                    finished=finished,
                    result=json.loads(result or "null"),
                )
                for key, roster, status, role, created, seats, meta, finished, result in rows
            ]

    def peer(self, key: bytes) -> Peer | None:
        found = self._peers("WHERE key = ?", key)
        return found[0] if found else None

    @property
    def peers(self) -> list[Peer]:
        """Everyone who is remembered."""
        return self._peers("")

    def _peers(self, where: str, *values: object) -> list[Peer]:
        with self.lock, faults(self.path):
            rows = self._db.execute("SELECT key, name, seen, addresses FROM peers " + where, values).fetchall()
            return [Peer(key, name, seen, unpack_addresses(json.loads(held))) for key, name, seen, held in rows]

    def close(self) -> None:
        """Close the journal properly: uncommitted changes are discarded, and the next opening finds it clean."""
        if self.writable:
            self.rollback()
            with self._write():
                self._db.execute("DELETE FROM about WHERE key = 'open'")
            self.commit()
        self._db.close()

    def abandon(self) -> None:
        """Close after an error, without marking the journal clean. Never raises."""
        with contextlib.suppress(sqlite3.Error):
            self._db.close()


def pack_seats(seats: Mapping[bytes, Iterable[Address]]) -> str:
    return json.dumps({key.hex(): list(where)[:MAX_ADDRESSES] for key, where in seats.items()})


def unpack_seats(stored: str) -> dict[bytes, tuple[Address, ...]]:
    return {bytes.fromhex(key): unpack_addresses(where) for key, where in json.loads(stored).items()}


def unpack_addresses(stored: list[list[Any]]) -> tuple[Address, ...]:
    return tuple((str(host), int(port)) for host, port in stored)
