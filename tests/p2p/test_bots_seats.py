"""Whoever comes into a room while somebody plays there with bots takes over a bot's seat; with real links."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from p2p import bot_driver
from p2p.home import open_home
from p2p.node import Node
from p2p.room.offers import SeatOffer
from p2p.settings import NodeSettings
from p2p.transcripts import read_transcript
from protocol.table.record import Phase, Record
from tests.p2p.aio import LOOPBACK, run, until
from tests.p2p.test_rooms import Noted, Party, party

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("verified_once", "toy_programs")]


@asynccontextmanager
async def with_bots(folder: Path, *later: str, rounds: int = 4) -> AsyncIterator[Party]:
    """Mia plays with two bots of her computer, and the first round is under way; nobody moves yet."""
    async with party(folder, "Mia", later=later, most=3, rounds=rounds) as friends, AsyncExitStack() as stack:
        mia = friends["Mia"]
        for name in ("Bot Ada", "Bot Emmy"):
            home = stack.enter_context(open_home(folder / name))
            settings = NodeSettings(name, bot=True, keeper=mia.identity.public, hosts=LOOPBACK, auto_ready=True)
            friends.owners[name] = Noted()
            friends.nodes[name] = Node(home, settings, friends.owners[name], mia.workers)
            mia.settings.bots.add(friends.key(name))
            await friends.nodes[name].open()
            stack.push_async_callback(friends.nodes[name].close)
            await friends.come(name)
        mia.waiting_room.ready()
        await until(lambda: all(friends[n].driver is not None for n in ("Mia", "Bot Ada", "Bot Emmy")))
        await until(lambda: record_of(friends, "Mia").round is not None)
        yield friends


def sits(friends: Party, name: str) -> bool:
    driver = friends[name].driver
    return driver is not None and driver.table.is_present


def record_of(friends: Party, name: str) -> Record:
    driver = friends[name].driver
    assert driver is not None
    return driver.table.record


def let_play(friends: Party, name: str, pace_s: float = 0.0) -> None:
    """A computer plays for this person from now on."""
    node = friends[name]
    assert node.driver is not None
    node._bot_task = asyncio.create_task(bot_driver.play(node.driver, node.workers, pace_s))


async def who_would_sit(friends: Party, name: str) -> tuple[Node, SeatOffer]:
    """Somebody comes, and takes the seat that is offered; Mia has heard of it."""
    await friends.come(name)
    node = friends[name]
    await until(lambda: node.waiting_room.offer is not None)
    offer = node.waiting_room.offer
    assert offer is not None
    node.seat_taking.take(offer.roster, offer.epoch, offer.seat)
    await until(lambda: record_of(friends, "Mia").offers)
    return node, offer


@pytest.mark.slow
def test_who_comes_while_somebody_plays_with_bots_takes_over_the_seat_of_one(tmp_path: Path) -> None:
    async def deed() -> None:
        async with with_bots(tmp_path, "Kim") as friends:
            _kim, offer = await who_would_sit(friends, "Kim")
            assert offer.is_bots and offer.name.startswith("Bot ")
            let_play(friends, "Mia")
            await until(lambda: sits(friends, "Kim"))
            let_play(friends, "Kim")
            players = ("Mia", "Bot Ada", "Bot Emmy", "Kim")
            drivers = [friends[name].driver for name in players]
            for driver in drivers:
                assert driver is not None
                await driver.finished.wait()
            records = [record_of(friends, name) for name in players]
            assert all(record.phase is Phase.OVER and not record.ended_short for record in records)
            assert len({record.previous for record in records}) == 1
            assert all(record.key(offer.seat) == friends.key("Kim") for record in records)
            for driver in drivers:
                assert driver is not None
                driver.close()
            files = [read_transcript(driver.transcript_path)[0] for driver in drivers if driver is not None]
            assert all(file == files[0] for file in files)

    run(deed())


@pytest.mark.slow
def test_two_who_come_are_offered_two_bots_seats_and_who_watches_none(tmp_path: Path) -> None:
    async def deed() -> None:
        async with with_bots(tmp_path, "Kim", "Noa", "Ole") as friends:
            await friends.come("Kim", "Noa", "Ole")
            kim, noa = friends["Kim"], friends["Noa"]
            friends["Ole"].waiting_room.play(False)
            await until(lambda: kim.waiting_room.offer is not None and noa.waiting_room.offer is not None)
            first, second = kim.waiting_room.offer, noa.waiting_room.offer
            assert first is not None and second is not None and first.seat == second.seat
            kim.seat_taking.take(first.roster, first.epoch, first.seat)
            await until(lambda: noa.waiting_room.offer is not None and noa.waiting_room.offer.seat != first.seat)
            other = noa.waiting_room.offer
            assert other is not None
            noa.seat_taking.take(other.roster, other.epoch, other.seat)
            await until(lambda: len(record_of(friends, "Mia").offers) == 2)
            assert friends["Ole"].waiting_room.offer is None
            for name in ("Mia", "Kim", "Noa"):  # if only one sits down before the next round, the other does after it
                let_play(friends, name, 0.2)  # whoever waits asks every two seconds how it went on
            for name in ("Kim", "Noa"):
                await until(lambda name=name: sits(friends, name))  # type: ignore[misc]
            record = record_of(friends, "Mia")
            await until(
                lambda: {record.key(first.seat), record.key(other.seat)} == {friends.key("Kim"), friends.key("Noa")}
            )

    run(deed())


@pytest.mark.slow
def test_whoever_is_gone_before_the_round_ends_is_not_waited_for(tmp_path: Path) -> None:
    async def deed() -> None:
        async with with_bots(tmp_path, "Kim", rounds=2) as friends:
            kim, offer = await who_would_sit(friends, "Kim")
            await kim.close("")
            await until(lambda: not record_of(friends, "Mia").offers)
            let_play(friends, "Mia")
            driver = friends["Mia"].driver
            assert driver is not None
            await driver.finished.wait()
            assert driver.table.record.epoch == 0 and driver.table.record.member(offer.seat).bot

    run(deed())


@pytest.mark.slow
def test_whoever_would_sit_down_at_a_table_that_is_gone_is_back_in_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.room.seat_taking.ALONE_S", 0.2)

    async def deed() -> None:
        async with with_bots(tmp_path, "Kim") as friends:
            kim, _offer = await who_would_sit(friends, "Kim")
            for name in ("Bot Ada", "Bot Emmy", "Mia"):
                await friends.close(name)
            await until(lambda: kim.driver is None, 30)
            assert friends.owners["Kim"].lost == 1 and kim.resumable() is None

    run(deed())
