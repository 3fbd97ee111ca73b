"""What players say with one key, passed on to those who watch: signed by who said it, and part of no transcript.

Chat is not passed on: it is for the table, and anybody on the network may watch. PROTOCOL.md: "Watchers".
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.budgets import Buckets
from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Emote
from protocol.signed import Signed, decode_signed
from protocol.table.events import Event, Said
from protocol.table.record import Record

PREFIX = b"e"
"""The first byte of a message that carries an emote to a watcher."""
MAX_BYTES = 512


def reactions_in(events: Sequence[Event]) -> list[bytes]:
    """Return the emotes among these events, as they were signed."""
    return [each.signed for each in events if isinstance(each, Said) and isinstance(each.message, Emote)]


def decode_reaction(data: bytes) -> Signed:
    """Raises BadMessage and nothing else. The signature is not checked."""
    if len(data) > MAX_BYTES or not isinstance((signed := decode_signed(data)).message, Emote):
        raise BadMessage("these bytes are not a message")
    return signed


def accepted(signed: Signed, record: Record, talk: Buckets[Seat], now: float) -> str | None:
    """Return the name of an emote that its seat has said at this table, once and not too often; else None.

    So nobody can put words into the mouths of others, or say one a hundred times.
    """
    message, seat = signed.message, signed.seat
    is_here = signed.table == record.table and record.seed is not None and seat in record.present
    if not isinstance(message, Emote) or not is_here or talk.spend(seat, 1, now) > 0:
        return None
    is_new = signed.is_by(record.key(seat)) and not record.ledger.store.is_repeated(signed)
    return message.name if is_new else None
