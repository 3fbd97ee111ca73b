"""Between the screens: what the lobby knows from before, and what it says of the table that one comes from."""

from __future__ import annotations

import asyncio
import errno
import io
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from cli.client import room
from cli.client.remembered import remembered
from cli.console import MANY, Terminal
from cli.context import Context
from cli.faults import ToldToEnd
from cli.flow import doctor
from cli.flow.entry import run_join, run_table
from cli.flow.lobby import _open
from cli.flow.playing import _listen, parting
from cli.flow.seat import SeatSession
from cli.flow.session import Flow
from cli.flow.sitting import note_kept_seat
from cli.news import Do, Player, TableFacts, Unfinished
from cli.requests import TableRequest
from cli.terminal.app import TerminalApp
from cli.terminal.screen import Screen
from cli.terminal.screens import full_screen
from cli.terminal.settings import TerminalSettings as ScreenSettings
from cli.text import Translator
from cli.view.effects import ShowModel
from cli.view.lobby import LobbyModel
from cli.view.opening import OpeningModel
from p2p.budgets import TALK
from p2p.home import Home, open_home
from p2p.journal import Journal
from protocol.identity import Identity
from protocol.room.values import Guest
from protocol.table.roster import Member, Roster, TableOptions
from tests.cli.screen.stage import Clock
from tests.cli.terminal.drawn import on_screen, prompt_of

A, B, C, D = (Identity(bytes([number]) * 32).public for number in range(4))


def roster(game: str, *keys: bytes, bots: int = 0) -> Roster:
    members = tuple(Member(key, f"P{at}", key, at >= len(keys) - bots, b"n" * 32) for at, key in enumerate(keys))
    return Roster(game, 1, {}, TableOptions(), b"i" * 16, members)


def left_game(home: Path) -> str:
    left = remembered(home).unfinished
    return left.game if left is not None else ""


def test_a_new_home_remembers_nothing(tmp_path: Path) -> None:
    found = remembered(tmp_path)
    assert (found.name, found.unfinished, found.friends) == (None, None, frozenset())


def test_the_match_that_was_left_is_named_with_its_game_and_those_one_played_with_are_friends(tmp_path: Path) -> None:
    with open_home(tmp_path, guests=False) as home:
        home.set_name("Hanako")
        journal = Journal.open(home.journal)
        left, over = roster("tichu", A, B), roster("mau-mau", A, C, D, bots=1)
        for each, title in ((left, "Kitchen"), (over, "Sofa")):
            journal.begin_match(
                each.table_id, each.encode(), role="guest", created=1.0, seats={}, meta={"title": title}
            )
        journal.finish(over.table_id, {}, at=2.0)
        journal.commit()
        journal.close()
    found = remembered(tmp_path)
    assert found.name == "Hanako"
    assert found.unfinished == Unfinished("Kitchen", "tichu", 1.0, ("P0", "P1"), (False, False), left.table_id.hex())
    assert found.friends == {A.hex(), C.hex()}


def test_what_another_window_plays_is_not_left_unfinished(tmp_path: Path) -> None:
    """It was offered, and taking it up found nothing: a second client plays as a guest, who may have left a match himself."""

    def leave(home: Home, game: str) -> None:
        journal = Journal.open(home.journal)
        each = roster(game, A, B)
        journal.begin_match(each.table_id, each.encode(), role="guest", created=1.0, seats={}, meta={"title": game})
        journal.commit()
        journal.close()

    with open_home(tmp_path, guests=False) as home:
        leave(home, "tichu")
        assert remembered(tmp_path).unfinished is None
        assert remembered(tmp_path).guest == 1
        with open_home(tmp_path) as guest:
            leave(guest, "mau-mau")
            assert (remembered(tmp_path).unfinished, remembered(tmp_path).guest) == (None, 2)
        assert left_game(tmp_path) == "mau-mau"
    assert left_game(tmp_path) == "tichu"
    assert remembered(tmp_path).guest == 0


@pytest.mark.parametrize(
    ("outcome", "is_over", "others_are_bots", "said"),
    [
        ("left", False, True, "Your seat is kept: press U to rejoin."),
        ("left", False, False, "The table is waiting for you: press U to rejoin."),
        ("goodbye", False, False, "for good"),
        ("lobby", True, False, "Press R to replay it"),
        ("left", True, False, "Press R to replay it"),
    ],
)
def test_the_lobby_says_what_became_of_the_seat(outcome: str, is_over: bool, others_are_bots: bool, said: str) -> None:
    flow = cast(Flow, SimpleNamespace(_=ScreenSettings().words))
    playing = SimpleNamespace(seat=0, facts=TableFacts(), players=[Player("Mira"), Player("Ada", bot=others_are_bots)])
    session: Any = SimpleNamespace(match=object() if is_over else None, broken=None, playing=playing)
    assert said in parting(flow, outcome, cast(SeatSession, session))


@pytest.mark.parametrize(("is_over", "is_kept"), [(None, False), (True, False), (False, True)])
def test_whoever_leaves_while_a_table_is_being_sealed_is_told_that_the_seat_is_kept(
    is_over: bool | None, is_kept: bool
) -> None:
    driver = None if is_over is None else SimpleNamespace(table=SimpleNamespace(is_over=is_over))
    session = SimpleNamespace(seat=SimpleNamespace(driver=driver))
    flow = SimpleNamespace(_=ScreenSettings().words, kept_seat=False, lobby_words="")
    note_kept_seat(cast(Any, flow), cast(Any, session))
    assert (flow.kept_seat, "Your seat is kept" in flow.lobby_words) == (is_kept, is_kept)


@pytest.mark.parametrize("command", [run_table, run_join])
def test_who_quits_for_good_is_told_so_on_the_ordinary_screen(
    command: Callable[[TableRequest, Flow], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def quits(_flow: Flow, _door: object) -> str:
        return "goodbye"

    async def finds(*_: object) -> object:
        return SimpleNamespace(addresses=(), keys=frozenset())

    monkeypatch.setattr("cli.flow.sitting.sit", quits)
    monkeypatch.setattr("cli.client.discovery.find_table", finds)
    told = io.StringIO()
    context = Context(Translator(), {}, io.StringIO(), told, told, Terminal(True, False, False, MANY, 100), Path())

    class Face:
        presenter = None
        settings = ScreenSettings()

        async def run(self, session: Callable[[], Awaitable[None]]) -> None:
            await session()

            assert not told.getvalue(), "the screen is still full"

        def screen_of(self, _model: object) -> None:
            return None

        def show(self, _screen: object) -> None:
            pass

    assert command(TableRequest("host", game="mau-mau"), Flow(context, cast(Any, Face()))) == 0
    assert told.getvalue() == "You quit for good.\n"


def test_a_terminal_that_was_closed_is_told_nothing_and_nothing_crashes() -> None:
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(errno.EIO, "Input/output error")

    gone = Closed()
    context = Context(Translator(), {}, io.StringIO(), gone, gone, Terminal(True, False, False, MANY, 100), Path())

    class Face:
        settings = ScreenSettings()

        async def run(self, _session: object) -> None:
            sys.stderr.write("a line for the end\n")
            raise ToldToEnd(1)

    async def nothing() -> None:
        pass

    with pytest.raises(ToldToEnd):
        Flow(context, cast(Any, Face())).run(nothing)


@pytest.mark.parametrize(("about", "wants"), [("other", True), (None, False)])
def test_the_key_for_another_game_is_told_on_to_the_lobby(about: str | None, wants: bool) -> None:
    ended: list[str] = []
    session: Any = SimpleNamespace(end=ended.append, wants_other=False)
    asyncio.run(SeatSession.carry_out(session, Do("lobby", about)))
    assert (ended, session.wants_other) == (["lobby"], wants)


def test_another_game_begins_with_the_list_of_games() -> None:
    model = OpeningModel(ScreenSettings(), True, "Kitchen")
    shown = on_screen(model)
    shown.take((ShowModel(model.list_of_games()),))
    shown.key("5")
    shown.key("enter")
    assert shown.overlay is None
    assert model.plan.game == "tichu"


def test_among_bots_the_next_round_waits_for_the_person() -> None:
    requests = (
        TableRequest("play"),
        TableRequest("host"),
        TableRequest("play", pause_s=3.0),
        TableRequest("play", autoplay=True),
    )
    asked = [room.opening(request).request.pause_s for request in requests]
    assert asked == [room.UNHURRIED_S, None, 3.0, None]
    assert round(1000 * room.UNHURRIED_S) <= 24 * 3600 * 1000  # no roster holds a longer one


def test_a_form_that_met_an_unfinished_match_keeps_what_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []
    ends = iter(["neither", "lobby"])

    async def choice(shown: Screen) -> Do:
        model = shown.model
        assert isinstance(model, OpeningModel)
        if not seen:
            model.set_game("mau-mau")
            model.table = "Attic"
        seen.append((model.game, model.table))
        return Do("open", model.plan)

    async def sit(_flow: Any, _door: Any) -> str:
        return next(ends)

    monkeypatch.setattr("cli.flow.lobby.sit", sit)
    flow: Any = SimpleNamespace(_=ScreenSettings().words, settings=ScreenSettings(), choice=choice, screen=on_screen)
    asyncio.run(_open(flow, "Mira", False))
    assert seen == [("mau-mau", "Attic")] * 2


@pytest.mark.parametrize("motion", [True, False])
def test_cards_stand_still_for_who_asks_for_it(motion: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    terminal = Terminal(True, False, False, MANY, 80, motion)
    with create_app_session(DummyInput(), DummyOutput()):
        flow = full_screen(Context(Translator(), {}, io.StringIO(), io.StringIO(), io.StringIO(), terminal, tmp_path))
    assert isinstance(flow.app, TerminalApp)
    assert flow.app.is_still == (not motion)
    assert flow.settings.motion, "what is asked for once is not kept"


def test_one_doctor_looks_at_a_time_and_esc_sends_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []

    def findings(flow: object) -> list[Any]:
        looks.append(flow)
        return []

    monkeypatch.setattr(doctor, "findings", findings)

    async def calls(*keys: str) -> Screen:
        settings = ScreenSettings()
        model = LobbyModel(settings, Clock(), "Mira")
        lobby = on_screen(model)
        app = SimpleNamespace(presenter=lobby, redraw=lambda: None, fail=lambda fault: None)
        flow: Any = SimpleNamespace(_=ScreenSettings().words, settings=settings, app=app, doctor=None)
        for key in keys:
            lobby.key(key)
            while lobby.effects:
                assert lobby.effects.popleft() == Do("doctor")
                doctor.begin(flow, lobby, model)
        if flow.doctor is not None:
            await flow.doctor
        return lobby

    assert asyncio.run(calls("d", "d", "d")).overlay is not None
    assert len(looks) == 1
    sent_away = asyncio.run(calls("d", "escape"))
    assert sent_away.overlay is None
    assert prompt_of(sent_away) == "Network check cancelled."
    assert asyncio.run(calls("d", "escape", "d")).overlay is not None
    assert len(looks) == 3


def listening() -> tuple[Any, list[str]]:
    """A session at whose table nobody sits any more, and what is told there of the room."""
    told: list[str] = []
    record = SimpleNamespace(roster=SimpleNamespace(members=()))
    session: Any = SimpleNamespace(
        node=SimpleNamespace(identity=SimpleNamespace(public=A)),
        driver=SimpleNamespace(table=SimpleNamespace(record=record)),
        seat=SimpleNamespace(room=None),
    )
    table = SimpleNamespace(rounds=SimpleNamespace(room=None))
    shown: Any = SimpleNamespace(model=SimpleNamespace(table=table, tell=lambda text, _style: told.append(text)))
    flow: Any = SimpleNamespace(_=Translator("en"), app=SimpleNamespace(redraw=lambda: None))
    _listen(flow, session, shown)
    return session, told


def test_of_many_who_come_during_a_match_the_first_few_are_told() -> None:
    """A host may show any number of them."""
    session, told = listening()
    for number in range(100):
        key = number.to_bytes(32, "big")
        guests = (Guest(key, f"G{number}", key, False, b""),)
        session.seat.on_room_change(SimpleNamespace(members=guests))
    assert TALK.burst <= len(told) <= TALK.burst + 2 and "G0" in told[0]


@pytest.mark.parametrize(("playing", "plays"), [(True, True), (False, False)])
def test_whoever_plays_already_or_only_looks_on_is_not_said_to_play_in_the_next_match(
    playing: bool, plays: bool
) -> None:
    session, told = listening()
    guest = Guest(B, "Kai", B, False, b"", playing=playing, plays=plays)
    session.seat.on_room_change(SimpleNamespace(members=(guest,)))
    assert not told
