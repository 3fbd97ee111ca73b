"""An empty seat at a running match is offered to those who wait in the room; with real links."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from p2p import bot_driver
from p2p.driver import Driver
from p2p.node import Node
from p2p.room.offers import SeatOffer, may_take
from p2p.routes import Route
from p2p.transcripts import read_transcript
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.table.record import Phase, Record
from tests.adversaries.declared import By, attack
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Party, party

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("verified_once", "toy_programs")]


def driver_of(friends: Party, name: str) -> Driver:
    found = friends[name].driver
    assert found is not None
    return found


async def begin(friends: Party, *players: str) -> None:
    """These play, and the last of them leaves for good."""
    for name in players:
        await until(lambda name=name: friends[name].driver is not None)  # type: ignore[misc]
    await until(lambda: driver_of(friends, players[0]).table.record.round is not None)
    leaver = driver_of(friends, players[-1])
    leaver.feed(leaver.table.leave)


@asynccontextmanager
async def offered(friends: Party, players: tuple[str, ...], takers: tuple[str, ...]) -> AsyncIterator[None]:
    """The seat stands open to these. From then on the players' bots rest until all who try to take it are heard of, or one of
    them has it, so that a short match is long enough for that."""
    for name in takers:
        await until(lambda name=name: friends[name].waiting_room.offer is not None)  # type: ignore[misc]
    for name in players:
        friends[name].stop_bot()
    yield
    keys = {friends.key(name) for name in takers}
    for name in players:
        await until(partial(_are_heard_of, driver_of(friends, name).table.record, keys), 60)
    for name in players:
        node = friends[name]
        node._bot_task = asyncio.create_task(bot_driver.play(driver_of(friends, name), node.workers))


def _are_heard_of(record: Record, keys: set[bytes]) -> bool:
    return bool(record.newcomers) or keys <= {key for _, key in record.offers}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("crazy-eights", 3), pytest.param("tichu", 4, marks=pytest.mark.soak)])
def test_who_waits_takes_the_seat_of_who_left_for_good_and_plays_on_there(
    tmp_path: Path, game: str, players: int
) -> None:
    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena", "Ada")[:players]
        table: dict[str, Any] = {"rounds": 4 if game == "crazy-eights" else 1, "recovery": "off"}
        async with party(tmp_path, *names, "Kim", most=players, bots=True, game=game, **table) as friends:
            await begin(friends, *names)
            kim = friends["Kim"]
            async with offered(friends, names[:-1], ("Kim",)):
                offer = kim.waiting_room.offer
                assert offer is not None and offer.name == names[-1]
                kim.seat_taking.take(offer.roster, offer.epoch, offer.seat)
                assert kim.waiting_room.offer is None
            seated = [*names[:-1], "Kim"]
            drivers = [driver_of(friends, name) for name in seated]
            for driver in drivers:
                await driver.finished.wait()
            records = [driver.table.record for driver in drivers]
            assert all(record.phase is Phase.OVER and not record.ended_short for record in records)
            assert len({record.previous for record in records}) == 1
            assert all(record.key(offer.seat) == friends.key("Kim") for record in records)
            for driver in drivers:
                driver.close()
            files = [read_transcript(driver.transcript_path)[0] for driver in drivers]
            assert all(file == files[0] for file in files)
            assert friends.room("Mia").guest(friends.key("Kim")).playing  # type: ignore[union-attr]

    run(deed())


def take_what_is_offered(node: Node) -> None:
    """Sit down in the seat that is shown."""
    offer = node.waiting_room.offer
    assert offer is not None
    node.seat_taking.take(offer.roster, offer.epoch, offer.seat)


@pytest.mark.slow
def test_the_seat_is_taken_though_who_gave_it_up_leaves_the_room_meanwhile(tmp_path: Path) -> None:
    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena")
        async with party(tmp_path, *names, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await begin(friends, *names)
            async with offered(friends, names[:-1], ("Kim",)):
                take_what_is_offered(friends["Kim"])
                tables = [driver_of(friends, name).table for name in names[:-1]]
                for table in tables:
                    await until(partial(_are_heard_of, table.record, {friends.key("Kim")}))
                await friends.close("Lena")
                key = friends.key("Lena")
                await until(lambda: all(friends[name].mesh.route(key) is Route.NONE for name in names[:-1]))
            await until(lambda: driver_of(friends, "Kim").table.is_present, 60)

    run(deed())


@pytest.mark.sample
@pytest.mark.parametrize("leaver", ["Lena", "Mia"], ids=["of the host", "of a guest"])
def test_who_comes_later_hears_the_offer_and_who_gave_the_seat_up_does_not(tmp_path: Path, leaver: str) -> None:
    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena")
        async with party(tmp_path, *names, later=("Kim",), most=3, rounds=4, recovery="off") as friends:
            for name in names:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in names))
            records = {name: driver_of(friends, name).table.record for name in names}
            await until(lambda: all(record.round is not None for record in records.values()))
            driver = driver_of(friends, leaver)
            driver.feed(driver.table.leave)
            staying = [name for name in names if name != leaver]
            await until(lambda: all(records[name].epoch == 1 for name in staying))
            friends[leaver].release(False)
            await until(lambda: not friends.room(staying[0]).guest(friends.key(leaver)).playing)  # type: ignore[union-attr]
            await friends.come("Kim")
            await until(lambda: friends["Kim"].waiting_room.offer is not None)
            assert friends[leaver].waiting_room.offer is None

    run(deed())


@pytest.mark.slow
def test_of_two_who_want_one_seat_the_other_is_back_in_the_room(tmp_path: Path) -> None:
    async def deed() -> None:
        names, waiting = ("Mia", "Jonas", "Lena"), ("Kim", "Noa")
        async with party(tmp_path, *names, *waiting, most=3, bots=True, rounds=4, recovery="off") as friends:
            await begin(friends, *names)
            async with offered(friends, names[:-1], waiting):
                for name in waiting:
                    offer = friends[name].waiting_room.offer
                    assert offer is not None
                    friends[name].seat_taking.take(offer.roster, offer.epoch, offer.seat)
            await until(lambda: [friends.owners[name].lost for name in waiting] in ([1, 0], [0, 1]), 60)
            loser = waiting[[friends.owners[name].lost for name in waiting].index(1)]
            assert friends[loser].driver is None and friends[loser].resumable() is None
            await until(lambda: not friends.room("Mia").guest(friends.key(loser)).playing)  # type: ignore[union-attr]

    run(deed())


@pytest.mark.slow
def test_whose_program_ends_while_it_takes_a_seat_comes_back_to_it(tmp_path: Path) -> None:
    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena")
        async with party(tmp_path, *names, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await begin(friends, *names)
            async with offered(friends, names[:-1], ("Kim",)):
                take_what_is_offered(friends["Kim"])
            await until(lambda: driver_of(friends, "Kim").table.is_present, 60)
            await friends.restart("Kim")
            match = friends["Kim"].resumable()
            assert match is not None
            await friends["Kim"].resume(match)
            drivers = [driver_of(friends, name) for name in ("Mia", "Jonas", "Kim")]
            for driver in drivers:
                await driver.finished.wait()
            assert len({driver.table.record.previous for driver in drivers}) == 1

    run(deed())


def test_whoever_still_decides_whether_to_come_back_does_not_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others call all the time: they were sent away each time that they said anything, and told their players so."""

    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena")
        async with party(tmp_path, *names, most=3, bots=True, rounds=1, recovery="off") as friends:
            await until(lambda: all(friends[name].driver is not None for name in names))
            await until(lambda: driver_of(friends, "Mia").table.record.round is not None)
            await friends.restart("Lena")
            lena, mia = friends["Lena"], friends["Mia"].identity.public
            match = lena.resumable()
            assert match is not None
            lena.keep_linked(match)
            sent_away: list[str] = []
            monkeypatch.setattr(lena.mesh, "report", lambda _host, what: sent_away.append(what))
            friends["Mia"].mesh.add_addresses(lena.identity.public, [("127.0.0.1", lena.mesh.port)])
            await until(lambda: mia in lena.mesh.links and lena.mesh.links[mia].has_received)
            link = lena.mesh.links[mia]
            await until(lambda: friends["Mia"].mesh.route(lena.identity.public) is Route.DIRECT)
            assert link.is_open and lena.mesh.links[mia] is link and not sent_away
            lena.keep_linked(None)
            await lena.resume(match)
            for name in names:
                await driver_of(friends, name).finished.wait()

    run(deed())


def test_who_is_in_the_roster_takes_no_seat_as_a_newcomer(tmp_path: Path) -> None:
    """Its client would forget what it has said at this table, and say something else. It goes back to its own seat alone."""

    async def deed() -> None:
        names = ("Mia", "Jonas", "Lena")
        async with party(tmp_path, *names, most=3, rounds=4, recovery="off") as friends:
            for name in names:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in names))
            record, lena = driver_of(friends, "Mia").table.record, friends["Lena"]
            await until(lambda: record.round is not None)
            lena.release(False)
            offer = SeatOffer(record.roster, record.epoch, 1, "Jonas", 0)
            guest = friends.room("Mia").guest(friends.key("Lena"))
            assert guest is not None and not may_take(driver_of(friends, "Mia").table, offer, guest)
            friends["Mia"].waiting_room.show_offer(offer, friends.key("Lena"))
            friends["Mia"].waiting_room.say("said after it")
            await until(lambda: friends.owners["Lena"].said)
            assert lena.waiting_room.offer is None
            with pytest.raises(BadMessage):
                lena.seat_taking.take(offer.roster, offer.epoch, offer.seat)

    run(deed())


@attack(
    By.ROOM,
    "A player who hosts offers a seat in a match that ended long ago, so that its result is forgotten.",
    "At once, by the computer that reads it: the offer is dropped.",
)
def test_nobody_sits_down_at_a_match_that_is_over(tmp_path: Path) -> None:
    async def deed() -> None:
        names = ("Mia", "Jonas")
        async with party(tmp_path, *names, "Kim", most=2, rounds=4) as friends:
            for name in names:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in names))
            record, kim = driver_of(friends, "Mia").table.record, friends["Kim"]
            await until(lambda: record.round is not None and friends.room("Kim").match == record.table)
            offer = SeatOffer(record.roster, record.epoch, 1, "Jonas", 0)
            friends["Mia"].waiting_room.show_offer(offer, friends.key("Kim"))
            await until(lambda: kim.waiting_room.offer == offer)
            friends["Mia"].waiting_room.show_offer(None, friends.key("Kim"))
            await until(lambda: kim.waiting_room.offer is None)
            journal = kim.journal
            journal.begin_match(record.table, record.roster.encode(), role="fetched", created=1.0, seats={})
            journal.finish(record.table, {}, at=2.0)
            friends["Mia"].waiting_room.show_offer(offer, friends.key("Kim"))
            friends["Mia"].waiting_room.say("said after it")
            await until(lambda: friends.owners["Kim"].said)
            assert kim.waiting_room.offer is None and journal.match(record.table).status == "finished"

    run(deed())


def test_whoever_took_a_seat_is_heard_after_the_match_was_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then nobody knows that it has one: it sounds like a stranger, who would be cut off, and named for it."""

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas") as friends:
            mia, cut = friends["Mia"], list[bytes]()
            monkeypatch.setattr(mia.mesh, "cut", lambda key, _reason: cut.append(key))
            newcomer = Identity(bytes([7]) * 32).public
            mia._restored.clear()
            mia._restoring = frozenset({friends.key("Jonas")})
            waiting = mia._on_message(newcomer, b"m")
            mia._restoring = frozenset()
            mia._restored.set()
            assert waiting is not None and not cut
            await waiting
            assert cut == [newcomer], "it is heard, and has no seat"

    run(deed())
