"""The cheats of `tests/table/adversaries` over real links: nodes with TLS, journals and bots, one of which sends something else.

A `Linked` stands in the place of a `Forger`: what a cheat does and what the others must find is told once, there. Here the
cheater's words leave a true computer changed, and the others receive them as they would from anybody.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from p2p.driver import Driver
from p2p.home import open_home
from p2p.node import Node, Owner
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.errors import BadMessage
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table.events import Accused, Event
from protocol.table.record import Ending, Record
from protocol.table.roster import TableOptions
from protocol.table.step import Step
from protocol.table.table import Table
from protocol.table.verify import verify
from protocol.values import replace
from tests.p2p.aio import LOOPBACK, until
from tests.table.adversaries.forger import CHEATER, ONE_ROUND, SMALL, Change, Forger
from tests.table.tables import Link, stream

PACE_S = 0.02
"""A bot thinks so long that there is a moment in which a cheat may come first."""
WAIT_S = 60.0
UNHARMED_HEIGHTS = 6
"""So many entries go on as if nothing had been said."""


class Witness(Owner):
    """A node's owner that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.table = asyncio.Event()

    def on_table(self, driver: Driver) -> None:
        self.table.set()

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        self.events += events


def driver_of(node: Node) -> Driver:
    assert node.driver is not None
    return node.driver


class Seated:
    """A computer at the table, seen as a test sees a seat in memory."""

    def __init__(self, node: Node, witness: Witness) -> None:
        self.node, self.witness = node, witness

    @property
    def table(self) -> Table:
        return driver_of(self.node).table

    @property
    def identity(self) -> Identity:
        return self.node.identity

    @property
    def events(self) -> list[Event]:
        return self.witness.events


class Network:
    """All computers of one table, in one event loop that runs only while a test waits."""

    def __init__(self, folder: Path, game: str, options: dict[str, Any], seats: int, table: TableOptions) -> None:
        self.plan = TablePlan(load(game, seats, options), "T", table)
        self.count = 0
        self._stack = ExitStack()
        self._runner = self._stack.enter_context(asyncio.Runner())
        workers = Workers()
        self._stack.callback(workers.close)
        self.clients: list[Seated] = []
        self._stack.callback(self._close_nodes)
        for number in range(seats):
            home = self._stack.enter_context(open_home(folder / str(number)))
            settings = NodeSettings(f"P{number}", bot=True, hosts=LOOPBACK, pace_s=PACE_S)
            witness = Witness()
            self.clients.append(Seated(self._runner.run(self._node(home, settings, witness, workers)), witness))

    @staticmethod
    async def _node(*parts: Any) -> Node:
        node = Node(*parts)
        await node.open()
        return node

    def _close_nodes(self) -> None:
        async def close() -> None:
            for each in self.clients:
                await each.node.close()

        self._runner.run(close())

    def close(self) -> None:
        self._stack.close()

    def start(self) -> None:
        """Everybody sits down, in their order, until all have a table."""

        async def sit() -> None:
            first, *others = self.clients
            first.node.waiting_room.open(self.plan)
            for each in others:
                await each.node.waiting_room.join([("127.0.0.1", first.node.mesh.port)])
            async with asyncio.timeout(WAIT_S):
                await asyncio.gather(*(each.witness.table.wait() for each in self.clients))

        self._runner.run(sit())

    def run(self, condition: Callable[[], object]) -> None:
        """Until this holds."""
        self._runner.run(until(condition, WAIT_S))

    def do(self, deed: Callable[[], object]) -> None:
        """At one of the computers."""

        async def done() -> None:
            deed()

        self._runner.run(done())

    def file_of(self, seat: int) -> bytes:
        """What this seat has written of the match. It plays no more."""

        async def close() -> bytes:
            driver = driver_of(self.clients[seat].node)
            driver.close()
            return driver.transcript_path.read_bytes()

        return self._runner.run(close())

    def deliver(self, sender: int, to: int, data: bytes) -> None:
        """Send something past the sender's own table."""

        links = self.clients[sender].node.mesh.links
        self.do(lambda: links[self.clients[to].identity.public].send(data))


class Linked(Forger):
    """A cheat over real links. `folder`: for the computers' homes."""

    tables: Any

    def __init__(
        self,
        folder: Path,
        change: Change | None = None,
        game: str = "crazy-eights",
        seats: int = 3,
        options: dict[str, Any] | None = None,
        seed: int = 2,
        table: TableOptions = ONE_ROUND,
        link: Link | None = None,
    ) -> None:
        self.change = change or (lambda message, to: message)
        self.made, self.changed, self.honest_bytes = {}, 0, []
        self._heard: list[Signed] = []
        self._read = 0
        longer = replace(table, rounds=0)  # the chance may come in a later round
        self.tables = Network(folder, game, SMALL if options is None else options, seats, longer)
        self.is_started = False
        node, witness = self.tables.clients[CHEATER].node, self.tables.clients[CHEATER].witness
        self.numbers = {each.identity.public: number for number, each in enumerate(self.tables.clients)}
        self._send, self._hear = node.mesh.send, node.mesh._on_message
        node.mesh.send = self.send
        node.mesh._on_message = self.hear
        witness.on_table = self.changes_words_of

    def close(self) -> None:
        self.tables.close()

    # --- between the cheater's table and its links ---

    def changes_words_of(self, driver: Driver) -> None:
        """A lie is made when its words are, not when these are saved and sent: later its table is elsewhere."""
        carry_out = driver._carry_out

        def lie(step: Step) -> None:
            for letter, to in itertools.product(step.outbox, self.honest):
                self._passed(CHEATER, to, letter.data)
            carry_out(step)

        driver._carry_out = lie  # type: ignore[method-assign]
        Witness.on_table(self.tables.clients[CHEATER].witness, driver)

    def send(self, key: bytes, data: bytes) -> bool:
        changed = self._passed(CHEATER, self.numbers[key], data)
        return changed is None or bool(self._send(key, changed))

    def hear(self, author: bytes, data: bytes) -> Any:
        changed = self._passed(self.numbers[author], CHEATER, data)
        return None if changed is None else self._hear(author, changed)

    def _passed(self, sender: int, to: int, data: bytes) -> bytes | None:
        try:
            return self._tamper(sender, to, data)
        except BadMessage:  # a statement of the room
            return data

    # --- as at a table in memory ---

    def start(self) -> None:
        self.is_started = True
        self.tables.start()
        seats = [each.table.seat for each in self.tables.clients]
        assert seats == list(range(len(seats)))

    def until(self, condition: Callable[[], object], limit: int = 0) -> None:
        self.tables.run(condition)

    @property
    def heard(self) -> list[Signed]:
        """What the others have said to the cheater themselves, in the order in which it came."""
        for sender, to, data in itertools.islice(self.honest_bytes, self._read, None):
            if to == CHEATER:
                found = decode(data)
                parts = map(decode_signed, found.messages) if isinstance(found, Page) else (found,)
                self._heard += [each for each in parts if each.seat == sender]
        self._read = len(self.honest_bytes)
        return self._heard

    @staticmethod
    def signed(data: bytes) -> Signed | None:
        """A single message of a table, or None."""
        try:
            found = decode(data)
        except BadMessage:
            return None
        return None if isinstance(found, Page) else found

    def inject_bytes(self, data: bytes, to: Collection[int] | None = None) -> None:
        for seat in self.honest if to is None else to:
            self.tables.count += 1
            self.tables.deliver(CHEATER, seat, data)

    # --- what they must find ---

    def convicted(self, *what: str, to_the_end: bool = False) -> None:
        """Every honest computer names the cheater, it alone, for one of these, with evidence that it signed; the match goes on
        without it, or is broken off; and each file shows anybody the same."""
        if not self.is_started:
            self.start()
        self.until(lambda: all(self._is_dealt_with(self.honest_record(seat)) for seat in self.honest))
        for seat in self.honest:
            client, record = self.tables.clients[seat], self.honest_record(seat)
            convicted = record.ledger.departures.convicted
            assert list(convicted) == [CHEATER], (seat, record.broken)
            assert convicted[CHEATER].what in what
            assert record.broken.ending is Ending.CHEAT if record.broken else CHEATER not in record.present
            accused = [event for event in client.events if isinstance(event, Accused)]
            assert [event.seat for event in accused] == [CHEATER]
            self.assert_evidence(accused[0])
        for seat in self.honest:
            assert self.evidence_in_file(seat) == [CHEATER]
        assert self.changed or self.tables.count, "no cheat took place"

    @staticmethod
    def _is_dealt_with(record: Record) -> bool:
        return bool(record.ledger.departures.convicted and (record.epoch or record.broken))

    def evidence_in_file(self, seat: int) -> list[int]:
        """The seats against which this seat's file holds something, for whoever reads nothing but its bytes."""
        report = verify(self.tables.file_of(seat), stream(9))
        assert report.ok, report.failed
        return [each["seat"] for each in report.evidence]

    def unharmed(self) -> None:
        """The match goes on as if nothing had been said."""
        height = max(self.honest_record(seat).height for seat in self.honest) + UNHARMED_HEIGHTS
        self.until(lambda: all(self.honest_record(seat).height >= height for seat in self.honest))
        for seat in self.honest:
            record, events = self.honest_record(seat), self.tables.clients[seat].events
            assert record.epoch == 0 and record.broken is None
            assert not [event for event in events if isinstance(event, Accused)]
            assert not self.evidence_in_file(seat)
