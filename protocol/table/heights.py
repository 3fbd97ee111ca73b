"""How a height goes from its entry to the next: what is committed must be settled, and what is settled is written down.

What an entry demands meanwhile is done in `settlement`. (PROTOCOL.md, "Phases".)
"""

from __future__ import annotations

from protocol.hashing import digest
from protocol.table import ballot
from protocol.table.events import Settled
from protocol.table.record import Phase, Record
from protocol.table.round import Round, Settling

OWN_OF_A_HEIGHT = (("own", "proposal"), ("own", "remask"), ("own", "shares"))
"""Names of work that is of no use after its height: its results hold secrets, and would pile up."""


def begin(record: Record, settling: Settling) -> None:
    """An entry is committed, or a card turned up: the game is in its next state, and its demands are to be met."""
    record.state = settling.outcome.state
    record.settling = settling
    record.phase = Phase.SETTLING


def finish(record: Record, phase: Phase) -> None:
    """The height is settled: its messages go into the transcript, and the next height is open."""
    record.emit()
    record.settling = None
    record.phase = phase
    next_height(record)
    if phase is Phase.PLAYING and record.preparing is None and _may_prepare_ahead(record):
        assert record.round is not None
        record.preparing = Round(record.round.number + 1)


def next_height(record: Record) -> None:
    """Another height is open, on the state that the last one settled; what was of use for that one alone is dropped."""
    record.events.append(Settled(record.height))
    record.height += 1
    record.entries = {}
    record.is_split = False
    record.state_bytes = ballot.state_bytes(record)
    record.state_hash = digest("state", record.state_bytes)
    record.forget()
    record.drop_work(lambda name: name[0] in ("proposal", "remask", "shares") and name[1] < record.height)
    record.drop_work(lambda name: name[:2] in OWN_OF_A_HEIGHT and name[2] < record.height)


def _may_prepare_ahead(record: Record) -> bool:
    assert record.round is not None
    limit = record.roster.table.rounds
    return not record.game.deck_depends_on_round and not (limit and record.round.number >= limit)
