"""At the end of a match: whoever was away learns how it ended, and outcomes never differ."""

from __future__ import annotations

import pytest

from protocol.messages import Closed, Goodbye, Vote
from protocol.signed import Page, decode
from protocol.table.pauses import CLOSE_S
from protocol.table.record import Ending, Phase
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables
from tests.table.waiting import Waiting

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
