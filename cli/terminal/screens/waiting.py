"""In the room: until the table is sealed, or the person goes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from cli.news import (
    Do,
    DrawTorn,
    NameNoticed,
    NotSigned,
    RequestRefused,
    RoomAddresses,
    RoomChanged,
    RoomChat,
    RoomNews,
)
from cli.terminal.screens.session import Flow
from cli.view.inputs import Hear
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.view.room import RoomModel
    from protocol.room.values import Room


async def wait_in_room(flow: Flow, session: Session, enter: Callable[[], Awaitable[None]] | None) -> RoomModel | None:
    """In the room until the table is sealed; None if we left it. `enter` brings us in; without it we are back in it."""
    from cli.view.room import RoomModel

    seat, node, request = session.seat, session.node, session.request
    is_host = node.waiting_room.is_host if enter is None else request.command in ("host", "play")
    model = RoomModel(flow.settings, node.identity.public, is_host)
    screen = flow.screen(model)

    def changed(room: Room) -> None:
        model.is_host = room.host == node.identity.public
        hear(RoomChanged(room))

    def noticed(news: RoomNews) -> None:
        match news:
            case DrawTorn(silent, revealed):
                told = flow._("The match could not begin: {names} did not answer.", names=flow._.list(silent))
                screen.say(flow._.join([told, flow._("Are you ready to try again?")]) if revealed else told, True)
            case NotSigned("", reason) | RequestRefused(reason):
                screen.say(flow.explained(reason), True)
            case NameNoticed(_key, name, ""):
                told = flow._("A new key uses the name {name}. Is it the same person, on another device?", name=name)
                screen.say(told, True)
            case NameNoticed(_key, name, before):
                screen.say(flow._("{name} was called {before} the last time.", name=name, before=before))
            case NotSigned(name, reason):
                screen.say(flow._("{name}: {text}", name=name, text=flow.explained(reason)), True)
        flow.app.redraw()

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

    seat.on_room_change, seat.on_room_news = changed, noticed
    seat.on_chat = lambda key, text: hear(RoomChat(key, text))
    flow.forget_choices()
    flow.hold(screen)
    if enter is not None:
        await enter()
    elif node.waiting_room.room is not None:
        changed(node.waiting_room.room)
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
