"""Who watches sees who is away or asleep and whom the table waits for, and hears that it begins to wait."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli import news as events
from cli.client.watching import WatchedTable
from cli.commands.watch import _tell
from cli.console import Terminal
from cli.context import Context
from cli.news import News
from cli.plain.outlook import Outlook
from cli.plain.telling import Telling
from cli.terminal.settings import TerminalSettings
from cli.terminal.table import TableScreen
from cli.text import Translator
from cli.view.effects import Bell
from cli.view.inputs import Tick
from cli.view.table.model import TableModel
from cli.view.views import Dialog, SeatTile, TableView
from p2p.absence import NOBODY, Absence
from p2p.errors import LinkLost
from protocol.table.verify import Follower, Snapshot
from tests.cli.screen.stage import Clock
from tests.cli.screen.test_watching import match
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy")


class Watched:
    """Two play, P1 is in turn, and somebody watches. `heard`, `lines`, `bells`: what came of it since the last look."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.frames = iter(match())
        self.follower = Follower(next(self.frames), stream(1))
        first = self.until_turn(1)
        self.watcher: Any = SimpleNamespace(
            scenes=asyncio.Queue(), reason=None, absence=None, is_looking=False, title="Sofa", on_absence=None
        )
        self.table = WatchedTable(
            cast(Any, self.watcher), self.follower, first[0], Path("nowhere"), is_tried_again=True
        )
        self.model = TableModel(self.table, TerminalSettings(), Clock())
        self.screen = TableScreen(self.model, TerminalSettings(), Clock())
        self.telling = Telling(Outlook(self.table, Translator()))
        self.heard: list[News] = []
        self.lines: list[str] = []
        self.bells = 0
        self.show(first[1:])
        runner.run(self.begin())
        self.look()

    def until_turn(self, seat: int) -> list[Snapshot]:
        scenes: list[Snapshot] = []
        for frame in self.frames:
            scenes += self.follower.feed(frame)
            if self.follower.record.state is not None and scenes and scenes[-1].view.turn == seat:
                return scenes
        raise AssertionError("the match is over")

    def show(self, scenes: Sequence[Snapshot | None]) -> None:
        for scene in scenes:
            self.watcher.scenes.put_nowait(scene)

    async def begin(self) -> None:
        self.following = asyncio.create_task(self.table.run())

    def told(self, *absent: Absence) -> None:
        """The seat that shows the table says this, one after the other."""

        async def hear() -> None:
            for each in absent:
                self.watcher.absence = each
                self.watcher.on_absence()

        self.runner.run(hear())
        self.look()

    def look(self) -> None:
        async def heard() -> None:
            while not self.watcher.scenes.empty():
                await asyncio.sleep(0)
            await asyncio.sleep(0)

        self.runner.run(heard())
        self.heard, self.lines = [], []
        while not self.table.news.empty():
            news = self.table.news.get_nowait()
            assert news is not None
            self.heard.append(news)
            self.screen.hear(news)
            self.lines += self.telling.told(news)
        self.bells = sum(isinstance(each, Bell) for each in self.model.update(Tick()))

    @property
    def view(self) -> TableView:
        view = self.model.view()
        assert isinstance(view, TableView)
        return view

    @property
    def seat(self) -> SeatTile:
        return self.view.seats[1]

    @property
    def box(self) -> Dialog | None:
        return self.view.dialog


@pytest.fixture
def one() -> Iterator[Watched]:
    with asyncio.Runner() as runner:
        yield Watched(runner)


def test_who_becomes_away_and_comes_back_is_told(one: Watched) -> None:
    one.told(NOBODY)
    assert not one.heard and not one.seat.is_away
    one.told(Absence(away=(1,)))
    assert one.heard == [events.Away(1)] and one.lines == ["P1 is away. The seat is kept."]
    assert one.seat.is_away and one.seat.note == "away 0:00" and one.box is None
    one.told(NOBODY)
    assert one.heard == [events.Back(1)] and one.lines == ["P1 is back."]
    assert not one.seat.is_away


def test_who_is_away_already_is_shown_without_a_time_that_nobody_knows(one: Watched) -> None:
    one.told(Absence(away=(1,)))
    assert not one.heard
    assert one.seat.is_away and one.seat.note.strip() == "away"
    one.told(NOBODY)
    assert one.heard == [events.Back(1)]


def test_a_phone_that_sleeps_rings_where_the_table_waits_for_it(one: Watched) -> None:
    one.told(NOBODY, Absence(asleep=(0,)))
    assert one.heard == [events.Asleep(0, True)] and one.bells == 0, "P1 is in turn"
    assert one.view.seats[0].note == "asleep"
    one.told(Absence(asleep=(0, 1)))
    assert one.bells == 1 and one.lines == ["P1’s phone is asleep."]
    assert "Waiting for P1" in one.view.frame.prompt and "P1’s phone is asleep" in one.view.frame.prompt
    one.look()
    assert one.bells == 0, "once is enough"
    one.told(NOBODY)
    assert one.heard == [events.Asleep(0, False), events.Asleep(1, False)] and one.bells == 0


def test_who_is_awaited_is_told_in_a_box_about_which_a_watcher_can_do_nothing(one: Watched) -> None:
    one.told(NOBODY, Absence((1,), (1,)))
    assert events.Paused((1,)) in one.heard and one.bells == 1
    assert "Paused: waiting for P1. Seats and cards are kept." in one.lines
    assert one.view.frame.prompt == "Paused: waiting for P1" and one.box is not None
    text = "\n".join("".join(piece for piece, _ink in line) for line in one.box.lines)
    assert one.box.title == "Paused: P1 lost the connection"
    assert text == "Seats and cards are kept.\nThey can rejoin: open Fairdeal, press U."
    assert not one.box.footer and not one.box.choices
    assert {offer.name for offer in one.view.frame.actions} == {"leave"}
    one.told(NOBODY)
    assert one.box is None and one.heard[-1] == events.Paused(()) and one.bells == 0


def test_who_is_there_and_thinks_long_is_not_called_away(one: Watched) -> None:
    one.told(NOBODY, Absence((1,)))
    assert one.box is not None and one.box.title == "Paused: waiting for P1"
    assert [line[0][0] for line in one.box.lines] == ["Seats and cards are kept."]


def test_what_happened_before_is_told_first(one: Watched) -> None:
    """Else the moves that are still to be read would end a pause that has only begun."""
    one.told(NOBODY)
    later = one.until_turn(0)
    one.watcher.absence = Absence((0,))

    async def all_at_once() -> None:
        one.show(later)
        one.watcher.on_absence()

    one.runner.run(all_at_once())
    one.look()
    assert isinstance(one.heard[0], events.Moved) and one.heard[-1] == events.Paused((0,))
    assert one.box is not None


def test_seats_that_nobody_plays_are_not_missed(one: Watched) -> None:
    one.told(NOBODY, Absence((1, 7), (5,), (9,)))
    assert one.heard == [events.Paused((1,))]


def test_who_comes_and_goes_without_end_is_told_of_now_and_then(one: Watched) -> None:
    one.told(NOBODY)
    one.told(*[Absence(away=(1,)), NOBODY] * 50)
    assert len(one.heard) < 10


def test_a_screen_that_has_lost_the_table_says_that_and_nothing_else(one: Watched) -> None:
    one.told(NOBODY, Absence((1,), (1,)))
    assert one.box is not None
    one.watcher.is_looking = True
    assert "Reconnecting" in one.view.frame.prompt and one.box is None
    one.watcher.is_looking = False
    assert one.box is not None, "another seat shows the table, and has not said yet that anything has changed"
    one.watcher.reason = LinkLost("gone", reason="lost")
    one.show([None])
    one.look()
    assert "Reconnecting" in one.view.frame.prompt and one.box is None


def test_the_command_tells_in_lines_what_a_player_is_told(one: Watched) -> None:
    out = io.StringIO()
    context = Context(Translator(), {}, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), Path("nowhere"))
    for news in (events.Away(1), events.Paused((1,)), events.Back(1), events.Paused(()), None):
        one.table.news.put_nowait(news)
    one.runner.run(_tell(one.table, context))
    assert out.getvalue().splitlines() == [
        "P1 is away. The seat is kept.",
        "Paused: waiting for P1. Seats and cards are kept.",
        "P1 is back.",
        "The match continues.",
    ]


def test_what_a_player_says_with_one_key_is_shown_at_the_seat_in_the_readers_words(one: Watched) -> None:
    one.watcher.on_reaction(1, "gg")
    one.look()
    assert one.heard == [events.Said(1, ":gg")]
    assert one.seat.note == "“good game”"
