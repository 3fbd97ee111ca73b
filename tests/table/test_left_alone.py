"""Whoever is left alone just as somebody sits down with them waits for that one before the match ends."""

from __future__ import annotations

import pytest

from protocol.table.events import AwaitsCompany, GivenUp
from protocol.table.phases.values import Ending
from protocol.table.record import Phase
from tests.table.parting import OVERDUE_S
from tests.table.returning import Returning
from tests.table.test_bots_that_give_way import come, playing
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy")

KEEPERS = (0, 1, 0)


def agreed_and_left() -> tuple[Returning, int]:
    """Seat 1 has signed, as seat 0 has, that somebody takes the bot's seat. Only they have heard it when it leaves for good."""
    table = playing(KEEPERS)
    newcomer = come(table, 2)
    away = table.clients[1].table

    def not_to_the_first(sender: int, to: int, data: bytes) -> bytes | None:
        is_agreed = sender in (1, newcomer) and away.record.ledger.departures.promised == 2
        return None if is_agreed and to != newcomer and b"goodbye" not in data else data

    table.tamper = not_to_the_first
    while away.record.ledger.departures.promised < 2:
        table.move_someone()
        table.turn()
    return table, newcomer


@pytest.mark.slow
def test_they_play_on_together() -> None:
    table, newcomer = agreed_and_left()
    table.leave(1)
    table.tamper = lambda sender, to, data: data
    assert all(table.clients[index].table.record.phase is not Phase.BROKEN for index in (0, newcomer))
    table.vanish(2)  # the bot's process ends
    table.run(lambda: all(table.clients[index].table.record.present == (0, 2) for index in (0, newcomer)))
    table.play()
    table.assert_played_on(1)


def test_the_match_ends_if_nobody_sits_down() -> None:
    table, newcomer = agreed_and_left()
    table.tamper = lambda sender, to, data: None if newcomer in (sender, to) else data
    table.leave(1)
    record = table.clients[0].table.record
    told = next(event for event in table.clients[0].events if isinstance(event, AwaitsCompany))
    assert (told.left, told.seats, told.names) == (1, (2,), (f"P{newcomer}",))
    table.spend(OVERDUE_S)
    assert record.phase is Phase.BETWEEN
    table.spend(LEAVE_AFTER_S + OVERDUE_S)
    broken = record.broken
    assert broken is not None and (broken.ending, broken.seat) == (Ending.GOODBYE, 1)
    assert GivenUp() in table.clients[0].events, "our player hears of it then"


@pytest.mark.slow
def test_so_it_does_after_a_restart() -> None:
    table, newcomer = agreed_and_left()
    table.tamper = lambda sender, to, data: None if newcomer in (sender, to) else data
    table.leave(1)
    table.lose(0)
    table.restart(0)
    assert not table.clients[0].table.is_over
    table.spend(LEAVE_AFTER_S + 3 * OVERDUE_S)
    assert table.clients[0].table.is_over


@pytest.mark.slow
def test_it_ends_at_once_if_who_left_had_not_signed() -> None:
    table = playing(KEEPERS)
    come(table, 2)
    table.tamper = lambda sender, to, data: None if sender == 1 and b"without" in data else data
    departures = table.clients[0].table.record.ledger.departures
    while departures.promised < 1:
        table.move_someone()
        table.turn()
    table.leave(1)
    assert table.clients[0].table.record.phase is Phase.BROKEN
