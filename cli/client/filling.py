"""Let a bot take a seat that the game needs, when nobody else does.

That is for the host of the room, or, if the host does not play, for the computer at the lowest seat: phones can run no bots.
"""

from __future__ import annotations

import asyncio

from cli.client.session import Session
from cli.log import LOG
from protocol.cards import Seat
from protocol.errors import FairdealError


async def fill_seats(session: Session) -> None:
    """While the match runs: after the time in which people may take the seat; at once if our player wants that, or if nobody
    sits in front of our seat and nobody waits in the room."""
    driver, loop = session.driver, asyncio.get_running_loop()
    session.bot_is_wanted.clear()
    tried: tuple[int, Seat] | None = None
    while not driver.finished.is_set():
        driver.changed.clear()
        due, seat = driver.table.pauses.offer_until, seat_to_fill(session)
        if due is None or seat is None or tried == (driver.table.record.epoch, seat):
            session.bot_is_wanted.clear()
            await driver.changed.wait()
            continue
        is_due = session.bot_is_wanted.is_set() or (session.request.autoplay and not _somebody_waits(session))
        if not is_due and loop.time() < due:
            await _first_of(driver.changed, session.bot_is_wanted, due - loop.time())
            continue
        tried = driver.table.record.epoch, seat
        try:
            await session.fill_seat(seat)
        except FairdealError as fault:
            LOG.warning("no bot takes seat %d: %s", seat, fault)


def seat_to_fill(session: Session) -> Seat | None:
    """Return the seat that a bot of ours is to take, if nobody else does; None if there is none, or it is not ours to fill."""
    table, room = session.driver.table, session.node.waiting_room.room
    record, own = table.record, session.node.identity.public
    if room is None or not record.is_waiting_for_players or not table.is_present:
        return None
    able = [record.key(seat) for seat in record.present if record.member(seat).keeper == record.key(seat)]
    if own != (room.host if room.host in able else next(iter(able), None)):
        return None
    return next(seat for seat in range(record.size) if seat not in record.present)


def fill_now(session: Session) -> bool:
    """Let a bot take the seat that the game needs without waiting for people; return False if that is not ours to do."""
    if seat_to_fill(session) is None:
        return False
    session.bot_is_wanted.set()
    return True


def _somebody_waits(session: Session) -> bool:
    """Whether somebody in the room could take the seat, or is about to."""
    room, record = session.node.waiting_room.room, session.driver.table.record
    sit = {record.key(seat) for seat in record.present}
    return room is not None and any(g.plays and not g.is_kept and g.key not in sit for g in room.members)


async def _first_of(one: asyncio.Event, other: asyncio.Event, within_s: float) -> None:
    waits = [asyncio.create_task(each.wait()) for each in (one, other)]
    try:
        await asyncio.wait(waits, timeout=max(0.0, within_s), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()
