"""Put a match aside that is not over: it is kept for later, nobody loses it, and something else can be played meanwhile."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

from cli.clean import clean_name
from cli.client.outcome import result_of
from cli.client.session import Session
from cli.client.sitters import names_of
from p2p.driver import Driver
from p2p.node import Node
from p2p.saved import SavedMatch
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.identity import fingerprint
from protocol.table.roster import decode_roster


def aside_here(node: Node) -> list[SavedMatch]:
    """Return the matches that can be gone back to: one that was left unfinished, then those that were put aside."""
    left = node.resumable()
    return [*([left] if left is not None else []), *node.aside()]


def put_aside(session: Session, match: SavedMatch) -> None:
    """Put aside a match that was left here before, with how it stood then."""
    standing = match.meta.get("standing") or _unknown(match)
    session.node.journal.put_aside(match.id, standing, at=time.time())
    session.node.journal.commit()


async def put_table_aside(session: Session) -> bool:
    """Leave our table as it is, with our bots, and be in the room again; return whether there is one."""
    driver, journal = session.driver, session.node.journal
    standing = _standing(session, driver)
    driver.close()
    if driver.fault is not None:
        return False
    session.node.save_addresses()
    journal.put_aside(driver.match, standing, at=time.time())
    journal.commit()
    await session.bots.put_aside()
    return session.again(is_ready=False)


def note_standing(session: Session, driver: Driver) -> None:
    """Keep how an unfinished match stands as we leave it, and who was missing: for when it is put aside later."""
    if driver.table.record.seed is not None:
        session.node.journal.set_meta(driver.match, standing=_standing(session, driver))
        session.node.journal.commit()


def _standing(session: Session, driver: Driver) -> dict[str, Any]:
    room = session.seat.room
    found = result_of(driver, clean_name(room.title, "") if room is not None else "")
    return found | {"winners": [], "left": _who_left(driver, session.seat.away)}


def _who_left(driver: Driver, away: Collection[Seat]) -> list[str]:
    """Return the names of the people for whom the table waits; our own if nobody is missing."""
    record, own = driver.table.record, driver.table.seat
    missing = driver.table.waits.missing() | set(away)
    people = [seat for seat in record.present if seat in missing and seat != own and not record.member(seat).bot]
    return [names_of(record)[seat] for seat in people or [own]]


def _unknown(match: SavedMatch) -> dict[str, Any]:
    """Return a match's result of which only the table is known: the program was killed there."""
    try:
        roster = decode_roster(match.roster)
    except FairdealError:
        return {}
    return {
        "game": roster.game,
        "names": [clean_name(member.name) for member in roster.members],
        "bots": [member.bot for member in roster.members],
        "keys": [fingerprint(member.key) for member in roster.members],
        "left": [],
    }
