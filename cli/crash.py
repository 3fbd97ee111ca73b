"""Writes down an unexpected fault, so that its finder can send it. Imported only when one has happened."""

from __future__ import annotations

import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path


def record(home: Path) -> Path:
    """Writes the fault that is being handled to a file of its own; its path. Never raises."""
    return write_down(home, traceback.format_exc())


def write_down(home: Path, fault: str) -> Path:
    """The same with a fault that is text already, such as another process's last words."""
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
