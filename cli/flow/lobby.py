"""The lobby on the screen: looks for tables while it is open, and goes where the person wants."""

from __future__ import annotations

import asyncio
import time
from importlib import import_module
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.client.remembered import remembered
from cli.faults import NobodyThere
from cli.flow import doctor
from cli.flow.looking import records, watch
from cli.flow.session import Flow
from cli.flow.sitting import sit
from cli.news import Do, TablesSeen
from cli.requests import TableRequest
from cli.view.effects import ShowModel
from cli.view.inputs import Hear
from protocol.errors import FairdealError
from protocol.games.catalogue import game_names

if TYPE_CHECKING:
    from cli.flow.showing import Showing
    from cli.news import FoundTable
    from cli.view.lobby import LobbyModel
    from cli.view.opening import OpeningPlan

LOOK_S = 0.25
KNOCK_EVERY_S = 6.0


async def lobby(flow: Flow) -> None:
    """Until the person leaves the program."""
    from cli.client.tables import login_name
    from cli.view.lobby import LobbyModel

    model = LobbyModel(flow.settings, time.monotonic, login_name())
    screen = flow.screen(model)
    flow.hold(screen)
    if flow.settings.faults:
        screen.say(flow.explained(flow.settings.faults[0]), True)
    elif flow.lobby_words:  # one comes from a table that another command opened
        screen.say(flow.lobby_words)
        flow.lobby_words = ""
    await asyncio.sleep(0)
    looking = asyncio.create_task(_look(flow, screen))
    try:
        while True:
            flow.forget_choices()
            chosen = Do(flow.next_opening, "games") if flow.next_opening else await flow.choice(screen)
            flow.next_opening = None
            if not isinstance(chosen, Do):
                continue
            if chosen.name == "quit":
                return
            try:
                await _go(flow, chosen, screen, model)
            except FairdealError as fault:
                screen.say(flow.explained(fault), True)
            if flow.lobby_words:
                screen.say(flow.lobby_words)
            flow.table, flow.lobby_words = None, ""
            flow.hold(screen)
            await _read_home(flow, screen)
            flow.app.redraw()
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _read_home(flow: Flow, screen: Showing) -> None:
    """Who the person is, and what was before."""
    found = await asyncio.to_thread(remembered, flow.context.home)
    screen.send(Hear(found))
    if found.guest and not screen.said:
        told = flow._(
            "Fairdeal is already running on this computer, so you play here as guest {number}.", number=found.guest
        )
        screen.say(told)


async def _look(flow: Flow, screen: Showing) -> None:
    """Keeps the list of tables: what is announced, and of that what answers."""
    try:
        await _read_home(flow, screen)
        await asyncio.to_thread(game_names)  # a slow search, for which no row of the lobby must wait
        await asyncio.to_thread(import_module, "p2p.discovery")
        from cli.client.discovery import reachable, rows
        from cli.client.remembered import tell_ends
        from p2p.discovery import Browser
        from p2p.introductions import Introductions

        browser, introductions = Browser(), Introductions()
        await browser.start()
        alive: dict[tuple[str, ...], bool] = {}
        shown: list[FoundTable] | None = None
        next_knock = 0.0
        knocking: asyncio.Task[None] | None = None
        try:
            while True:
                introductions.look(browser.sightings)
                seen = rows(browser.sightings, introductions.proved)
                now = time.monotonic()
                new = [row for row in seen if row.name not in alive]
                if (new or now > next_knock) and (knocking is None or knocking.done()):
                    next_knock = now + KNOCK_EVERY_S

                    async def knock(tables: list[FoundTable]) -> None:
                        await tell_ends(flow.context.home, tables)
                        found = {row.name for row in await reachable(tables)}
                        for row in tables:
                            alive[row.name] = row.name in found

                    knocking = asyncio.create_task(knock(seen))
                answering = [row for row in seen if alive.get(row.name)]
                if answering != shown:
                    shown = answering
                    screen.send(Hear(TablesSeen(tuple(answering))))
                    if flow.app.presenter is screen:
                        flow.app.redraw()
                await asyncio.sleep(LOOK_S)
        finally:
            if knocking is not None:
                knocking.cancel()
            await introductions.close()
            await browser.close()
    except Exception as fault:  # of ours: ends the program, as one anywhere else would
        flow.app.fail(fault)


async def _go(flow: Flow, chosen: Do, screen: Showing, model: LobbyModel) -> None:
    """What was chosen in the lobby."""
    from cli.client.discovery import parse_address
    from cli.client.room import Door

    match chosen:
        case Do("sit", row):
            screen.say(flow._("Joining {table}…", table=row.title))
            flow.app.redraw()
            await sit(flow, Door(TableRequest("join"), tuple(row.addresses), row.keys))
        case Do("sit-watch", row):
            await _sit_and_watch(flow, row)
        case Do("address", text):
            address = parse_address(str(text))
            if address is None:
                raise NobodyThere("{text} is not an address. Examples: 192.168.1.23, kitchen.local:4711", text=text)
            screen.say(flow._("Connecting to {address}…", address=text))
            flow.app.redraw()
            await sit(flow, Door(TableRequest("join"), (address,)))
        case Do("watch", row):
            await watch(flow, row.addresses, match=row.id)
        case Do("new" | "practise" as name, first):
            await _open(flow, model.name, name == "practise", first == "games")
        case Do("records"):
            if match := await records(flow, model.left):
                await sit(flow, Door(TableRequest("join"), is_return=True, match=match))
        case Do("resume"):
            await sit(flow, Door(TableRequest("join"), is_return=True))
        case Do("name", text):
            await _set_name(flow, model, str(text))
        case Do("doctor"):
            doctor.begin(flow, screen, model)
        case _other:
            pass


async def _sit_and_watch(flow: Flow, row: FoundTable) -> None:
    """Into the room whose match is running, to watch it and play in the next one; a match without a room is watched alone."""
    from cli.client.room import Door

    flow.room_opens_with = "watch"
    try:
        await sit(flow, Door(TableRequest("join"), row.addresses, row.keys))
    except NobodyThere:
        await watch(flow, row.addresses, match=row.id)
    finally:
        flow.room_opens_with = ""


async def _set_name(flow: Flow, model: LobbyModel, text: str) -> None:
    name = clean_name(text, "")
    if not name:
        return

    def write() -> None:
        from p2p.home import open_home

        with open_home(flow.context.home, guests=False) as home:
            home.set_name(name)

    await asyncio.to_thread(write)
    model.name, model.is_own_name = name, True


async def _open(flow: Flow, name: str, practice: bool, begins_with_games: bool = False) -> None:
    from cli.client.room import opening
    from cli.view.opening import OpeningModel

    await asyncio.to_thread(game_names)  # a slow search, of which the result is kept
    model = OpeningModel(flow.settings, practice, flow._("{name}'s table", name=name))
    screen = flow.screen(model)
    if begins_with_games:
        screen.take((ShowModel(model.list_of_games()),))
    while True:
        chosen = await flow.choice(screen)
        if not isinstance(chosen, Do) or chosen.name != "open":
            return
        if await sit(flow, opening(_request(chosen.about, practice))) != "neither":
            return  # else what was chosen is still there, as is the old match


def _request(plan: OpeningPlan, practice: bool) -> TableRequest:
    from protocol.games.options import spelled

    return TableRequest(
        "play" if practice else "host",
        game=plan.game,
        table=plan.title or None,
        seats=plan.seats,
        bots=plan.bots,
        options=tuple((name, spelled(value)) for name, value in plan.options.items()),
        time_s=plan.time_s,
        suggest=plan.suggest,
        remind=plan.remind,
    )
