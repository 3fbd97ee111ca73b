"""Answer for matches that are over: whoever was away at the end asks, and gets the page that tells how it ended.

PROTOCOL.md, "Tombstones".
"""

from __future__ import annotations

from collections import OrderedDict

from p2p.journal import Journal
from protocol.errors import BadMessage
from protocol.messages import Ask
from protocol.signed import Page, decode
from protocol.table.roster import decode_roster

ANSWER_EVERY_S = 1.0
MAX_ASKERS = 256
"""So many are remembered, to answer each of them no more often than that."""


class Past:
    """The tombstones of one home."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._answered: OrderedDict[bytes, float] = OrderedDict()
        """When each key was answered last."""
        self._keys: frozenset[bytes] = frozenset()
        self._looked_at = -ANSWER_EVERY_S

    def knows(self, key: bytes, now: float) -> bool:
        """Whether this key sat in a match of which we can tell how it ended. Such a client may think that it goes on."""
        if now - self._looked_at >= ANSWER_EVERY_S:
            self._looked_at = now
            self._keys = frozenset[bytes]().union(*map(_keys_of, self._journal.tombstone_rosters()))
        return key in self._keys

    def answer(self, author: bytes, data: bytes, now: float) -> bytes | None:
        """Return the answer to a request of this key about a match that is over, if it is one and sat there."""
        if now - self._answered.get(author, -ANSWER_EVERY_S) < ANSWER_EVERY_S:
            return None
        try:
            asked = decode(data)
        except BadMessage:
            return None
        if isinstance(asked, Page) or not isinstance(asked.message, Ask):
            return None
        found = self._journal.tombstone(asked.table)
        if found is None:
            return None
        roster, page = found
        if author not in _keys_of(roster):
            return None
        self._answered[author] = now
        self._answered.move_to_end(author)
        while len(self._answered) > MAX_ASKERS:
            self._answered.popitem(last=False)
        return page


def _keys_of(roster: bytes) -> frozenset[bytes]:
    try:
        return frozenset(member.key for member in decode_roster(roster).members)
    except BadMessage:  # a match of an older version
        return frozenset()
