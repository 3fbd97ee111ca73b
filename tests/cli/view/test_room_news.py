"""What is said when a match could not begin."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from cli.client.seat import LiveSeat
from cli.news import DrawTorn, RoomNews
from cli.text import Translator
from cli.view.room_news import room_news_text
from p2p.driver import Driver
from protocol.table.roster import Member

SILENT = "The match could not begin: Mia did not answer."
AGAIN = "Are you ready to try again?"
OFF = "The match could not begin: the host called it off after the seats were drawn."


@pytest.mark.parametrize(
    ("torn", "text"),
    [
        (DrawTorn(("Mia",), False, 0), SILENT),
        (DrawTorn(("Mia",), True, 1), f"{SILENT} {AGAIN}"),
        (DrawTorn(("Mia",), True, 3), f"{SILENT} This has happened 3 times in a row. {AGAIN}"),
        (DrawTorn((), True, 2), f"{OFF} This has happened 2 times in a row. {AGAIN}"),
        (DrawTorn((), False, 2), "The match could not begin."),
    ],
)
def test_who_tore_a_draw_is_named_and_torn_draws_are_counted(torn: DrawTorn, text: str) -> None:
    assert room_news_text(Translator("en"), torn) == text


def test_who_did_not_answer_is_named_though_they_have_left_the_room() -> None:
    gone = Member(b"k" * 32, "Kim", b"k" * 32, False, b"n" * 32)
    roster = SimpleNamespace(members=(gone,))
    seat, told = LiveSeat(), list[RoomNews]()
    seat.on_room_news = told.append
    seat._table.driver = cast(Driver, SimpleNamespace(table=SimpleNamespace(record=SimpleNamespace(roster=roster))))
    seat.on_torn([gone.key], False, 0)
    assert told == [DrawTorn(("Kim",), False, 0)]
