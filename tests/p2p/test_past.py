"""Who was away at the end of a match learns how it ended from the tombstones of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.client.outcome import result_of
from p2p.home import open_home
from p2p.journal import Journal
from p2p.node import Node
from p2p.past import ANSWER_EVERY_S, Past, tell_end
from p2p.settings import NodeSettings
from protocol.identity import Identity
from protocol.messages import Ask, Chat, Message
from protocol.signed import sign
from protocol.table import pauses
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from tests.p2p.aio import LOOPBACK, run
from tests.p2p.test_node import Onlooker, party
from tests.table.tables import Tables

pytestmark = pytest.mark.sockets


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
                if driver.table.record.phase is not Phase.CLOSING:
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
                again.resume(match)
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

    run(deed(), 60)


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


def test_only_who_sat_there_is_answered_and_not_too_often(ended: tuple[Tables, Journal]) -> None:
    tables, journal = ended
    past, table, who = Past(journal), tables.roster.table_id, tables.clients[0].identity
    stranger = Identity(bytes(32))
    assert past.answer(stranger.public, asked(stranger, table), 10.0) is None
    assert past.answer(who.public, asked(who, bytes(32)), 10.0) is None
    assert past.answer(who.public, asked(who, table, Chat(1, "hello")), 10.0) is None
    assert past.answer(who.public, b"nonsense", 10.0) is None
    assert past.answer(who.public, asked(who, table), 10.0) == b"page"
    assert past.answer(who.public, asked(who, table), 10.0 + ANSWER_EVERY_S / 2) is None
    assert past.answer(who.public, asked(who, table), 10.0 + ANSWER_EVERY_S) == b"page"


def test_so_many_tombstones_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.journal.MAX_TOMBSTONES", 2)
    journal = Journal.open(tmp_path / "journal.sqlite")
    for number in range(4):
        journal.begin_match(bytes([number]), b"roster", role="host", created=1.0, seats={})
        journal.finish(bytes([number]), {}, at=float(number), tombstone=b"page")
    kept: list[Any] = [journal.tombstone(bytes([number])) for number in range(4)]
    assert kept == [None, None, (b"roster", b"page"), (b"roster", b"page")]
