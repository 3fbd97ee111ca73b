"""Whoever was left out looks on, and hears when nobody is there any more from whom to learn how it goes on."""

from __future__ import annotations

import pytest

from protocol.table.wishes import NOBODY
from tests.table.parting import OVERDUE_S
from tests.table.returning import Returning

pytestmark = pytest.mark.usefixtures("toy")


def left_out() -> Returning:
    """Three play on without seat 1, whose player is back and looks on."""
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    table.vote_out(1)
    table.until_height(7)
    table.come_back(1)
    table.clients[1].table.leaving.takers.wants_seat = False
    table.until_height(9)
    assert not table.clients[1].table.is_present and table.clients[1].table.record.epoch == 1
    return table


def test_it_waits_for_all_of_them_once_none_can_be_reached() -> None:
    table = left_out()
    looking_on = table.clients[1].table
    for index in (0, 2):
        table.vanish(index)
    table.spend(OVERDUE_S + 1)
    assert looking_on.wishes.standing(table.now) == NOBODY, "seat 3 can tell what happens"
    table.vanish(3)
    table.spend(OVERDUE_S + 1)
    told = table.told(1)
    assert told.awaited == (0, 2, 3) and told.may_at is None and not told.needed


def test_it_goes_on_looking_when_somebody_is_back() -> None:
    table = left_out()
    for index in (0, 2, 3):
        table.vanish(index)
    table.spend(OVERDUE_S + 1)
    table.come_back(3)
    table.spend(OVERDUE_S)
    assert table.told(1).awaited == ()
