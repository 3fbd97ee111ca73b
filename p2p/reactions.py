"""What players say with one key, passed on to those who watch: signed by who said it, and part of no transcript.

Chat is not passed on: it is for the table, and anybody on the network may watch. PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from p2p.budgets import TALK, Buckets
from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Emote
from protocol.signed import Signed, decode_signed
from protocol.table.events import Event, Said
from protocol.table.record import Record

PREFIX = b"e"
"""The first byte of a message that carries an emote to a watcher."""
MAX_BYTES = 512
MAX_HEARD = 64
"""How many of the latest are remembered, to recognize repetitions."""


def reactions_in(events: Sequence[Event]) -> list[bytes]:
    """Return the emotes among these events, as they were signed."""
    return [each.signed for each in events if isinstance(each, Said) and isinstance(each.message, Emote)]


def decode_reaction(data: bytes) -> Signed:
    """Raises BadMessage and nothing else. The signature is not checked."""
    if len(data) > MAX_BYTES or not isinstance((signed := decode_signed(data)).message, Emote):
        raise BadMessage("these bytes are not a message")
    return signed


class Reactions:
    """What a watcher heard, so that nobody can put words into the mouths of others, or say one a hundred times."""

    def __init__(self) -> None:
        self._heard: deque[bytes] = deque(maxlen=MAX_HEARD)
        self._talk: Buckets[Seat] = Buckets(TALK)

    def accepted(self, signed: Signed, record: Record, now: float) -> str | None:
        """Return the name of an emote that its seat has said at this table, once; else None."""
        message, seat = signed.message, signed.seat
        if not isinstance(message, Emote) or signed.table != record.table or signed.signature in self._heard:
            return None
        is_player = record.seed is not None and seat in record.present
        if not is_player or not signed.is_by(record.key(seat)) or self._talk.spend(seat, 1, now) > 0:
            return None
        self._heard.append(signed.signature)
        return message.name
