"""Check the home: whether it is writable, who uses it, and whether its files are intact. Leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from cli.doctor.check_result import Finding, State
from cli.games.explain import explain
from cli.text import Translator
from p2p.errors import HomeFault, SaveDamaged
from p2p.home import Home, is_locked, read_home
from p2p.journal import Journal
from protocol.errors import FairdealError

LOW_BYTES, CRITICAL_BYTES = 50 << 20, 1 << 20
"""Thresholds of free space for a warning and for a failure; a match takes a few MiB."""


def look_at_data(_: Translator, root: Path) -> list[Finding]:
    """Return all findings about the data."""
    home = read_home(root)
    found = [folder(_, home.path), space(_, home.path)]
    if home.path.is_dir():
        found += [use(_, home.path), identity(_, home), journal(_, home)]
    return found


def nearest_existing(path: Path) -> Path:
    """Return the path, or its nearest existing parent folder."""
    return next((each for each in (path, *path.absolute().parents) if each.exists()), path)


def folder(_: Translator, path: Path) -> Finding:
    details: dict[str, object] = {"path": str(path), "exists": path.exists()}
    try:
        if path.is_dir():
            tempfile.TemporaryFile(dir=path).close()  # permissions alone do not reveal a read-only disk
        elif path.exists():
            raise NotADirectoryError(20, _("not a folder"))
        elif not os.access(nearest_existing(path), os.W_OK | os.X_OK):
            raise PermissionError(13, _("no permission to create it"))
    except OSError as fault:
        return Finding(
            "home",
            State.BAD,
            _("Cannot write to {path} ({reason})", path=path, reason=fault.strerror or str(fault)),
            _("Choose another folder with --home or FAIRDEAL_HOME."),
            {**details, "writable": False},
        )
    details["writable"] = True
    if not path.exists():
        return Finding("home", State.OK, _("Data: {path} (created when you first play)", path=path), details=details)
    return Finding("home", State.OK, _("Data: {path}", path=path), details=details)


def space(_: Translator, path: Path) -> Finding:
    try:
        free = shutil.disk_usage(nearest_existing(path)).free
    except OSError:
        return Finding("space", State.UNKNOWN, _("Free disk space: unknown"))
    amount = f"{free // 10**9} GB" if free >= 10**9 else f"{free // 10**6} MB"
    details = {"free_bytes": free}
    if free >= LOW_BYTES:
        return Finding("space", State.OK, _("Free disk space: {amount}", amount=amount), details=details)
    state = State.BAD if free < CRITICAL_BYTES else State.WARN
    return Finding(
        "space",
        state,
        _("Low disk space: only {amount} left", amount=amount),
        _("Free up some space: a match is saved before every move and stops if that fails."),
        details,
    )


def use(_: Translator, path: Path) -> Finding:
    """Check whether another client uses this home, without creating or locking anything."""
    if is_locked(path):
        what = _("Fairdeal is already running with this data: a second one plays as a guest")
        return Finding("in_use", State.OK, what, details={"in_use": True})
    return Finding("in_use", State.OK, _("No other Fairdeal is using this data"), details={"in_use": False})


def identity(_: Translator, home: Home) -> Finding:
    if not home.has_identity and not home.journal.exists():
        what = _("Nobody has played here yet")
        return Finding("identity", State.OK, what, details={"has_identity": False})
    try:
        home.seed()
    except HomeFault as fault:
        return fault_finding(_, "identity", fault)
    return Finding("identity", State.OK, _("Your identity file is valid"), details={"has_identity": True})


def journal(_: Translator, home: Home) -> Finding:
    try:
        journal = Journal.read_only(home.journal)
        try:
            matches = len(journal.finished()) + len(journal.unfinished())
        finally:
            journal.close()
    except HomeFault as fault:
        advice = None
        if isinstance(fault, SaveDamaged):
            advice = _("Move that file away to start a new one; the transcripts of your matches are separate files.")
        return fault_finding(_, "journal", fault, advice)
    what = _.n("{n} saved match, readable", "{n} saved matches, all readable", matches)
    return Finding("journal", State.OK, what, details={"matches": matches})


def fault_finding(_: Translator, id: str, fault: HomeFault, advice: str | None = None) -> Finding:
    """Return a finding from an error's sentence: what is wrong and, after the colon, what to do."""
    said = explain(_, fault).rstrip(".。")
    what, colon, rest = said.partition(": ")
    if advice is None and colon and rest:
        return Finding(id, State.BAD, what, explain(_, FairdealError(rest)), {"fault": type(fault).__name__})
    return Finding(id, State.BAD, said, advice, {"fault": type(fault).__name__})
