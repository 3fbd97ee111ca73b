"""Log an unexpected error, so that the user can send it. Imported only when one has happened."""

from __future__ import annotations

import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path


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
    name = time.strftime("fault-%Y%m%d-%H%M%S.log")
    for folder in (home / "faults", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="replace")
            return path
        except OSError:
            continue
    print(text, file=sys.stderr)
    return Path(name)
