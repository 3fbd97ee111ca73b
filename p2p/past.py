"""Answer for matches that are over: whoever was away at the end asks, and gets the page that tells how it ended.

PROTOCOL.md, "Between rounds and at the end".
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from p2p.errors import LinkLost
from p2p.home import Home, is_locked
from p2p.interfaces import Address
from p2p.journal import Journal
from p2p.mesh import Mesh
from p2p.tls import Credentials
from protocol.errors import BadMessage
from protocol.messages import Ask
from protocol.signed import Page, decode
from protocol.table.roster import PROTOCOL_VERSION, decode_roster

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


async def tell_end(home: Home, match: bytes, addresses: Sequence[Address]) -> bool:
    """Tell whoever takes this match, which is over here, for a running one how it ended; return whether it was told.

    For a client without a table. Does nothing if another process uses the home: that one is asked, and answers.
    """
    if is_locked(home.path) or not home.has_identity:
        return False
    journal = Journal.read_only(home.journal)
    try:
        found = journal.tombstone(match)
    finally:
        journal.close()
    if found is None:
        return False
    roster, page = found
    mesh = Mesh(Credentials.of(home.seed()), {"v": PROTOCOL_VERSION, "want": "look"}, lambda *_: None, lambda _: None)
    try:
        key = await mesh.call(addresses)
        return key in _keys_of(roster) and mesh.send(key, page)
    except LinkLost:
        return False
    finally:
        await mesh.close()
