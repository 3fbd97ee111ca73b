"""A session's beginning: its home, its node, which listens and is found, and its bots."""

from __future__ import annotations

import asyncio
import gc
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from cli.clean import clean_name
from cli.client.aside import aside_here
from cli.client.bot_supervisor import report, restore_seats
from cli.client.bots import Bots
from cli.client.ending import release
from cli.client.room_evening import RoomEvening
from cli.client.seat import LiveSeat
from cli.client.session import TITLE, Session
from cli.client.system import System, native_system
from cli.client.tables import login_name
from cli.news import Disturbed, GuestProfile, Notify, SetAside
from cli.requests import TableRequest
from p2p.complaints import keep_closing_links_quiet
from p2p.errors import PortTaken
from p2p.home import open_home
from p2p.interfaces import LOOPBACK
from p2p.node import DEFAULT_PORT, Node
from p2p.saved import copy_path
from p2p.settings import NodeSettings
from protocol.games.game import NORMAL

ANYWHERE = ("0.0.0.0", "::")
HUMAN_PACE_S = 0.8


async def open_session(
    stack: AsyncExitStack,
    request: TableRequest,
    home: Path,
    notify: Notify,
    *,
    auto_ready: bool = True,
    title: str = TITLE,
    system: System | None = None,
) -> Session:
    """Return a session that listens but is not at a table yet. The stack releases all of it.

    `auto_ready`: be ready as soon as we sit down.
    """
    system = system or native_system()
    keep_closing_links_quiet()
    opened = stack.enter_context(open_home(request.home or home))
    if opened.guest:
        notify(GuestProfile(opened.guest))
    workers = system.jobs()
    stack.callback(workers.close)
    name = clean_name(request.name or opened.name or login_name())
    seat = LiveSeat()
    seat.on_disturbed = lambda host: notify(Disturbed(host))
    settings = NodeSettings(
        f"{name} {opened.guest + 1}" if opened.guest and not request.name and not opened.name else name,
        bot=request.autoplay,
        level=request.level or NORMAL,
        transcript=request.transcript,
        auto_ready=auto_ready,
        port=request.port or 0,
        hosts=LOOPBACK if request.command == "play" else ANYWHERE,
        start_after_s=request.start_after_s,
        keeper=None if request.autoplay else system.keeper,
    )
    node = Node(opened, settings, seat, workers, system.ports)
    seat.node = node
    seat.evening = RoomEvening(node, fetches=not (request.autoplay or node.settings.is_phone))
    stack.callback(seat.evening.close)
    system.opened(node)
    for match in node.journal.set_aside:
        title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
        notify(SetAside(title, str(copy_path(opened.journal))))
    bots = Bots(opened, node.identity.public, settings.hosts, 0.0 if request.autoplay else HUMAN_PACE_S)
    bots.kept = lambda: [match.id.hex() for match in aside_here(node)]
    session = Session(request, notify, opened, node, seat, workers, bots, title=title, stack=stack)
    bots.restore_seats, bots.on_news = partial(restore_seats, session), partial(report, session)
    if request.bots:
        bots.start()
    stack.push_async_callback(release, session)
    if request.command != "play":
        stack.callback(asyncio.create_task(seat.sleep.watch(seat.woke)).cancel)
    seat.refused = asyncio.get_running_loop().create_future()
    if not gc.get_freeze_count():
        # Loaded modules stay in memory. Freezing excludes them from full garbage collections, which block all threads.
        gc.freeze()
    await _listen(session)
    if request.command != "play" and system.presence is not None:
        presence = system.presence(node)
        presence.start()
        stack.push_async_callback(presence.close)
        seat.on_change = presence.changed
    return session


async def _listen(session: Session) -> None:
    """Listen on the default port if it is free, so that the address alone is enough, otherwise on any port."""
    request, node = session.request, session.node
    if request.port is None and request.command == "host":
        node.settings.port = DEFAULT_PORT
        try:
            await node.open()
        except PortTaken:
            node.settings.port = 0
        else:
            return
    await node.open()
