"""Every computer of a room may serve phones: they come in through it, and an open page goes on through another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus

from cli.phones.invitation import read
from p2p.errors import LinkLost, LinkRefused
from p2p.frames import Hello, Timing
from p2p.guests.challenge import Challenge, ChallengeAnswer, GuestRefused, Voucher
from p2p.node import Node
from p2p.room import hosting
from p2p.routes import Route
from protocol.identity import Identity
from protocol.room.values import Guest
from protocol.table.roster import PROTOCOL_VERSION
from tests.p2p.aio import run, until
from tests.phones.pages import Kitchen, kitchen

pytestmark = pytest.mark.sockets


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody loads a page here."""
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)


def entry(at: Node, of: Node) -> Guest | None:
    """How `at` sees `of` in the room."""
    room = at.waiting_room.room
    return room.guest(of.identity.public) if room is not None else None


async def joins(node: Node, host: Node) -> None:
    await node.waiting_room.join([("127.0.0.1", host.mesh.port)])
    await until(lambda: entry(node, node))


async def three(at: Kitchen) -> tuple[Node, Node, Node]:
    """Mia hosts and serves phones; Jonas does, too; Lena's phone plays through Mia's computer."""
    mia = await at.host("Mia")
    jonas = await at.computer("Jonas")
    await joins(jonas, mia)
    lena = await at.phone("Lena", "Mia")
    await until(lambda: entry(jonas, lena) and entry(lena, jonas))
    return mia, jonas, lena


def test_a_phone_comes_in_through_somebody_who_does_not_host(tmp_path: Path) -> None:
    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia = await at.host("Mia", serves=False)
            jonas, ada = await at.computer("Jonas"), await at.computer("Ada", serves=False)
            for each in (jonas, ada):
                await joins(each, mia)
            lena = await at.phone("Lena", "Jonas")
            await until(lambda: entry(lena, lena))
            found = entry(mia, lena)
            assert found is not None and found.phone and found.keeper == jonas.identity.public
            await until(lambda: ada.mesh.route(lena.identity.public) is Route.RELAYED)
            lena.waiting_room.ready()
            await until(lambda: (shown := entry(ada, lena)) is not None and shown.ready)
            assert set(lena.mesh.links) == {jonas.identity.public}, "nobody else serves phones"

    run(play())


def test_why_the_host_does_not_let_a_phone_in_reaches_it_through_its_server(tmp_path: Path) -> None:
    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia, jonas = await at.host("Mia", serves=False), await at.computer("Jonas")
            await joins(jonas, mia)
            address = at.phones["Jonas"].invite()
            lena = await at.phone("Lena", "Jonas", address)
            await until(lambda: entry(mia, lena))
            mia.waiting_room.refuse(lena.identity.public)
            await until(lambda: lena.waiting_room.room is None)
            await lena.waiting_room.join([("127.0.0.1", at.phones["Jonas"].port)])
            assert lena.waiting_room.host is not None
            await until(lambda: lena.waiting_room.host is None)

    run(play())


def test_everybody_hears_who_serves_phones_and_a_phone_links_to_all_of_them(tmp_path: Path) -> None:
    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia, jonas, lena = await three(at)
            for server, name in ((mia, "Mia"), (jonas, "Jonas")):
                port = at.phones[name].port
                await until(lambda: (seen := entry(lena, server)) is not None and seen.serves == port)  # noqa: B023
            await until(lambda: lena.mesh.route(jonas.identity.public) is Route.DIRECT)
            found = entry(jonas, lena)
            assert found is not None and found.keeper == mia.identity.public
            await at.phones["Jonas"].close()
            await until(lambda: (seen := entry(lena, jonas)) is not None and seen.serves == 0)

    run(play())


def test_an_open_page_goes_on_through_another_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "GONE_S", 0.3)
    monkeypatch.setattr("p2p.room.taking_over.GONE_S", 0.3)

    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia, jonas, lena = await three(at)
            await at.phones["Mia"].close()
            await mia.mesh.close("lost")  # as if it had been switched off
            await until(lambda: jonas.waiting_room.is_host and entry(jonas, mia) is None)
            await until(lambda: (seen := entry(jonas, lena)) is not None and seen.keeper == jonas.identity.public)
            await until(lambda: lena.waiting_room.host == jonas.identity.public)
            for number, each in ((1, lena), (2, jonas)):
                each.waiting_room.ready()
                await until(lambda number=number: jonas.driver is not None or _ready(jonas) >= number)  # type: ignore[misc]
            await until(lambda: lena.driver is not None and lena.driver.table.record.seed is not None)

    run(play())


def test_a_screen_that_only_watches_goes_on_through_another_computer(tmp_path: Path) -> None:
    """Others who say that they come from there see nothing."""

    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia, jonas, lena = await three(at)
            for each in (mia, jonas, lena):
                each.waiting_room.ready()
            await until(lambda: mia.driver is not None and mia.driver.table.record.seed is not None)
            await until(lambda: mia.phones.other_servers() and jonas.driver is not None)
            seed = b"t" * 32
            invited, _ = read(at.phones["Mia"].invite().partition("#")[2])
            screen, watches = (
                at.screen("Mia", seed, invited),
                Hello(b"r" * 8, 0, {"v": PROTOCOL_VERSION, "want": "watch"}),
            )
            link = await screen.dial((), watches, expect=None, timing=Timing())
            assert link.peer == mia.identity.public
            await at.phones["Mia"].close()
            await mia.mesh.close("lost")
            again = await screen.dial((), watches, expect=None, timing=Timing())
            assert again.peer == jonas.identity.public
            again.abort("lost")
            assert (await screen.dial((), watches, expect=None, timing=Timing())).peer == jonas.identity.public
            with pytest.raises(LinkLost, match="invitation"):
                await at.screen("Jonas", b"x" * 32, b"").dial((), watches, expect=None, timing=Timing())
            challenge = Challenge(jonas.identity.public, b"n" * 16, at.phones["Jonas"].place)
            stranger = Identity(b"x" * 32)
            for voucher in (Voucher.of(stranger, stranger.public), Voucher.of(mia.identity, screen.public)):
                answer = ChallengeAnswer.to(challenge, stranger, b"p" * 16, b"", voucher)
                with pytest.raises(GuestRefused):
                    await at.phones["Jonas"]._door._admits(challenge, answer, "127.0.0.1")

    run(play())


def test_a_screen_that_only_watches_comes_back_to_a_program_that_was_started_anew(tmp_path: Path) -> None:
    """Its invitation is gone by then, and so is whoever remembered it. What it shows as a code lets nobody in any more."""

    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia = await at.host("Mia")
            invited, _ = read(at.phones["Mia"].invite().partition("#")[2])
            watches, seed, moved = Hello(b"r" * 8, 0, {"v": PROTOCOL_VERSION, "want": "watch"}), b"t" * 32, list[int]()
            screen = at.screen("Mia", seed, invited, on_moved=lambda: moved.append(1))
            kept: list[Voucher] = []
            other = at.screen("Mia", b"o" * 32, invited, on_voucher=kept.append)
            for each in (screen, screen, other):
                with pytest.raises(LinkRefused, match="closed"):
                    await each.dial((), watches, expect=None, timing=Timing())
            assert not moved
            await at.restart_server("Mia", mia)
            again = at.screen("Mia", b"o" * 32, b"", voucher=kept[0])  # its page was loaded anew meanwhile
            for each in (screen, again):
                with pytest.raises(LinkRefused, match="closed"):
                    await each.dial((), watches, expect=None, timing=Timing())
                assert not each.is_unwelcome
            assert moved
            with pytest.raises(LinkLost, match="proof"):  # it is for another key
                await at.screen("Mia", b"x" * 32, b"", voucher=kept[0]).dial((), watches, expect=None, timing=Timing())
            with pytest.raises(LinkRefused, match="closed"):  # it may watch, and no more
                await screen.dial((), Hello(b"r" * 8, 0, {"v": PROTOCOL_VERSION}), expect=None, timing=Timing())

    run(play())


def _ready(node: Node) -> int:
    room = node.waiting_room.room
    return sum(guest.ready for guest in room.members) if room is not None else 0


def test_pages_of_the_room_s_other_servers_may_link_and_no_others(tmp_path: Path) -> None:
    async def play() -> None:
        async with kitchen(tmp_path) as at:
            _mia, jonas, _lena = await three(at)
            place, other = at.phones["Jonas"].place, at.phones["Mia"].port
            assert jonas.phones.origins == {("127.0.0.1", other)}
            for origin in (
                f"https://127.0.0.1:{other}",
                "http://127.0.0.1:1",
                "http://192.0.2.1:80",
                "null",
                "http://[/",
            ):
                with pytest.raises(InvalidStatus):
                    await dial(f"ws://{place}/guest", origin=origin, compression=None)  # type: ignore[arg-type]
            ours = await dial(f"ws://{place}/guest", origin=f"http://127.0.0.1:{other}", compression=None)  # type: ignore[arg-type]
            assert await ours.recv()
            await ours.close()

    run(play())
