"""A client's life at a table, with real links and journals: what it keeps, and how it ends."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import AsyncIterator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p.budgets import Rate
from p2p.costs import Costs, RelayedCosts
from p2p.driver import Driver
from p2p.errors import HomeUnwritable
from p2p.home import open_home
from p2p.journal import Journal
from p2p.node import Node, Owner
from p2p.routes import Route
from p2p.saved import SavedMatch
from p2p.settings import NodeSettings, TablePlan
from p2p.watcher import Watcher
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.errors import FairdealError, GameFailed
from protocol.games.catalogue import load
from protocol.games.strategies.eights import EightsBot
from protocol.identity import Identity
from protocol.table.events import Event, Moved, SendsTooMuch
from protocol.table.record import Ending
from protocol.table.roster import TableOptions
from protocol.table.step import Letter, Step
from protocol.table.table import Table
from protocol.table.turn import Turn
from tests.p2p.aio import LOOPBACK, run, until

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("verified_once", "toy_programs")]
SEATS = 2


class Onlooker(Owner):
    """Notes what a node tells, and lets tests wait for it."""

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.refusals: list[str] = []
        self.changed = asyncio.Event()

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        self.heard += events
        self.changed.set()

    def on_refused(self, reason: FairdealError) -> None:
        self.refusals.append(str(reason))

    async def until_moved(self) -> None:
        while not any(isinstance(each, Moved) for each in self.heard):
            self.changed.clear()
            await self.changed.wait()


class Party:
    """Nodes at one table of crazy eights, played by bots; each in a home of its own."""

    def __init__(self, stack: AsyncExitStack, folder: Path) -> None:
        self.workers = Workers()
        stack.callback(self.workers.close)
        self.folder = folder
        self.nodes: list[Node] = []
        self.onlookers: list[Onlooker] = []
        for number in range(SEATS):
            home = stack.enter_context(open_home(folder / str(number)))
            onlooker = Onlooker()
            node = Node(home, NodeSettings(f"P{number}", bot=True, hosts=LOOPBACK), onlooker, self.workers)
            self.nodes.append(node)
            self.onlookers.append(onlooker)

    def driver(self, number: int) -> Driver:
        driver = self.nodes[number].driver
        assert driver is not None
        return driver

    async def deal(self, options: TableOptions | None = None) -> None:
        """Until somebody has moved everywhere."""
        for node in self.nodes:
            await node.open()
        self.nodes[0].waiting_room.open(
            TablePlan(load("crazy-eights", SEATS, {}), "T", options or TableOptions(pause=0, grace=0))
        )
        for node in self.nodes[1:]:
            await node.waiting_room.join([("127.0.0.1", self.nodes[0].mesh.port)])
        for onlooker in self.onlookers:
            await onlooker.until_moved()

    def left(self, number: int) -> SavedMatch | None:
        """The match that the next start finds unfinished there."""
        journal = Journal.read_only(self.folder / str(number) / "journal.sqlite")
        try:
            return next(iter(journal.unfinished()), None)
        finally:
            journal.close()


@asynccontextmanager
async def party(folder: Path) -> AsyncIterator[Party]:
    async with AsyncExitStack() as stack:
        found = Party(stack, folder)
        try:
            yield found
        finally:
            for node in found.nodes:
                await node.close()


def slow_down(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From here on each commit takes its time."""
    commit = Journal.commit

    def slow(journal: Journal) -> None:
        time.sleep(seconds)
        commit(journal)

    monkeypatch.setattr(Journal, "commit", slow)


def test_where_the_others_were_reached_is_kept_for_a_return(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            node, other = friends.nodes
            elsewhere = ("127.0.0.1", 9)
            node.mesh.add_addresses(other.identity.public, [elsewhere])
            friends.driver(0).close()  # so that nothing of the match is written after it
            node.save_addresses()
        match = friends.left(0)
        assert match is not None
        assert elsewhere in match.seats[other.identity.public]

    run(deed())


def test_a_client_uses_the_time_in_which_it_waits(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            assert all(friends.driver(number).table.ahead.is_on for number in range(SEATS))

    run(deed())


@pytest.mark.parametrize("is_watched", [False, True])
def test_what_is_written_and_not_sent_is_saved_later_unless_somebody_watches(
    tmp_path: Path, is_watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.driver.SAVE_AFTER_S", 3600)

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            for node in friends.nodes:
                node.stop_bot()
            driver = friends.driver(0)
            if is_watched:
                driver.watchers.add(lambda _piece: None)
            await until(lambda: driver._saver._writing is None)
            driver.feed(lambda _now: Step(transcript=(b"settled",)))
            assert (b"settled" in driver._saver._gathering.transcript) is not is_watched
            driver.feed(lambda _now: Step(outbox=(Letter(None, b"said"),)))
            await until(lambda: b"settled" in driver.transcript_path.read_bytes())

    run(deed())


def test_the_end_of_a_match_is_saved_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.driver.SAVE_AFTER_S", 3600)

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(TableOptions(pause=0, grace=0, rounds=1))
            drivers = [friends.driver(number) for number in range(SEATS)]
            for driver in drivers:
                await driver.finished.wait()
                assert driver.saved == len(driver.table.record.transcript)

    run(deed())


@pytest.mark.sample
@pytest.mark.parametrize("disk_s", [0.0, 0.3])
def test_a_goodbye_reaches_the_others_though_the_program_ends_at_once(
    tmp_path: Path, disk_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            slow_down(monkeypatch, disk_s)
            leaving, staying = friends.driver(0), friends.driver(1)
            leaving.feed(leaving.table.leave)
            await friends.nodes[0].close()
            await staying.finished.wait()
            broken = staying.table.record.broken
            assert broken is not None
            assert (broken.ending, broken.seat) == (Ending.GOODBYE, leaving.table.seat)
            friends.nodes.pop(0)

    run(deed())


def test_a_goodbye_goes_out_though_the_closing_itself_is_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the program ends."""

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            slow_down(monkeypatch, 0.3)
            leaving, staying = friends.driver(0), friends.driver(1)
            node = friends.nodes[0]
            clinging = asyncio.Event()

            async def clings() -> None:
                try:
                    await asyncio.Event().wait()
                finally:
                    clinging.set()
                    await asyncio.Event().wait()

            task = asyncio.create_task(clings())
            monkeypatch.setitem(node._watchers._streams, b"w", SimpleNamespace(task=task, finish=task.cancel))
            await asyncio.sleep(0)
            leaving.feed(leaving.table.leave)
            closing = asyncio.create_task(node.close())
            await clinging.wait()
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            assert leaving._saver.is_idle  # here the program ends: what is not sent by now never will be
            await staying.finished.wait()
            assert staying.table.record.broken is not None
            friends.nodes.pop(0)

    run(deed())


def test_a_transcript_that_did_not_come_to_the_disk_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            driver = friends.driver(0)

            def broken(_file: int) -> None:
                raise OSError(errno.EIO, "the drive is gone")

            with monkeypatch.context() as patched:
                patched.setattr("p2p.transcripts.os.fsync", broken)
                driver.close()
            assert isinstance(driver.fault, HomeUnwritable)

    run(deed())


def test_after_a_disk_that_fails_at_the_end_the_links_are_closed_and_the_journal_let_go_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            driver, node = friends.driver(0), friends.nodes.pop(0)
            peer = node.identity.public

            def broken() -> None:
                raise KeyError("a mistake")

            monkeypatch.setattr(node.journal, "commit", broken)
            driver.feed(driver.table.leave)
            with pytest.raises(KeyError):
                await node.close()
            assert not node.mesh.links
            while friends.nodes[0].mesh.route(peer) is not Route.NONE:
                await asyncio.sleep(0.01)
            Journal.open(tmp_path / "0" / "journal.sqlite").close()

    run(deed())


@pytest.mark.slow
def test_who_looks_on_is_counted_at_every_seat(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            meshes = [node.mesh for node in friends.nodes]
            watcher = Watcher(Identity(b"w" * 32))
            await watcher.watch([("127.0.0.1", meshes[0].port)])
            await until(lambda: [mesh.watchers for mesh in meshes] == [1, 1])
            await watcher.close()
            await until(lambda: [mesh.watchers for mesh in meshes] == [0, 0])

    run(deed())


def test_what_another_brings_in_its_name_is_held_against_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            node, other = friends.nodes
            monkeypatch.setattr("p2p.costs.IDLE_TIME", Rate(0.001, 0.001))
            monkeypatch.setattr("p2p.costs.PATIENCE_S", 0.1)
            driver = friends.driver(0)
            node.mesh.charges.direct, node.mesh.charges.relayed = Costs(), RelayedCosts()
            for _ in range(1000):
                node.mesh._on_relayed(other.identity.public, b"r" * 32, b"nonsense")
            await asyncio.sleep(0.1)
            assert node.mesh.route(other.identity.public) is Route.DIRECT
            for _ in range(1000):
                waiting = node.mesh._on_message(other.identity.public, b"nonsense")
                if waiting is not None:
                    waiting.close()  # type: ignore[attr-defined]  # its link would be read on later
            await until(lambda: node.mesh.route(other.identity.public) is Route.NONE)
            guilty = driver.seat_of(other.identity.public)
            assert guilty is not None and SendsTooMuch(guilty) in friends.onlookers[0].heard

    run(deed())


def test_a_host_that_is_gone_before_it_answers_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            host, guest = friends.nodes
            for node in friends.nodes:
                await node.open()
            host.waiting_room.open(TablePlan(load("crazy-eights", SEATS + 1, {}), "T", TableOptions()))
            monkeypatch.setattr(host.waiting_room, "receive", lambda author, data: None)
            await guest.waiting_room.join([("127.0.0.1", host.mesh.port)])
            await host.close()
            await until(lambda: friends.onlookers[1].refusals)
            assert friends.onlookers[1].refusals == ["the host closed the connection"]
            assert guest.waiting_room.room is None

    run(deed())


def test_a_node_is_closed_once(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            await friends.nodes[0].close()
            await friends.nodes[0].close()

    run(deed())


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a job", "a proposal", "a view", "a default move", "a bot"])
def test_a_game_that_raises_stops_the_seat_with_a_fault_and_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A bug, or a game by a stranger: nobody waits without a word, and nobody is told goodbye."""

    def broken(*_: object) -> None:
        raise KeyError("no such suit")

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            driver, game = friends.driver(0), friends.driver(0).table.game
            desk, choose = driver.table.record.ledger.desk, EightsBot.choose
            ask = desk.ask

            def chosen(bot: EightsBot, state: Any, seat: Seat, *rest: Any) -> Any:
                return broken() if seat == driver.table.seat else choose(bot, state, seat, *rest)

            with monkeypatch.context() as patched:
                if what == "a job":
                    patched.setattr(desk, "ask", lambda name, function, *rest, **more: ask(name, broken, *rest, **more))
                elif what == "a proposal":
                    patched.setattr(game, "apply", broken)
                elif what == "a view":
                    patched.setattr(driver.table.game, "public_view", broken)
                elif what == "a default move":
                    friends.nodes[0].stop_bot()  # it may be quicker than any deadline
                    patched.setattr(Turn, "limit", property(lambda turn: 0.0 if turn is driver.table.turn else None))
                    patched.setattr(game, "default", broken)
                else:
                    patched.setattr(EightsBot, "choose", chosen)
                await driver.finished.wait()
            assert isinstance(driver.fault, GameFailed)
            assert str(driver.fault) == "the game crazy-eights failed: KeyError: 'no such suit'"
            assert all(node.driver is None or node.driver.table.record.broken is None for node in friends.nodes)
        assert friends.left(0) is not None, "the seat is kept"

    run(deed())


def test_a_match_is_read_again_away_from_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is, the screen goes on."""
    threads: list[threading.Thread] = []
    restoring = Table.restoring

    def noted(*arguments: Any) -> Generator[None, None, Step]:
        threads.append(threading.current_thread())
        return (yield from restoring(*arguments))

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            node = friends.nodes.pop()
            await node.close()
            node.home.close()
            match = friends.left(1)
            assert match is not None
            monkeypatch.setattr(Table, "restoring", noted)
            with open_home(tmp_path / "1") as home:
                again = Node(home, NodeSettings("P1", bot=True, hosts=LOOPBACK), Onlooker(), friends.workers)
                await again.open()
                await again.resume(match)
                assert [each is threading.main_thread() for each in threads] == [False]
                assert again.driver is not None
                await until(lambda: again.driver is None or not again.driver.table.is_returning, 30)
                await again.close()

    run(deed())


def test_a_game_that_raises_while_a_match_is_restored_stops_the_seat_and_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("no such suit")

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            node = friends.nodes.pop()
            await node.close()
            node.home.close()
            match = friends.left(1)
            assert match is not None
            (path,) = (tmp_path / "1" / "transcripts").iterdir()
            before = path.read_bytes()
            monkeypatch.setattr(Table, "restoring", broken)
            with open_home(tmp_path / "1") as home:
                again = Node(home, NodeSettings("P1", bot=True, hosts=LOOPBACK), Onlooker(), friends.workers)
                await again.open()
                await again.resume(match)
                assert again.driver is not None
                await again.driver.finished.wait()
                assert isinstance(again.driver.fault, GameFailed)
                await again.close()
            assert path.read_bytes() == before
        assert friends.left(1) is not None

    run(deed())
