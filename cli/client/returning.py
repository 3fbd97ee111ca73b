"""Back to the seat of a match that was left on this computer, or goodbye to it."""

from __future__ import annotations

import asyncio
import time

from cli.clean import clean_name
from cli.client.aside import put_aside
from cli.client.bot_supervisor import add_bot_addresses
from cli.client.outcome import result_of
from cli.client.session import Session
from cli.news import Resuming
from p2p.routes import Route
from p2p.saved import SavedMatch
from protocol.table.roster import Member, decode_roster

GOODBYE_S = 5.0
"""How long to look for the others, to tell them that an old seat is given up, in seconds."""


async def resume(session: Session, match: SavedMatch) -> bool:
    """Return to the seat of a match that was left here, with our bots; any other one is put aside.

    Return whether the seat is there: a table that was being sealed may never have begun.
    """
    game, wanted = decode_roster(match.roster).game, session.request.game
    session.notify(Resuming(game, title_of(match), wanted if wanted and wanted != game else ""))
    node, bots = session.node, session.bots
    for other in node.journal.unfinished():
        if other.id != match.id:
            put_aside(session, other)
    node.settings.name = str(match.meta.get("name") or node.settings.name)  # as the others know us there
    await node.resume(match)
    driver = node.driver
    await bots.resume(_bots_of(match, node.identity.public), match.id)
    found = await bots.introduce(node.identity.public, node.mesh.port)
    node.settings.bots.update(found)
    add_bot_addresses(node, found)
    own = node.identity.public
    is_server = any(member.keeper == own != member.key and not member.bot for member in _members(match))
    if is_server or match.meta.get("serves"):
        await session.serve_phones()  # they come back by themselves
    if driver is not None and driver.table.record.seed is None:
        waiting = [asyncio.create_task(each.wait()) for each in (session.seat.seated, driver.finished)]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
    return node.driver is not None


def title_of(match: SavedMatch) -> str:
    """Return the name of a match's table, or of the match where it has none."""
    return clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]


async def say_goodbye(session: Session, match: SavedMatch) -> None:
    """Give up the old seat, and tell everybody of the old table who can be reached."""
    node = session.node
    await node.resume(match)
    node.stop_bot()
    driver = node.driver
    assert driver is not None
    others = [member.key for member in driver.table.record.roster.members]
    deadline = time.monotonic() + GOODBYE_S
    while time.monotonic() < deadline and all(node.mesh.route(key) is Route.NONE for key in others):
        await asyncio.sleep(0.05)
    driver.feed(driver.table.leave)
    await asyncio.sleep(0.2)
    driver.finish(time.time(), result_of(driver, ""), "left")
    node.driver = None
    session.seat.forget()
    node.waiting_room.leave()
    for other in others:
        node.mesh.drop(other, "goodbye")


def _members(match: SavedMatch) -> tuple[Member, ...]:
    return decode_roster(match.roster).members


def _bots_of(match: SavedMatch, own: bytes) -> list[str]:
    """Return the names of our bots in this match: as recorded, or, if we were killed before that, as the roster says."""
    signed = [each.name for each in _members(match) if each.bot and each.keeper == own and each.key != own]
    recorded = match.meta.get("bots")
    return [str(name) for name in (signed if recorded is None else recorded)]
