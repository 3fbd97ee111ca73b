"""Who was away at the end of a match learns how it ended from the tombstones of the others."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli.client.outcome import result_of
from p2p.frames import Value
from p2p.home import open_home
from p2p.journal import Journal
from p2p.mesh import Mesh
from p2p.node import Node
from p2p.past import ANSWER_EVERY_S, Past, PastMessages, tell_end
from p2p.ports import native_ports
from p2p.routes import RouteChange
from p2p.saved import Tombstone
from p2p.settings import NodeSettings
from p2p.workers import Workers
from protocol.identity import Identity
from protocol.messages import Ask, Chat, Message
from protocol.signed import MAX_PAGE_BYTES, sign
from protocol.table import pauses
from protocol.table.phases.values import Closing, Revealing
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION, TableOptions
from protocol.table.table import Table
from tests.adversaries.declared import By, attack
from tests.p2p.aio import LOOPBACK, run, until
from tests.p2p.test_node import Onlooker, party
from tests.table.matches import file_of
from tests.table.parting import Parting
from tests.table.tables import Tables, stream

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("verified_once", "toy_programs")]


@pytest.mark.slow
@pytest.mark.parametrize("is_in_lobby", [False, True], ids=["asked at a table", "told from the lobby"])
def test_killed_after_its_closing_vote_a_client_learns_the_end_at_its_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_in_lobby: bool
) -> None:
    monkeypatch.setattr(pauses, "CLOSE_S", 0.2)

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(TableOptions(pause=0, grace=0, rounds=1))
            staying, away = friends.nodes
            driver = friends.driver(1)
            hear = away._on_message

            def deaf(author: bytes, data: bytes) -> None:
                """Whoever is quicker votes while we still audit."""
                is_ending = isinstance(driver.table.record.now, Revealing | Closing)
                if not is_ending or b"reveal" in data[:64]:
                    hear(author, data)

            monkeypatch.setattr(away.mesh, "_on_message", deaf)
            await friends.driver(0).finished.wait()
            friends.driver(0).finish(1.0, result_of(friends.driver(0), ""), "finished")
            end = friends.driver(0).table.record.previous
            assert not driver.table.is_over
            friends.nodes.pop()
            await away.close()
            away.home.close()

            with open_home(tmp_path / "1") as home:
                again = Node(home, NodeSettings("P1", hosts=LOOPBACK), Onlooker(), friends.workers)
                await again.open()
                match = again.resumable()
                assert match is not None
                await again.resume(match)
                assert again.driver is not None
                if is_in_lobby:
                    friends.nodes.remove(staying)
                    await staying.close()
                    where = [("127.0.0.1", again.mesh.port)]
                    assert not await tell_end(staying.home, match.id, where), "its own process would answer"
                    staying.home.close()
                    assert not await tell_end(staying.home, bytes(16), where)
                    assert await tell_end(staying.home, match.id, where)
                again.mesh.add_addresses(staying.identity.public, [("127.0.0.1", staying.mesh.port)])
                await again.driver.finished.wait()
                assert again.driver.table.record.phase is Phase.OVER
                assert again.driver.table.record.previous == end
                again.driver.finish(2.0, result_of(again.driver, ""), "finished")
                files = [path.read_bytes() for path in tmp_path.glob("*/transcripts/*.fairdeal")]
                assert len(files) == 2
                assert files[0] == files[1]
                await again.close()

    run(deed())


@pytest.fixture
def ended(tmp_path: Path) -> tuple[Tables, Journal]:
    """A match that is over, in a journal."""
    tables = Tables("crazy-eights", 2)
    journal = Journal.open(tmp_path / "journal.sqlite")
    table = tables.roster.table_id
    journal.begin_match(table, tables.roster.encode(), role="host", created=1.0, seats={})
    journal.finish(table, {}, at=2.0, tombstone=b"page")
    return tables, journal


def asked(who: Identity, table: bytes, message: Message | None = None) -> bytes:
    return sign(who, table, 0, bytes(32), 0, message or Ask(1, 3, True, bytes(32))).data


def test_only_who_sat_there_is_answered_and_not_too_often(ended: tuple[Tables, Journal], tmp_path: Path) -> None:
    tables, journal = ended
    past, table, who = Past(journal, tmp_path), tables.roster.table_id, tables.clients[0].identity
    stranger = Identity(bytes(32))
    assert past.answer(stranger.public, asked(stranger, table), 10.0) is None
    assert past.answer(who.public, asked(who, bytes(32)), 10.0) is None
    assert past.answer(who.public, asked(who, table, Chat(1, "hello")), 10.0) is None
    assert past.answer(who.public, b"nonsense", 10.0) is None
    answer = past.answer(who.public, asked(who, table), 10.0)
    assert answer == PastMessages(b"page", tmp_path / f"{table.hex()[:16]}.fairdeal", 3, 0)
    assert past.answer(who.public, asked(who, table), 10.0 + ANSWER_EVERY_S / 2) is None
    assert past.answer(who.public, asked(who, table), 10.0 + ANSWER_EVERY_S) == answer


def test_who_asks_may_show_what_it_has_said_at_any_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does so at once, and must not be cut off as a stranger who says too much, before it has read the answer."""
    monkeypatch.setattr("p2p.past.ANSWER_EVERY_S", 0.0)
    tables = Tables("crazy-eights", 2)
    tables.start()
    tables.run(lambda: tables.clients[0].table.record.seed is not None)
    table, who = tables.roster.table_id, tables.clients[0].identity

    async def deed() -> None:
        with open_home(tmp_path) as home, closing(Workers()) as workers:
            home.seed()
            journal = Journal.open(home.journal)
            journal.begin_match(table, tables.roster.encode(), role="host", created=1.0, seats={})
            journal.finish(table, {}, at=2.0, tombstone=tables.clients[0].table.tombstone())
            journal.commit()
            journal.close()
            node = Node(home, NodeSettings("Mia", hosts=LOOPBACK), Onlooker(), workers)
            await node.open()
            answers, changes = list[bytes](), list[RouteChange]()
            links = native_ports().links(stream(0)(32))
            fields: dict[str, Value] = {"v": PROTOCOL_VERSION, "want": "look"}
            mesh = Mesh(links, fields, lambda _, data: answers.append(data), changes.append)
            try:
                key = await mesh.call([("127.0.0.1", node.mesh.port)])
                mesh.send(key, asked(who, table))
                await until(lambda: len(answers) == 1)
                changes.clear()
                mesh.send(key, bytes(MAX_PAGE_BYTES))
                mesh.send(key, asked(who, table))
                await until(lambda: len(answers) == 2 or bool(changes))
                assert not changes
            finally:
                await mesh.close()
                await node.close()

    run(deed())


@attack(
    By.STRANGER,
    "A stranger sends one meaningless message a second that makes a computer search all the matches it has played.",
    "Nobody needs to notice: who sat in them is looked up at once. The connection is closed.",
)
def test_who_sat_in_a_past_match_is_known_without_checking_their_keys_again(
    ended: tuple[Tables, Journal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, journal = ended
    past, checked = Past(journal, tmp_path), list[bytes]()
    monkeypatch.setattr("protocol.table.roster.check_public_key", checked.append)
    assert past.knows(tables.clients[1].identity.public, 10.0)
    assert not past.knows(Identity(bytes(32)).public, 10.0)
    assert not checked


def test_so_many_tombstones_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.journal.MAX_TOMBSTONES", 2)
    journal = Journal.open(tmp_path / "journal.sqlite")
    for number in range(4):
        journal.begin_match(bytes([number]), b"roster", role="host", created=1.0, seats={})
        journal.finish(bytes([number]), {}, at=float(number), tombstone=b"page")
    kept: list[Any] = [journal.tombstone(bytes([number])) for number in range(4)]
    assert kept == [None, None, Tombstone(b"roster", b"page"), Tombstone(b"roster", b"page")]


# --- what follows the height that somebody has ---


class Missed(Parting):
    """A match of two epochs that one seat missed from some height on, and the file that the others keep of it."""

    is_hasty = True

    def __init__(self, folder: Path, height: int, **table: Any) -> None:
        super().__init__(seats=4, rounds=2, **table)
        self.until_height(height)
        self.vote_out(1)
        self.play()
        self.path = folder / "match.fairdeal"
        self.path.write_bytes(file_of(self, 0))
        self.page = self.clients[0].table.tombstone()
        for index in (0, 2, 3):
            self.clients[index].is_down = True
        self.restart(1)

    def tell(self) -> Table:
        """Answer the seat once for the height and epoch that it has reached."""
        table = self.clients[1].table
        self.take(1, table.connected(self.seat_of(0), self.now))
        for page in PastMessages(self.page, self.path, table.record.height, table.record.epoch).pages():
            self.take(1, table.receive(self.seat_of(0), page, self.now))
        while self.jobs or self.queue:
            self.turn()
        return table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recovery", "height"),
    [("on", 1), *(pytest.param(*each, marks=pytest.mark.soak) for each in [("off", 4), ("on", 9)])],
)
def test_who_was_left_out_long_ago_learns_from_a_file_how_the_match_went_on(
    tmp_path: Path, recovery: str, height: int
) -> None:
    match = Missed(tmp_path, height, recovery=recovery)
    table = match.tell()
    assert table.record.phase is Phase.OVER, match.where()
    assert table.record.transcript == match.clients[0].transcript


@pytest.mark.slow
def test_an_answer_is_bounded_and_who_lacks_more_asks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.past.MAX_ANSWER_BYTES", 60_000)
    match = Missed(tmp_path, 4)
    assert match.tell().record.phase is not Phase.OVER
    for _ in range(10):
        match.tell()
    assert match.clients[1].table.record.phase is Phase.OVER


@pytest.mark.slow
def test_without_the_file_there_is_still_the_page_that_tells_the_end(tmp_path: Path) -> None:
    match = Missed(tmp_path, 4)
    (page,) = PastMessages(match.page, tmp_path / "moved away", 4, 0).pages()
    assert page == match.page


@pytest.mark.slow
def test_a_damaged_file_is_no_fault(tmp_path: Path) -> None:
    match = Missed(tmp_path, 4)
    data = bytearray(match.path.read_bytes())
    data[-400:] = bytes(400)
    match.path.write_bytes(data)
    assert PastMessages(match.page, match.path, 4, 0).pages()[-1:]


def test_who_took_a_seat_is_answered_too(ended: tuple[Tables, Journal], tmp_path: Path) -> None:
    tables, journal = ended
    table, newcomer = tables.roster.table_id, Identity(bytes(32))
    journal.set_meta(table, newcomers=[newcomer.public.hex()])
    past = Past(journal, tmp_path)
    assert past.knows(newcomer.public, 10.0)
    assert past.answer(newcomer.public, asked(newcomer, table), 10.0) is not None
