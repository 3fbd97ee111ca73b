"""Whole tables in memory: real `Table`s joined by a fake network under a fake clock, driven by a printed seed."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import shake_256
from random import Random
from typing import Any

from protocol.dealing.hashing import Rng
from protocol.errors import BadMessage
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.table.events import Event
from protocol.table.phases.values import Giving
from protocol.table.record import Record
from protocol.table.roster import Member, Roster, TableOptions, nonce_hash
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from protocol.table.work import Job


def stream(seed: int) -> Callable[[int], bytes]:
    """Bytes from a seed, as a table's randomness."""
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        return shake_256(f"{seed}/{counter}".encode()).digest(count)

    return draw


@dataclass
class Link:
    """How bad the network is: each letter may be lost, doubled, or late by up to `delay` seconds (so out of order)."""

    loss: float = 0.0
    double: float = 0.0
    delay: float = 0.0


@dataclass
class Client:
    """A seat's program: its table, its journal, and what it heard."""

    table: Table
    identity: Identity
    nonce: bytes
    journal: list[Entry] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    transcript: list[bytes] = field(default_factory=list)
    is_down: bool = False
    life: int = 0
    """How often it was started again: what was on the way to an earlier process is lost with its links."""
    offered: tuple[Table, Sequence[Any], bool] | None = None
    timed: tuple[Table, float | None] | None = None
    """What its table offers, and when to wake it, until its next step (a table changes in no other way)."""

    @property
    def due(self) -> float | None:
        """When to wake its table."""
        if self.timed is None or self.timed[0] is not self.table:
            self.timed = self.table, self.table.deadline
        return self.timed[1]

    @property
    def moves(self) -> tuple[Sequence[Any], bool]:
        """The moves that its player can make now, and whether the match waits for one of them."""
        if self.offered is None or self.offered[0] is not self.table:
            table, state, seat = self.table, self.table.record.state, self.table.seat
            moves = table.legal() if table.can_move and seat in table.game.to_act(state) else ()
            self.offered = table, moves, bool(moves) and seat in table.game.awaited(state)
        return self.offered[1:]

    def has_stepped(self) -> None:
        """What its table offers has to be asked again."""
        self.offered = self.timed = None


class Tables:
    """All seats of one table in this process."""

    is_hasty = False
    """The bots make for the end of the round. Matches that are kept as files are played without."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: dict[str, Any] | None = None,
        seed: int = 0,
        link: Link | None = None,
        table: TableOptions | None = None,
        bots: bool = True,
        keepers: Sequence[int] | None = None,
        phones: bool = False,
    ) -> None:
        """`bots`: whether all seats are bots of their own. `keepers`: who keeps each seat instead; whoever keeps its own is a
        person, and the others are bots or, with `phones`, people by phone."""
        self.random = Random(seed)
        self.link = link or Link()
        self.now = 1000.0
        self.game = load(game, seats, options)
        identities = [Identity(stream(seed * 100 + i)(32)) for i in range(seats)]
        nonces = [stream(seed * 100 + 50 + i)(32) for i in range(seats)]
        members = tuple(
            Member(
                who.public,
                f"P{i}",
                identities[keeper].public,
                bots or (i != keeper and not phones),
                nonce_hash(who.public, nonce),
            )
            for i, (who, nonce, keeper) in enumerate(zip(identities, nonces, keepers or range(seats), strict=True))
        )
        options_of_table = table or TableOptions(pause=0, grace=0)
        self.roster = Roster(
            game, self.game.version, dict(self.game.options), options_of_table, stream(seed)(16), members
        )
        self.seed = seed
        self.clients = [
            Client(Table(self.roster, self.game, who, nonce, stream(seed * 1000 + i), self.now), who, nonce)
            for i, (who, nonce) in enumerate(zip(identities, nonces, strict=True))
        ]
        self.queue: list[tuple[float, int, int, int, int, bytes]] = []
        """(due, order, sender, receiver, the receiver's life, bytes)"""
        self.count = 0
        self.refused: list[tuple[int, int, BadMessage]] = []
        """Letters that a table would not take: (sender, receiver, why)."""
        self.jobs: list[tuple[int, Job]] = []
        self.tamper: Callable[[int, int, bytes], bytes | None] = lambda sender, to, data: data
        """What a client really sends to another: it may change its letters, or drop them."""
        self.on_journal: Callable[[int, Step], bool] = lambda client, step: True
        """Asked between journal and send; False: the client dies there."""

    # --- the network ---

    def start(self) -> None:
        for index, client in enumerate(self.clients):
            self.take(index, client.table.start(self.now))
        for index in range(len(self.clients)):
            for other in range(len(self.clients)):
                if other != index:
                    self.take(index, self.clients[index].table.connected(self.seat_of(other), self.now))

    def seat_of(self, index: int) -> int:
        """A client's seat by its index, as far as it is drawn."""
        return self.clients[index].table.seat

    def at_seat(self, seat: int) -> int:
        """Which client sits there."""
        return next(index for index in range(len(self.clients)) if self.seat_of(index) == seat)

    def take(self, index: int, step: Step) -> None:
        """What a driver does with a step: journal, send, show, work."""
        client = self.clients[index]
        client.has_stepped()
        client.journal += step.records
        if step.cut is not None:
            del client.transcript[step.cut :]
        client.transcript += step.transcript
        client.events += step.events
        if not self.on_journal(index, step):
            client.is_down = True
            return
        for letter in step.outbox:
            seating = client.table.record.seating
            newcomers = range(len(seating), len(self.clients))
            at_seat = [other for other in newcomers if self.seat_of(other) == letter.to]
            others = range(len(self.clients)) if letter.to is None else [seating[letter.to], *at_seat]
            for other in others:
                if other != index and letter.key in (None, self.clients[other].identity.public):
                    self.post(index, other, letter.data)
        self.jobs += [(index, job) for job in step.work]

    def post(self, sender: int, to: int, data: bytes) -> None:
        changed = self.tamper(sender, to, data)
        if changed is None or self.random.random() < self.link.loss:
            return
        for _ in range(2 if self.random.random() < self.link.double else 1):
            self.count += 1
            due = self.now + self.random.random() * self.link.delay
            heapq.heappush(self.queue, (due, self.count, sender, to, self.clients[to].life, changed))

    def deliver(self, sender: int, to: int, life: int, data: bytes) -> None:
        client = self.clients[to]
        if client.is_down or client.life != life or self.clients[sender].is_down:
            return
        client.has_stepped()
        try:
            seating, other = client.table.record.seating, self.clients[sender]
            seat = seating.index(sender) if sender < len(seating) else other.table.seat
            step = client.table.receive(seat, data, self.now, other.identity.public)
        except BadMessage as fault:
            self.refused.append((sender, to, fault))
            return
        self.take(to, step)

    # --- time ---

    def turn(self) -> bool:
        """One thing happens; False where nothing is left but to wait for a player."""
        if self.jobs:
            index, job = self.jobs.pop(self.random.randrange(len(self.jobs)) if self.link.delay else 0)
            if not self.clients[index].is_down:
                self.take(index, self.clients[index].table.done(job, job.run(), self.now))
            return True
        if not self.queue or self.queue[0][0] > self.now:  # nobody is to be woken before now
            wakes = [(client.due, i) for i, client in enumerate(self.clients) if not client.is_down]
            due = min(((time, i) for time, i in wakes if time is not None), default=None)
            if due is not None and (not self.queue or due[0] <= self.queue[0][0]):
                self.now = max(self.now, due[0])
                self.take(due[1], self.clients[due[1]].table.wake(self.now))
                return True
        if self.queue:
            time, _, sender, to, life, data = heapq.heappop(self.queue)
            self.now = max(self.now, time)
            self.deliver(sender, to, life, data)
            return True
        return False

    def run(self, until: Callable[[], bool], limit: int = 200_000) -> None:
        """Go on until something holds; fails if it never does."""
        for _ in range(limit):
            if until():
                return
            if not self.turn():
                if until():
                    return
                raise AssertionError(f"seed {self.seed}: nothing happens any more: {self.where()}")
        raise AssertionError(f"seed {self.seed}: no end: {self.where()}")

    def where(self) -> str:
        return "; ".join(
            f"{i}: {c.table.record.phase.value} h{c.table.record.height}{' down' if c.is_down else ''}"
            for i, c in enumerate(self.clients)
        )

    def is_quiet(self) -> bool:
        """Nothing is under way."""
        return not self.queue and not self.jobs

    def play(self, limit: int = 400_000) -> None:
        """Random bots play until every table is over."""
        for _ in range(limit):
            if all(client.table.is_over for client in self.clients if not client.is_down):
                break
            self.move_someone()
            if not self.turn() and not any(c.table.can_move and c.table.legal() for c in self.up()):
                raise AssertionError(f"seed {self.seed}: stuck: {self.where()}")
        else:
            raise AssertionError(f"seed {self.seed}: no end: {self.where()}")
        while self.jobs or self.queue:
            self.turn()

    def up(self) -> list[Client]:
        return [client for client in self.clients if not client.is_down]

    def move_someone(self) -> None:
        for index, client in enumerate(self.clients):
            if client.is_down:
                continue
            table, (moves, must) = client.table, client.moves
            if moves and (must or self.random.random() < 0.02):
                plays = [move for move in moves if table.game.uses(move).played] if self.random.random() < 0.9 else []
                chosen = plays or moves  # who only draws never comes to an end
                if self.is_hasty and plays:
                    chosen = self.followed_up(plays, table)
                move = chosen[self.random.randrange(len(chosen))]
                self.take(index, table.act(move, self.now))

    def followed_up(self, plays: Sequence[Any], table: Table) -> Sequence[Any]:
        """The plays of most cards, of these those after which most of the hand fits by suit or rank: rounds are half as long as
        with any play."""
        hand, uses = table.cards, table.game.uses

        def worth(play: Any) -> tuple[int, int]:
            played = uses(play).played
            last = played[-1]
            fits = sum(each[-1] == last[-1] or each[:-1] == last[:-1] for each in hand if each not in played)
            return len(played), fits

        most = max(map(worth, plays))
        return [play for play in plays if worth(play) == most]

    # --- dying and coming back ---

    def table_of(self, index: int, identity: Identity, nonce: bytes, rng: Rng) -> Table:
        """Return a client's new table."""
        return Table(self.roster, self.game, identity, nonce, rng, self.now)

    def restart(self, index: int) -> None:
        """A new process with what the journal holds, which reaches everybody at once."""
        self.start_again(index)
        self.reconnect(index)

    def start_again(self, index: int) -> None:
        """A new process with what the journal holds, which reaches nobody."""
        old = self.clients[index]
        table = self.table_of(index, old.identity, old.nonce, stream(self.random.randrange(1 << 40)))
        client = Client(table, old.identity, old.nonce, list(old.journal), list(old.events), life=old.life + 1)
        self.clients[index] = client
        self.take(index, table.restore(list(old.journal), self.now))

    def reconnect(self, index: int) -> None:
        """Open this client's links to all others."""
        table = self.clients[index].table
        for other in range(len(self.clients)):
            if other != index and not self.clients[other].is_down:
                self.take(index, table.connected(self.seat_of(other), self.now))
                self.take(other, self.clients[other].table.connected(table.seat, self.now))


def giving(record: Record) -> Giving | None:
    """The cards that enter hands, while they do."""
    return record.now if isinstance(record.now, Giving) else None


@contextmanager
def printed(seed: int) -> Iterator[None]:
    """Names the seed of a failing run."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"seed {seed}") from error
