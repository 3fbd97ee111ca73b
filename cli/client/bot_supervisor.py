"""Looking after the bots that a client keeps: back to their seats when their process was started anew, and telling of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cli.client.bots import ports
from cli.client.subprocess import Beside
from cli.news import STOPPED_ALONE, STOPPED_IN_ROOM, BotsChanged, BotsNews, BotsStopped, BotStuck
from p2p.mesh import Way
from p2p.node import Node
from protocol.errors import FairdealError
from protocol.table.record import Phase

if TYPE_CHECKING:
    from cli.client.session import Session

LOOK_S = 0.05
LINKED_S = 5.0


def note_ports(node: Node, found: Mapping[bytes, int]) -> None:
    """Our bots listen there."""
    for key, port in found.items():
        node.mesh.add_addresses(key, [("127.0.0.1", port)])


async def seat_again(session: Session, process: Beside) -> None:
    """Our bots are in a new process: back to the table, or to the waiting room. Returns when they are there."""
    node, bots = session.node, session.bots
    while (driver := node.driver) is not None:
        for name in bots.names:
            try:
                await process.ask("resume", name=name, match=driver.match.hex())
            except FairdealError as fault:
                bots.tell(BotStuck(name, fault))
        found = await process.ask("introduce", key=node.identity.public.hex(), port=node.mesh.port)
        note_ports(node, ports(found))
        await _linked(node, [bytes.fromhex(key) for key in found])
        # While the table is sealed, who was gone may miss what it needs to sign. Then the host soon opens the room again.
        while node.driver is driver and driver.table.record.phase is Phase.SEALING:
            await asyncio.sleep(LOOK_S)
        if node.driver is driver:
            return
    room = node.waiting.room
    if room is None or not node.waiting.is_host:
        return
    for name in list(bots.names):
        if bots.keys.get(name) in room.refused:
            bots.names.remove(name)
            continue
        try:
            await process.ask(
                "seat", name=name, host=[("127.0.0.1", node.mesh.port)], expect=node.identity.public.hex()
            )
        except FairdealError as fault:
            bots.names.remove(name)
            bots.tell(BotStuck(name, fault))


async def _linked(node: Node, keys: Sequence[bytes]) -> None:
    """Until all of them are linked, but not for ever."""
    deadline = time.monotonic() + LINKED_S
    while time.monotonic() < deadline and any(node.mesh.way(key) is Way.NONE for key in keys):
        await asyncio.sleep(LOOK_S)


def tell(session: Session, piece: BotsNews) -> None:
    """At the table it is a piece of news, where anybody reads them; else a line. Where nobody could do anything about it, it is
    the fault that the command ends with."""
    seat, request = session.seat, session.request
    is_seated = seat.seated.is_set()
    reason: FairdealError | None = None
    if isinstance(piece, BotStuck):
        reason = piece.reason
    elif isinstance(piece, BotsStopped) and piece.is_for_good:
        reason = FairdealError(STOPPED_ALONE if is_seated else STOPPED_IN_ROOM)
        if not is_seated:
            session.bots.names.clear()
    if reason is not None and not session.trouble.done():
        session.trouble.set_result(reason)
    if is_seated and not request.autoplay:
        seat.on_bots(piece)
    else:
        session.notify(BotsChanged(piece, is_seated))
