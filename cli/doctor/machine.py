"""Check the program itself and its environment: versions, the group library, the clock."""

from __future__ import annotations

import datetime
import platform

from cli.doctor.check_result import Finding, State
from cli.games.explain import explain
from cli.phones.assets import NoAssets, folder
from cli.text import Translator
from cli.versions import LIBRARIES, installed

FIRST_YEAR = 2024
"""The year in which the program was written: a clock that says less is wrong."""


def look_at_machine(_: Translator) -> list[Finding]:
    """Return all findings about the program."""
    return [program(_), libraries(_), sodium(_), phones(_), clock(_, datetime.datetime.now().astimezone())]


def program(_: Translator) -> Finding:
    facts = {
        "version": installed("fairdeal") or "?",
        "python": platform.python_version(),
        "system": " ".join(word for word in (platform.system(), platform.release(), platform.machine()) if word),
    }
    what = _("Fairdeal {version}, Python {python}, {system}", **facts)
    return Finding("program", State.OK, what, details=facts)


def libraries(_: Translator) -> Finding:
    found = {name: installed(name) for name in LIBRARIES}
    missing = [name for name, number in found.items() if number is None]
    if missing:
        return Finding(
            "libraries",
            State.BAD,
            _("Missing: {names}", names=_.list(missing)),
            _("Reinstall Fairdeal: pipx reinstall fairdeal"),
            found,
        )
    named = ", ".join(f"{name} {number}" for name, number in found.items())
    return Finding("libraries", State.OK, _("Libraries: {names}", names=named), details=found)


def sodium(_: Translator) -> Finding:
    """Check that libsodium loads and computes."""
    from protocol.dealing.library import LibraryUnusable, load

    try:
        found = load()
    except LibraryUnusable as fault:
        return Finding(
            "libsodium",
            State.BAD,
            _(fault.template, **fault.fields),
            _("Reinstall Fairdeal: pipx reinstall fairdeal"),
            {"version": None, "source": None},
        )
    details = {"version": found.version, "source": found.source}
    return Finding("libsodium", State.OK, _("libsodium {version} works", version=found.version), details=details)


def phones(_: Translator) -> Finding:
    """Check whether what guests by phone need is installed. Nothing else depends on it."""
    try:
        folder()
    except NoAssets as fault:
        what = _("Friends can’t play by phone yet")
        return Finding("phones", State.OK, what, explain(_, fault), {"installed": False})
    return Finding("phones", State.OK, _("Friends can play by phone"), details={"installed": True})


def clock(_: Translator, now: datetime.datetime) -> Finding:
    details = {"time": now.isoformat(timespec="seconds")}
    if now.year >= FIRST_YEAR:
        return Finding("clock", State.OK, _("Clock: {time}", time=f"{now:%Y-%m-%d %H:%M}"), details=details)
    return Finding(
        "clock",
        State.WARN,
        _("The clock shows {time}", time=f"{now:%Y-%m-%d %H:%M}"),
        _("You can play anyway, but your matches will have the wrong date: set the clock."),
        details,
    )
