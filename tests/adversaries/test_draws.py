"""A host with a modified client who draws lots until they please: it keeps its own number back, or breaks off a draw that it has
seen, shows the room again without a word about it, and asks for another draw. Over real links."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from p2p.room.hosting import Hosting
from protocol.room.refusals import RoomRefusal
from protocol.room.values import NOBODY
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Party, party

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]
HOST = "Mia"


class Redrawer:
    """The host. `hides`: what it keeps back of its table's messages (`nonce`: its number; `prepare`: it shows its number, and
    breaks off afterwards). `barred`: whom it says to have been silent."""

    def __init__(self, friends: Party, hides: str, barred: Callable[[Party], frozenset[bytes]]) -> None:
        self.friends, self.node, self._barred = friends, friends[HOST], barred
        self.guests = [name for name in friends.nodes if name != HOST]
        self.declined: dict[str, list[str]] = {name: [] for name in self.guests}
        send = self.node.mesh.send

        def hiding(key: bytes, data: bytes) -> bool:
            is_hidden = hides.encode() in data[:24] and not data.startswith(b"\x93\xa1w")
            return True if is_hidden or data.startswith(b"\x94\xa1p") else send(key, data)

        self.node.mesh.send = hiding  # type: ignore[method-assign]  # this is the lie
        for name in self.guests:
            friends.owners[name].on_declined = self._noting(name)  # type: ignore[method-assign, assignment]

    def _noting(self, name: str) -> Callable[[bytes, RoomRefusal], None]:
        def note(key: bytes, reason: RoomRefusal) -> None:
            if key == self.friends.key(name):
                self.declined[name].append(reason.code)

        return note

    @property
    def hosting(self) -> Hosting:
        found = self.node.waiting_room._place.hosting
        assert found is not None
        return found

    async def draw(self) -> None:
        """All are ready, and have shown their numbers: the host knows what was drawn."""
        for name in (HOST, *self.guests):
            self.friends[name].waiting_room.ready()
        await until(lambda: self.friends[HOST].driver is not None)
        await until(self.knows)

    def knows(self) -> bool:
        driver = self.node.driver
        return driver is not None and driver.table.record.phase is not Phase.SEALING

    def all_have_shown(self) -> bool:
        for name in self.guests:
            driver = self.friends[name].driver
            if driver is None or driver.table.record.from_seat(driver.table.seat, "nonce") is None:
                return False
        return True

    async def again(self) -> None:
        """It dislikes the draw, and shows the room as if there had been none."""
        await until(self.all_have_shown)
        room = self.hosting.room
        members = tuple(replace(each, ready=False, playing=False) for each in room.members)
        barred = self._barred(self.friends)
        self.hosting._timers.cancel("sealing")
        self.node.abandon(())
        self.node.waiting_room.entry.renew()
        self.node.waiting_room.sealing._place.timers.cancel("sealing")
        self.hosting.publish(replace(room, members=members, sealing=False, match=NOBODY, torn=0, barred=barred))

    def torn(self, name: str) -> list[tuple[frozenset[bytes], bool, int]]:
        return self.friends.owners[name].torn

    def is_ready(self, name: str) -> bool:
        return self.friends[name].waiting_room.entry.is_ready


def nobody(_friends: Party) -> frozenset[bytes]:
    return frozenset()


def a_victim(friends: Party) -> frozenset[bytes]:
    return frozenset({friends.key("Jonas")})


@asynccontextmanager
async def cheated(
    folder: Path, *guests: str, hides: str = "nonce", barred: Callable[[Party], frozenset[bytes]] = nobody
) -> AsyncIterator[Redrawer]:
    async with party(folder, HOST, *guests, most=len(guests) + 1) as friends:
        yield Redrawer(friends, hides, barred)


@attack(
    By.ROOM,
    "The host repeats the draw of seats until it likes the result: it withholds its own number, or "
    "cancels a complete draw, and shows the room as if nothing had happened, or as if somebody else had "
    "been silent.",
    "At once, by everybody’s computer, which counts broken draws itself, shows them, and asks before it "
    "is ready again. It does not sign the next draw with this host as long as enough other players are "
    "there.",
    "the host, on everybody’s screen; nothing can be proved",
)
@pytest.mark.parametrize("barred", [nobody, a_victim])
@pytest.mark.parametrize("hides", ["nonce", "prepare"])
def test_a_host_does_not_draw_again_until_it_likes_the_draw(
    tmp_path: Path, hides: str, barred: Callable[[Party], frozenset[bytes]]
) -> None:
    async def deed() -> None:
        async with cheated(tmp_path, "Jonas", "Lena", hides=hides, barred=barred) as cheat:
            friends = cheat.friends
            await cheat.draw()
            await cheat.again()
            named = frozenset({friends.key(HOST)}) if hides == "nonce" else frozenset[bytes]()
            for name in cheat.guests:
                await until(lambda name=name: cheat.torn(name))  # type: ignore[misc]
                assert cheat.torn(name) == [(named, True, 1)]
                assert not cheat.is_ready(name), "nobody sits again by itself"
                assert friends[name].driver is None
                assert [each.status for each in friends[name].journal.finished()] == ["torn"]
            cheat.hosting.publish(replace(cheat.hosting.room, barred=frozenset()))
            for name in (HOST, *cheat.guests):
                friends[name].waiting_room.ready()
            await until(lambda: all(cheat.declined.values()))
            assert cheat.declined == {name: ["not-barred"] for name in cheat.guests}
            assert not any(friends[name].driver for name in cheat.guests)

            # it stands aside, and the others play
            friends[HOST].waiting_room.play(False)
            for name in cheat.guests:
                friends[name].waiting_room.ready()
            await until(lambda: all(friends[name].driver is not None for name in cheat.guests))
            for name in cheat.guests:
                driver = friends[name].driver
                assert driver is not None
                assert {each.name for each in driver.table.record.roster.members} == set(cheat.guests)

    run(deed())


@pytest.mark.parametrize("hides", ["nonce", "prepare"])
def test_where_nobody_can_sit_out_broken_draws_are_counted(tmp_path: Path, hides: str) -> None:
    """Two at a game for two: the other one sees how often, and each time has to be ready again."""

    async def deed() -> None:
        async with cheated(tmp_path, "Jonas", hides=hides) as cheat:
            for count in (1, 2, 3):
                await cheat.draw()
                await cheat.again()
                await until(lambda count=count: len(cheat.torn("Jonas")) == count)  # type: ignore[misc]
                assert cheat.torn("Jonas")[-1][1:] == (True, count)
                assert not cheat.is_ready("Jonas")

    run(deed())


@attack(
    By.ROOM,
    "The host makes somebody who has not said they are ready sign the next draw, or any match.",
    "At once, by that player’s computer, which does not sign.",
)
def test_nobody_is_drawn_again_who_is_not_ready(tmp_path: Path) -> None:
    async def deed() -> None:
        async with cheated(tmp_path, "Jonas") as cheat:
            friends = cheat.friends
            await cheat.draw()
            await cheat.again()
            await until(lambda: cheat.torn("Jonas"))
            entry = friends["Jonas"].waiting_room.entry
            await until(lambda: entry.nonce_hash in [each.nonce_hash for each in cheat.hosting.room.members])
            members = tuple(replace(each, ready=True) for each in cheat.hosting.room.members)
            cheat.hosting.room = replace(cheat.hosting.room, members=members)
            cheat.hosting.start()
            await until(lambda: cheat.declined["Jonas"])
            assert cheat.declined["Jonas"] == ["not-ready"] and friends["Jonas"].driver is None

    run(deed())


@attack(
    By.ROOM,
    "When everybody is ready, the host switches to another game or other options and begins at once.",
    "At once, by the players’ computers, which do not sign.",
)
def test_nobody_plays_another_game_than_they_were_ready_for(tmp_path: Path) -> None:
    async def deed() -> None:
        async with cheated(tmp_path, "Jonas") as cheat:
            jonas = cheat.friends["Jonas"].waiting_room
            jonas.ready()
            await until(lambda: "Jonas" in cheat.friends.ready(HOST))
            ready = tuple(replace(each, ready=True) for each in cheat.hosting.room.members)
            cheat.hosting.room = replace(cheat.hosting.room, members=ready, table=TableOptions(time=1000))
            cheat.hosting.start()
            await until(lambda: cheat.declined["Jonas"])
            assert cheat.declined["Jonas"] == ["not-ready"] and cheat.friends["Jonas"].driver is None

    run(deed())


def test_a_host_that_closes_the_room_instead_is_counted_and_barred_too(tmp_path: Path) -> None:
    async def deed() -> None:
        async with cheated(tmp_path, "Jonas", "Lena") as cheat:
            friends = cheat.friends
            await cheat.draw()
            await until(cheat.all_have_shown)
            plan = friends[HOST].driver
            assert plan is not None
            for name in cheat.guests:
                friends[HOST].waiting_room.send(friends.key(name), "close")
            for name in cheat.guests:
                await until(lambda name=name: friends[name].driver is None)  # type: ignore[misc]
                assert cheat.torn(name) == [(frozenset({friends.key(HOST)}), True, 1)]
                assert not cheat.is_ready(name)
                assert friends[name].waiting_room.sealing._barred == {friends.key(HOST)}

    run(deed())


def test_a_draw_that_was_dealt_ends_the_count(tmp_path: Path) -> None:
    async def deed() -> None:
        async with cheated(tmp_path, "Jonas", "Lena", hides="no such kind") as cheat:
            friends = cheat.friends
            for name in cheat.guests:
                friends[name].waiting_room.sealing.torn = 2
                friends[name].waiting_room.sealing._barred = frozenset({bytes(32)})
            for name in (HOST, *cheat.guests):
                friends[name].waiting_room.ready()
            for name in cheat.guests:
                await until(lambda name=name: dealt(friends, name))  # type: ignore[misc]
                assert friends[name].waiting_room.sealing.torn == 0
                assert not friends[name].waiting_room.sealing._barred

    run(deed())


def dealt(friends: Party, name: str) -> bool:
    driver = friends[name].driver
    return driver is not None and driver.table.record.round is not None
