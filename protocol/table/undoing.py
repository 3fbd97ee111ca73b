"""Go back on a seat that somebody took who vanished before anything came of it, where nobody could go on otherwise.

Whoever plays alone with bots is one of two as soon as somebody sits down there, and could not leave that one out again. But as
long as they have not voted, nothing is certified in that epoch, and nothing can be: they may go on from the epoch before it.
(PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Collection

from protocol.cards import Seat
from protocol.table.course import Before, Ground
from protocol.table.epochs import Attempt, Plan, attempt_of, plan_of, without
from protocol.table.phases.values import Between
from protocol.table.record import Record


def way_back(record: Record, own: Seat, awaited: Collection[Seat]) -> tuple[int, Before] | None:
    """Return the number of the epoch for which our seat is to sign, and the one from which that begins; None if there is none.

    `awaited`: the seats that we have awaited for too long. A bot only follows its keeper, who has not voted, and knows whom we
    miss.
    """
    before = _undoable(record)
    if before is None or own not in before.epoch.present:
        return None
    promises, seat = record.ledger.departures.withouts, _seat_of_keeper(record, before)
    if seat is None or record.ledger.departures.promised > record.epoch:
        return None
    if own == seat:
        is_missed = any(each in awaited for each in _newcomers(record, before))
        has_voted = record.from_seat(own, "vote", record.height) is not None
        heard = record.ledger.departures.within_reach(record.epoch)
        number = max((number for number, _ in heard), default=record.epoch) + 1
        return (number, before) if is_missed and not has_voted else None
    plan = Plan(before.epoch.present)
    said = [
        number
        for (number, who), each in promises.items()
        if who == seat and each.epoch_hash == before.epoch.hash and plan_of(each) == plan
    ]
    return (max(said), before) if said else None


def ground_of(record: Record, before: Before) -> Ground:
    """Return what a promise that leads on from there names."""
    return record.ground_of(before.moment.now, before.store.said)


def attempts_since(record: Record, own: Seat, key: bytes, before: Before) -> tuple[Attempt, ...]:
    """Return all that this key has promised for our seat since that epoch."""
    said = [*before.departures.of(own, key), *record.ledger.departures.of(own, key)]
    return tuple(sorted({attempt_of(each) for each in said if without(each).number > before.epoch.number}))


def _undoable(record: Record) -> Before | None:
    """Return the epoch before this one, if somebody new took a seat in this one, in which nothing is certified."""
    if not record.before or not isinstance(record.now, Between):
        return None
    before = record.before[-1]
    return before if set(before.epoch.present) < set(record.present) and _newcomers(record, before) else None


def _newcomers(record: Record, before: Before) -> list[Seat]:
    """Return the seats of those who are no bots of somebody who was there before."""
    people = {record.keepers[seat] for seat in before.epoch.present}
    return [seat for seat in record.present if seat not in before.epoch.present and record.keepers[seat] not in people]


def _seat_of_keeper(record: Record, before: Before) -> Seat | None:
    """Return the seat of who keeps all that were there before; None if there are several."""
    people = {record.keepers[seat] for seat in before.epoch.present}
    seats = (seat for seat in before.epoch.present if {record.key(seat)} == people)
    return next(seats, None)
