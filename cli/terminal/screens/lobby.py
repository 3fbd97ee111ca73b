"""The lobby on the screen: looks for tables while it is open, and goes where the person wants."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.faults import NobodyThere
from cli.news import Do
from cli.requests import TableRequest
from cli.terminal.screens import doctor
from cli.terminal.screens.looking import records, watch
from cli.terminal.screens.session import Flow
from cli.terminal.screens.sitting import sit
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.news import Found
    from cli.view.lobby import LobbyPresenter, Unfinished
    from cli.view.opening import Plan
    from p2p.home import Home
    from p2p.journal import Match

LOOK_S = 0.25
KNOCK_EVERY_S = 6.0
KNOWN_MATCHES = 50
"""The players of so many last matches count as friends, whose tables come first."""


async def lobby(flow: Flow) -> None:
    """Until the person leaves the program."""
    from cli.client.tables import login_name
    from cli.view.lobby import LobbyPresenter

    presenter = LobbyPresenter(flow.settings, time.monotonic, login_name())
    flow.hold(presenter)
    if flow.settings.key_faults:
        presenter.say(flow.explained(flow.settings.key_faults[0]), True)
    elif flow.lobby_words:  # one comes from a table that another command opened
        presenter.say(flow.lobby_words)
        flow.lobby_words = ""
    await asyncio.sleep(0)
    looking = asyncio.create_task(_look(flow, presenter))
    try:
        while True:
            flow.forget_choices()
            chosen = Do(flow.next_opening, "games") if flow.next_opening else await flow.choice(presenter)
            flow.next_opening = None
            if not isinstance(chosen, Do):
                continue
            if chosen.name == "quit":
                return
            try:
                await _go(flow, chosen, presenter)
            except FairdealError as fault:
                presenter.say(flow.explained(fault), True)
            if flow.lobby_words:
                presenter.say(flow.lobby_words)
            flow.table, flow.lobby_words = None, ""
            flow.hold(presenter)
            await _read_home(flow, presenter)
            flow.app.redraw()
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the lobby knows from before: the person's name, a match left unfinished, and how the keys begin of those that the
    person has played with."""

    name: str | None = None
    unfinished: Unfinished | None = None
    friends: frozenset[str] = frozenset()
    guest: int = 0
    """The number of the guest profile that plays from here, as another Fairdeal uses the person's own; else 0."""


def remembered(home_path: Path) -> Remembered:
    """Reads the home, whoever has it open; what cannot be read is not remembered. What the person plays in another window
    just now is not left unfinished: then the guest profile's match counts that a table opened here would use."""
    from cli.view.lobby import Unfinished
    from p2p.home import read_home
    from p2p.presence import KEY_DIGITS
    from protocol.table.roster import decode_roster

    home = read_home(home_path)
    profile, guest = _profile_now(home_path)
    left, over = _matches_of(home)
    if guest:
        left, _others = _matches_of(profile)
    unfinished: Unfinished | None = None
    friends: set[str] = set()
    with contextlib.suppress(FairdealError):
        for match in left[:1]:
            title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
            roster = decode_roster(match.roster)
            names = tuple(clean_name(member.name) for member in roster.members)
            bots = tuple(member.bot for member in roster.members)
            unfinished = Unfinished(title, roster.game, match.created, names, bots)
        for match in over:
            members = decode_roster(match.roster).members
            friends |= {member.key.hex()[:KEY_DIGITS] for member in members if not member.bot}
    return Remembered(home.name, unfinished, frozenset(friends), guest)


def _matches_of(home: Home) -> tuple[list[Match], list[Match]]:
    """Those left unfinished, and the last ones that are over."""
    from p2p.journal import Journal

    if not home.journal.exists():
        return [], []
    with contextlib.suppress(FairdealError):
        journal = Journal.read_only(home.journal)
        try:
            return journal.unfinished(), journal.finished(KNOWN_MATCHES)
        finally:
            journal.close()
    return [], []


def _profile_now(home_path: Path) -> tuple[Home, int]:
    """The home that a table opened now would use, and which guest's it is: see p2p.home.open_home."""
    from cli.doctor.data import is_held
    from p2p.home import MAX_GUESTS, read_home

    if is_held(home_path / "lock"):
        for number in range(1, MAX_GUESTS + 1):
            path = home_path / "guests" / str(number)
            if not is_held(path / "lock"):
                return read_home(path), number
    return read_home(home_path), 0


async def _read_home(flow: Flow, presenter: LobbyPresenter) -> None:
    """Who the person is, and what was before."""
    found = await asyncio.to_thread(remembered, flow.context.home)
    presenter.is_own_name = bool(found.name)
    if found.name:
        presenter.name = clean_name(found.name)
    presenter.came_back(found.unfinished)
    presenter.friends = found.friends
    if found.guest and not presenter.notice:
        presenter.say(flow._("Another Fairdeal is running here: this one plays as guest {number}.", number=found.guest))


async def _look(flow: Flow, presenter: LobbyPresenter) -> None:
    """Keeps the list of tables: what is announced, and of that what answers."""
    try:
        await _read_home(flow, presenter)
        await asyncio.to_thread(import_module, "p2p.discovery")
        from cli.client.discovery import reachable, rows
        from p2p.discovery import Browser

        browser = Browser()
        await browser.start()
        alive: dict[str, bool] = {}
        shown: list[Found] | None = None
        next_knock = 0.0
        knocking: asyncio.Task[None] | None = None
        try:
            while True:
                seen = rows(browser.sightings)
                now = time.monotonic()
                new = [row for row in seen if row.id not in alive]
                if (new or now > next_knock) and (knocking is None or knocking.done()):
                    next_knock = now + KNOCK_EVERY_S

                    async def knock(tables: list[Found]) -> None:
                        found = {row.id for row in await reachable(tables)}
                        for row in tables:
                            alive[row.id] = row.id in found

                    knocking = asyncio.create_task(knock(seen))
                answering = [row for row in seen if alive.get(row.id)]
                if answering != shown:
                    shown = answering
                    presenter.found(answering)
                    if flow.app.presenter is presenter:
                        flow.app.redraw()
                await asyncio.sleep(LOOK_S)
        finally:
            if knocking is not None:
                knocking.cancel()
            await browser.close()
    except Exception as fault:  # of ours: ends the program, as one anywhere else would
        flow.app.fail(fault)


async def _go(flow: Flow, chosen: Do, presenter: LobbyPresenter) -> None:
    """What was chosen in the lobby."""
    from cli.client.discovery import parse_address
    from cli.client.room import Door

    match chosen:
        case Do("sit", row):
            presenter.say(flow._("Sitting down at {table}…", table=row.title))
            flow.app.redraw()
            await sit(flow, Door(TableRequest("join"), tuple(row.addresses)))
        case Do("address", text):
            address = parse_address(str(text))
            if address is None:
                raise NobodyThere("{text} is no address: it looks like 192.168.1.23 or kitchen.local:4711", text=text)
            presenter.say(flow._("Calling {address}…", address=text))
            flow.app.redraw()
            await sit(flow, Door(TableRequest("join"), (address,)))
        case Do("watch", row):
            await watch(flow, row.addresses, row.title)
        case Do("new" | "practise" as name, first):
            await _open(flow, presenter, name == "practise", first == "games")
        case Do("records"):
            await records(flow, presenter.unfinished)
        case Do("resume"):
            await sit(flow, Door(TableRequest("join"), is_return=True))
        case Do("name", text):
            await _set_name(flow, presenter, str(text))
        case Do("doctor"):
            doctor.begin(flow, presenter)
        case _other:
            pass


async def _set_name(flow: Flow, presenter: LobbyPresenter, text: str) -> None:
    name = clean_name(text, "")
    if not name:
        return

    def write() -> None:
        from p2p.home import open_home

        with open_home(flow.context.home, guests=False) as home:
            home.set_name(name)

    await asyncio.to_thread(write)
    presenter.name, presenter.is_own_name = name, True


async def _open(flow: Flow, lobby: LobbyPresenter, practice: bool, begins_with_games: bool = False) -> None:
    from cli.client.room import opening
    from cli.view.opening import OpeningPresenter

    title = flow._("{name}'s table", name=lobby.name)
    presenter = OpeningPresenter(flow.settings, time.monotonic, practice, title)
    if begins_with_games:
        presenter.list_games()
    while True:
        chosen = await flow.choice(presenter)
        if not isinstance(chosen, Do) or chosen.name != "open":
            return
        if await sit(flow, opening(_request(chosen.about, practice))) != "neither":
            return  # else what was chosen is still there, as is the old match


def _request(plan: Plan, practice: bool) -> TableRequest:
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
