"""Somebody is killed, or cut off, in every phase of a match and comes back: both faces show what is due; the match goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import pytest

from cli import news
from cli.client.seat import LiveSeat
from cli.plain.session import LineSession
from cli.text import load_translator
from cli.view.inputs import Hear, Tick
from cli.view.settings import Settings
from cli.view.table.model import TableModel
from cli.view.views import ScoreView, TableView
from p2p.routes import Route
from protocol.cards import DRAGON, MAH_JONG
from protocol.table.phases.values import Recycling, Revealing
from protocol.table.record import Phase
from protocol.table.step import Step
from protocol.table.table import Table
from tests.cli.test_live import Seated

pytestmark = pytest.mark.usefixtures("verified_once", "toy", "hasty_bots")

AWAY_S = 3.0
SEEDS = {"wish": 12}
"""In which match there is one soon."""


class Reader:
    """A seat as one of two faces reads it: everything is the seat's, but the news come to each."""

    def __init__(self, seat: LiveSeat) -> None:
        self._seat = seat
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seat, name)


class Faces:
    """The full screen and plain mode over one seat, which both hear each piece of news when it comes."""

    def __init__(self, seat: LiveSeat, loop: asyncio.AbstractEventLoop, clock: Callable[[], float]) -> None:
        self.lines: list[str] = []
        self._seat, self._loop = seat, loop
        self._readers = cast(tuple[Any, Any], (Reader(seat), Reader(seat)))
        self._clock = clock
        self._screen: TableModel | None = None
        self._plain: asyncio.Task[Any] | None = None

    def look(self) -> None:
        """Hear what is new."""
        while not self._seat.news.empty():
            piece = self._seat.news.get_nowait()
            if self._screen is None:
                self._screen = TableModel(self._readers[0], Settings(), self._clock)
                session = LineSession(self._readers[1], load_translator("en"), self.lines.append)
                self._plain = self._loop.create_task(session.run(_silence()))
            if piece is not None:
                self._screen.update(Hear(piece))
            self._readers[1].news.put_nowait(piece)
        if not self._loop.is_running():  # else plain mode has just asked the table for something
            self._loop.run_until_complete(_a_moment())

    def screen(self) -> TableView | ScoreView:
        if self._screen is None:
            raise AssertionError("there was no news")
        self._screen.update(Tick())
        return self._screen.view()

    def seen(self) -> str:
        """All that stands on the screen where one looks for what is due, in one text."""
        view = self.screen()
        if isinstance(view, ScoreView):
            offers = ", ".join(offer.label or "" for offer in view.frame.actions if offer.name == "play")
            return f"sheet: {view.frame.prompt} [{offers}]"  # without keys, what Enter does stands on a button
        box = f"[{view.dialog.title}]" if view.dialog is not None else ""
        return f"{view.frame.head} {view.frame.prompt} {box}"

    def heard(self) -> str:
        return "\n".join(self.lines)

    def close(self) -> None:
        if self._plain is not None:
            self._plain.cancel()
            self._loop.run_until_complete(asyncio.gather(self._plain, return_exceptions=True))


async def _a_moment() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


async def _silence() -> AsyncIterator[str]:
    """Somebody who types nothing."""
    await asyncio.Event().wait()
    yield ""


class Returning(Seated):
    """One of them is killed at some moment, stays away for a while, and looks at both faces when it is back."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.loop = asyncio.new_event_loop()
        self.faces: Faces | None = None
        self.back = -1
        super().__init__(*args, **kwargs)

    def take(self, index: int, step: Step) -> None:
        if index == self.back and self.faces is not None and self.seats[index].driver is None:
            self.seats[index].on_table(self.driver(index))
        super().take(index, step)
        if index == self.back and self.faces is not None:
            self.faces.look()

    def until(self, is_moment: Callable[[Table], bool]) -> int:
        """Play until the moment has come for somebody; who that is."""
        self.start()
        for _ in range(200_000):
            for index, client in enumerate(self.clients):
                if is_moment(client.table):
                    return index
            self.move_someone()
            self.turn()
        raise AssertionError(f"never: {self.where()}")

    def kill_and_return(self, index: int) -> Faces:
        self.lose(index)
        self.spend(AWAY_S)
        self.back = index
        self.seats[index] = LiveSeat()
        self.seats[index].now = lambda: self.now
        self.faces = Faces(self.seats[index], self.loop, lambda: self.now)
        self.restart(index)
        self.spend(1.0)
        self.faces.look()
        return self.faces

    def cut_off_and_return(self, index: int) -> Faces:
        """Its program goes on and hears nothing, nor does anybody hear it."""
        self.back = index
        self.faces = Faces(self.seats[index], self.loop, lambda: self.now)
        self.faces.look()
        self.tamper = lambda sender, to, data: None if index in (sender, to) else data
        for other in range(len(self.clients)):
            if other != index:
                self._link(index, other, is_up=False)
        self.spend(AWAY_S)
        self.faces.look()
        self.tamper = lambda sender, to, data: data
        for other in range(len(self.clients)):
            if other != index:
                self._link(index, other, is_up=True)
        self.spend(6.0)  # what was said before has left the screen
        self.faces.look()
        return self.faces

    def _link(self, index: int, other: int, *, is_up: bool) -> None:
        """The link between two opens or breaks: both notice."""
        for one, two in ((index, other), (other, index)):
            table = self.clients[one].table
            self.seats[one].on_route(two, Route.DIRECT if is_up else Route.NONE)
            self.take(one, table.connected(two, self.now) if is_up else table.lost(two, self.now))

    def close(self) -> None:
        if self.faces is not None:
            self.faces.close()
        self.loop.close()


@pytest.fixture
def make() -> Iterator[Callable[..., Returning]]:
    made: list[Returning] = []

    def new(*args: Any, **kwargs: Any) -> Returning:
        made.append(Returning(*args, **kwargs))
        return made[-1]

    yield new
    for each in made:
        each.close()


def due(phase: str) -> Callable[[Table], bool]:
    """In this phase of Tichu, and something is asked of this seat."""

    def is_moment(table: Table) -> bool:
        state = table.record.state
        if table.record.phase is not Phase.PLAYING or state.phase != phase or not table.can_move:
            return False
        return table.seat in table.game.awaited(state)

    return is_moment


def holds_mah_jong(table: Table) -> bool:
    return due("show")(table) and MAH_JONG in table.cards


def has_wish(table: Table) -> bool:
    return due("play")(table) and table.record.state.wish is not None and table.record.state.turn == table.seat


def takes_with(*cards: str) -> Callable[[Table], bool]:
    """This seat takes the trick, in which these cards lie on top."""
    return lambda table: due("collect")(table) and table.record.state.top == cards


def bomb_may_come(table: Table) -> bool:
    """Somebody else takes the trick, who waits for bombs."""
    state = table.record.state
    is_taken = table.record.phase is Phase.PLAYING and state.phase == "collect" and not table.is_returning
    return is_taken and state.turn != table.seat


def in_phase(phase: Phase, dealt: bool = True) -> Callable[[Table], bool]:
    return lambda table: table.record.phase is phase and (table.record.state is not None) == dealt


def recycling(table: Table) -> bool:
    return isinstance(table.record.now, Recycling)


def auditing(table: Table) -> bool:
    """The round is over, and its keys are being revealed."""
    return isinstance(table.record.now, Revealing)


Moment = Callable[[Table], bool]
TICHU: dict[str, tuple[Moment, str, str]] = {
    "grand": (due("grand"), "Grand Tichu?", "Grand Tichu? Type yes or no"),
    "exchange": (due("give"), "[Pass one card to each player]", "Pass one card"),
    "show": (holds_mah_jong, "You have the Mah Jong and lead", "type show"),
    "play": (due("play"), "YOUR TURN", "Your turn"),
    "wish": (has_wish, "YOUR TURN", "wish"),
    "dragon": (takes_with(DRAGON), "Dragon", "Dragon"),
    "bomb": (bomb_may_come, "wins the trick (", "won the trick"),
}
SHEDDING: dict[str, tuple[Moment, str, str]] = {
    "sealing": (in_phase(Phase.SEALING, dealt=False), "Waiting for ", "Deal proven fair: 4 shuffles"),
    "preparation": (in_phase(Phase.BETWEEN, dealt=False), "YOUR TURN", "Deal proven fair: 4 shuffles"),
    "dealing": (in_phase(Phase.SETTLING), "YOUR TURN", "Round 1"),
    "recycling": (recycling, "Waiting for ", "Round 1"),
    "audit": (auditing, "[ready]", "This round:"),
    "between rounds": (in_phase(Phase.BETWEEN), "[ready]", "This round:"),
    "after the end": (in_phase(Phase.OVER), "sheet: The match is over", "This round:"),
}


def goes_on(tables: Returning) -> None:
    """Everybody comes further, or has come to the end."""
    start = {index: client.table.record.height for index, client in enumerate(tables.clients)}
    tables.think = False
    for _ in range(100_000):
        tables.move_someone()
        tables.turn()
        tables_on = [client.table for client in tables.clients]
        if all(table.is_over or table.record.height >= start[i] + 3 for i, table in enumerate(tables_on)):
            return
    raise AssertionError(tables.where())


CUT_OFF = {"show": ("You lead", "Your turn"), "bomb": (TICHU["bomb"][1], "wins the trick")}
"""What is due at a client that was not killed, if that differs: the Mah Jong was shown by itself, and a trick is told at once."""
WAYS = {"killed": Returning.kill_and_return, "cut off": Returning.cut_off_and_return}
SHORT: dict[str, Any] = {"hand": 2, "draw": "one", "target": 500}


def each_way(phases: Iterable[str], cut_off: Sequence[str]) -> pytest.MarkDecorator:
    """Killed in each phase; cut off in these, and in the others in `make soak`: who is cut off loses less than who is killed."""
    rare = {(phase, "cut off") for phase in phases} - {(phase, "cut off") for phase in cut_off}
    pairs = [(phase, way) for phase in phases for way in WAYS]
    return pytest.mark.parametrize(
        ("phase", "way"), [pytest.param(*pair, marks=[pytest.mark.soak] if pair in rare else []) for pair in pairs]
    )


RECYCLED: dict[str, Any] = {"hand": 12, "target": 500, "recycle": True}


@pytest.mark.sample
@each_way(TICHU, ("grand", "show", "bomb"))
def test_who_comes_back_into_tichu_sees_what_is_due(make: Callable[..., Returning], phase: str, way: str) -> None:
    is_moment, seen, heard = TICHU[phase]
    if way == "cut off":
        seen, heard = CUT_OFF.get(phase, (seen, heard))
    tables = make(game="tichu", options={}, grace=30_000, seed=SEEDS.get(phase, 3))
    index = tables.until(is_moment)
    tables.think = True
    faces = WAYS[way](tables, index)
    assert seen in faces.seen()
    assert heard in faces.heard()
    goes_on(tables)


@pytest.mark.sample
@each_way(SHEDDING, ("sealing", "audit", "after the end"))
def test_who_comes_back_into_a_shedding_game_sees_what_is_due(
    make: Callable[..., Returning], phase: str, way: str
) -> None:
    is_moment, seen, heard = SHEDDING[phase]
    tables = make(rounds=2, pause=12_000, options=RECYCLED if phase == "recycling" else SHORT)
    index = tables.until(is_moment)
    tables.think = True
    faces = WAYS[way](tables, index)
    assert seen in faces.seen()
    assert heard in faces.heard()
    goes_on(tables)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_who_comes_back_into_the_change_of_the_epoch_plays_on(make: Callable[..., Returning], way: str) -> None:
    """One has quit, and somebody has called for the next epoch, when another goes and comes back."""
    tables = make(recovery="on")
    tables.until_playing()
    leaver = 3
    tables.take(leaver, tables.clients[leaver].table.leave(tables.now))
    index = tables.until(lambda table: table.seat != leaver and bool(table.record.ledger.departures.withouts))
    assert tables.clients[index].table.record.epoch == 0
    faces = WAYS[way](tables, index)
    assert tables.clients[index].table.record.epoch == 1
    assert "quit for good" in faces.heard()
    tables.lose(leaver)
    goes_on(tables)
