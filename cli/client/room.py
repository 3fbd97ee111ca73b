"""A room with many matches: how its first table is reached, and each next one.

Every match has its own table on the wire. A `Door` leads to a table, and `Door.next` to the table after it, even if the
match was resumed by a new process.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from cli.clean import clean_name
from cli.client.session import Session
from cli.faults import NobodyThere
from cli.requests import TableRequest
from p2p.interfaces import Address
from p2p.journal import Match
from p2p.node import DEFAULT_PORT
from protocol.errors import FairdealError
from protocol.games.options import spelled
from protocol.table.roster import Member, Roster, decode_roster

OPENED_AS = "command"
"""Key in a match's meta: the command that opened its table, "play" (alone) or "host" (with friends)."""
OPENED_AT = "port"
"""Key in a match's meta: the requested port, where others look for the next table."""
REJOIN_S = 20.0
"""How long a guest tries to join the host's next table, in seconds."""
RETRY_S = 0.5
UNHURRIED_S = 12 * 3600.0
"""The pause between rounds when nobody else waits, in seconds: the person ends it."""


@dataclass(frozen=True, slots=True)
class Door:
    """The way to a table: open one, join one, or return to one.

    Opens a table as `request` says, or joins the one at `addresses` (with `host`, only the one with this key), or with
    `is_return` resumes the match that was left here. `patience_s`: how long to look for a table, in seconds.
    """

    request: TableRequest
    addresses: tuple[Address, ...] = ()
    host: bytes | None = None
    patience_s: float = 0.0
    is_return: bool = False

    async def enter(self, session: Session) -> None:
        """Bring the session to the table. Raises NobodyThere."""
        if self.is_return:
            match = session.unfinished
            if match is None:
                raise NobodyThere("there is no unfinished match on this computer")
            await session.resume(match)
        elif self.request.command in ("play", "host"):
            await session.host(self.request.bots or 0)
        else:
            deadline = time.monotonic() + self.patience_s
            while True:
                try:
                    await session.join(self.addresses, self.host)
                except FairdealError:
                    if time.monotonic() > deadline:
                        raise
                    await asyncio.sleep(RETRY_S)
                else:
                    return

    def next(self) -> Door:
        """Return the way to the next table."""
        return self if self.request.command in ("play", "host") else replace(self, patience_s=REJOIN_S)

    def note(self, session: Session) -> None:
        """Record in the match's meta how its table was opened."""
        if self.request.command in ("play", "host"):
            session.node.journal.set_meta(
                session.driver.match, **{OPENED_AS: self.request.command, OPENED_AT: self.request.port}
            )


def opening(request: TableRequest) -> Door:
    """Return the way to a new table. With bots only, the next round waits for the person."""
    if request.command == "play" and request.pause_s is None and not request.autoplay:
        request = replace(request, pause_s=UNHURRIED_S)
    return Door(request)


def door_after(base: TableRequest, match: Match, own: bytes) -> Door | None:
    """Return the way to the table after a resumed match; None if its host is unknown.

    `base`: the command-line values that apply to any table (name, home); `own`: our key.
    """
    roster = decode_roster(match.roster)
    base = replace(base, name=base.name or str(match.meta.get("name") or "") or None)
    if match.role == "host":
        return opening(_opened_again(base, match, roster, own))
    host = _host(match, roster, own)
    if host is None:
        return None
    seen = match.seats.get(host, ())
    usual = tuple(
        (address[0], DEFAULT_PORT) for address in seen
    )  # a host that resumed may have listened on another port
    request = replace(base, command="join", where=None, bots=None, fresh=False)
    return Door(request, tuple(dict.fromkeys((*seen, *usual))), host, REJOIN_S)


def with_addresses(door: Door, session: Session) -> Door:
    """Return the same way with the host's current addresses first."""
    if door.host is None:
        return door
    now = session.node.mesh.addresses(door.host)
    return replace(door, addresses=tuple(dict.fromkeys((*now, *door.addresses))))


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
    """Return the host's key: as recorded, or, if only the name was, of the one player with that name."""
    keys = [member.key for member in roster.members if member.key != own]
    noted = match.meta.get("host_key")
    named = [member.key for member in roster.members if _is_named(member, match) and member.key != own]
    return next((key for key in keys if key.hex() == noted), named[0] if len(named) == 1 else None)


def _is_named(member: Member, match: Match) -> bool:
    return not member.bot and member.name == match.meta.get("host")
