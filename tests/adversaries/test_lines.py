"""Somebody in the room or at the table has lines of every kind shown on the others' screens, as fast as it can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count, cycle, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli import news
from cli.client.room_evening import RoomEvening
from cli.client.seat import LiveSeat
from cli.client.table_news import TableNews
from p2p.budgets import LINES, SEEN, Bucket
from p2p.node import Node
from p2p.room.offers import SeatOffer
from p2p.troubles import Trouble
from protocol.messages import Opinion, WishOn
from protocol.room.refusals import RoomRefusal
from protocol.room.values import Guest, Room
from protocol.table import events
from protocol.table.options import TableOptions
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import NAMES, hears, says
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Noted, Party, party

TIMES = 200
A_FEW = LINES.burst + 1
THEY_DO = "Nobody needs to notice: of each kind of line, a few are shown of one player, and then the last."


class Listening(Noted):
    """Counts what a person would be told."""

    offers: list[SeatOffer | None]
    declined: int = 0

    def on_offer(self, offer: SeatOffer | None) -> None:
        self.offers.append(offer)

    def on_declined(self, key: bytes, reason: RoomRefusal) -> None:
        self.declined += 1


def listen(friends: Party, name: str) -> Listening:
    owner = Listening()
    owner.offers = []
    waiting_room = friends[name].waiting_room
    waiting_room._owner = waiting_room._offered._owner = waiting_room.sealing._owner = owner
    return owner


def is_played(lena: Node, by: Node) -> tuple[Any, bytes]:
    """The room shows a match of two who are not Lena; return its roster and id."""
    room = lena.waiting_room.room
    assert room is not None
    players = [replace(each, playing=True) for each in room.members if each.key != lena.identity.public]
    roster = room.roster(bytes(16), players)
    members = tuple(each for each in room.members if each.key == lena.identity.public)
    lena.waiting_room._place.room = replace(room, members=(*players, *members), match=roster.table_id)
    return roster, by.identity.public


def offers(author: Node, lena: Node) -> Iterator[bytes]:
    roster, _ = is_played(lena, author)
    said = {"seat": 0, "name": "Ada", "points": 0, "bot": True}
    for epoch in count(1):
        yield says(author, lena, "offer", roster=roster.encode(), epoch=epoch, **said)
        yield says(author, lena, "offer", roster=b"", epoch=0, **(said | {"bot": False}))


def refusals(author: Node, lena: Node) -> Iterator[bytes]:
    return (says(author, lena, "refused", code="seat", fields={}) for _ in count())


def rosters(author: Node, lena: Node) -> Iterator[bytes]:
    roster, _ = is_played(lena, author)
    return (says(author, lena, "roster", roster=roster.encode()) for _ in count())


@attack(
    By.ROOM,
    "A player, or the host, makes lines appear for everybody waiting in the room, as fast as it can: "
    "seats that are offered and withdrawn, refusals, lists of players that cannot be signed.",
    THEY_DO,
)
@pytest.mark.sockets
@pytest.mark.parametrize(("flood", "of"), [(offers, "Jonas"), (refusals, "Mia"), (rosters, "Mia")])
def test_a_few_lines_of_what_others_say_in_the_room_are_shown(
    flood: Callable[[Node, Node], Iterator[bytes]], of: str, tmp_path: Path
) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            author, lena, owner = friends[of], friends["Lena"], listen(friends, "Lena")
            for data in islice(flood(author, lena), TIMES):
                hears(lena, author, data)
            told = len(owner.offers) + len(owner.not_done) + owner.declined
            assert LINES.burst <= told <= A_FEW

    run(deed())


@attack(
    By.ROOM,
    "A player keeps saying that no seat is free, so that nobody takes the one that another player offers.",
    "Nobody needs to notice: only the player who made an offer can withdraw it.",
)
@pytest.mark.sockets
def test_what_one_player_offers_no_other_takes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena, owner = *(friends[name] for name in NAMES), listen(friends, "Lena")
            offered, gone = islice(offers(mia, lena), 2)
            none = list(islice(offers(jonas, lena), 2))[1]
            hears(lena, mia, offered)
            hears(lena, jonas, none)
            assert lena.waiting_room.offer is not None and owner.offers == [lena.waiting_room.offer]
            monkeypatch.setattr(
                lena.waiting_room._offered, "_telling", Bucket(replace(LINES, per_s=100.0, burst=0.0), 0.0)
            )
            lena.waiting_room._offered._telling.spend(1, asyncio.get_running_loop().time())
            hears(lena, mia, gone)
            assert lena.waiting_room.offer is None
            await until(lambda: owner.offers[-1] is None)

    run(deed())


def shown(number: int) -> Room:
    key = bytes([1]) * 32
    guest = Guest(key, f"Mia {number}", key, False, bytes(32))
    return Room(bytes(16), key, "Kitchen", "crazy-eights", 1, {}, TableOptions(), (guest,), (key, b""), number=number)


@attack(
    By.ROOM,
    "The host keeps showing a different room, as fast as it can: people come and go, are ready and not "
    "ready, and change seats.",
    "Nobody needs to notice: a few of its changes a second are shown, and then the last one.",
)
def test_of_a_room_that_changes_without_end_a_few_changes_are_shown() -> None:
    async def deed() -> None:
        seat, seen = LiveSeat(), list[int]()
        seat.on_room_change = lambda room: seen.append(room.number)
        for number in range(TIMES):
            seat.on_room(shown(number))
        assert SEEN.burst <= len(seen) <= SEEN.burst + 1 and seat.room == shown(TIMES - 1)
        await until(lambda: seen[-1] == TIMES - 1)

    run(deed())


def test_how_the_evening_stands_is_asked_a_few_times() -> None:
    async def deed() -> None:
        def unknown(_match: bytes) -> None:
            raise KeyError

        node: Any = SimpleNamespace(journal=SimpleNamespace(match=unknown))
        evening, asked = RoomEvening(node), list[float]()

        async def ask(delay_s: float) -> None:
            asked.append(delay_s)

        evening._ask = ask  # type: ignore[method-assign]
        room = shown(0)
        playing = replace(room, members=tuple(replace(each, playing=True) for each in room.members))
        for _ in range(TIMES):
            evening.look(playing)
            evening.look(room)
            await asyncio.sleep(0)
        assert LINES.burst <= asked.count(0) <= A_FEW and len(asked) >= TIMES, "the last one asks, a little later"

    run(deed())


def test_of_many_computers_that_cost_too_much_a_few_are_named() -> None:
    async def deed() -> None:
        seat, told = LiveSeat(), list[str]()
        seat.on_disturbed = told.append
        for number in range(TIMES):
            seat.on_trouble(Trouble(f"192.0.2.{number}", "full"))
        assert LINES.burst <= len(told) <= A_FEW

    run(deed())


def a_table(now: Callable[[], float]) -> tuple[Any, Any]:
    """What a table tells the player of seat 0, and the table."""
    record = SimpleNamespace(
        seed=b"seed", is_over=False, present=(0, 1, 2), wishes={}, broken=None, key=lambda seat: seat
    )
    told: Any = TableNews(now, asyncio.Event(), SimpleNamespace(slept_s=lambda: 0.0))  # type: ignore[arg-type]
    table = SimpleNamespace(record=record, seat=0, is_present=True, caught_up=lambda _now: None)
    told.driver = SimpleNamespace(table=table)
    return told, table


def lines_of(told: Any, kind: type) -> int:
    return sum(isinstance(told.queue.get_nowait(), kind) for _ in range(told.queue.qsize()))


@attack(
    By.PLAYER,
    "A player changes their vote to play on, or the help that their own program gives, as fast as it can;"
    " or unknown people enter the room and ask for a bot’s seat.",
    THEY_DO,
)
@pytest.mark.parametrize("kind", [news.VotedOn, news.HintsChanged, news.SeatWanted])
def test_a_few_lines_of_what_others_say_at_the_table_are_shown(kind: type) -> None:
    async def deed() -> None:
        now = [1000.0]
        told, table = a_table(lambda: now[0])
        vote = SimpleNamespace(message=WishOn(1, 0, int(Opinion.FOR)))
        levels = cycle([1, 0])
        for number in range(TIMES):
            match kind:
                case news.VotedOn:
                    table.record.wishes = {} if number % 2 else {(1, 0): vote}
                    told.receive(told.driver, ())
                case news.HintsChanged:
                    told.receive(told.driver, (events.HintsChanged({1: next(levels)}),))
                case _:
                    told.receive(told.driver, (events.SeatWanted(1, number.to_bytes(32, "big"), f"Kim {number}"),))
        assert LINES.burst <= lines_of(told, kind) <= A_FEW
        now[0] += 2 / LINES.per_s
        table.record.wishes = {(1, 0): vote}
        told.receive(told.driver, (events.HintsChanged({1: 2}), events.SeatWanted(1, bytes([9]) * 32, "Kim")))
        assert lines_of(told, kind) == 1

    run(deed())
