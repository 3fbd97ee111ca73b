"""Rounds that are played on without a player: the others open the departed seat's key, and the table plays its hand."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.table.events import EpochBegan, Moved, RoundClosed
from protocol.table.phases.values import Revealing
from protocol.table.places import Departure
from protocol.table.record import Phase
from protocol.table.table import Table
from tests.adversaries.declared import By, attack
from tests.table.matches import assert_nobody_accused
from tests.table.parting import OVERDUE_S, Parting
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy")

ON: dict[str, Any] = {"recovery": "on"}
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("crazy-eights", 4, {"hand": 4, "draw": "one", "target": 500}),
    ("crazy-eights", 3, {"recycle": True, "hand": 14, "target": 500}),
    ("two-four-jack", 3, {"hand": 3, "draw": "one", "target": 500}),
    ("mau-mau", 4, {"hand": 3, "target": 500}),
    ("macau-wars", 3, {"hand": 3}),
]


ALIKE = ("two-four-jack", "mau-mau")
"""To the table they are as the first."""


def played_on(table: Parting) -> None:
    """Play until the round is scored, and check what everybody was told."""
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.play()
    for client in table.up():
        (began,) = [event for event in client.events if isinstance(event, EpochBegan)]
        assert (began.void, began.stand_in) == (None, 1)
        assert [event.round for event in client.events if isinstance(event, RoundClosed)] == [1]


@pytest.mark.sample
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [pytest.param(*each, marks=pytest.mark.soak if each[0] in ALIKE else ()) for each in GAMES],
)
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.soak)])
def test_a_round_is_played_on_and_scored(game: str, seats: int, options: dict[str, Any], seed: int) -> None:
    table = Parting(game=game, seats=seats, options=options, seed=seed, **ON)
    table.until_playing(5)
    table.leave(1)
    played_on(table)
    table.assert_played_on(1)
    assert table.over(0).places[1].reason is Departure.LEFT


def test_the_table_moves_for_the_departed_seat() -> None:
    table = Parting(**ON)
    table.until_playing(5)
    table.leave(1)
    before = len([1 for event in table.clients[0].events if isinstance(event, Moved) and event.seat == 1])
    played_on(table)
    after = len([1 for event in table.clients[0].events if isinstance(event, Moved) and event.seat == 1])
    assert after > before


@pytest.mark.slow
def test_a_tichu_round_is_played_on_to_its_end() -> None:
    table = Parting(game="tichu", options={}, seed=5, **ON)
    table.until_playing(12)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.play()
    for client in table.up():
        assert [event.round for event in client.events if isinstance(event, RoundClosed)] == [1]
        assert client.table.record.phase is Phase.OVER


@pytest.mark.slow
def test_a_vote_opens_the_key_of_a_vanished_seat() -> None:
    table = Parting(**ON)
    table.until_height(5)
    table.vote_out(1)
    table.spend(1)
    played_on(table)
    table.assert_played_on(1)
    assert table.over(0).places[1].reason is None


def test_before_the_cards_are_dealt_the_round_is_void() -> None:
    """Nobody's shares are accepted yet: the start is the opening itself."""
    table = Parting(**ON)
    table.start()
    table.run(lambda: all(client.table.record.phase is Phase.SETTLING for client in table.clients))
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    for client in table.up():
        (began,) = [event for event in client.events if isinstance(event, EpochBegan)]
        assert (began.void, began.stand_in) == (1, None)
    table.play()
    table.assert_played_on(1)


def test_two_at_once_make_the_round_void() -> None:
    table = Parting(seats=5, **ON)
    table.until_height(5)
    for index in (1, 3):
        table.vanish(index)
    table.until_awaited(1)
    table.spend(LEAVE_AFTER_S + OVERDUE_S)
    for index in (0, 2, 4):
        table.wish(index)
    table.run(lambda: all(len(client.table.record.present) == 3 for client in table.up()))
    for client in table.up():
        (began,) = [event for event in client.events if isinstance(event, EpochBegan)]
        assert (began.void, began.stand_in) == (1, None)
    table.play()
    table.assert_played_on(1, 3)


@pytest.mark.slow
def test_one_after_the_other_leaves_and_the_round_is_still_scored() -> None:
    """What was sealed to the first is open with its key, so the second one's key can be opened too."""
    table = Parting(seats=5, options={"hand": 8, "draw": "one", "target": 500}, **ON)
    table.until_playing(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    height = table.clients[0].table.record.height
    table.until_height(height + 2)
    table.leave(3)
    table.run(lambda: all(client.table.record.epoch == 2 for client in table.up()))
    table.play()
    table.assert_played_on(1, 3)
    for client in table.up():
        began = [event for event in client.events if isinstance(event, EpochBegan)]
        assert [(event.void, event.stand_in) for event in began] == [(None, 1), (None, 3)]
        assert [event.round for event in client.events if isinstance(event, RoundClosed)] == [1]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player disappears because of a bad hand.",
    "After ten seconds. With recovery, the others finish the round; without it, the round does not count.",
    "nobody is convicted; a player who quits for good or withholds their key finishes last",
)
def test_who_withholds_the_reveal_changes_nothing() -> None:
    """The key is opened by the others, the round is scored, and the seat stands last."""
    table = Parting(leave_after=1000, **ON)
    table.until_playing(5)

    def silent(sender: int, to: int, data: bytes) -> bytes | None:
        return None if sender == 1 and b"\xa6reveal" in data else data

    table.tamper = silent
    while not all(isinstance(client.table.record.now, Revealing) for client in table.clients):
        table.move_someone()
        table.turn()
    table.vanish(1)
    table.spend(60)
    for index in (0, 2, 3):
        if not table.clients[index].table.record.epoch:
            table.wish(index)
    played_on(table)
    table.assert_played_on(1)
    assert table.over(0).places[1].reason is Departure.WITHHELD


@pytest.mark.slow
def test_a_seat_that_restarts_while_the_round_is_played_on_finds_its_place() -> None:
    table = Parting(options={"hand": 8, "draw": "one", "target": 500}, **ON)
    table.until_playing(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_height(table.clients[0].table.record.height + 3)
    table.restart(2)
    table.play()
    table.assert_played_on(1)
    assert_nobody_accused_but_left(table)


def assert_nobody_accused_but_left(table: Parting) -> None:
    table.clients = table.up()
    for client in table.clients:
        assert isinstance(client.table, Table)
    assert_nobody_accused(table)
