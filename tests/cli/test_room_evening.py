"""Whoever comes later hears how the evening stands, and believes it once the files are checked; with real links."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.client.evening import evening_of
from cli.client.evening_answers import told_of
from cli.client.outcome import result_of
from cli.client.results import finished_matches
from cli.client.room_evening import Claim, RoomEvening
from cli.news import Tonight
from p2p import bot_driver
from p2p.errors import DiskFull
from p2p.node import Node
from p2p.room.tally import FilePart, ToldTally
from protocol.room.statements import FILE_PART_BYTES
from protocol.room.values import Room
from tests.adversaries.declared import By, attack
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Noted, Party, party

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.usefixtures("verified_once", "toy_programs", "hurried"),
]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.client.room_evening.ASK_AFTER_S", (0.05,))
    monkeypatch.setattr("cli.client.evening_files.HOST_EVERY_S", 0.01)
    monkeypatch.setattr("cli.client.evening_files.MEMBER_EVERY_S", 0.01)


class Heard(RoomEvening):
    """Counts the parts of files that come."""

    parts: int = 0

    def received(self, key: bytes, part: FilePart) -> None:
        self.parts += 1
        super().received(key, part)


class Listening(Noted):
    """Tells the evening, and hears it."""

    evening: Heard | None = None

    @property
    def listener(self) -> Heard | None:
        return self.evening

    def on_room(self, room: Room) -> None:
        if self.evening is not None:
            self.evening.look(room)


def evening(friends: Party, name: str) -> Heard:
    owner = friends.owners[name]
    assert isinstance(owner, Listening) and owner.evening is not None
    return owner.evening


def listen(friends: Party, name: str) -> None:
    node, owner = friends[name], Listening()
    owner.evening = Heard(node)
    node.owner = friends.owners[name] = owner
    node.waiting_room._owner = node.waiting_room.evening._owner = owner


async def play_here(*nodes: Node) -> None:
    """Play the match that runs here to its end, and keep it as clients do."""
    drivers = [node.driver for node in nodes if node.driver is not None]
    await asyncio.gather(*(bot_driver.play(each, nodes[0].workers) for each in drivers))
    for node, driver in zip(nodes, drivers, strict=True):
        driver.finish(time.time(), result_of(driver, "Kitchen"), "finished")
        node.release(False)


@asynccontextmanager
async def after_a_match(folder: Path, *later: str) -> AsyncIterator[Party]:
    """Mia and Jonas have played a match."""
    async with party(folder, "Mia", "Jonas", later=later, most=2) as friends:
        for name in friends.nodes:
            listen(friends, name)
        for name in ("Mia", "Jonas"):
            friends[name].waiting_room.ready()
        await until(lambda: all(friends[name].driver is not None for name in ("Mia", "Jonas")))
        await play_here(friends["Mia"], friends["Jonas"])
        await until(lambda: not friends.room("Mia").is_playing)
        yield friends
        for name in friends.nodes:
            evening(friends, name).close()


async def stands(friends: Party, name: str) -> Tonight:
    return await evening(friends, name).tonight()


async def until_stands(friends: Party, name: str, by: str | None) -> Tonight:
    """How the evening stands as soon as somebody says so (`by`), or it is checked (empty)."""
    async with asyncio.timeout(60):
        while not (now := await stands(friends, name)).standings or (by is not None and now.by != by):
            await asyncio.sleep(0.02)
    return now


def test_a_latecomer_hears_the_tally_and_has_it_checked(tmp_path: Path) -> None:
    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            theirs = await stands(friends, "Mia")
            assert not theirs.by and {each.name for each in theirs.standings} == {"Mia", "Jonas"}
            heard: list[str] = []

            def changed() -> None:
                claim = evening(friends, "Kim")._claim
                heard.append(claim.name if claim is not None else "")

            evening(friends, "Kim").on_change = changed
            await friends.come("Kim")
            checked = await until_stands(friends, "Kim", "")
            assert heard[0] == "Mia", "first it is what somebody says"
            assert checked == theirs
            home = friends["Kim"].home.path
            (match,) = evening_of(home, time.time(), friends.room("Kim").id.hex())
            assert (
                Path(match.path).read_bytes()
                == Path(finished_matches(friends["Mia"].home.path, 9)[0].path).read_bytes()
            )
            assert not finished_matches(home, 9), "it is no match that Kim played"

    run(deed())


def test_whoever_told_it_is_named_while_nobody_else_who_signed_is_here(tmp_path: Path) -> None:
    """Mia alone could have invented the match."""

    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            await friends.close("Jonas")
            await until(lambda: friends.names("Mia") == ["Mia"])
            await friends.come("Kim")
            said = await until_stands(friends, "Kim", "Mia")
            assert {each.name for each in said.standings} == {"Mia", "Jonas"}
            task = evening(friends, "Kim")._asking
            assert task is not None
            await task
            assert evening(friends, "Kim").parts and (await stands(friends, "Kim")).by == "Mia"
            assert not friends["Kim"].journal.finished()

    run(deed())


def test_a_match_that_cannot_be_kept_stays_what_somebody_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise DiskFull("the disk is too full to write {path}: free up some space, then start again", path=tmp_path)

    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            await friends.come("Kim")
            monkeypatch.setattr("cli.client.room_evening.keep", full)
            said = await until_stands(friends, "Kim", "Mia")
            task = evening(friends, "Kim")._asking
            assert task is not None
            await task
            assert evening(friends, "Kim").parts and await stands(friends, "Kim") == said

    run(deed())


@attack(
    By.ROOM,
    "Somebody tells a latecomer about victories that nobody has won, and sends a forged file of the match.",
    "As soon as the file is checked, by the latecomer’s computer: none of it is kept or shown any more.",
)
@pytest.mark.parametrize("is_other", [False, True], ids=["a changed file", "the file of another match"])
def test_a_tally_that_its_files_do_not_prove_is_not_kept(tmp_path: Path, is_other: bool) -> None:
    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            (match,) = finished_matches(friends["Mia"].home.path, 9)
            path = Path(match.path)
            if is_other:
                other = Path(__file__).parents[1] / "vectors" / "matches" / "left-by-one-of-two.match"
                path.write_bytes(other.read_bytes())
            else:
                data = bytearray(path.read_bytes())
                data[len(data) // 2] ^= 1
                path.write_bytes(bytes(data))
            await friends.come("Kim")
            task = evening(friends, "Kim")
            await until(lambda: task._asking is not None and task._asking.done())
            assert await stands(friends, "Kim") == Tonight()
            assert not friends["Kim"].journal.finished()

    run(deed())


@attack(
    By.ROOM,
    "Somebody tells a latecomer about a match from another evening or another room, and sends its genuine file.",
    "Nobody needs to notice: it counts only if somebody else who played it says that it was played here this evening.",
)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["another evening", "another room"])
def test_a_true_file_of_another_evening_does_not_count(tmp_path: Path, elsewhere: bool) -> None:
    """Mia lies about the evening, Jonas does not."""

    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            (match,) = finished_matches(friends["Jonas"].home.path, 9)
            journal = friends["Jonas"].journal
            if elsewhere:
                journal.set_meta(match.id, room="00" * 16)
            else:
                result = journal.match(match.id).result
                assert result is not None
                journal.finish(match.id, result, at=time.time() - 7 * 24 * 3600)
            journal.commit()
            await friends.come("Kim")
            task = evening(friends, "Kim")
            await until(lambda: task._asking is not None and task._asking.done(), 60)
            assert (await stands(friends, "Kim")).by == "Mia", "it stays what she says"
            assert task.parts and not friends["Kim"].journal.finished()

    run(deed())


@attack(
    By.ROOM,
    "Somebody sends a tally, or parts of files, that nobody asked for, to fill the memory or to be believed.",
    "At once, by the computer that gets them: they are dropped.",
)
def test_what_nobody_asked_for_is_dropped(tmp_path: Path) -> None:
    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            await friends.come("Kim")
            await until_stands(friends, "Kim", "")
            kim, key = evening(friends, "Kim"), friends.key("Jonas")
            told = told_of(finished_matches(friends["Mia"].home.path, 9))
            kim.told(key, told)
            for offset in range(100):
                kim.received(key, FilePart(bytes(32), offset, 1 << 20, bytes(FILE_PART_BYTES)))
            assert kim._files._parts.empty() and not (await stands(friends, "Kim")).by

    run(deed())


def test_files_of_other_rooms_are_not_sent(tmp_path: Path) -> None:
    async def deed() -> None:
        async with after_a_match(tmp_path) as friends:
            (match,) = finished_matches(friends["Mia"].home.path, 9)
            mia = evening(friends, "Mia")
            assert mia._answers._path_of(match.id) is not None
            friends["Mia"].journal.set_meta(match.id, room="00" * 16)
            assert mia._answers._path_of(match.id) is None and mia._answers._path_of(bytes(32)) is None

    run(deed())


def test_a_check_ends_with_whoever_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody may send a file that takes minutes to check: the program would not end before."""
    began, ended = threading.Event(), threading.Event()

    def slow(data: bytes, rng: object, progress: Callable[[int, int], None]) -> None:
        began.set()
        try:
            while True:
                progress(0, 1)
                time.sleep(0.001)
        finally:
            ended.set()

    async def deed() -> None:
        async with after_a_match(tmp_path, "Kim") as friends:
            monkeypatch.setattr("cli.client.evening_files.followed", slow)
            await friends.come("Kim")
            await until(began.is_set)
            evening(friends, "Kim").close()
            await until(ended.is_set, 10)

    run(deed())


@attack(
    By.ROOM,
    "Somebody tells a latecomer about many matches that they have invented and signed themselves, so that"
    " the latecomer’s computer checks them all.",
    "After two minutes of useless checking, by the latecomer’s computer: it checks no more in that room.",
)
def test_matches_that_count_for_nothing_are_checked_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.client.room_evening.IN_VAIN_S", 0.0)
    seen = list[bytes]()

    def checked(data: bytes, match: bytes, _is_given_up: object) -> object:
        seen.append(match)
        time.sleep(0.001)
        return SimpleNamespace(is_signed_by=lambda _key: False)

    def match_of(match: bytes) -> None:
        raise KeyError(match)

    async def nothing(*_args: object) -> dict[bytes, ToldTally]:
        return {}

    async def fetched(*_args: object) -> bytes:
        return b"a file"

    async def deed() -> None:
        room, me = SimpleNamespace(members=(), id=bytes(16)), SimpleNamespace(public=b"me")
        node: Any = SimpleNamespace(
            waiting_room=SimpleNamespace(room=room),
            journal=SimpleNamespace(match=match_of),
            identity=me,
            mesh=None,
        )
        here = RoomEvening(node)
        monkeypatch.setattr(here, "_told_by_all", nothing)
        monkeypatch.setattr(here._files, "fetch", fetched)
        monkeypatch.setattr("cli.client.room_evening.checked", checked)
        matches = tuple((bytes([number]) * 32, 1) for number in range(5))
        await here._fetch_all(Claim(b"liar", "Liar", ToldTally(matches, ())))
        assert len(seen) == 1

    run(deed())
