"""Read a home's journal beside the client that writes it."""

from __future__ import annotations

import sys
from pathlib import Path

from p2p.saved import Journals


def read_journal(path: Path) -> Journals:
    """Open the journal at `path` for reading. In a browser it is the one that is open. Raises what `Journal.read_only` raises."""
    if sys.platform == "emscripten":
        from p2p.browser.journal import opened

        return opened(path)
    from p2p.journal import Journal

    return Journal.read_only(path)
