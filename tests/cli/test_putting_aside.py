"""A match that waits for somebody is put aside: it is kept, something else is played, and later it goes on."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from cli.client.aside import aside_here, put_aside, put_table_aside
from cli.client.evening import evening_of, tonight
from cli.client.remembered import remembered
from cli.client.returning import resume
from cli.client.session import Session
from cli.news import Moved, RoundBegan
from cli.text import Translator
from cli.view.results import tally_line
from p2p.journal import Journal
from tests.cli.test_tabling import at_table, driver_of, opened

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("toy_programs")]


async def until_it_goes_on(client: Session) -> None:
    """A bot has moved, or we may."""
    while not client.seat.legal():
        if isinstance(await client.seat.news.get(), Moved):
            return


@pytest.mark.slow
def test_from_an_old_match_to_another_and_back(tmp_path: Path) -> None:
    async def run() -> bytes:
        async with at_table(tmp_path):
            pass
        async with opened(tmp_path) as client:
            old = client.unfinished
            assert old is not None
            put_aside(client, old)
            assert client.unfinished is None
            await client.host(2)
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            new = driver_of(client).match
            assert [match.id for match in aside_here(client.node)] == [new, old.id]
        async with opened(tmp_path) as client:
            other = client.unfinished
            assert other is not None and other.id == new
            assert await resume(client, old)
            await until_it_goes_on(client)
            assert [match.id for match in client.node.aside()] == [new]
            return old.id

    old = asyncio.run(run())
    known = remembered(tmp_path)
    assert known.unfinished is not None and known.unfinished.match == old.hex()
    assert len(known.aside) == 1 and known.aside[0].match != old.hex()


@pytest.mark.slow
def test_from_the_table_into_the_room_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with at_table(tmp_path) as client:
            old = driver_of(client).match
            room = client.node.waiting_room.room
            assert room is not None
            assert await put_table_aside(client)
            assert client.seat.driver is None and client.node.waiting_room.room is not None
            client.node.waiting_room.ready()
            while not isinstance(await client.seat.news.get(), RoundBegan):
                pass
            assert driver_of(client).match != old
            played = tonight(evening_of(tmp_path, time.time(), room.id.hex()))
            assert played.standings == () and [each.status for each in played.aside] == ["aside"]
        async with opened(tmp_path) as client:
            found = next(match for match in client.node.aside() if match.id == old)
            assert await resume(client, found)
            await until_it_goes_on(client)

    asyncio.run(run())


def test_the_tally_says_what_is_unfinished_and_who_left(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    result = {"game": "mau-mau", "names": ["Mia", "Jonas"], "keys": ["a", "b"], "scores": [3, 4], "left": ["Jonas"]}
    journal.begin_match(b"m" * 32, b"roster", role="host", created=1.0, seats={}, meta={"room": "aa"})
    journal.put_aside(b"m" * 32, json.loads(json.dumps(result)), at=2.0)
    journal.commit()
    journal.close()
    assert tally_line(Translator(), tonight(evening_of(tmp_path, 3.0, "aa"))) == "Unfinished: Mau-Mau (Jonas left)"
