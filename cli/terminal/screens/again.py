"""The rematch of a match whose seat was taken again: the program that sat down first is gone, so the match itself must tell how
its table came about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cli.clean import clean_name
from cli.requests import TableRequest
from p2p.interfaces import Address
from p2p.journal import Match
from p2p.node import DEFAULT_PORT
from protocol.games.options import spelled
from protocol.table.roster import Member, Roster, decode_roster

OPENED_AS = "command"
"""Under this name a match's meta keeps which command opened its table: "play" for oneself, "host" for friends."""

OPENED_AT = "port"
"""And under this one the port that was asked for, where the others look for the next table."""


@dataclass(frozen=True, slots=True)
class Again:
    """How to come to the next table: ours, opened by `request`, or that of the host with this key, last reached at
    `addresses`."""

    request: TableRequest
    host: bytes | None = None
    addresses: tuple[Address, ...] = ()


def again(base: TableRequest, match: Match, own: bytes) -> Again | None:
    """The next table after this match; None where nobody can know whose it would be. `base`: the program's own words that hold
    at any table (name, home); `own`: our key."""
    roster = decode_roster(match.roster)
    base = replace(base, name=base.name or str(match.meta.get("name") or "") or None)
    if match.role == "host":
        return Again(_opened_again(base, match, roster, own))
    host = _host(match, roster, own)
    if host is None:
        return None
    seen = match.seats.get(host, ())
    usual = tuple((address[0], DEFAULT_PORT) for address in seen)  # a host who came back listened elsewhere meanwhile
    request = replace(base, command="join", where=None, bots=None, fresh=False)
    return Again(request, host, tuple(dict.fromkeys((*seen, *usual))))


def _opened_again(base: TableRequest, match: Match, roster: Roster, own: bytes) -> TableRequest:
    ours = [member for member in roster.members if member.bot and member.keeper == own and member.key != own]
    usual = "play" if len(ours) == len(roster.members) - 1 else "host"
    table = roster.table
    return replace(
        base,
        port=match.meta.get(OPENED_AT, base.port),
        command=match.meta[OPENED_AS] if match.meta.get(OPENED_AS) in ("play", "host") else usual,
        where=None,
        fresh=False,
        game=roster.game,
        table=clean_name(str(match.meta.get("title") or ""), "") or None,
        seats=len(roster.members),
        bots=len(ours),
        options=tuple((name, spelled(value)) for name, value in roster.options.items()),
        rounds=table.rounds or None,
        lots=table.lots,
        suggest=table.suggest,
        remind=table.remind,
        time_s=table.time / 1000 or None,
        grace_s=table.grace / 1000,
        pause_s=table.pause / 1000,
        leave_after_s=table.leave_after / 1000,
    )


def _host(match: Match, roster: Roster, own: bytes) -> bytes | None:
    """Whose table it was: as noted, or, in matches that noted only the name, the one player who bears it."""
    keys = [member.key for member in roster.members if member.key != own]
    noted = match.meta.get("host_key")
    named = [member.key for member in roster.members if _is_named(member, match) and member.key != own]
    return next((key for key in keys if key.hex() == noted), named[0] if len(named) == 1 else None)


def _is_named(member: Member, match: Match) -> bool:
    return not member.bot and member.name == match.meta.get("host")
