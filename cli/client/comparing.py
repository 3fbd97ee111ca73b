"""Remembers for the evening whose keys the person has compared, by reading the secret-check words out.

It stands with the matches in the journal, so that it outlives the program and ends with the evening.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.news import same_evening

if TYPE_CHECKING:
    from p2p.saved import Journals

MOST_MATCHES = 50
"""Of so many of the evening's last matches, so that a table is not held up by reading."""
META = "compared"


def compared_keys(journal: Journals, now: float) -> frozenset[bytes]:
    """Return the keys compared this evening. `now`: seconds since 1970."""
    matches = [*journal.unfinished(), *journal.finished(MOST_MATCHES)]
    found: set[bytes] = set()
    after = now
    for match in sorted(matches, key=lambda match: match.finished or match.created, reverse=True):
        if not same_evening(match.finished or match.created, after):
            break
        after = match.created
        found |= {bytes.fromhex(each) for each in match.meta.get(META) or ()}
    return frozenset(found)


def note_compared(journal: Journals, match: bytes, keys: frozenset[bytes]) -> None:
    """Remember that the words of this match were compared. Raises StorageFailed."""
    journal.set_meta(match, **{META: sorted(each.hex() for each in keys)})
    journal.commit()
