"""Notice names that do not belong to their keys as before: a person is their key, and names are only labels."""

from __future__ import annotations

from cli.clean import clean_name
from cli.news import NameNoticed
from p2p.saved import Journals


class Names:
    """Compares the people in a room with those met before; each key and name is noticed once."""

    def __init__(self, journal: Journals) -> None:
        self._journal = journal
        self._seen: set[tuple[bytes, str]] = set()

    def notice(self, key: bytes, name: str) -> NameNoticed | None:
        """Return what is odd about this person's name, or None."""
        if (key, name) in self._seen:
            return None
        self._seen.add((key, name))
        known = self._journal.peer(key)
        if known is not None:
            return None if known.name == name else NameNoticed(key, clean_name(name), clean_name(known.name))
        if any(each.key != key for each in self._journal.peers_named(name)):
            return NameNoticed(key, clean_name(name))
        return None
