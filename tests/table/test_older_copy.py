"""A home that was restored from an older copy: its own messages come back from the others, its round secret does not."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.table.events import Accused, EpochBegan
from protocol.table.record import Phase
from protocol.table.step import Entry
from tests.table.matches import assert_all_agree
from tests.table.parting import Parting
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

BACK = 1


def older(journal: list[Entry], own: int) -> list[Entry]:
    """What the journal held when this many messages of ours were in it."""
    ours = [index for index, entry in enumerate(journal) if entry.kind == "out"]
    return journal[: ours[own - 1] + 1]


def playing_again(own: int, height: int = 5, **other: Any) -> Parting:
    """A match whose second client has lost everything behind so many of its own messages, secrets too."""
    tables = Parting(seed=5, **other)
    tables.until_playing(height)
    tables.lose(BACK)
    journal = older(tables.clients[BACK].journal, own)
    assert len(journal) < len(tables.clients[BACK].journal)
    tables.clients[BACK].journal = journal
    tables.restart(BACK)
    return tables


def epochs(tables: Tables, index: int) -> list[EpochBegan]:
    return [event for event in tables.clients[index].events if isinstance(event, EpochBegan)]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_round_is_void_where_the_lost_key_cannot_be_opened(seats: int) -> None:
    tables = playing_again(own=2, seats=seats, rounds=2)
    tables.play(40_000)
    assert_all_agree(tables)
    for index in range(seats):
        (began,) = epochs(tables, index)
        assert began.present == tuple(range(seats)) and not began.without and began.void == 1


def test_the_others_open_the_lost_key_where_they_can() -> None:
    tables = playing_again(own=2, seats=4, recovery="auto")
    tables.play(40_000)
    tables.gone.add(BACK)
    tables.assert_played_on(BACK)
    for index in (0, 2, 3):
        (began,) = epochs(tables, index)
        assert began.stand_in == BACK and began.void is None
        assert not any(isinstance(event, Accused) for event in tables.clients[index].events)
        assert tables.over(index).places[BACK].reason is None, "it has not left"


def test_a_key_that_is_lost_between_rounds_is_made_anew() -> None:
    tables = Parting(seed=5, seats=3)
    tables.start()
    tables.tamper = lambda sender, to, data: None if b"shuffle-proof" in data and sender == 0 else data
    tables.run(lambda: tables.clients[0].table.record.from_seat(BACK, "shuffled", 1, 0) is not None)
    tables.lose(BACK)
    tables.clients[BACK].journal = older(tables.clients[BACK].journal, 2)
    tables.tamper = lambda sender, to, data: data
    tables.restart(BACK)
    tables.play(40_000)
    assert_all_agree(tables)
    assert [began.void for began in epochs(tables, 0)] == [None]


def test_where_the_key_is_in_the_copy_the_match_goes_on() -> None:
    tables = playing_again(own=5, seats=3)
    tables.play(40_000)
    assert_all_agree(tables)
    assert not epochs(tables, 0)


def test_a_goodbye_does_not_end_the_match_for_a_copy_from_before_the_draw() -> None:
    """The others show it what they hold now, a goodbye too, before the nonces from which it draws the seats."""
    tables = Parting(seed=5, seats=4)
    tables.until_playing(5)
    tables.lose(BACK)
    tables.leave(2)
    tables.clients[BACK].journal = older(tables.clients[BACK].journal, 1)
    tables.start_again(BACK)
    table = tables.clients[BACK].table
    goodbye = tables.clients[0].table.record.ledger.departures.goodbyes[2]
    tables.take(BACK, table.receive(0, goodbye.data, tables.now))
    assert table.record.seed is None and not table.is_over
    tables.reconnect(BACK)
    tables.play(40_000)
    tables.assert_played_on(2)


def test_a_goodbye_before_the_draw_ends_the_match_for_whoever_comes_back_too() -> None:
    tables = Parting(seed=5, seats=3)
    tables.tamper = lambda sender, to, data: None if b"nonce" in data and sender == 2 else data
    tables.start()
    tables.run(tables.is_quiet)
    tables.lose(BACK)
    tables.leave(2)
    tables.restart(BACK)
    tables.spend(30)
    assert [tables.clients[index].table.record.phase for index in (0, BACK)] == [Phase.BROKEN] * 2
