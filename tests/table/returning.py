"""Tables of people, some of whom come back; their seats, and those of others, are taken between rounds."""

from __future__ import annotations

from typing import Any

from protocol.dealing.hashing import Rng
from protocol.identity import Identity
from protocol.table.events import EpochBegan
from protocol.table.roster import Member
from protocol.table.table import Table
from tests.table.parting import Parting
from tests.table.tables import Client, stream


class Returning(Parting):
    """A table of people who vanish and come back."""

    def __init__(self, **other: Any) -> None:
        super().__init__(**other)
        self.newcomers: dict[int, tuple[int, Member]] = {}

    def table_of(self, index: int, identity: Identity, nonce: bytes, rng: Rng) -> Table:
        table = Table(self.roster, self.game, identity, nonce, rng, self.now, self.newcomers.get(index))
        table.record.welcome = self.clients[index].table.record.welcome
        return table

    def come_back(self, index: int) -> None:
        """It is started again, and all links to it are there."""
        self.gone.discard(index)
        self.restart(index)

    def arrive(self, seat: int, keeper: int | None = None) -> int:
        """Somebody new, or a bot of a client, would take this seat, and is welcome; return which client that is."""
        index = len(self.clients)
        identity = Identity(stream(900 + index)(32))
        owner = identity.public if keeper is None else self.clients[keeper].identity.public
        newcomer = Member(identity.public, f"P{index}", owner, keeper is not None, b"")
        rng = stream(self.seed * 1000 + index)
        self.newcomers[index] = seat, newcomer
        table = Table(self.roster, self.game, identity, b"", rng, self.now, self.newcomers[index])
        self.clients.append(Client(table, identity, b""))
        for client in self.clients:
            client.table.record.welcome |= {identity.public}
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
