"""Tell those in the room who wait about an empty seat at the running match, which they may take.

It is offered by the client that asks people to take seats (`protocol.table.takers`), and only where the match needs the seat or
its player has left for good: a player who only lost the link may come back. PROTOCOL.md: "The room".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.room.values import Guest, Room
from protocol.table.record import Record
from protocol.table.roster import Roster, decode_roster
from protocol.table.table import Table


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """An empty seat of a running match: whose it was, and the points that go with it. `epoch`: in which it is empty."""

    roster: Roster
    epoch: int
    seat: Seat
    name: str
    points: int


def offer_of(table: Table) -> SeatOffer | None:
    """Return the empty seat that we are to offer, or None."""
    record = table.record
    if record.seed is None or table.is_over or not table.is_present or not table.leaving.takers.is_proposer(table.seat):
        return None
    gone = record.ledger.departures.gone
    for seat in range(record.size):
        if seat in record.present or not (record.is_waiting_for_players or record.key(seat) in gone):
            continue
        return SeatOffer(record.roster, record.epoch, seat, record.member(seat).name, _points(record, seat))
    return None


def may_take(table: Table, offer: SeatOffer, guest: Guest) -> bool:
    """Return whether this guest may take the seat: not if they, or the computer that runs them, left for good."""
    added = (offer.seat, guest.key, guest.keeper, guest.name, guest.bot)
    return table.record.changes.may_join((added,), table.record.ledger.departures.out)


def _points(record: Record, seat: Seat) -> int:
    return next(score for team, score in zip(record.game.teams, record.scores, strict=True) if seat in team)


def offer_body(offer: SeatOffer | None) -> dict[str, Any]:
    """Encode an offer, or that there is none any more."""
    if offer is None:
        return {"roster": b"", "epoch": 0, "seat": 0, "name": "-", "points": 0}
    said = {"epoch": offer.epoch, "seat": offer.seat, "name": offer.name, "points": offer.points}
    return {"roster": offer.roster.encode(), **said}


def read_offer(body: Mapping[str, Any], room: Room) -> SeatOffer | None:
    """Decode an offer; None if there is none any more. Raises BadMessage for a seat of another match than the room's."""
    if not body["roster"]:
        return None
    roster = decode_roster(body["roster"])
    if roster.table_id != room.match or body["seat"] >= len(roster.members):
        raise BadMessage("a seat of another match")
    return SeatOffer(roster, body["epoch"], body["seat"], body["name"], body["points"])
