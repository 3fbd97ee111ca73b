"""What a page keeps: a log of changes and a few small files, in the browser's database.

JavaScript (`store` in the worker) holds the database. One transaction with strict durability writes what changed, after it has
checked that no newer tab has taken the seat: two tabs that sign would convict the player.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from js import store
from pyodide.ffi import JsException, to_js

from p2p.errors import SaveDamaged, SaveFault
from p2p.frames import pack, unpack
from protocol.errors import BadMessage, FairdealError

MAX_FILE_BYTES = 8 << 20


class PlayedInOtherTab(FairdealError):
    """Another tab of this browser plays this seat now."""


class _Emptied(Exception):
    """The database is there, and nothing is in it any more."""


class TabStore:
    """The store of one tab. `folder`: the home, in this page's memory; its files are kept, too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changes: list[Any] = []
        self._known: dict[str, tuple[float, int]] = {}
        self._lock = asyncio.Lock()
        self._hurrying: asyncio.Task[None] | None = None
        self.fault: FairdealError | None = None
        """Why nothing is saved any more."""
        self.everything: Callable[[], list[Any]] = list
        """Changes that lead to what is in memory: for a browser that has forgotten what it was given."""

    def load(self, changes: list[bytes], files: dict[str, bytes]) -> list[Any]:
        """Put the files into the home, and return the changes. Raises SaveFault."""
        for name, data in files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            self._known[name] = _mark(path)
        try:
            return [change for data in changes for change in unpack(data)]  # type: ignore[attr-defined]
        except (BadMessage, TypeError) as fault:
            raise damaged() from fault

    def note(self, *changes: Any) -> None:
        """Remember changes (plain data) for the next flush."""
        self._changes += changes

    def forget(self) -> None:
        """Drop the changes since the last flush."""
        self._changes.clear()

    async def replace(self, changes: list[Any]) -> None:
        """Let the log hold just these changes. Raises FairdealError."""
        await self._call(store.replace, to_js(pack(changes)))

    async def flush(self) -> None:
        """Wait until all changes and files are durable. Raises FairdealError, and then nothing more is saved."""
        async with self._lock:
            if self.fault is not None:
                raise self.fault
            changes, self._changes = self._changes, []
            files = self._changed_files()
            if changes or files:
                await self._call(store.save, to_js(pack(changes)), *_plain(files))

    def hurry(self) -> None:
        """Begin to flush, without waiting for it. What is wrong then is told by the next flush."""
        if self._hurrying is None or self._hurrying.done():
            self._hurrying = asyncio.get_running_loop().create_task(self._try_to_flush())

    async def _try_to_flush(self) -> None:
        with contextlib.suppress(FairdealError):
            await self.flush()

    async def _call(self, function: Any, *args: Any) -> None:
        try:
            await self._try(function, *args)
        except _Emptied:  # what was saved is in memory, too
            self._changes.clear()
            self._known.clear()
            await self._try(store.renew, to_js(pack(self.everything())), *_plain(self._changed_files()))

    async def _try(self, function: Any, *args: Any) -> None:
        try:
            await function(*args)
        except JsException as fault:
            if "emptied" in str(fault):
                raise _Emptied from fault
            if "taken" in str(fault):
                told = "Fairdeal is open in another tab now. Close this one, or play here: then the other one stops."
                self.fault = PlayedInOtherTab(told)
            else:
                self.fault = SaveFault("this browser could not save the match ({reason})", reason=str(fault)[:200])
            raise self.fault from fault

    def _changed_files(self) -> list[tuple[str, bytes]]:
        found = []
        for path in sorted(self._folder.rglob("*")):
            name = path.relative_to(self._folder).as_posix()
            if not path.is_file() or path.name in ("lock",) or path.name.endswith((".new", ".part")):
                continue
            mark = _mark(path)
            if self._known.get(name) == mark or mark[1] > MAX_FILE_BYTES or name in self._unfinished:
                continue
            self._known[name] = mark
            found.append((name, path.read_bytes()))
        return found

    _unfinished: frozenset[str] = frozenset()

    def leave_out(self, names: frozenset[str]) -> None:
        """Do not keep these files: they are made anew from the journal."""
        self._unfinished = names


def _plain(files: list[tuple[str, bytes]]) -> tuple[Any, Any]:
    """Return names and contents, for JavaScript."""
    return to_js([name for name, _ in files]), to_js([data for _, data in files])


def _mark(path: Path) -> tuple[float, int]:
    found = path.stat()
    return found.st_mtime, found.st_size


def damaged() -> SaveDamaged:
    """Return the error for a log that cannot be what was written."""
    return SaveDamaged("what this page had saved is damaged: clear this site’s data in the browser to start over")
