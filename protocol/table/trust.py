"""Skip checks when the journal is read: our own votes in it show what was checked before.

A vote shows that its height was checked. A vote that opens a round does not name the round, so the journal marks it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protocol.errors import BadMessage
from protocol.messages import Message, Proposal, Vote
from protocol.signed import decode_signed
from protocol.table.record import Phase, Record
from protocol.table.step import Entry
from protocol.wire import pack, unpack


def is_opening_vote(record: Record, message: Message) -> bool:
    """Whether a message of ours shows that a round's preparation was checked."""
    return isinstance(message, Vote) and record.phase is Phase.BETWEEN


def round_mark(record: Record) -> bytes:
    """Return the journal's mark for the round whose preparation was checked."""
    return pack(["round", record.rounds_closed + 1])


def trust(record: Record, entries: Iterable[Entry]) -> None:
    """Trust what our own votes in the journal show to be checked."""
    kept = record.ledger.trust
    for entry in entries:
        if entry.kind == "mark":
            kept.round = max(kept.round, _marked(entry.data))
        elif entry.kind == "out":
            try:
                message: Any = decode_signed(entry.data).message
            except BadMessage:
                continue
            if isinstance(message, (Vote, Proposal)):
                kept.height = max(kept.height, message.height)


def distrust(record: Record) -> None:
    """Check everything from now on; call it when the journal has been read."""
    record.ledger.trust.height = record.ledger.trust.round = 0


def _marked(data: bytes) -> int:
    try:
        value = unpack(data)
    except BadMessage:
        return 0
    is_mark = type(value) is list and len(value) == 2 and value[0] == "round" and type(value[1]) is int
    return int(value[1]) if is_mark else 0
