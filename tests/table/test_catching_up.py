"""Whoever was away takes in a long match message by message, and leaves long computations to its workers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

import pytest

from protocol.errors import BadMessage
from protocol.messages import TakeSeat, Vote
from protocol.signed import Page, Signed, decode, sign, slices
from protocol.table.events import MoveLost
from protocol.table.lag import NEAR
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


class Napping(Returning):
    """A table at which one client is slow. It reads each link by itself, and while it handles a message the time of all runs on.

    `shown`: how often it was told what by a page.
    """

    HANDLING_S = 0.05

    def __init__(self) -> None:
        super().__init__(seats=4, rounds=6)
        self.shown: Counter[bytes] = Counter()
        self.answers: list[tuple[int, int]] = []
        """The index and size of each page that it had asked for."""
        self.offered: list[int] = []
        """At which heights it has offered to sit down."""
        self._slow = -1
        self._unread: dict[int, deque[bytes]] = {}

    def sleep_for_rounds(self, index: int, rounds: int) -> None:
        """The others go on without it."""
        self.vote_out(index)
        while any(client.table.record.rounds_closed < rounds for client in self.up()):
            self.move_someone()
            self.turn()
        self.think = True
        self.run(self.is_quiet)

    def wake(self, index: int) -> None:
        """Its program goes on where it stood, and its links are opened again."""
        self._slow = index
        client = self.clients[index]
        self.gone.discard(index)
        client.is_down, client.life = False, client.life + 1
        client.has_stepped()
        self.reconnect(index)

    def is_caught_up(self) -> bool:
        return len({client.table.record.previous for client in self.clients}) == 1

    def deliver(self, sender: int, to: int, life: int, data: bytes) -> None:
        if sender == self._slow and isinstance(said := decode(data), Signed) and isinstance(said.message, TakeSeat):
            self.offered.append(self.clients[sender].table.record.height)
        if to != self._slow:
            super().deliver(sender, to, life, data)
            return
        if isinstance(found := decode(data), Page):
            self.shown.update(found.messages)
            self.answers += [(found.index, len(data))] if found.index else []
        self._unread.setdefault(sender, deque()).append(data)

    def turn(self) -> bool:
        self._unread = {sender: unread for sender, unread in self._unread.items() if unread}
        if not self._unread:
            return super().turn()
        for sender, unread in list(self._unread.items()):
            self._read(sender, unread)
            while self._is_due():
                super().turn()
        return True

    def _read(self, sender: int, unread: deque[bytes]) -> None:
        client = self.clients[self._slow]
        part, *others = slices(unread.popleft(), 1 if client.table.is_behind else 16)
        unread.extendleft(reversed(others))
        super().deliver(sender, self._slow, client.life, part)
        self.now += self.HANDLING_S

    def _is_due(self) -> bool:
        wakes = [wake for client in self.up() if (wake := client.due) is not None]
        return bool(self.jobs) or min([*wakes, *(self.queue[0][:1] if self.queue else ())]) <= self.now


@pytest.mark.slow
def test_who_slept_is_shown_hardly_anything_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes long over each message, and asks for no other answer meanwhile: at most the first page comes from all."""
    monkeypatch.setattr("protocol.table.showing.MAX_PAGE_BYTES", 1 << 15)
    table = Napping()
    table.until_height(8)
    table.sleep_for_rounds(1, 3)
    table.wake(1)
    table.run(table.is_caught_up)
    assert table.shown.total() < 2 * len(table.shown)


@pytest.mark.slow
def test_who_slept_sits_down_when_it_has_read_what_it_missed() -> None:
    """The others would wait for it from then on."""
    table = Napping()
    table.until_height(8)
    table.sleep_for_rounds(1, 3)
    awake = table.clients[0].table.record.height
    table.wake(1)
    table.run(lambda: bool(table.offered) and table.is_caught_up())
    assert set(table.offered) == {awake}


def test_one_seat_that_lies_about_its_height_is_not_believed() -> None:
    """It tells, again and again, of a height at which nobody is: progress is told by what the others say, and who has read
    that sits down."""
    table = Napping()
    table.until_height(8)
    table.sleep_for_rounds(1, 3)
    record, liar = table.clients[1].table.record, table.clients[2]
    awake = table.clients[0].table.record
    lie = Vote(10**6, bytes(32), bytes(32), bytes(32))
    signed = sign(liar.identity, record.table, awake.epoch, awake.epoch_hash, liar.table.seat, lie)
    table.wake(1)
    table.deliver(2, 1, table.clients[1].life, signed.data)
    seen: list[float | None] = []

    def is_seen() -> bool:
        seen.append(table.clients[1].table.caught_up(table.now))
        return bool(table.offered) and table.is_caught_up()

    table.run(is_seen)
    assert record.claims[liar.identity.public] == 10**6
    assert awake.height - NEAR <= record.furthest <= awake.height
    assert any(done is not None and done > 0.3 for done in seen)
    assert set(table.offered) == {awake.height}


def test_an_answer_is_no_longer_than_can_be_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its link would be cut for too long a queue, again and again: who asked gets the rest when it has come so far."""
    most = 1 << 14
    monkeypatch.setattr("protocol.table.showing.MAX_PAGE_BYTES", most)
    table = Napping()
    table.until_height(8)
    table.sleep_for_rounds(1, 2)
    assert sum(map(len, table.clients[0].transcript)) > 4 * most
    table.wake(1)
    table.run(table.is_caught_up)
    *parts, (last, _with_the_open_height) = table.answers
    assert len(parts) > 1 and all(size < 2 * most for _index, size in parts)
    assert {index for index, _size in parts} == {last} == {1}


def test_a_move_on_the_screen_of_before_is_made_nowhere_else() -> None:
    """The others have gone on to another round, and the sleeper does not know it yet."""
    table = Napping()
    sleeper = table.until_thinking()
    table.think = False
    table.sleep_for_rounds(sleeper, 1)
    client = table.clients[sleeper]
    move = client.table.legal()[0]
    table.take(sleeper, client.table.act(move, table.now))
    table.wake(sleeper)
    table.run(table.is_caught_up)
    assert [each.move for each in client.events if isinstance(each, MoveLost)] == [client.table.game.encode(move)]
    assert client.table.choice.intent is None
    assert table.clients[sleeper - 1].transcript[: len(client.transcript)] == client.transcript


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
    table = Sliced(seats=4, rounds=3, options={"hand": 3, "draw": "one", "target": 5000})
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
