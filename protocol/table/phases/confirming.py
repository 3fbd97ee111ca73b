"""End a match: at once where the votes of all are there, and where an epoch begins with its end, once all of it have said so.

Whoever begins that epoch may be alone in it, and the others may still go on with somebody who has not voted. So it ends nothing
before each of its seats has said `closed` in it: from then on no other epoch can begin. (PROTOCOL.md,
"Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol.cards import Seat
from protocol.messages import Closed, Message
from protocol.signed import Signed
from protocol.table.events import MatchOver, MatchShort
from protocol.table.ledger import Ledger
from protocol.table.own import Own
from protocol.table.phases.values import Confirming, Match, Now, Over
from protocol.table.places import places_of
from protocol.table.round import Round
from protocol.table.store import Said
from protocol.values import replace


def ended(match: Match, round: Round | None, ledger: Ledger, is_short: bool = False) -> Over:
    """End the match."""
    places = places_of(ledger.game, match.scores, match.departed)
    winners = tuple(each.seat for each in places if each.place == 1)
    ledger.events.append(
        MatchShort(match.scores, match.previous, places)
        if is_short
        else MatchOver(winners, match.scores, match.previous, places)
    )
    return Over(replace(match, preparing=None), round, is_short)


def unconfirmed(now: Confirming, said: Mapping[Said, Signed]) -> set[Seat]:
    """Return the seats that have not said in this epoch that they have the end."""
    match, closed = now.match, Closed(now.match.previous)
    held = ((seat, said.get((seat, match.epoch.number, closed.slot))) for seat in match.epoch.present)
    return {seat for seat, each in held if each is None or each.message != closed}


def confirm(now: Confirming, ledger: Ledger) -> Over | None:
    """End the match when all have said that they have its end. That counts whatever was promised or found out meanwhile."""
    if unconfirmed(now, ledger.store.said):
        return None
    match = now.match
    for seat in match.epoch.present:
        signed = ledger.store.get(seat, match.epoch.number, "closed")
        assert signed is not None
        ledger.keep((0, seat), signed)
    ledger.emit(match.height)
    ledger.events += now.told
    return ended(match, now.round, ledger, now.is_short)


def say_closed(now: Now, ledger: Ledger, own: Own) -> Message | None:
    """Confirm that we hold the end of the match."""
    said = ledger.store.get(own.seat, now.match.epoch.number, "closed")
    return Closed(now.match.previous) if said is None else None
