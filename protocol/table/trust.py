"""Skip checks when the journal is read: our own votes in it show what was checked before.

A vote shows that its height was checked. A vote that opens a round does not name the round, so the journal marks it.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    return pack(["round", record.epoch, record.rounds_closed + 1])


def trust(record: Record, entries: Iterable[Entry]) -> None:
    """Trust what our own votes in the journal show to be checked."""
    kept = record.ledger.trust
    for entry in entries:
        if entry.kind == "mark":
            epoch, round = _marked(entry.data)
            kept.rounds[epoch] = max(kept.rounds.get(epoch, 0), round)
        elif entry.kind == "out":
            try:
                signed = decode_signed(entry.data)
            except BadMessage:
                continue
            if isinstance(message := signed.message, (Vote, Proposal)):
                kept.heights[signed.epoch] = max(kept.heights.get(signed.epoch, 0), message.height)


def distrust(record: Record) -> None:
    """Check everything from now on; call it when the journal has been read."""
    record.ledger.trust.heights.clear()
    record.ledger.trust.rounds.clear()


def _marked(data: bytes) -> tuple[int, int]:
    """Return the epoch and the round of a mark."""
    try:
        value = unpack(data)
    except BadMessage:
        return 0, 0
    is_mark = type(value) is list and len(value) == 3 and value[0] == "round" and {*map(type, value[1:])} == {int}
    return (value[1], value[2]) if is_mark else (0, 0)
