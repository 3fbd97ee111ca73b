"""At the end of a match: whoever was away learns how it ended, and outcomes never differ."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.messages import Closed, Goodbye, Vote
from protocol.signed import Page, decode, sign
from protocol.table.pauses import CLOSE_S, FOLLOW_S
from protocol.table.record import Ending, Phase
from protocol.table.result import places_of_match
from tests.table.matches import assert_all_agree
from tests.table.parting import Parting
from tests.table.tables import Tables
from tests.table.waiting import Waiting

pytestmark = pytest.mark.usefixtures("toy")

AWAY = 2


def kind_of(data: bytes) -> type | None:
    found = decode(data)
    return None if isinstance(found, Page) else type(found.message)


def has_voted(tables: Tables, index: int) -> bool:
    record = tables.clients[index].table.record
    return record.from_seat(tables.seat_of(index), "vote", record.height) is not None


class Ending3(Waiting):
    """Three play one round; one of them misses its end."""

    def __init__(self, seats: int = 3) -> None:
        super().__init__(seats=seats, seed=5)

    def is_closing(self, index: int) -> bool:
        return self.clients[index].table.record.phase in (Phase.CLOSING, Phase.OVER)

    def end_without(self) -> None:
        """The others come to the end, and go."""
        for _ in range(100_000):
            if all(client.table.may_go for client in self.up()):
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())

    def answer_from_tombstones(self, index: int, others: list[int]) -> None:
        """The other programs have only their tombstones, and answer each request with one."""
        pages = {other: self.clients[other].table.tombstone() for other in others}
        for other in others:
            self.clients[other].is_down = True
        self.restart(index)
        for other in others:
            self.take(index, self.clients[index].table.connected(self.seat_of(other), self.now))
            self.take(index, self.clients[index].table.receive(self.seat_of(other), pages[other], self.now))
        while self.jobs or self.queue:
            self.turn()


def test_killed_after_its_closing_vote_it_learns_the_end_from_a_tombstone() -> None:
    tables = Ending3()
    tables.start()
    tables.tamper = lambda sender, to, data: None if to == AWAY and tables.is_closing(sender) else data
    while not all(tables.clients[index].table.is_over for index in (0, 1)):
        tables.move_someone()
        tables.turn()
    tables.lose(AWAY)
    tables.end_without()
    tables.answer_from_tombstones(AWAY, [0])
    assert tables.clients[AWAY].table.record.phase is Phase.OVER
    for client in tables.clients:
        client.is_down = False
    assert_all_agree(tables)


def test_away_while_somebody_says_goodbye_it_learns_that_from_a_tombstone() -> None:
    tables = Ending3(seats=2)
    tables.until_playing()
    tables.lose(0)
    tables.take(1, tables.clients[1].table.leave(tables.now))
    tables.spend(1)
    tables.answer_from_tombstones(0, [1])
    broken = tables.clients[0].table.record.broken
    assert broken is not None
    assert (broken.ending, broken.seat) == (Ending.GOODBYE, tables.seat_of(1))


def test_a_tombstone_is_one_page() -> None:
    tables = Ending3()
    tables.start()
    tables.end_without()
    page = decode(tables.clients[0].table.tombstone())
    assert isinstance(page, Page)
    assert page.last
    assert page.index > 0, "it answers a request"


def test_a_vote_lost_at_the_end_is_asked_of_everybody() -> None:
    """Whose vote is missing has gone; another seat that is still there has it."""
    tables = Ending3()
    tables.start()
    lost: list[bytes] = []

    def loses(sender: int, to: int, data: bytes) -> bytes | None:
        if (sender, to) == (1, AWAY) and tables.is_closing(1) and kind_of(data) in (Vote, Closed, None):
            lost.append(data)
            return None
        return data

    tables.tamper = loses
    while not (lost and all(tables.clients[index].table.is_over for index in (0, 1))):
        tables.move_someone()
        tables.turn()
    tables.lose(1)
    tables.spend(CLOSE_S - 1)
    assert tables.clients[AWAY].table.record.phase is Phase.OVER


@pytest.mark.sample
@pytest.mark.parametrize("is_last", [True, False])
def test_a_goodbye_after_the_closing_vote_waits_for_the_certificate(is_last: bool) -> None:
    tables = Waiting(seats=3, seed=5, rounds=1 if is_last else 2)
    tables.start()
    held: list[tuple[int, int, bytes]] = []

    def slow(sender: int, to: int, data: bytes) -> bytes | None:
        """The vote of seat 0's client comes late at the others, though not at who leaves."""
        if sender == 0 and kind_of(data) is Vote and tables.clients[0].table.record.phase is Phase.CLOSING:
            held.append((sender, to, data))
            return None
        return data

    tables.tamper = slow
    while not (tables.clients[1].table.record.phase is Phase.CLOSING and has_voted(tables, 1) and held):
        tables.move_someone()
        tables.turn()
    tables.take(1, tables.clients[1].table.leave(tables.now))
    while tables.queue or tables.jobs:
        tables.turn()
    said = [entry for entry in tables.clients[1].journal if entry.kind == "out" and kind_of(entry.data) is Goodbye]
    assert not said, "it may still be the last height"
    tables.tamper = lambda sender, to, data: data
    for sender, to, data in held:
        tables.post(sender, to, data)
    tables.spend(10)
    if is_last:
        assert_all_agree(tables)
        return
    for index in (0, 2):
        record = tables.clients[index].table.record
        assert record.epoch == 1 and tables.seat_of(1) not in record.present
        assert record.points, "the round that was voted on is closed"


class Followed(Parting):
    """Three of four play a match to its end; the fourth was left out, is back and follows."""

    def __init__(self) -> None:
        super().__init__(seats=4)
        self.until_height(5)
        self.vote_out(1)
        self.until_height(9)
        self.gone.discard(1)
        self.think = True
        self.restart(1)
        self.spend(3)
        self.think = False
        assert not self.clients[1].table.is_present

    def until_over(self) -> None:
        """The three come to the end; what the fourth is sent from the last round's end on is lost."""
        self.tamper = lambda sender, to, data: None if to == 1 and self.is_ending(sender) else data
        self.until(lambda: all(self.clients[index].table.is_over for index in (0, 2, 3)))
        self.until(self.is_quiet)
        assert not self.clients[1].table.is_over
        self.tamper = lambda sender, to, data: data

    def is_ending(self, index: int) -> bool:
        return is_ending(self, index)

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(100_000):
            if holds():
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())

    def may_go(self) -> list[bool]:
        return [self.clients[index].table.may_go for index in (0, 2, 3)]


@pytest.mark.slow
def test_who_follows_and_can_be_reached_is_waited_for_at_the_end() -> None:
    tables = Followed()
    tables.until_over()
    ended = tables.now
    assert tables.may_go() == [False] * 3
    tables.until(lambda: all(tables.may_go()))
    assert tables.now < ended + CLOSE_S, "it has the end, and says so: nobody waits longer"
    assert tables.clients[1].table.record.phase is Phase.OVER
    assert tables.clients[1].table.may_go
    tables.assert_played_on(1)


@pytest.mark.slow
def test_nobody_waits_at_the_end_for_a_follower_that_is_not_there() -> None:
    tables = Followed()
    tables.until_over()
    tables.lose(1)
    tables.until(lambda: all(tables.may_go()) or not tables.is_quiet())
    assert all(tables.may_go())


@pytest.mark.slow
def test_a_follower_that_says_nothing_holds_the_others_up_for_a_moment_only() -> None:
    tables = Followed()
    tables.tamper = lambda sender, to, data: None if 1 in (sender, to) else data
    tables.until(lambda: all(tables.clients[index].table.is_over for index in (0, 2, 3)))
    ended = tables.now
    tables.until(lambda: all(tables.may_go()))
    assert CLOSE_S <= tables.now - ended < CLOSE_S + 1


@pytest.mark.slow
def test_a_follower_that_catches_up_from_far_behind_is_waited_for_longer() -> None:
    """Each answer brings it further, so it asks again; it needs more than the usual time."""
    tables = Followed()
    tables.tamper = lambda sender, to, data: None if to == 1 and len(data) > 20_000 else data
    tables.until(lambda: all(tables.clients[index].table.is_over for index in (0, 2, 3)))
    ended = tables.now
    follower = tables.clients[1].table
    tables.tamper = lambda sender, to, data: None if to == 1 and tables.now < ended + CLOSE_S - 1 else data
    while tables.now < ended + CLOSE_S - 1:
        tables.turn()
    tables.until(lambda: all(tables.may_go()))
    assert tables.now < ended + FOLLOW_S
    assert follower.record.phase is Phase.OVER


def test_who_follows_learns_that_a_goodbye_ended_the_match() -> None:
    tables = Followed()
    tables.tamper = lambda sender, to, data: None if to == 1 and kind_of(data) is Goodbye else data
    for leaver in (0, 2):
        tables.take(leaver, tables.clients[leaver].table.leave(tables.now))
    tables.until(lambda: tables.clients[3].table.record.broken is not None)
    assert not tables.clients[3].table.may_go
    ended = tables.now
    tables.until(lambda: tables.clients[3].table.may_go)
    assert tables.now < ended + CLOSE_S
    assert tables.clients[1].table.record.broken is not None


def test_a_goodbye_right_after_the_last_vote_does_not_keep_others_from_the_end() -> None:
    """One seat has all votes and has gone. Another hears the goodbye before it gets the vote of whoever left: it has promised to
    go on with a seat that needs nothing any more."""
    tables = Parting(seats=3, seed=5)
    tables.start()
    leaver, behind, ended = 0, 1, 2

    def loses(sender: int, to: int, data: bytes) -> bytes | None:
        is_wanted = sender == ended and kind_of(data) is Vote
        return None if to == behind and is_ending(tables, sender) and not is_wanted else data

    tables.tamper = loses
    while not tables.clients[ended].table.is_over:
        tables.move_someone()
        tables.turn()
    record, identity = tables.clients[leaver].table.record, tables.clients[leaver].identity
    seat = tables.seat_of(leaver)
    # No honest program says it.
    goodbye = sign(identity, record.table, record.epoch, record.epoch_hash, seat, Goodbye(0))
    tables.vanish(leaver)
    tombstone = tables.clients[ended].table.tombstone()
    tables.lose(ended)
    tables.tamper = lambda sender, to, data: data
    last = tables.clients[behind].table
    tables.take(behind, last.receive(seat, goodbye.data, tables.now))
    tables.spend(5)
    assert last.record.ledger.departures.promised == 1 and last.awaited == (tables.seat_of(ended),)
    tables.take(behind, last.receive(tables.seat_of(ended), tombstone, tables.now))
    tables.spend(5)
    assert last.record.phase is Phase.OVER
    assert last.record.previous == tables.clients[ended].table.record.previous
    assert places_of_match(last.record) == places_of_match(tables.clients[ended].table.record)
    assert tables.clients[behind].transcript == tables.clients[ended].transcript


def is_ending(tables: Tables, index: int) -> bool:
    return tables.clients[index].table.record.phase in (Phase.CLOSING, Phase.OVER)
