"""The file of a match that a goodbye breaks off holds what was said last in no order, and verifies all the same."""

from __future__ import annotations

import pytest

from protocol.table.phases.values import Settling
from protocol.table.record import Phase
from protocol.table.verify import verify
from protocol.table.work import Job
from protocol.wire import frame
from tests.independent.verifier import verify as independent
from tests.table.matches import file_of
from tests.table.parting import Parting
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy_for_both")


class Slow(Parting):
    """The first client checks no shares."""

    is_slow = False

    def turn(self) -> bool:
        if not self.is_slow:
            return super().turn()
        held = self.held
        self.jobs = [job for job in self.jobs if job not in held]
        try:
            return super().turn()
        finally:
            self.jobs = [*held, *self.jobs]

    @property
    def held(self) -> list[tuple[int, Job]]:
        return [job for job in self.jobs if job[0] == 0 and job[1].name[0] == "shares"]

    def until_shares_wait(self) -> None:
        """Play on until the first client holds all messages of a height, and has not checked them."""
        self.until_height(3)
        self.think = True
        self.run(self.is_quiet)  # the next round is prepared
        self.is_slow, self.think = True, False
        for _ in range(1000):
            if isinstance(self.clients[0].table.record.now, Settling) and self.held == self.jobs != []:
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())


@pytest.mark.slow
def test_a_goodbye_comes_before_the_last_shares_are_checked() -> None:
    """Whoever reads the file checks them, and settles one height more than whoever wrote it."""
    table = Slow(seats=2, rounds=2)
    table.until_shares_wait()
    height = table.clients[0].table.record.height
    (goodbye,) = [letter.data for letter in table.clients[1].table.leave(table.now).outbox]
    table.take(0, table.clients[0].table.receive(table.clients[1].table.seat, goodbye, table.now))
    record = table.clients[0].table.record
    assert record.phase is Phase.BROKEN and record.height == height
    report = verify(file_of(table, 0), stream(1))
    assert report.complete, report.failed
    verdict = independent(file_of(table, 0))
    assert verdict.complete, verdict.fault


def test_what_was_settled_long_before_stands_in_its_order() -> None:
    table = Slow(seats=2, rounds=2)
    table.until_height(8)
    table.leave(1)
    roster, *messages = table.clients[0].transcript
    assert verify(file_of(table, 0), stream(1)).complete
    swapped = b"".join(map(frame, (roster, messages[1], messages[0], *messages[2:])))
    assert verify(swapped, stream(1)).failed is not None
    assert independent(swapped).fault is not None


@pytest.mark.slow
def test_points_of_a_round_that_is_not_closed_do_not_count() -> None:
    table = Parting(seats=2, rounds=2)
    table.tamper = lambda sender, to, data: None if to == 1 and b"reveal" in data else data
    table.start()
    while table.clients[0].table.record.phase is not Phase.CLOSING:
        table.move_someone()
        table.turn()
    assert any(table.clients[0].table.record.match.scores), "counted, but not voted on by all"
    table.leave(1)
    record = table.clients[0].table.record
    assert record.phase is Phase.BROKEN and record.rounds_closed == 0
    assert not any(record.scores)
    assert not any(verify(file_of(table, 0), stream(1)).scores)
    assert not any(independent(file_of(table, 0)).scores)
