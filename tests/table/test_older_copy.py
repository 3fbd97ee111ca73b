"""A home that was restored from an older copy: its own messages come back from the others, its round secret does not."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from protocol.errors import IllegalMove
from protocol.table.events import Accused, EpochBegan
from protocol.table.record import Phase
from protocol.table.step import Entry
from tests.table.matches import assert_all_agree
from tests.table.parting import OVERDUE_S, Parting
from tests.table.tables import Tables
from tests.table.waiting import LEAVE_AFTER_S

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


@pytest.mark.sample
@pytest.mark.parametrize("seats", [2, 3])
def test_the_round_is_void_where_the_lost_key_cannot_be_opened(seats: int) -> None:
    tables = playing_again(own=2, seats=seats, rounds=2)
    tables.play(40_000)
    assert_all_agree(tables)
    for index in range(seats):
        (began,) = epochs(tables, index)
        assert began.present == tuple(range(seats)) and not began.without and began.void == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_who_has_promised_to_go_on_first_learns_again_how_far_it_had_come() -> None:
    """It is shown its promise before the moves in between, and would deny its own votes in the next one."""
    gone, left = 4, 5
    tables = Parting(seed=5, seats=6, recovery="off", rounds=1)
    tables.until_playing(6)
    tables.vanish(gone)
    tables.leave(left)
    back = tables.clients[BACK]
    assert back.table.record.ledger.departures.promised == 1, "an epoch that cannot begin: one of its seats is gone"
    height = back.table.record.height
    tables.lose(BACK)
    back.journal = older(back.journal, sum(entry.kind == "out" for entry in back.journal) - 5)
    tables.restart(BACK)
    assert tables.clients[BACK].table.record.height < height
    tables.spend(LEAVE_AFTER_S + 2 * OVERDUE_S)
    for index in (0, 1, 2, 3):
        tables.wish(index)
    tables.play(40_000)
    tables.gone |= {gone, left}
    assert not any(isinstance(event, Accused) for client in tables.clients for event in client.events)
    tables.assert_played_on(gone, left)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_second_key_is_missing_where_one_was_to_be_opened(is_first: bool) -> None:
    """One of three is gone and its key can be opened; another one, without whom nobody is left, lost its own. The round is void
    rather than played on for ever. `is_first`: it said so before they went on without the one that is gone."""
    gone = 2
    tables = Parting(seed=5, seats=3, recovery="on", rounds=2)
    tables.until_playing(5)
    tables.vanish(gone)
    if not is_first:
        tables.tamper = lambda sender, to, data: None if b"lost" in data[:60] else data
    tables.lose(BACK)
    tables.clients[BACK].journal = older(tables.clients[BACK].journal, 2)
    tables.restart(BACK)
    for _ in range(3):
        tables.spend(LEAVE_AFTER_S + 2 * OVERDUE_S)
        for index in (0, BACK):
            with contextlib.suppress(IllegalMove):
                tables.wish(index)
    tables.tamper = lambda sender, to, data: data
    tables.play(40_000)
    tables.gone.add(gone)
    tables.assert_played_on(gone)
    found = epochs(tables, 0)
    assert [began.void for began in found if began.void is not None] == [1]
    assert len(found) <= 4


@pytest.mark.sample
@pytest.mark.parametrize("has_signed", [False, True])
@pytest.mark.parametrize("gone", [0, 2, 3])
def test_who_lost_a_key_stays_where_another_seat_is_missing_too(gone: int, has_signed: bool) -> None:
    """Two of four cannot go on without the other two; three can, in a round of new keys. `has_signed`: the two have signed to
    leave out who lost the key, together with the other one, who vanishes without a word."""
    tables = Parting(seed=5, seats=4, recovery="auto")
    tables.until_thinking()
    rest = [index for index in (0, 2, 3) if index != gone]
    tables.lose(BACK)
    tables.clients[BACK].journal = older(tables.clients[BACK].journal, 2)
    if has_signed:
        tables.tamper = lambda sender, to, data: None if sender == gone and b"without" in data[:60] else data
    else:
        tables.vanish(gone)
        tables.spend(2 * OVERDUE_S)
    tables.restart(BACK)
    tables.run(lambda: all(tables.clients[index].table.record.ledger.departures.promised for index in rest))
    if has_signed:
        tables.vanish(gone)
    for _ in range(4):
        tables.spend(LEAVE_AFTER_S + 2 * OVERDUE_S)
        for index in (BACK, *rest):
            with contextlib.suppress(IllegalMove):
                tables.wish(index)
    for index in (BACK, *rest):
        record = tables.clients[index].table.record
        assert record.epoch and record.present == tuple(sorted((BACK, *rest))), tables.where()


@pytest.mark.slow
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


@pytest.mark.parametrize("seats", [2, 3])
def test_a_lost_key_that_reached_nobody_is_not_replaced_under_what_was_shuffled_with_it(seats: int) -> None:
    """Only the first seat can shuffle before the others have its key: its shuffle comes back to it, and its key does not."""
    tables = Parting(seed=5, seats=seats)
    tables.start()
    first = tables.at_seat(0)
    tables.tamper = lambda sender, to, data: None if sender == first and b"prepare" in data[:60] else data
    others = [index for index in range(seats) if index != first]
    tables.run(lambda: all(tables.clients[i].table.record.from_seat(0, "shuffle-proof", 1, 0) for i in others))
    tables.lose(first)
    tables.clients[first].journal = older(tables.clients[first].journal, 2)
    tables.tamper = lambda sender, to, data: data
    tables.restart(first)
    tables.play(40_000)
    assert_all_agree(tables)
    assert [began.void for began in epochs(tables, others[0])] == [None]


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
