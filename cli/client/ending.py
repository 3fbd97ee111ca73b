"""A match's end: its file is verified, its result saved and reported. And what is left at the end of a stay."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from contextlib import AsyncExitStack
from typing import Any

from cli.clean import clean_name
from cli.client.aside import note_standing
from cli.client.filling import fill_seats
from cli.client.giving_way import let_bots_go
from cli.client.outcome import report_of, result_of
from cli.client.session import Session
from cli.news import Broken, MatchEnded
from p2p.driver import Driver
from p2p.errors import HomeFault
from protocol.errors import FairdealError
from protocol.table.record import Phase
from protocol.table.result import is_decided, places_of_match
from protocol.table.verify import following


async def finish(session: Session) -> dict[str, Any]:
    """Wait for the table's end, verify the transcript, save and report the result; return what `--json` prints."""
    driver = session.driver
    minding = [asyncio.create_task(fill_seats(session)), asyncio.create_task(let_bots_go(session))]
    try:
        await driver.finished.wait()
    finally:
        for task in minding:
            task.cancel()
    try:
        return await _finish(session, driver)
    except FairdealError as fault:
        session.seat.end(Broken(fault))  # otherwise readers of the news would wait forever
        raise


async def _finish(session: Session, driver: Driver) -> dict[str, Any]:
    seat, path = session.seat, driver.transcript_path
    if driver.fault is None:
        await session.bots.finished()
        driver.close()
    if driver.fault is not None:
        seat.end(Broken(driver.fault, may_return=True))
        return report_of(driver, "", False)
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise HomeFault("cannot read {path} ({reason})", path=path, reason=fault.strerror or str(fault)) from fault
    checked = (await session.node.workers.run_steps(following(data, os.urandom))).report
    record = driver.table.record
    verified = checked.ok and checked.match == driver.table.record.previous
    await _save_result(session, driver)
    if is_decided(record):
        match, places = record.previous.hex(), places_of_match(record)
        early = None if record.phase is Phase.OVER and not record.ended_short else seat.broken
        seat.end(MatchEnded(driver.table.view(), match, str(path), verified, places, early))
    else:
        seat.end(Broken(seat.broken or FairdealError("the match ended early")))
    return report_of(driver, str(path), verified)


async def _save_result(session: Session, driver: Driver) -> None:
    """Record the result and the people met in the journals, and delete the match's records."""
    node, room = session.node, session.seat.room
    status = "finished" if is_decided(driver.table.record) else "broken"
    now = time.time()
    title = clean_name(room.title, "") if room is not None else ""
    driver.finish(now, result_of(driver, title), status)
    session.is_saved = True
    await session.bots.finish(title, status)
    for member in driver.table.record.roster.members:
        if member.key != node.identity.public:
            node.journal.remember_peer(member.key, member.name, at=now, addresses=node.mesh.addresses(member.key))
    node.journal.commit()


async def release(session: Session) -> None:
    """Release everything; a match in progress stays in the journal."""
    session.seat.on_room_change = session.seat.on_room_news = _not_told
    async with AsyncExitStack() as stack:
        stack.push_async_callback(session.node.close)
        stack.callback(session.node.save_addresses)
        stack.push_async_callback(session.bots.close)
        driver = session.seat.driver
        if driver is not None and driver.table.is_over and not session.is_saved:
            # Left for good, or before the file was verified: there is nothing to return to.
            driver.close()
            if driver.fault is None:
                await _save_result(session, driver)
        elif driver is not None and not driver.table.is_over and driver.fault is None:
            with contextlib.suppress(FairdealError):  # a player who leaves need not hear about the disk
                note_standing(session, driver)


def _not_told(_news: object) -> None:
    """Nobody is told what happens to the room while we leave it."""
