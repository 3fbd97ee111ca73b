"""Tell those in the room who wait about a seat at the running match which they may take.

It is offered by the client that asks people to take seats (`protocol.table.takers`): an empty one only where the match needs the
seat or its player has left for good, since a player who only lost the link may come back; else a bot's. PROTOCOL.md: "The room".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption
from protocol.room.values import Guest, Room
from protocol.table.record import Record
from protocol.table.roster import Roster, decode_roster, game_of
from protocol.table.table import Table
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A seat of a running match that is empty in this epoch: whose it was, and the points that go with it. `is_bots`: it is not
    empty, but its bot makes room."""

    roster: Roster
    epoch: int
    seat: Seat
    name: str
    points: int
    is_bots: bool = False


def offers_of(table: Table, asked: Collection[Seat] = ()) -> Iterator[SeatOffer]:
    """Yield the seats that we are to offer, the first one first. `asked`: the seats for which somebody has asked."""
    record = table.record
    if record.seed is None or table.is_over or not table.is_present or not table.leaving.takers.is_proposer(table.seat):
        return
    gone = record.ledger.departures.gone
    seats = range(record.size)
    empty = [seat for seat in seats if seat not in record.present]
    empty = [seat for seat in empty if record.is_waiting_for_players or record.key(seat) in gone]
    for seat in (*empty, *(seat for seat in seats if record.gives_way(seat) and seat not in asked)):
        name, points = record.member(seat).name, _points(record, seat)
        yield SeatOffer(record.roster, record.epoch, seat, name, points, seat in record.present)


def may_take(table: Table, offer: SeatOffer, guest: Guest) -> bool:
    """Return whether this guest may take the seat: not if they, or the computer that runs them, left for good, nor who is in the
    roster. A bot makes room for whoever wants to play."""
    if (offer.is_bots and not guest.plays) or is_listed(guest.key, offer.roster):
        return False
    added = (offer.seat, guest.key, guest.keeper, guest.name, guest.bot)
    return table.record.changes.may_join((added,), table.record.ledger.departures.out)


def is_listed(key: bytes, roster: Roster) -> bool:
    """Return whether this key is in the roster, so that it can go back to its own seat alone."""
    return any(member.key == key for member in roster.members)


def _points(record: Record, seat: Seat) -> int:
    return next(score for team, score in zip(record.game.teams, record.scores, strict=True) if seat in team)


def offer_body(offer: SeatOffer | None) -> dict[str, Any]:
    """Encode an offer, or that there is none any more."""
    if offer is None:
        return {"roster": b"", "epoch": 0, "seat": 0, "name": "-", "points": 0, "bot": False}
    said = {"epoch": offer.epoch, "seat": offer.seat, "name": offer.name, "points": offer.points, "bot": offer.is_bots}
    return {"roster": offer.roster.encode(), **said}


def read_offer(body: Mapping[str, Any], room: Room, own: bytes) -> SeatOffer | None:
    """Decode an offer to us (`own`: our key); None if there is none any more.

    Raises BadMessage for a seat of another match than the room's, of one that we cannot play, and of one in which we have
    another: we must not forget what we have said there.
    """
    if not body["roster"]:
        return None
    roster = decode_roster(body["roster"])
    if roster.table_id != room.match or body["seat"] >= len(roster.members):
        raise BadMessage("a seat of another match")
    if is_listed(own, roster):
        raise BadMessage("a seat of a match in which we have one")
    try:
        game_of(roster)
    except BadOption as fault:
        raise BadMessage("a seat of a match that cannot be played here") from fault
    return SeatOffer(roster, body["epoch"], body["seat"], body["name"], body["points"], body["bot"])
