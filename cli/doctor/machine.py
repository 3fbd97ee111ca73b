"""The program itself and what it stands on: versions, the group library, the clock."""

from __future__ import annotations

import datetime
import platform
from importlib.metadata import PackageNotFoundError, version

from cli.doctor.check_result import Finding, State
from cli.text import Translator

LIBRARIES = ("cryptography", "msgpack", "platformdirs", "prompt_toolkit", "rbcl", "wcwidth", "zeroconf")
FIRST_YEAR = 2024
"""The program is younger than any clock that says less."""
TWICE_THE_BASE = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
"""RFC 9496, appendix A.1."""


def look_at_machine(_: Translator) -> list[Finding]:
    """All findings of this subject."""
    return [program(_), libraries(_), sodium(_), clock(_, datetime.datetime.now().astimezone())]


def program(_: Translator) -> Finding:
    facts = {
        "version": installed("fairdeal") or "?",
        "python": platform.python_version(),
        "system": " ".join(word for word in (platform.system(), platform.release(), platform.machine()) if word),
    }
    what = _("Fairdeal {version}, Python {python}, {system}", **facts)
    return Finding("program", State.OK, what, details=facts)


def installed(name: str) -> str | None:
    """A package's version; None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def libraries(_: Translator) -> Finding:
    found = {name: installed(name) for name in LIBRARIES}
    missing = [name for name, number in found.items() if number is None]
    if missing:
        return Finding(
            "libraries",
            State.BAD,
            _("Missing: {names}", names=_.list(missing)),
            _("Install the program again: pipx reinstall fairdeal"),
            found,
        )
    named = ", ".join(f"{name} {number}" for name, number in found.items())
    return Finding("libraries", State.OK, _("Libraries: {names}", names=named), details=found)


def sodium(_: Translator) -> Finding:
    """Tried, not only asked for: rbcl unpacks it among the temporary files, where some systems run nothing."""
    try:
        import ctypes

        from rbcl._sodium import _sodium

        from protocol.dealing.group import G, Scalar

        works = (Scalar(2) * G).encode() == TWICE_THE_BASE
        _sodium.sodium_version_string.restype = ctypes.c_char_p
        number = _sodium.sodium_version_string().decode()
    except (ImportError, OSError, AttributeError, ValueError) as fault:
        works, number = False, str(fault)
    details = {"version": number if works else None}
    if works:
        return Finding("libsodium", State.OK, _("libsodium {version} computes", version=number), details=details)
    return Finding(
        "libsodium",
        State.BAD,
        _("libsodium does not load ({reason}): no cards can be dealt", reason=number or "?"),
        _("Let TMPDIR name a folder with room in which programs may run, or install the program again."),
        details,
    )


def clock(_: Translator, now: datetime.datetime) -> Finding:
    details = {"time": now.isoformat(timespec="seconds")}
    if now.year >= FIRST_YEAR:
        return Finding("clock", State.OK, _("Clock: {time}", time=f"{now:%Y-%m-%d %H:%M}"), details=details)
    return Finding(
        "clock",
        State.WARN,
        _("The clock says {time}", time=f"{now:%Y-%m-%d %H:%M}"),
        _("Matches do not need it, but the dates of your matches will be wrong: set it."),
        details,
    )
