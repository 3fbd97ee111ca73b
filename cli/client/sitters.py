"""Who sits at a table and what was agreed on there, as the faces show it."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping

from cli.clean import clean_name
from cli.news import Player, SeatOffered, TableFacts, keys_to_compare, name_with_levels
from p2p.room.offers import SeatOffer
from protocol.cards import Seat
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.table.keepers import is_recoverable
from protocol.table.options import RECOVERY_ON
from protocol.table.record import Record
from protocol.table.roster import Member


def names_of(record: Record) -> list[str]:
    """Return the players' names by seat; equal names are distinguished by a number."""
    levels = record.game.levels
    names = [clean_name(name_with_levels(each.name, levels) if each.bot else each.name) for each in members_of(record)]
    counts = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, counts, strict=True)]


def players_of(
    record: Record, away: Collection[Seat], hints: Mapping[Seat, str], asleep: Collection[Seat] = ()
) -> list[Player]:
    """Return the players by seat. `away`: who has no link to us; `hints`: how much help each uses; `asleep`: at whose phone
    nobody looks."""
    names = names_of(record)
    keys = {record.key(seat): name for seat, name in enumerate(names)}
    recovered = record.round.recovered if record.round is not None else {}
    found = []
    for seat in range(record.size):
        member = record.member(seat)
        through = "" if member.keeper == member.key else keys.get(member.keeper, "")
        left = record.seed is not None and seat not in record.present
        found.append(
            Player(
                names[seat],
                member.bot,
                seat in away,
                through,
                hints.get(seat, ""),
                left,
                left and seat in recovered,
                member.key.hex(),
                seat in asleep,
            )
        )
    return found


def seat_offered(offer: SeatOffer | None) -> SeatOffered:
    """Return an offer of those who play as it is told; without a name, that there is none any more."""
    if offer is None:
        return SeatOffered("", 0)
    name = offer.name
    if offer.is_bots:
        with contextlib.suppress(BadOption):  # of a game that we lack
            name = name_with_levels(name, game_class(offer.roster.game).levels)
    return SeatOffered(clean_name(name), offer.points, offer.is_bots)


def former_bot(record: Record, seat: Seat) -> str:
    """Return the name of the bot that sat here before whoever took the seat last."""
    names = [each.member.name for each in record.replaced if each.seat == seat and each.member.bot]
    return clean_name(name_with_levels(names[-1], record.game.levels)) if names else ""


def members_of(record: Record) -> list[Member]:
    """Return who sits at a table by seat."""
    return [record.member(seat) for seat in range(record.size)]


def ends_recovery(record: Record, present: Collection[Seat], without: Collection[Seat]) -> bool:
    """Whether rounds could be finished without a missing player until these seats left, and no longer can."""

    def can(seats: Iterable[Seat]) -> bool:
        return is_recoverable(record.roster.table.recovery, map(record.member, seats))

    return can({*present, *without}) and not can(present)


def facts_of(record: Record, own: bytes, title: str, compared: Collection[bytes] = ()) -> TableFacts:
    """Return what hardly changes during a match. `own`: our key; `compared`: the keys that the player has compared this
    evening."""
    table, members = record.roster.table, record.roster.members
    recovery = is_recoverable(table.recovery, members)
    return TableFacts(
        clean_name(title, ""),
        record.words,
        table.rounds,
        table.remind,
        table.suggest,
        recovery=recovery,
        lacks_recovery=table.recovery == RECOVERY_ON and not recovery,
        is_shared=any(own not in (member.key, member.keeper) for member in members),
        is_compared=keys_to_compare(members_of(record), own) <= set(compared),
        options=dict(record.roster.options),
    )
