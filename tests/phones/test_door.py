"""Phones at the door, over real WebSockets: a guest plays its part on a link like any other; strangers get nothing."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cli.phones import assets, files, invitation
from cli.phones.serving import Phones
from p2p.errors import LinkRefused
from p2p.frames import Hello, Timing
from p2p.guests import limits
from p2p.guests.challenge import Answer, Challenge, GuestRefused, check_welcome
from p2p.guests.streams import streams_over
from p2p.home import open_home
from p2p.links import Link
from p2p.node import Node, Owner
from p2p.opening import open_link
from p2p.room.waiting_room import STATEMENT
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.room.statements import state
from protocol.table.roster import PROTOCOL_VERSION, TableOptions
from tests.adversaries.declared import By, attack
from tests.phones.pages import Carried

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]
LENA = Identity(b"l" * 32)
HERE = ("127.0.0.1", "::1")


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door needs no Pyodide."""
    monkeypatch.setattr("cli.phones.serving._prepare", lambda: None)


@asynccontextmanager
async def kitchen(folder: Path) -> AsyncIterator[tuple[Node, Phones]]:
    """A room with its host, who serves phones."""
    home, workers = open_home(folder), Workers()
    node = Node(home, NodeSettings("Mia", hosts=HERE), Owner(), workers)
    await node.open()
    node.waiting_room.open(TablePlan(load("crazy-eights", 3, {}), "Kitchen", TableOptions()))
    try:
        async with Phones(node, hosts=("127.0.0.1",), port=0) as phones:
            yield node, phones
    finally:
        await node.close()
        workers.close()
        home.close()


async def dialled(phones: Phones, origin: str | None = None) -> ClientConnection:
    place = phones.place
    return await connect(f"ws://{place}/guest", origin=origin or f"http://{place}", compression=None)  # type: ignore[arg-type]


async def sits_down(phones: Phones, secret: bytes, identity: Identity = LENA) -> Link:
    """Open a guest link. Raises GuestRefused."""
    carrier = Carried(await dialled(phones))
    challenge = Challenge.decode(await carrier.receive())
    assert challenge.place == phones.place
    said = Answer.to(challenge, identity, b"p" * 16, secret)
    carrier.send(said.encode())
    check_welcome(await carrier.receive(), challenge, said)
    return await open_link(
        streams_over(carrier),
        lambda: challenge.server,
        identity.public,
        Hello(b"r" * 8, 0, {"v": PROTOCOL_VERSION}),
        is_caller=True,
        peer_host="127.0.0.1",
        expect=challenge.server,
        admit=lambda _key, _hello, _host: None,
        timing=Timing(),
    )


def secret_of(address: str) -> bytes:
    return invitation.read(address.partition("#")[2])[0]


def test_a_guest_is_linked_like_anybody_and_may_come_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            link = await sits_down(phones, secret_of(phones.invite()))
            while LENA.public not in node.mesh.links:
                await asyncio.sleep(0.01)
            assert node.mesh.links[LENA.public].address is None, "nobody can call a phone"
            assert link.hello.fields["table"] == "Kitchen"
            link.start(lambda *_: None)
            link.abort("lost")
            while LENA.public in node.mesh.links:
                await asyncio.sleep(0.01)
            (await sits_down(phones, b"")).abort("lost")

    asyncio.run(run())


@attack(
    By.STRANGER,
    "A stranger opens the phones’ connection without an invitation, or with one that was withdrawn.",
    "At once, by the computer that serves the phones.",
)
def test_without_the_invitation_nobody_comes_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            secret = secret_of(phones.invite())
            for wrong in (b"", b"x" * 16, secret[::-1]):
                with pytest.raises(GuestRefused):
                    await sits_down(phones, wrong)
            phones.uninvite()
            with pytest.raises(GuestRefused):
                await sits_down(phones, secret)
            assert not node.mesh.links

    asyncio.run(run())


@attack(
    By.STRANGER,
    "A web page from elsewhere, open in a friend’s browser, talks to the phones’ server, also by a name that leads to it.",
    "At once, by the computer that serves the phones.",
)
def test_a_page_from_elsewhere_and_another_name_are_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            with pytest.raises(InvalidStatus):
                await dialled(phones, "http://evil.example")
            request = urllib.request.Request(f"http://{phones.place}/", headers={"Host": f"evil.example:{phones.port}"})
            with pytest.raises(urllib.error.HTTPError) as caught:
                await asyncio.to_thread(urllib.request.urlopen, request)
            assert caught.value.code == 403
            caught.value.close()

    asyncio.run(run())


@pytest.mark.parametrize("said", [b"", b"\xc1", b"x" * 5000, "a text"], ids=["empty", "garbage", "long", "text"])
def test_garbage_ends_the_connection_and_costs_nothing(tmp_path: Path, said: bytes | str) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            secret = secret_of(phones.invite())
            socket = await dialled(phones)
            await socket.recv()
            await socket.send(said)
            async for _refusal in socket:
                pass
            assert not node.mesh.links
            (await sits_down(phones, secret)).abort("lost")

    asyncio.run(run())


@attack(
    By.ROOM,
    "A phone that was let in sends as fast as it can.",
    "Within seconds, by the computer that serves it, which cuts it off.",
)
def test_a_guest_that_says_too_much_is_cut(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            link = await sits_down(phones, secret_of(phones.invite()))
            ended = asyncio.Event()
            link.start(lambda *_: None, lambda _link: ended.set())
            for _ in range(3000):
                if not link.send(STATEMENT + b"x" * 200):
                    break
                await asyncio.sleep(0)
            await asyncio.wait_for(ended.wait(), 30)
            assert LENA.public not in node.mesh.links

    asyncio.run(run())


@attack(
    By.STRANGER,
    "Connections to the phones’ page are opened and say nothing.",
    "Nobody needs to notice: there is a limit for each address, and each has five seconds.",
)
def test_connections_that_say_nothing_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PER_HOST", 4)

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            open_ones = [await asyncio.open_connection("127.0.0.1", phones.port) for _ in range(4)]
            reader, writer = await asyncio.open_connection("127.0.0.1", phones.port)
            assert not await asyncio.wait_for(reader.read(), 5)
            writer.close()
            for _, each in open_ones:
                each.close()

    asyncio.run(run())


def test_ten_phones_behind_one_router_are_asked_at_the_same_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            sockets = [await dialled(phones) for _ in range(10)]
            for socket in sockets:
                said = await socket.recv()
                assert isinstance(said, bytes)
                assert Challenge.decode(said).place == phones.place
            for socket in sockets:
                await socket.close()

    asyncio.run(run())


@attack(
    By.ROOM,
    "Somebody says that their client is a phone of the host’s, so that both count as one computer.",
    "At once, by the host, who does not let it sit down.",
)
def test_only_phones_that_the_host_serves_are_its_phones(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            said = {"name": "Lena", "keeper": node.identity.public, "bot": False, "nonce": bytes(32), "phone": True}
            said |= {"playing": False, "plays": True, "ready": False, "serves": 0}
            room = node.waiting_room
            id = room.room.id if room.room is not None else b""
            sits = state(LENA, id, node.identity.public, 1, "sit", **said)
            room.receive(LENA.public, sits)
            assert room.room is not None and room.room.guest(LENA.public) is None
            (await sits_down(phones, secret_of(phones.invite()))).abort("lost")
            room.receive(LENA.public, sits)
            assert room.room.guest(LENA.public) is not None

    asyncio.run(run())


def test_files_are_those_of_the_page_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "version", lambda: "v")
    for path in (
        "/",
        "/phone.js",
        "/worker.js",
        "/style.css",
        "/build.json",
        json.loads(files.build(b"k"))["source"],
    ):
        assert files.answer(path, b"k") is not None, path
    for path in (
        "/index.html",
        "/local.js",
        "/../serving.py",
        "/assets/v/../x",
        "/assets/v/secret",
        "/source/x.zip",
        "",
    ):
        assert files.answer(path, b"k") is None, path
    told = json.loads(files.build(b"k"))
    assert told["server"] == b"k".hex() and {"en", "de", "ja"} == told["words"].keys()
    kind, _data, headers = files.answer("/", b"k") or ("", b"", {})
    assert kind.startswith("text/html") and headers["Cache-Control"] == "no-store"
    policy = headers["Content-Security-Policy"]
    assert "connect-src 'self';" in policy and "script-src 'self';" in policy, "only the worker links to others"
    *_, of_worker = files.answer("/worker.js", b"k") or ({},)
    policy = of_worker["Content-Security-Policy"]
    assert "connect-src 'self' ws:;" in policy and "script-src 'self' 'wasm-unsafe-eval';" in policy


@attack(
    By.STRANGER,
    "Somebody with the invitation for a screen that only watches asks for a seat with it.",
    "At once, by the computer that serves the phones.",
)
def test_with_an_invitation_to_watch_nobody_sits_down(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            phones.invite()
            watching = phones.watching
            with pytest.raises(LinkRefused):
                await sits_down(phones, watching)
            with pytest.raises(LinkRefused):
                await sits_down(phones, b"")
            assert not node.mesh.links and not node.settings.phones

    asyncio.run(run())
