"""Open SQLite databases, check them, and turn SQLite's errors into errors with advice for the user."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from p2p.errors import DiskFull, HomeUnwritable, SaveDamaged, SaveLocked
from p2p.home import sync_folder, writing

BUSY_S = 1.0


def connect(uri: str) -> sqlite3.Connection:
    """Open a database. Threads may share the connection; the journal's lock serializes them."""
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


@contextlib.contextmanager
def closing_on_fault(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close the database if the block raises."""
    try:
        yield database
    except BaseException:  # interrupted, too: nobody else will close it
        database.close()
        raise


def keep_copy(database: sqlite3.Connection, path: Path) -> None:
    """Copy the whole database to a file that only its owner can read; a copy that is there already is replaced."""
    fresh = path.with_name(f".{path.name}.new")
    with writing(path):
        os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        with contextlib.closing(connect(f"{fresh.absolute().as_uri()}?mode=rw")) as copy:
            database.backup(copy)
        os.replace(fresh, path)
        sync_folder(path.parent)


def check(database: sqlite3.Connection, path: Path) -> None:
    """Raise SaveDamaged if the database's structure is broken. Takes about a second per gigabyte."""
    if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise damaged(path)


def reject_truncated(path: Path) -> None:
    """Raise SaveDamaged for a truncated database: SQLite takes a file shorter than its smallest page for a new one."""
    if 0 < path.stat().st_size < 512:
        raise damaged(path)


def damaged(path: Path) -> SaveDamaged:
    """Return the error for a damaged journal."""
    return SaveDamaged("the saved matches in {path} are damaged and cannot be resumed", path=path)


@contextlib.contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into SaveDamaged, DiskFull, SaveLocked or HomeUnwritable. Errors in our own statements pass."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        primary = (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF  # extended codes carry it in the low byte
        match primary:
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
                raise damaged(path) from fault
            case sqlite3.SQLITE_FULL:
                raise DiskFull(
                    "the disk is too full to write {path}: free up some space, then start again", path=path
                ) from fault
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise SaveLocked("another program is writing to {path}: close it, then try again", path=path) from fault
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
                raise HomeUnwritable(
                    "cannot write to {path} ({reason}): choose another folder with --home or FAIRDEAL_HOME",
                    path=path,
                    reason=str(fault),
                ) from fault
        raise
    except (json.JSONDecodeError, UnicodeDecodeError) as fault:
        raise damaged(path) from fault
