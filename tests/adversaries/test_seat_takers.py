"""Somebody in the room who asks for an empty seat, to be treated as a player, over real links."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from p2p.budgets import Buckets, PeerRank, Rate
from p2p.driver import MAX_FOLLOWER_BYTES, SHOWN_TO_FOLLOWERS, Driver
from p2p.links import Link
from protocol.messages import Ask
from protocol.signed import sign
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import NAMES, hears
from tests.p2p import test_bots_seats, test_seats
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]


@attack(
    By.ROOM,
    "Somebody in the room asks for an empty seat, so that their messages are treated as a player’s.",
    "Nobody needs to notice: until they sit there, they can do what everybody in the room can do.",
)
def test_who_would_take_a_seat_has_a_members_budget_until_it_sits_there(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"]

            def standing() -> PeerRank:
                return mia.mesh.standing(mia.mesh.links[friends.key("Kim")])

            async with test_seats.offered(friends, NAMES[:-1], ("Kim",)):
                offer = kim.waiting_room.offer
                assert offer is not None
                record = test_seats.driver_of(friends, "Mia").table.record
                ask = Ask(1, 1, False, bytes(32))
                asked = sign(kim.identity, record.table, record.epoch, record.epoch_hash, offer.seat, ask).data
                hears(mia, kim, asked)
                assert friends.key("Kim") in test_seats.driver_of(friends, "Mia")._followers
                mia.room_changed()
                assert standing() is PeerRank.MEMBER
                assert record.shown[friends.key("Kim")] == ("Kim", True)
                kim.seat_taking.take(offer.roster, offer.epoch, offer.seat)
            await until(lambda: standing() is PeerRank.SEAT, 60)
            assert not test_seats.driver_of(friends, "Mia")._followers

    run(deed())


@attack(
    By.ROOM,
    "Somebody asks for an empty seat under many keys, to be shown the whole match again and again, and reads nothing.",
    "Nobody needs to notice: each is sent a little at a time, and nothing while it does not read.",
)
def test_who_would_take_a_seat_is_shown_the_match_no_faster_than_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=4, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"].identity
            sent: list[int] = []
            numbers = itertools.count(1)
            async with test_seats.offered(friends, NAMES[:-1], ("Kim",)):
                offer, driver = friends["Kim"].waiting_room.offer, test_seats.driver_of(friends, "Mia")
                assert offer is not None
                record, send = driver.table.record, mia.mesh.send

                def noted(key: bytes, data: bytes) -> bool:
                    sent.extend([len(data)] if key == kim.public else [])
                    return send(key, data)

                def asks() -> None:
                    sent.clear()
                    driver.table._showing._answered.clear()
                    ask = Ask(next(numbers), 1, False, bytes(32))
                    asked = sign(kim, record.table, record.epoch, record.epoch_hash, offer.seat, ask)
                    hears(mia, friends["Kim"], asked.data)

                monkeypatch.setattr(mia.mesh, "send", noted)
                asks()
                await until(lambda: sum(sent) > 10_000)
                monkeypatch.setattr(Link, "queued", MAX_FOLLOWER_BYTES + 1)
                asks()
                await asyncio.sleep(0.2)
                assert not sent
                monkeypatch.undo()
                monkeypatch.setattr(mia.mesh, "send", noted)
                driver._shown_to_followers = Buckets(Rate(1, 1))
                for _ in range(5):
                    asks()
                    await asyncio.sleep(0.05)
                assert not sent, "one page went out before"
                driver._shown_to_followers = Buckets(SHOWN_TO_FOLLOWERS)
                friends["Kim"].seat_taking.take(offer.roster, offer.epoch, offer.seat)

    run(deed())


@attack(
    By.ROOM,
    "Somebody asks for bots’ seats under many keys and never sits down, so that they are offered to nobody else.",
    "Nobody needs to notice: a few seats are kept per computer, for a minute, and once for each key.",
)
@pytest.mark.usefixtures("verified_once", "toy_programs")
def test_a_seat_is_not_kept_for_whoever_asks_for_it_and_does_not_sit_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with test_bots_seats.with_bots(tmp_path, "Kim", "Noa") as friends:
            await friends.come("Kim", "Noa")
            mia, kim, noa = (friends[name] for name in ("Mia", "Kim", "Noa"))
            await until(lambda: noa.waiting_room.offer is not None and kim.waiting_room.offer is not None)
            first, driver = noa.waiting_room.offer, test_seats.driver_of(friends, "Mia")
            assert first is not None
            record, numbers = driver.table.record, itertools.count(1)

            def asks(seat: int) -> None:
                ask = Ask(next(numbers), 1, False, bytes(32))
                asked = sign(kim.identity, record.table, record.epoch, record.epoch_hash, seat, ask)
                hears(mia, kim, asked.data)

            def offered_to_noa(seat: int) -> bool:
                return noa.waiting_room.offer is not None and noa.waiting_room.offer.seat == seat

            other = next(seat for seat in range(record.size) if record.gives_way(seat) and seat != first.seat)
            monkeypatch.setattr("p2p.driver.ASKED_S", 1.0)
            monkeypatch.setattr("p2p.node.ASKED_S", 1.0)
            asks(first.seat)
            await until(lambda: offered_to_noa(other))
            await until(lambda: offered_to_noa(first.seat))
            for seat in (other, first.seat, other, first.seat):
                asks(seat)
                assert not driver.asked_for(friends.key("Noa")), "once for each key"

            monkeypatch.setattr("p2p.driver.ASKED_S", 1000.0)
            driver._kept_for.clear()
            driver._keeping = Buckets(Rate(0.001, 0))
            driver._followers.clear()
            asks(first.seat)
            assert driver.asked_for(friends.key("Noa")) == {first.seat}
            driver._kept_for.clear()
            driver._followers.clear()
            asks(first.seat)
            assert not driver.asked_for(friends.key("Noa")), "as many of one computer"

    run(deed())


def test_who_would_have_taken_a_seat_and_left_is_forgotten(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, "Kim", most=3, bots=True, rounds=9, recovery="off") as friends:
            await test_seats.begin(friends, *NAMES)
            mia, kim = friends["Mia"], friends["Kim"]
            await until(lambda: kim.waiting_room.offer is not None)
            for name in NAMES[:-1]:
                friends[name].stop_bot()
            driver: Driver = test_seats.driver_of(friends, "Mia")
            driver._followers[friends.key("Kim")] = 2
            kim.waiting_room.leave()
            await until(lambda: "Kim" not in friends.names("Mia"))
            await until(lambda: not driver._followers)
            assert mia.driver is driver

    run(deed())
