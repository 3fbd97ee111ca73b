"""Who announces a running match, and who only says so; with real links."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from p2p.announcements import Sighting
from p2p.errors import LinkLost
from p2p.introductions import Introductions, introduced
from p2p.mesh import Mesh
from p2p.node import Node
from p2p.ports import native_ports
from p2p.presence import announcement_of
from p2p.watcher import Watcher
from protocol.identity import Identity
from protocol.table.roster import TableOptions
from tests.p2p.aio import run, until
from tests.p2p.test_node import party

pytestmark = pytest.mark.sockets
PAUSED = TableOptions(pause=600_000, grace=0)


def sighting(node: Node, port: int | None = None, key: bytes | None = None) -> Sighting:
    """What this seat announces, or somebody who says the same at another port or with another key."""
    said = announcement_of(node)
    assert said is not None
    if key is not None:
        said["key"] = key.hex()
    return Sighting(f"{port}{key!r}", (("127.0.0.1", node.mesh.port if port is None else port),), said)


@pytest.mark.slow
def test_a_seat_proves_itself_and_a_stranger_who_shows_the_same_does_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(PAUSED)
            mia = friends.nodes[0]
            await until(lambda: "roster" in mia.mesh.fields)
            stranger = Mesh(
                native_ports().links(os.urandom(32)),
                mia.mesh.fields,
                lambda *_: None,
                lambda _: None,
                on_stranger=lambda *_: None,
            )
            port = await stranger.listen(0, ("127.0.0.1", ""))
            false = [sighting(mia, port, stranger.key), sighting(mia, port), sighting(mia, None, stranger.key)]
            honest = [sighting(node) for node in friends.nodes]
            known = Introductions()
            assert [known.proved(each) for each in (*honest, *false)] == [None] * 5
            known.look([*honest, *false])
            await known.settled()
            assert [known.proved(each) for each in (*honest, *false)] == [True] * 2 + [False] * 3
            await known.close()
            await stranger.close()

    run(scene())


def test_where_nobody_answers_nothing_is_known() -> None:
    claim = {"state": "playing", "id": "00" * 32, "key": "0" * 64}
    assert run(introduced(Sighting("x", (("127.0.0.1", 1),), claim)), 20) is None
    assert Introductions().proved(Sighting("x", (), {**claim, "key": "0"})) is False


@pytest.mark.slow
def test_another_match_than_the_chosen_one_is_not_watched(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(PAUSED)
            driver = friends.driver(0)
            await until(lambda: driver.saved > 0)
            address = ("127.0.0.1", friends.nodes[0].mesh.port)
            for wanted, is_it in ((driver.match.hex(), True), ("00" * 32, False)):
                watcher = Watcher(Identity(os.urandom(32)))
                await watcher.watch([address], wanted)
                assert (await watcher.scenes.get() is not None) == is_it
                assert isinstance(watcher.reason, LinkLost) != is_it
                await watcher.close()

    run(scene())


def test_calls_are_few_at_a_time_and_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.introductions.MOST", 8)
    open_now, most, calls = 0, 0, 0

    async def call(_: Sighting) -> bool:
        nonlocal open_now, most, calls
        open_now, calls = open_now + 1, calls + 1
        most = max(most, open_now)
        await asyncio.sleep(0)
        open_now -= 1
        return False

    monkeypatch.setattr("p2p.introductions.introduced", call)

    async def scene() -> None:
        known = Introductions()
        claims = [Sighting(f"s{n}", (), {"state": "playing", "id": "t", "key": f"{n:064x}"}) for n in range(30)]
        for _ in range(3):
            known.look(claims)
            known.look(claims)
            await known.settled()
        assert most <= 4
        assert calls <= 8 * 3
        assert len(known._answers) == 8
        known.look(claims[-1:])
        await known.close()

    run(scene())
