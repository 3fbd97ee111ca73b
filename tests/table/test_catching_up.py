"""Whoever was away takes in a long match message by message, and leaves long computations to its workers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocol.errors import BadMessage
from protocol.signed import slices
from protocol.table.work import SMALL, Job
from tests.simulator.toy import toy_group
from tests.table.returning import Returning


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with toy_group():
        yield


class Sliced(Returning):
    """A table whose clients take long pages as a driver does."""

    def deliver(self, sender: int, to: int, life: int, data: bytes) -> None:
        try:
            parts = slices(data, 1) if self.clients[to].table.is_behind else slices(data)
        except BadMessage:
            parts = [data]
        for part in parts:
            super().deliver(sender, to, life, part)
            table = self.clients[to].table
            while table.is_behind and (own := [each for each in self.jobs if each[0] == to]):
                self.jobs.remove(own[0])
                self.take(to, table.done(own[0][1], own[0][1].run(), self.now))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Jobs that a table ran itself, while its caller waited."""
    found: list[Job] = []
    run_jobs = "protocol.table.record.Record.run_jobs"

    def listed(record: object) -> bool:
        jobs = record.ledger.desk.take_jobs()  # type: ignore[attr-defined]
        found.extend(jobs)
        for job in jobs:
            record.done(job, job.run())  # type: ignore[attr-defined]
        return bool(jobs)

    monkeypatch.setattr(run_jobs, listed)
    return found


@pytest.mark.slow
def test_a_newcomer_computes_nothing_long_while_its_caller_waits(at_once: list[Job]) -> None:
    table = Sliced(seats=4, rounds=3)
    table.until_height(30)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    at_once.clear()
    newcomer = table.arrive(1)
    table.until_seated(newcomer)
    assert not [job.name for job in at_once if job.weight > SMALL]
    table.until_height(table.clients[0].table.record.height + 3)


@pytest.mark.slow
def test_who_was_killed_computes_hardly_anything_so(at_once: list[Job]) -> None:
    """Only after the very last message, before its table may sign again."""
    table = Sliced(seats=4, rounds=3)
    table.until_height(8)
    table.vanish(1)
    table.vote_out(1)
    table.until_height(20)
    at_once.clear()
    table.come_back(1)
    done = [job for job in at_once if job.weight > SMALL]
    table.until_seated(1)
    assert [job.name for job in at_once if job.weight > SMALL] == [job.name for job in done], (
        "all else was in its journal"
    )
    table.play()
    table.assert_played_on()
