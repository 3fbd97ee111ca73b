"""Phones at the door, over real WebSockets: a guest plays its part on a link like any other; strangers get nothing."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from cli.phones import assets, files
from p2p.errors import LinkRefused
from p2p.frames import PHONES, Hello
from p2p.guests.challenge import Challenge, GuestRefused
from p2p.room.waiting_room import STATEMENT
from protocol.room.statements import state
from tests.adversaries.declared import By, attack
from tests.phones.serving import LENA, dialled, kitchen, secret_of, sits_down

pytestmark = pytest.mark.sockets


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door needs no Pyodide."""
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)


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


def test_a_computer_that_has_left_lets_no_phone_in_though_it_still_serves_the_page(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            secret = secret_of(phones.invite())
            await node.close()
            with pytest.raises(LinkRefused, match="closed"):
                await sits_down(phones, secret)

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
    "A web page from elsewhere, open in a friend’s browser, talks to the phones’ server, or does so "
    "through a name that resolves to it.",
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
    "A phone that was admitted sends as fast as it can.",
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
    "Somebody claims that their client is one of the host’s phones, so that both count as one computer.",
    "At once, by the host, which does not let it sit down.",
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


def test_nothing_is_packed_while_a_phone_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others would wait, too: whoever serves a page plays as well."""
    for each in (files._packed_files, files._packed_bundle):
        each.cache_clear()
    monkeypatch.setattr(assets, "asset", lambda _name: ("text/plain", b"x"))
    monkeypatch.setattr(assets, "version", lambda: "v")
    files.prepare()
    monkeypatch.delattr("gzip.compress")
    for path in ("/phone.js", f"/assets/v/{assets.NAMES[0]}", json.loads(files.build(b"k"))["source"]):
        assert files.answer(path, b"k") is not None, path


@attack(
    By.STRANGER,
    "Somebody uses the invitation for a screen that only watches to ask for a seat.",
    "At once, by the computer that serves the phones.",
)
def test_with_an_invitation_to_watch_nobody_sits_down(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            phones.invite()
            watching = phones.watching
            node.phones.show_address("http://127.0.0.1:1/#secret")
            heard: list[Hello] = []
            with pytest.raises(LinkRefused):
                await sits_down(phones, watching, heard=heard.append)
            assert PHONES not in heard[0].fields and heard[0].fields["table"] == "Kitchen"
            with pytest.raises(LinkRefused):
                await sits_down(phones, b"")
            assert not node.mesh.links and not node.settings.phones

    asyncio.run(run())
