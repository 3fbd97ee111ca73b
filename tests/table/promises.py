"""Promises to go on, crafted for a table that has stopped: whatever people may have signed, in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.identity import Identity
from protocol.messages import Goodbye, Without
from protocol.signed import Signed, sign
from protocol.table.epochs import Attempt, Out, next_epoch
from protocol.table.sitters import Added
from tests.table.parting import Parting
from tests.table.tables import stream


class Promises:
    """Crafts promises of a table that has stopped, in the epoch of one of its clients, each with the same certificate."""

    def __init__(self, table: Parting, of: int = 0) -> None:
        self.table = table
        record = table.clients[of].table.record
        self.epochs = {record.epoch: record.match.epoch}
        self.height, self.certificate = record.certified_height, record.previous

    def sign(
        self,
        number: int,
        seat: int,
        stay: tuple[int, ...],
        base: int = 0,
        attempts: Sequence[Attempt] = (),
        out: tuple[Out, ...] = (),
        added: tuple[Added, ...] = (),
        who: Identity | None = None,
        vote: bytes | None = None,
    ) -> Signed:
        """The promise of one seat, or of `who` takes it."""
        before = self.epochs[base]
        message = Without(
            number, stay, before.present, self.height, self.certificate, vote, tuple(attempts), out, added
        )
        identity = who or self.table.clients[seat].identity
        return sign(identity, self.table.roster.table_id, before.number, before.hash, seat, message)

    def make(
        self,
        number: int,
        stay: tuple[int, ...],
        base: int,
        *attempts: tuple[int, tuple[int, ...]],
        out: tuple[Out, ...] = (),
        added: tuple[Added, ...] = (),
        newcomers: Sequence[Identity] = (),
    ) -> list[Signed]:
        """The promises of all seats of an epoch that follows another one, which begins with them."""
        named = tuple((each, seats, ()) for each, seats in attempts)
        found = [self.sign(number, seat, stay, base, named, out, added) for seat in stay]
        for (seat, *_), who in zip(added, newcomers, strict=True):
            found.append(self.sign(number, seat, stay, base, (), (), added, who))
        self.epochs[number] = next_epoch(self.table.roster.table_id, found, self.epochs[base])
        return found

    def begins(self, *stay: tuple[int, ...]) -> bool:
        """Whether epochs of these seats begin at the first of them, one after the other, once all of them have promised it."""
        at = stay[-1][0]
        for number, seats in enumerate(stay, start=1):
            self.give(self.make(number, seats, number - 1), to=at)
        return self.table.clients[at].table.record.epoch == len(stay)

    def goodbye(self, seat: int, number: int, base: int = 0) -> Signed:
        """A goodbye of somebody who has signed for an epoch of this number."""
        at, identity = self.epochs[base], self.table.clients[seat].identity
        return sign(identity, self.table.roster.table_id, at.number, at.hash, seat, Goodbye(number, ()))

    def give(self, promises: Iterable[Signed], to: int = 0) -> int:
        """Show them to a client, by default the first; in which epoch it is then."""
        table = self.table.clients[to].table
        for each in promises:
            self.table.take(to, table.receive(1 if to != 1 else 0, each.data, self.table.now))
        return table.record.epoch


def drawn(seats: int, keepers: Sequence[int] | None = None, **more: object) -> Promises:
    """The seats of this table are drawn, and no round is opened yet."""
    table = Parting(seats=seats, keepers=keepers, **more)
    table.start()
    table.run(lambda: all(client.table.record.seed is not None for client in table.clients))
    return Promises(table)


def someone(number: int) -> Identity:
    """Somebody who is not in the roster."""
    return Identity(stream(900 + number)(32))


def taking(seat: int, who: Identity, keeper: Identity | None = None) -> Added:
    """That somebody, or a bot of a keeper, takes a seat."""
    return seat, who.public, (keeper or who).public, "New", keeper is not None
