"""Whoever sits down at a running match sees it as the others do: how the last round ended, all points, and who shuffled."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from cli import news
from cli.client.own_sleep import OwnSleep
from cli.client.seat import LiveSeat
from cli.client.table_news import TableNews
from cli.games.registry import face_of
from cli.text import load_translator
from cli.view.partings import took_seat_told
from p2p.driver import Driver
from protocol.table.record import Phase
from protocol.table.step import Step
from protocol.table.table import Table
from tests.table.returning import Returning

pytestmark = pytest.mark.usefixtures("verified_once", "toy", "hasty_bots")


class Fake:
    """What the news need of a driver."""

    fault = None

    def __init__(self, table: Table) -> None:
        self.table = table


class Heard(Returning):
    """Newcomers hear of their table from the first step on."""

    def __init__(self, **other: Any) -> None:
        self.heard_by: dict[int, TableNews] = {}
        super().__init__(**other)

    def take(self, index: int, step: Step) -> None:
        super().take(index, step)
        driver = cast(Driver, Fake(self.clients[index].table))
        if index not in self.heard_by and index >= self.game.seats:
            self.heard_by[index] = TableNews(lambda: self.now, asyncio.Event(), OwnSleep())
            self.heard_by[index].begin(driver)
        if index in self.heard_by:
            self.heard_by[index].receive(driver, step.events)

    def news_of(self, index: int) -> list[news.News]:
        queue = self.heard_by[index].queue
        return [piece for _ in range(queue.qsize()) if (piece := queue.get_nowait()) is not None]


@pytest.mark.slow
def test_a_newcomer_sees_the_score_sheet_and_all_points() -> None:
    table = Heard(seats=4, rounds=3, recovery="on", options={"hand": 4, "target": 500})
    table.until_playing(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    while any(c.table.record.rounds_closed < 1 or c.table.record.phase is not Phase.PLAYING for c in table.up()):
        table.move_someone()
        table.turn()
    newcomer = table.arrive(1)
    table.until_seated(newcomer)
    heard = table.news_of(newcomer)
    points = table.clients[0].table.record.points
    assert len(points) == 2
    (earlier,) = [piece for piece in heard if isinstance(piece, news.Earlier)]
    (ended,) = [piece for piece in heard if isinstance(piece, news.RoundEnded)]
    assert len(earlier.points) + 1 == len(points), "the last round's points come with its end"
    assert not earlier.moves, "what was played in this seat was not ours"
    assert ended.view.round_over
    (checked,) = [piece for piece in heard if isinstance(piece, news.DealChecked)]
    assert checked.shuffled_by == (0, 2, 3), "who shuffled that deal, not who sits here now"
    assert news.TookSeat(1, False) in heard


def test_who_comes_back_while_somebody_else_has_the_seat_watches_and_is_told_so() -> None:
    """What happens at the seat is not told as done by the one who looks on."""
    table = Heard(seats=4, rounds=3, recovery="off", options={"hand": 4, "target": 500})
    table.until_height(5)
    table.vote_out(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_seated(table.arrive(1, keeper=0))
    table.come_back(1)
    table.run(lambda: table.clients[1].table.record.epoch == table.clients[0].table.record.epoch)
    seat = LiveSeat()
    seat.on_table(cast(Driver, Fake(table.clients[1].table)))
    assert seat.seat is None
    table.heard_by[1] = seat._table
    told = table.news_of(1)
    assert news.TookSeat(1, was_ours=True) in told
    assert not any(isinstance(piece, news.WentOn) and piece.may_return for piece in told)
    names = [player.name for player in seat.players]
    narrator = face_of(table.game).narrator(load_translator("en"), names, seat.seat)
    assert took_seat_told(narrator, news.TookSeat(1, was_ours=True)).startswith(f"{names[1]} took over your seat.")
