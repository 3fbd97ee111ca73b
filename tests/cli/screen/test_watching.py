"""Looking on at a real match: what a watcher's own machine has checked, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli import news as events
from cli.client.watching import WatchedTable
from cli.terminal.settings import TerminalSettings
from cli.terminal.table import TableScreen
from cli.view.inputs import Act, Hear
from cli.view.table.model import TableModel
from cli.view.table.report import report_lines
from cli.view.views import ScoreView, TableView
from p2p.errors import LinkLost
from protocol.errors import FairdealError
from protocol.signed import decode_signed
from protocol.table.events import Cause
from protocol.table.roster import TableOptions
from protocol.table.verify import Follower
from tests.cli.screen.stage import Clock
from tests.table.parting import Parting
from tests.table.tables import Tables, stream

pytestmark = pytest.mark.usefixtures("toy")


@cache
def match(target: int = 0) -> tuple[bytes, ...]:
    """A short match of two, as a transcript: played once."""
    tables = Tables("crazy-eights", 2, {"hand": 2, "target": target}, 11, None, TableOptions(pause=0, grace=0))
    tables.is_hasty = True
    tables.start()
    tables.play()
    return tuple(tables.clients[0].transcript)


def watched(
    frames: Sequence[bytes], lang: str = "en", cut: int = 0, then: Sequence[bytes] = ()
) -> tuple[TableScreen, list[events.News]]:
    """A watcher's screen that has seen so much of it, and what it was told. `cut`: the file was cut back to so many messages, and
    continued with `then`."""
    follower = Follower(frames[0], stream(1))
    scenes: asyncio.Queue[Any] = asyncio.Queue()
    for frame in frames[1:]:
        for scene in follower.feed(frame):
            scenes.put_nowait(scene)
    if cut:
        follower.cut(cut)
    for frame in then:
        for scene in follower.feed(frame):
            scenes.put_nowait(scene)
    assert follower.report.failed is None
    scenes.put_nowait(None)
    watcher = cast(Any, SimpleNamespace(scenes=scenes, reason=None, absence=None, is_looking=False, title="Sofa"))
    table = WatchedTable(watcher, follower, scenes.get_nowait(), Path("nowhere"))
    asyncio.run(table.run())
    settings, clock = TerminalSettings(lang=lang), Clock()
    screen = TableScreen(TableModel(table, settings, clock), settings, clock)
    heard: list[events.News] = []
    while (news := table.news.get_nowait()) is not None:
        heard.append(news)
        screen.hear(news)
    return screen, heard


@pytest.mark.slow
def test_a_watcher_reads_what_was_checked_on_the_own_machine() -> None:
    screen, _heard = watched(match())
    assert [len(each.key) for each in screen.table.playing.players] == [64, 64]
    text = "\n".join("".join(piece for piece, _ink in line) for line in report_lines(screen.table))
    assert "No deal has been checked" not in text
    assert "✓ One deck of 52 cards" in text
    assert text.count("shuffled (proof valid)") == 2
    assert "✓ 2 shuffles proven in total" in text
    assert "✓ 1 round rechecked with all hands open" in text
    assert "your cards" not in text
    screen.key("v")
    canvas = screen.picture(80, 24)[0]
    assert "save proof" not in str(canvas)


@pytest.mark.slow
@pytest.mark.parametrize(("keeper", "is_split"), [("", True), ("P0", False)])
def test_a_watcher_reads_that_no_computer_saw_all_cards_only_where_several_took_part(
    keeper: str, is_split: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who keeps the only bot holds every hand on one computer."""
    screen, _heard = watched(match())
    players = [events.Player("P0"), events.Player("P1", bot=bool(keeper), through=keeper)]
    monkeypatch.setattr(type(screen.table.playing), "players", players)
    text = "\n".join("".join(piece for piece, _ink in line) for line in report_lines(screen.table))
    assert ("No single computer" in text) == is_split


def test_a_screen_that_has_lost_the_table_says_so_and_keeps_it() -> None:
    """It looks for the table again by itself, so the match is not over for it."""
    first, *frames = match()
    follower = Follower(first, stream(1))
    scenes = [scene for frame in frames[: len(frames) // 2] for scene in follower.feed(frame)]
    queue: asyncio.Queue[Any] = asyncio.Queue()
    for scene in (*scenes[1:], None):
        queue.put_nowait(scene)
    watcher = cast(
        Any,
        SimpleNamespace(
            scenes=queue, reason=LinkLost("gone", reason="lost"), absence=None, is_looking=False, title="Sofa"
        ),
    )
    table = WatchedTable(watcher, follower, scenes[0], Path("nowhere"), is_tried_again=True)
    asyncio.run(table.run())
    model = TableModel(table, TerminalSettings(), Clock())
    while not table.news.empty():
        news = table.news.get_nowait()
        assert news is not None and not isinstance(news, events.Broken)
        model.update(Hear(news))
    shown = model.view()
    assert isinstance(shown, TableView)
    assert "The connection to the table is lost. Reconnecting…" in shown.frame.prompt
    assert shown.dialog is None


@pytest.mark.slow
def test_a_watcher_is_told_what_was_turned_up() -> None:
    screen, heard = watched(match())
    began = next(news for news in heard if isinstance(news, events.RoundBegan))
    assert any(
        entry.startswith("Round 1.") and f"Turned up: {screen.table.at.cards.say(str(began.view.top))}." in entry
        for entry, _ink in screen.table.log.entries
    )
    assert heard.index(began) < next(at for at, news in enumerate(heard) if isinstance(news, events.Moved))


def test_a_watcher_is_told_that_somebody_left_for_good() -> None:
    tables = Tables("crazy-eights", 2, {"hand": 5}, 11, None, TableOptions(pause=0, grace=0))
    tables.start()
    one = tables.clients[0].table
    tables.run(lambda: one.record.state is not None and one.view().top is not None)
    tables.take(1, tables.clients[1].table.leave(tables.now))
    tables.run(lambda: one.record.broken is not None)
    frames = list(tables.clients[0].transcript)
    assert "goodbye" in [decode_signed(frame).message.kind for frame in frames[1:]]
    screen, heard = watched(frames)
    assert [type(news) for news in heard].count(events.Broken) == 1
    assert "quit for good" in screen.table.log.entries[-1][0]
    assert not any(offer.name == "chat" for offer in screen.model.view().frame.actions)


@pytest.mark.slow
def test_a_watcher_is_told_without_whom_the_match_continues_and_no_move_twice() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vote_out(1)
    table.think = True
    before = list(table.clients[0].transcript)
    table.spend(1)
    after = list(table.clients[0].transcript)
    kept = sum(one == other for one, other in zip(before, after, strict=False))
    kept -= 5  # a seat that dropped a vote or two writes the last height again
    screen, heard = watched(before, cut=kept, then=after[kept:])
    moves = [(news.seat, news.after) for news in heard if isinstance(news, events.Moved)]
    assert moves and all(moves.count(move) == 1 for move in moves)
    assert [news.without for news in heard if isinstance(news, events.WentOn)] == [{1: Cause.VOTE}]
    assert screen.table.playing.players[1].left
    assert "The match continues without P1." in " ".join(text for text, _ink in screen.table.log.entries)


@pytest.mark.slow
def test_a_watcher_reads_on_the_sheet_what_was_left_in_hand_and_which_table_it_is() -> None:
    screen, heard = watched(match())
    ended = next(news for news in heard if isinstance(news, events.RoundEnded))
    assert any(seat.hand for seat in ended.view.seats)
    screen.send(Act("scores"))
    sheet = screen.model.view()
    assert isinstance(sheet, ScoreView)
    assert "Cards left this round" in [text for line in sheet.facts for text, _ink in line]
    assert sheet.frame.title == "Scores · Sofa"
    assert all(offer.name != "chat" for offer in sheet.frame.actions)


@pytest.mark.slow
def test_who_begins_to_watch_sees_no_sheet_of_the_rounds_before() -> None:
    *earlier, last = (news for news in watched(match(60))[1] if isinstance(news, events.RoundEnded))
    assert len(earlier) > 1
    assert all(news.is_past for news in earlier) and not last.is_past


@pytest.mark.slow
def test_a_match_that_is_broken_off_shuts_the_sheet_that_hides_it() -> None:
    screen, _heard = watched(match()[:-3])
    screen.send(Act("scores"))
    assert screen.table.rounds.shows
    screen.hear(events.Broken(FairdealError("the table is no longer there")))
    assert not screen.table.rounds.shows
