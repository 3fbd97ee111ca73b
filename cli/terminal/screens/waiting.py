"""In the room: until the table is sealed, or the person goes."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from cli.news import Do
from cli.terminal.screens.session import Flow
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.room import Door
    from cli.client.session import Session
    from cli.view.room import RoomPresenter


async def wait_in_room(flow: Flow, session: Session, door: Door) -> RoomPresenter | None:
    """In the room until the table is sealed; None if we left it."""
    from cli.view.room import RoomPresenter

    seat, node, request = session.seat, session.node, session.request
    is_host = request.command in ("host", "play")
    presenter = RoomPresenter(flow.settings, time.monotonic, node.identity.public, is_host)
    if session.home.guest:
        presenter.say(
            flow._("Another Fairdeal is running here: this one plays as guest {number}.", number=session.home.guest)
        )

    def changed(room: Any) -> None:
        presenter.changed(room)
        presenter.sealing = not room.is_open
        flow.app.redraw()

    def heard(key: bytes, text: str) -> None:
        presenter.said(key, text)
        flow.app.redraw()

    seat.on_room_change = changed
    seat.on_chat = heard
    flow.forget_choices()
    flow.hold(presenter)
    await door.enter(session)
    if request.command == "host":
        presenter.addresses = session.addresses
        flow.app.redraw()
    assert seat.refused is not None
    seated = asyncio.create_task(seat.seated.wait())
    choosing: asyncio.Task[Any] | None = None
    try:
        while True:
            choosing = choosing or asyncio.create_task(flow.choices.get())
            await asyncio.wait((seated, seat.refused, choosing), return_when=asyncio.FIRST_COMPLETED)
            if seated.done():
                return presenter
            if seat.refused.done():
                raise seat.refused.result()
            chosen = choosing.result()
            choosing = None
            if chosen == Do("back"):
                return None
            try:
                await session.act(chosen)
            except FairdealError as fault:
                presenter.say(flow.explained(fault), True)
            flow.app.redraw()
    finally:
        for task in (seated, choosing):
            if task is not None:
                task.cancel()
