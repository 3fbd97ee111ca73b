"""Removes the copy of libsodium that rbcl leaves among the temporary files each time it is imported (2.8 MB)."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path


def drop_library_copy() -> None:
    """Deletes this process's copy, if the library was loaded: what is loaded needs no file any more. Where the system does
    not let go of a loaded file (Windows) the copy stays."""
    module = sys.modules.get("rbcl._sodium")
    if module is not None:
        with contextlib.suppress(OSError, AttributeError):
            Path(module._sodium._name).unlink(missing_ok=True)
