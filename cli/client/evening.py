"""Tell this evening's matches for the score sheet, from the journal. Blocks: call it off the event loop."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from cli.client.results import finished_matches
from cli.news import EVENING_ENDS_H, Finished
from protocol.errors import FairdealError

MOST_MATCHES = 50


def evening_of(home: Path, now: float) -> list[Finished]:
    """Return the matches finished since this evening began, newest first. `now`: seconds since 1970."""
    with contextlib.suppress(FairdealError, OSError):
        today = time.strftime("%Y-%m-%d", time.localtime(now - EVENING_ENDS_H * 3600))
        return [each for each in finished_matches(home, MOST_MATCHES) if each.evening == today]
    return []
