"""Empty seats are taken again between rounds: by whoever sat there, by somebody new, or by a bot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocol.identity import Identity
from protocol.table.events import EpochBegan
from protocol.table.places import Departure
from protocol.table.record import Phase
from protocol.table.roster import Member
from protocol.table.table import Table
from tests.simulator.toy import toy_group
from tests.table.parting import Parting
from tests.table.tables import Client, stream


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with toy_group():
        yield


class Returning(Parting):
    """A table of people who vanish and come back."""

    def come_back(self, index: int) -> None:
        """It is started again, and all links to it are there."""
        self.gone.discard(index)
        self.restart(index)

    def arrive(self, seat: int, keeper: int | None = None) -> int:
        """Somebody new, or a bot of a client, would take this seat, and is welcome; return which client that is."""
        self.now += 1.0  # who asked last was answered a while ago
        index = len(self.clients)
        identity = Identity(stream(900 + index)(32))
        owner = identity.public if keeper is None else self.clients[keeper].identity.public
        newcomer = Member(identity.public, f"P{index}", owner, keeper is not None, b"")
        rng = stream(self.seed * 1000 + index)
        table = Table(self.roster, self.game, identity, b"", rng, self.now, (seat, newcomer))
        self.clients.append(Client(table, identity, b""))
        for client in self.clients[: self.game.seats]:
            client.table.leaving.takers.guests |= {identity.public}
        if keeper is not None:
            self.clients[keeper].table.leaving.takers.bots |= {identity.public}
        self.take(index, table.start(self.now))
        for other in range(self.game.seats):
            if not self.clients[other].is_down:
                self.take(index, table.connected(self.seat_of(other), self.now))
                self.take(other, self.clients[other].table.connected(seat, self.now))
        return index

    def joined(self, index: int) -> list[dict[int, bool]]:
        """The seats that were taken, epoch by epoch, and whether by the same player, as a player was told."""
        return [dict(event.joined) for event in self.clients[index].events if isinstance(event, EpochBegan)]

    def until_seated(self, index: int) -> None:
        """Play on until it sits again, at every client."""
        taker = self.clients[index]
        while not taker.table.is_over:
            if all(c.table.record.key(taker.table.seat) == taker.identity.public for c in self.up()) and all(
                taker.table.seat in c.table.record.present for c in self.up()
            ):
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())


@pytest.mark.parametrize("seats", [3, 4])
def test_who_vanished_sits_again_between_rounds(seats: int) -> None:
    table = Returning(seats=seats, rounds=4)
    table.until_height(5)
    table.vote_out(1)
    table.until_height(7)
    table.come_back(1)
    table.until_seated(1)
    assert all(table.joined(index) == [{}, {1: True}] for index in range(seats))
    assert all(client.table.record.phase is Phase.BETWEEN for client in table.clients)
    table.play()
    table.assert_played_on()
    assert table.over(0).places[1].reason is None


@pytest.mark.parametrize("keeper", [None, 2])
def test_somebody_new_takes_the_seat_of_who_left_for_good(keeper: int | None) -> None:
    table = Returning(seats=4, rounds=3)
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    newcomer = table.arrive(1, keeper)
    table.until_seated(newcomer)
    assert table.joined(0) == [{}, {1: False}]
    record = table.clients[0].table.record
    assert record.key(1) == table.clients[newcomer].identity.public and record.member(1).name == "P4"
    table.play()
    table.assert_played_on()
    assert all(place.reason is None for place in table.over(0).places), "last place belongs to the key that left"


def test_without_anybody_new_who_left_for_good_stands_last() -> None:
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    table.leave(1)
    table.play()
    assert table.over(0).places[1].reason is Departure.LEFT
