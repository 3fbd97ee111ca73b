"""Bring a client's bots back to their seats after their process was restarted, and report what happens to them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from cli.client.bots import ports
from cli.client.game_failures import failure_in
from cli.client.session import Session
from cli.client.subprocess import Subprocess
from cli.news import STOPPED_ALONE, STOPPED_IN_ROOM, BotsChanged, BotsNews, BotsStopped, BotStuck, level_of
from p2p.node import Node
from p2p.routes import Route
from protocol.errors import FairdealError
from protocol.table.record import Phase

POLL_S = 0.05
LINK_S = 5.0


def add_bot_addresses(node: Node, found: Mapping[bytes, int]) -> None:
    """Tell the mesh on which ports our bots listen."""
    for key, port in found.items():
        node.mesh.add_addresses(key, [("127.0.0.1", port)])


async def restore_seats(session: Session, process: Subprocess) -> None:
    """Bring our bots, in a new process, back to the table or the waiting room."""
    node, bots = session.node, session.bots
    while (driver := node.driver) is not None:
        for name in bots.names:
            try:
                await process.ask("resume", name=name, match=driver.match.hex(), level=level_of(name))
            except FairdealError as fault:
                bots.on_news(BotStuck(name, fault))
        found = await process.ask("introduce", key=node.identity.public.hex(), port=node.mesh.port)
        add_bot_addresses(node, ports(found))
        await _linked(node, [bytes.fromhex(key) for key in found])
        # If sealing fails because a bot missed messages, the host soon opens the room again.
        while node.driver is driver and driver.table.record.phase is Phase.SEALING:
            await asyncio.sleep(POLL_S)
        if node.driver is driver:
            return
    room = node.waiting_room.room
    if room is None or not node.waiting_room.is_host:
        return
    for name in list(bots.names):
        if bots.keys.get(name) in room.refused:
            bots.names.remove(name)
            continue
        try:
            await process.ask("seat", **bots.way_in(name, [("127.0.0.1", node.mesh.port)], node.identity.public))
        except FairdealError as fault:
            bots.names.remove(name)
            bots.on_news(BotStuck(name, fault))


async def _linked(node: Node, keys: Sequence[bytes]) -> None:
    """Wait until all of them are linked, for at most LINK_S."""
    deadline = time.monotonic() + LINK_S
    while time.monotonic() < deadline and any(node.mesh.route(key) is Route.NONE for key in keys):
        await asyncio.sleep(POLL_S)


def _stopped(piece: BotsStopped) -> FairdealError | None:
    """Why the game made our bots stop, and in which file that is told; None if it did not."""
    return piece.reason and (failure_in(piece.log, piece.reason) if piece.log else piece.reason)


def report(session: Session, piece: BotsNews) -> None:
    """Pass on news of the bots: to the table's news queue if seated, otherwise to the face.

    If nobody can react to a failure, it becomes the error with which the command ends.
    """
    seat, request = session.seat, session.request
    is_seated = seat.seated.is_set()
    reason: FairdealError | None = None
    if isinstance(piece, BotStuck):
        reason = piece.reason
    elif isinstance(piece, BotsStopped) and piece.is_for_good:
        reason = _stopped(piece) or FairdealError(STOPPED_ALONE if is_seated else STOPPED_IN_ROOM)
        if not is_seated:
            session.bots.names.clear()
    if reason is not None and not session.bot_failure.done():
        session.bot_failure.set_result(reason)
    if is_seated and not request.autoplay:
        seat.on_bots(piece)
    else:
        session.notify(BotsChanged(piece, is_seated))
