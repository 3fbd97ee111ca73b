"""Notice names that do not belong to their keys as before: a person is their key, and names are only labels."""

from __future__ import annotations

import math

from cli.clean import clean_name, look_of
from cli.news import NameNoticed
from p2p.budgets import TALK, Bucket
from p2p.saved import Journals

MAX_SEEN = 256
"""How many keys and names are remembered: a host can show any number of them."""
LOOK_EVERY_S = 10.0
"""How often the names of those met before are read again."""


class KnownNames:
    """Compares the people in a room with those met before; each key and name is noticed once, but for those shown long ago, and
    of many the first few."""

    def __init__(self, journal: Journals) -> None:
        self._journal = journal
        self._seen: dict[tuple[bytes, str], None] = {}
        self._told = Bucket(TALK, 0.0)
        self._looked_at, self._found = -math.inf, frozenset[str]()

    def notice(self, key: bytes, name: str, now: float = 0.0) -> NameNoticed | None:
        """Return what is odd about this person's name, or None. `now`: seconds of a monotonic clock."""
        noticed = self._notice(key, name, now)
        return noticed if noticed is not None and not self._told.spend(1, now) else None

    def _notice(self, key: bytes, name: str, now: float) -> NameNoticed | None:
        is_known = (key, name) in self._seen
        self._seen.pop((key, name), None)
        self._seen[key, name] = None
        if len(self._seen) > MAX_SEEN:
            del self._seen[next(iter(self._seen))]
        if is_known:
            return None
        known, look = self._journal.peer(key), look_of(name)
        if known is not None:
            is_same = look_of(known.name) == look
            return None if is_same else NameNoticed(key, clean_name(name), clean_name(known.name))
        return NameNoticed(key, clean_name(name)) if look in self._looks(now) else None

    def _looks(self, now: float) -> frozenset[str]:
        """What the names of everybody met before look like."""
        if now - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = now
            self._found = frozenset(look_of(each.name) for each in self._journal.peers)
        return self._found
