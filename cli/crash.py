"""Log an unexpected error, so that the user can send it. Imported only when one has happened."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path

from p2p.home import make_private_folder
from protocol.errors import FairdealError


def record(home: Path) -> Path:
    """Write the current exception to a new file and return its path. Never raises."""
    return write_down(home, traceback.format_exc())


def write_down(home: Path, fault: str) -> Path:
    """Write an error that is already text, such as a subprocess's last output. Never raises."""
    text = "\n".join(
        (
            time.strftime("%Y-%m-%d %H:%M:%S %z"),
            f"{platform.platform()}, Python {platform.python_version()}",
            "fairdeal " + " ".join(sys.argv[1:]),
            fault,
        )
    )
    found = _new_file(home)
    if found is None:
        print(text, file=sys.stderr)
        return Path("-")
    handle, path = found
    with open(handle, "w", encoding="utf-8", errors="replace") as out, contextlib.suppress(OSError):
        out.write(text)
    return path


def _new_file(home: Path) -> tuple[int, Path] | None:
    """Create a file that only its owner can read, in the home or else in the temporary folder; None if neither works.

    The home is not to be readable by others only because it is made here, and in a folder that all share nobody may
    know the name before: they could have put a link there.
    """
    try:
        folder = home / "faults"
        for each in (home, folder):
            make_private_folder(each)
        handle, name = tempfile.mkstemp(".log", time.strftime("fault-%Y%m%d-%H%M%S-"), folder)
    except (FairdealError, OSError):
        try:
            handle, name = tempfile.mkstemp(".log", "fairdeal-fault-")
        except OSError:
            return None
    if os.name == "posix":
        os.fchmod(handle, 0o600)
    return handle, Path(name)
