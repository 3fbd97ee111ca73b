"""Whoever plays by phone answers for themselves: the computer that serves the page neither leaves nor returns with them."""

from __future__ import annotations

import pytest

from tests.table.returning import Returning

pytestmark = pytest.mark.usefixtures("toy")

SHORT = {"game": "crazy-eights", "options": {"hand": 2, "target": 500}, "rounds": 4}


def vanish_and_return(table: Returning, seat: int) -> None:
    """The others play on without somebody who then comes back, and sits down again."""
    table.vote_out(seat)
    while any(seat in client.table.record.present for client in table.up()):
        table.move_someone()
        table.turn()
    table.come_back(seat)
    table.until_seated(seat)


@pytest.mark.slow
def test_two_by_phone_let_the_computer_that_served_them_back_in() -> None:
    """They were alone in the match, so one of them asks it to sit down."""
    table = Returning(seats=3, keepers=(1, 1, 1), phones=True, **SHORT)
    table.until_height(4)
    vanish_and_return(table, 1)


@pytest.mark.slow
def test_a_computer_comes_back_though_somebody_whose_phone_it_served_left_for_good() -> None:
    table = Returning(seats=4, keepers=(1, 1, 2, 3), phones=True, **SHORT)
    table.until_height(4)
    table.leave(0)
    vanish_and_return(table, 1)


def test_a_bot_of_the_computer_takes_the_seat_of_somebody_whose_phone_it_served() -> None:
    table = Returning(seats=3, keepers=(1, 1, 2), phones=True, **SHORT)
    table.until_height(4)
    table.leave(0)
    table.until_seated(table.arrive(0, keeper=1))


def test_somebody_by_phone_comes_back() -> None:
    """Whoever takes an empty seat is their own keeper, also in the seat where another one stood as theirs."""
    table = Returning(seats=3, keepers=(1, 1, 2), phones=True, **SHORT)
    table.until_height(4)
    vanish_and_return(table, 0)
