"""Tables of people, some of whom leave, vanish or come back; the rest go on without them."""

from __future__ import annotations

from typing import Any

from protocol.table.events import EpochBegan, MatchOver
from protocol.table.record import Phase
from protocol.table.verify import verify
from tests.table.matches import file_of
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S, Waiting

OVERDUE_S = 10.0


class Parting(Waiting):
    """A table of people, each of whom can leave."""

    def __init__(self, **other: Any) -> None:
        super().__init__(**other)
        self.gone: set[int] = set()

    def leave(self, index: int) -> None:
        """It says goodbye for good, and is heard."""
        self.take(index, self.clients[index].table.leave(self.now))
        self.run(self.is_quiet)
        self.vanish(index)

    def vanish(self, index: int) -> None:
        """Its machine is gone."""
        self.gone.add(index)
        self.lose(index)

    def vote_out(self, index: int) -> None:
        """It vanishes, and all others want to play on."""
        self.vanish(index)
        self.until_awaited(index)
        self.spend(LEAVE_AFTER_S + OVERDUE_S)
        for other, client in enumerate(self.clients):
            if not client.is_down:
                self.wish(other)

    def withhold(self, index: int) -> None:
        """It keeps its keys of the finished round to itself, until the others play on without it."""
        self.start()
        self.tamper = lambda sender, to, data: None if sender == index and b"reveal" in data[:60] else data
        while not any(client.table.record.phase is Phase.CLOSING for client in self.clients):
            self.move_someone()
            self.turn()
        self.vote_out(index)
        self.tamper = lambda sender, to, data: data
        self.play()

    def until_height(self, height: int) -> None:
        """Play on until all who are there have come so far."""
        if not self.queue and not self.jobs and self.clients[0].table.record.seed is None:
            self.start()
        for _ in range(100_000):
            if all(client.table.record.seed and client.table.record.height >= height for client in self.up()):
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())

    def until_awaited(self, index: int) -> None:
        """Play on until everyone waits for a seat."""
        for _ in range(100_000):
            if all(index in c.table.waits.late for c in self.up()):
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())

    def began(self, index: int) -> list[EpochBegan]:
        """The epochs of which a player was told."""
        return [event for event in self.clients[index].events if isinstance(event, EpochBegan)]

    def over(self, index: int) -> MatchOver:
        """The end of the match, as a player was told."""
        return [event for event in self.clients[index].events if isinstance(event, MatchOver)][-1]

    def assert_played_on(self, *without: int) -> None:
        """All who stayed came to the same end, with the same file, which proves it."""
        stayed = [i for i in range(len(self.clients)) if i not in self.gone]
        first = self.clients[stayed[0]]
        for index in stayed:
            client = self.clients[index]
            record = client.table.record
            assert record.phase is Phase.OVER, self.where()
            assert record.previous == first.table.record.previous
            assert client.transcript == first.transcript == record.transcript
            assert set(range(record.size)) - set(record.present) == set(without)
            assert record.scores == first.table.record.scores
        report = verify(file_of(self, stayed[0]), stream(1))
        assert report.ok and report.complete, report.failed
        assert report.match == first.table.record.previous and report.scores == first.table.record.scores
