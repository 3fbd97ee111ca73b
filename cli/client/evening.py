"""The matches of this evening, for the score sheet. Reads the journal of this person's home: off the event loop, please."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from cli.client.results import finished_matches
from cli.news import EVENING_ENDS_H, Finished
from protocol.errors import FairdealError

MOST_MATCHES = 50


def evening_of(home: Path, now: float) -> list[Finished]:
    """The matches that were finished since this evening began, the newest first."""
    with contextlib.suppress(FairdealError, OSError):
        today = time.strftime("%Y-%m-%d", time.localtime(now - EVENING_ENDS_H * 3600))
        return [each for each in finished_matches(home, MOST_MATCHES) if each.evening == today]
    return []
