"""Every division of the seats at every message of a change of epoch: nobody's log forks, and the match goes on once healed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from protocol.messages import Vote, Without
from protocol.signed import Signed, decode, sign
from protocol.table.events import Accused
from protocol.table.verify import verify
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.simulator.toy import toy_group
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S

SHORT = {"hand": 3, "draw": "one", "target": 500}


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with toy_group():
        yield


def says_goodbye(table: Parting) -> None:
    table.take(1, table.clients[1].table.leave(table.now))
    table.spend(0.1)
    table.vanish(1)


def is_voted_out(table: Parting) -> None:
    table.vanish(1)
    table.until_awaited(1)
    table.think = True
    table.spend(LEAVE_AFTER_S + OVERDUE_S)
    table.think = False
    for index, client in enumerate(table.clients):
        if not client.is_down:
            table.wish(index)


def is_convicted(table: Parting) -> None:
    """It has signed two versions of a message, one of which it shows to all."""
    store = table.clients[1].table.record.ledger.store
    vote = next(each for each in store.said.values() if each.seat == 1 and isinstance(each.message, Vote))
    assert isinstance(vote.message, Vote)
    other = replace(vote.message, choice=bytes(32))
    signed = sign(table.clients[1].identity, vote.table, vote.epoch, vote.epoch_hash, 1, other)
    for index in range(len(table.clients)):
        if index != 1:
            table.post(1, index, signed.data)
    table.spend(0.1)
    table.vanish(1)


CAUSES = {"goodbye": says_goodbye, "vote": is_voted_out, "conviction": is_convicted}
"""Why the rest go on without seat 1."""


class Divided(Parting):
    """One player is out; after so many letters of the change, the rest fall into two parts."""

    def __init__(self, seats: int, after: int, part: frozenset[int]) -> None:
        super().__init__(seats=seats, seed=2, options=SHORT)
        self.left_to_pass, self.part = after, part
        self.is_split = False
        self.tamper = self.pass_on
        self.hashes: dict[int, bytes] = {}

    def pass_on(self, sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        is_change = isinstance(found, Signed) and (isinstance(found.message, Without) or found.epoch > 0)
        if is_change and not self.is_split:
            if self.left_to_pass == 0:
                self.divide()
            self.left_to_pass -= 1
        return None if self.is_split and (sender in self.part) != (to in self.part) else data

    def divide(self) -> None:
        self.is_split = True
        self.queue = [letter for letter in self.queue if (letter[2] in self.part) == (letter[3] in self.part)]

    def tell(self, is_there: bool) -> None:
        """The links break, or are there again."""
        for index, client in enumerate(self.clients):
            for other in range(len(self.clients)):
                if client.is_down or self.clients[other].is_down or (index in self.part) == (other in self.part):
                    continue
                call = client.table.connected if is_there else client.table.lost
                self.take(index, call(other, self.now))

    def check(self) -> None:
        """No two seats ever follow different epochs of one number, and nobody is accused."""
        for client in self.clients:
            record = client.table.record
            assert self.hashes.setdefault(record.epoch, record.epoch_hash) == record.epoch_hash
            assert not [event for event in client.events if isinstance(event, Accused) and event.seat != 1]


@attack(
    By.PLAYER,
    "The table is split in two, so that both halves play on.",
    "It does not work: only more than half of the players can play on.",
)
@pytest.mark.slow
def test_three_are_divided_at_every_message_of_the_change() -> None:
    for after, part in divisions(3):
        divide(3, after, part)


@pytest.mark.slow
@pytest.mark.parametrize("cause", ["vote", "conviction"])
def test_three_are_divided_after_a_vote_or_a_conviction(cause: str) -> None:
    for after, part in divisions(3)[::4]:
        divide(3, after, part, cause)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "every"), [(4, 7), pytest.param(5, 41, marks=pytest.mark.soak)])
def test_more_seats_are_divided_at_some_messages(seats: int, every: int) -> None:
    for after, part in divisions(seats)[::every]:
        divide(seats, after, part)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("seats", [4, 5, 6])
def test_more_seats_are_divided_at_every_message(seats: int, cause: str) -> None:
    for after, part in divisions(seats):
        divide(seats, after, part, cause)


def divisions(seats: int) -> list[tuple[int, frozenset[int]]]:
    """After how many letters of the change the table falls apart, and into which parts."""
    first, *others = (seat for seat in range(seats) if seat != 1)
    parts = [frozenset({first, *more}) for size in range(len(others)) for more in combinations(others, size)]
    return [(after, part) for part in parts for after in range((seats - 1) * (seats - 2) + 3)]


def divide(seats: int, after: int, part: frozenset[int], cause: str = "goodbye") -> None:
    table = Divided(seats, after, part)
    table.until_height(4)
    CAUSES[cause](table)
    table.spend(1)
    table.tell(False)
    for _ in range(2):
        table.spend(45)
        table.check()
        for index, client in enumerate(table.clients):
            may_at = table.told(index).may_at
            if not client.is_down and may_at is not None and table.now >= may_at and table.told(index).awaited:
                table.wish(index)
    table.spend(5)
    table.is_split, table.left_to_pass = False, 1 << 30
    table.tell(True)
    table.spend(30)
    table.check()
    assert len({table.clients[seat].table.record.epoch for seat in range(seats) if seat != 1}) == 1, (after, part)
    table.play()
    table.check()
    left_out = set(range(seats)) - set(table.clients[next(iter({0, 2} - part), 0)].table.record.present)
    if cause != "conviction":
        table.assert_played_on(*sorted(left_out))
        return
    # What was left over, each file has as its writer heard it.
    ends = {client.table.record.previous for client in table.up()}
    for index, client in enumerate(table.clients):
        if not client.is_down:
            report = verify(file_of(table, index), stream(1))
            assert report.complete and {report.match} == ends, report.failed
