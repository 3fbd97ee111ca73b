"""In the room: until the table is sealed, or the person goes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cli.news import Do, RoomAddresses, RoomChanged, RoomChat
from cli.terminal.screens.session import Flow
from cli.view.inputs import Hear
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.room import Door
    from cli.client.session import Session
    from cli.view.room import RoomModel


async def wait_in_room(flow: Flow, session: Session, door: Door) -> RoomModel | None:
    """In the room until the table is sealed; None if we left it."""
    from cli.view.room import RoomModel

    seat, node, request = session.seat, session.node, session.request
    is_host = request.command in ("host", "play")
    model = RoomModel(flow.settings, node.identity.public, is_host)
    screen = flow.screen(model)

    def hear(news: RoomChanged | RoomChat | RoomAddresses) -> None:
        screen.send(Hear(news))
        flow.app.redraw()

    if session.home.guest:
        screen.say(
            flow._(
                "Fairdeal is already running on this computer, so you play here as guest {number}.",
                number=session.home.guest,
            )
        )

    seat.on_room_change = lambda room: hear(RoomChanged(room))
    seat.on_chat = lambda key, text: hear(RoomChat(key, text))
    flow.forget_choices()
    flow.hold(screen)
    await door.enter(session)
    if request.command == "host":
        hear(RoomAddresses(tuple(session.addresses)))
    assert seat.refused is not None
    seated = asyncio.create_task(seat.seated.wait())
    choosing: asyncio.Task[Any] | None = None
    try:
        while True:
            choosing = choosing or asyncio.create_task(flow.choices.get())
            await asyncio.wait((seated, seat.refused, choosing), return_when=asyncio.FIRST_COMPLETED)
            if seated.done():
                return model
            if seat.refused.done():
                raise seat.refused.result()
            chosen = choosing.result()
            choosing = None
            if chosen == Do("back"):
                return None
            try:
                await session.act(chosen)
            except FairdealError as fault:
                screen.say(flow.explained(fault), True)
            flow.app.redraw()
    finally:
        for task in (seated, choosing):
            if task is not None:
                task.cancel()
