"""Say how a match ended, if it has a result: what its seats, its watchers and the readers of its file all come to.

(PROTOCOL.md, "The result".)
"""

from __future__ import annotations

from protocol.table.places import Place, places_of
from protocol.table.record import Ending, Phase, Record


def is_decided(record: Record) -> bool:
    """Whether the match has a result: all have voted for it, or all but one said goodbye.

    A cheat that ends the match leaves none, and neither does a goodbye of ours that the others survive.
    """
    broken = record.broken
    if broken is None or record.seed is None:
        return record.phase is Phase.OVER
    quorum = record.quorum
    return broken.ending is Ending.GOODBYE and len(quorum.people(set(record.present) - quorum.out)) == 1


def places_of_match(record: Record) -> tuple[Place, ...]:
    """Return the result by seat; empty while there is none."""
    if not is_decided(record):
        return ()
    return places_of(record.game, record.scores, record.match.departed)
