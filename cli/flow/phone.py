"""A phone's evening: into the room, and for those who leave it, back there, to an unfinished match, or to old ones."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from cli.client.remembered import remembered
from cli.client.room import Door
from cli.flow.looking import records
from cli.flow.session import Flow
from cli.flow.sitting import sit
from cli.games.titles import game_title
from cli.news import Do, Remembered, Unfinished
from cli.view.choosing import Alternative, ChoiceModel
from protocol.errors import FairdealError
from protocol.values import replace


async def stay(flow: Flow, room: Door, is_return: bool) -> NoReturn:
    """Go into the room, or with `is_return` back to the match that was left here, and on from there until the page is closed.

    Raises FairdealError if that first way is barred.
    """
    await sit(flow, replace(room, is_return=is_return))
    while True:
        told, flow.lobby_words = flow.lobby_words or flow._("You left the room."), ""
        known = await asyncio.to_thread(remembered, flow.context.home)
        flow.forget_choices()
        try:
            await _go(flow, room, known, await flow.choice(flow.screen(ways_on(flow, told, known))))
        except FairdealError as fault:
            flow.lobby_words = flow.explained(fault)


def ways_on(flow: Flow, told: str, known: Remembered) -> ChoiceModel:
    """Return what can be chosen by a phone that has left its table. `told`: what has become of it."""
    _ = flow._
    matches = [
        Alternative(each.match, _("Rejoin your match: {game}", game=game_title(_, each.game)), _waits_for(flow, each))
        for each in _matches(known)
    ]
    answers = (*matches, Alternative("records", _("Replays and scores")), Alternative("room", _("Back to the room")))
    return ChoiceModel(flow.settings, told, answers, focus=answers[0].name if matches else "room")


async def _go(flow: Flow, room: Door, known: Remembered, chosen: object) -> None:
    """Raises FairdealError."""
    match chosen:
        case Do("chosen", "room"):
            await sit(flow, room)
        case Do("chosen", "records"):
            if match := await records(flow, _matches(known)):
                await sit(flow, replace(room, is_return=True, match=match))
        case Do("chosen", str() as match):
            await sit(flow, replace(room, is_return=True, match=match))
        case _other:
            pass


def _matches(known: Remembered) -> list[Unfinished]:
    return [*([known.unfinished] if known.unfinished is not None else []), *known.aside]


def _waits_for(flow: Flow, match: Unfinished) -> str:
    """Return the table, and who was missing there."""
    _ = flow._
    return (
        _("{title} · waiting for {names}", title=match.title, names=_.list(match.left)) if match.left else match.title
    )
