"""What strangers, and phones with a page of their own, cost the computer that serves phones: over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.server import ServerProtocol

from cli.phones.serving import Phones
from p2p.budgets import PeerRank, Rate
from p2p.errors import LinkLost
from p2p.guests.challenge import GuestRefused
from p2p.guests.page_server import MAX_REQUEST_BYTES, PAGE, PageServer
from p2p.guests.wire import STRANGER_SLICE_BYTES
from p2p.links import MAX_UNSEATED_QUEUED_BYTES, Link
from p2p.node import Node
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.adversaries.strangers.flooding import FRIEND, STRANGER
from tests.phones.serving import LENA, dialled, kitchen, secret_of, sits_down

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of one machine, as Linux has"),
]
NEED_NOT = "Nobody needs to notice"


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door needs no Pyodide."""
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)


def memory_mib() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


async def silent(phones: Phones, source: str, host: str) -> ClientConnection | None:
    try:
        return await dialled(phones, source=source, host=host)
    except (OSError, InvalidHandshake):
        return None


async def asks(phones: Phones, path: str, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask for a file, and read nothing."""
    streams = await asyncio.open_connection("127.0.0.1", phones.port, local_addr=(source, 0), limit=1024)
    streams[1].write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{phones.port}\r\n\r\n".encode())
    return streams


async def answered(phones: Phones, path: str, source: str) -> bytes:
    reader, writer = await asks(phones, path, source)
    try:
        return await reader.read()
    except OSError:
        return b""
    finally:
        writer.close()


@attack(
    By.STRANGER,
    "As many connections to the phones’ socket as are admitted are opened over IPv4 and IPv6, and nothing"
    " is sent on them.",
    f"{NEED_NOT}: the oldest of them give way to whoever comes.",
)
@pytest.mark.slow
def test_silent_sockets_give_way_to_an_invited_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("page_server.OPEN_S", "door.ANSWER_S", "links.OPENING_S"):
        monkeypatch.setattr(f"p2p.guests.{limit}", 600.0)  # none of them ends by itself

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones), AsyncExitStack() as stack:
            secret = secret_of(phones.invite())
            sources = [(STRANGER, "127.0.0.1"), ("::1", "::1")] * 100
            opening = [asyncio.create_task(silent(phones, *each)) for each in sources]
            stack.callback(lambda: [each.cancel() for each in opening])
            await asyncio.wait(opening, timeout=2)
            async with asyncio.timeout(60):
                (await sits_down(phones, secret, source=FRIEND)).abort("lost")

    asyncio.run(run())


@attack(
    By.STRANGER,
    "Connections to the phones’ page are opened, and nothing is sent on them.",
    f"{NEED_NOT}: few are let in at a time, and each has five seconds.",
)
def test_connections_that_say_nothing_have_a_limit(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            files = len(os.listdir("/proc/self/fd"))
            streams = [
                await asyncio.open_connection("127.0.0.1", phones.port, local_addr=(STRANGER, 0)) for _ in range(300)
            ]
            async with asyncio.timeout(60):
                assert b"404" in await answered(phones, "/nothing", FRIEND)
            held = len(os.listdir("/proc/self/fd")) - files - len(streams)
            assert held <= PAGE.openings_per_host + PAGE.waiting_per_host + 8, held
            for _reader, writer in streams:
                writer.transport.abort()

    asyncio.run(run())


@attack(
    By.STRANGER,
    "Files of the phones’ page are requested as fast as possible.",
    f"{NEED_NOT}: each address has a budget, and the others have their turn.",
)
def test_requests_have_a_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(PAGE, host_rate=Rate(0.01, 5), all_rate=Rate(1000, 1000))
    monkeypatch.setattr(PageServer.__init__, "__defaults__", (few,))

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            flood = [asyncio.create_task(answered(phones, "/nothing", STRANGER)) for _ in range(20)]
            done, waiting = await asyncio.wait(flood, timeout=1)
            assert len(done) <= few.host_rate.burst + 1
            assert b"404" in await asyncio.wait_for(answered(phones, "/nothing", FRIEND), 60)
            for each in waiting:
                each.cancel()

    asyncio.run(run())


@attack(
    By.STRANGER,
    "Requests with endless headers reach the phones’ server over many connections at once.",
    "At once, by the computer that serves the phones, which reads a little of each and closes the connection.",
)
def test_a_request_has_a_short_head(tmp_path: Path) -> None:
    async def sends_a_head(phones: Phones) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", phones.port, local_addr=(STRANGER, 0))
        writer.transport.set_write_buffer_limits(0)
        writer.write(b"GET / HTTP/1.1\r\n")
        with contextlib.suppress(OSError):
            for number in range(100):
                writer.write(b"A%d: %s\r\n" % (number, b"b" * 8000))
                await writer.drain()
                if reader.at_eof():
                    break
                await asyncio.sleep(0)
        assert b"400" in await asyncio.wait_for(read_to_the_end(reader), 60)
        writer.transport.abort()

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            heard: list[int] = []
            parsing = ServerProtocol.receive_data

            def noted(self: ServerProtocol, data: bytes) -> None:
                heard.append(len(data))
                parsing(self, data)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(ServerProtocol, "receive_data", noted)
                await sends_a_head(phones)
            assert sum(heard) <= MAX_REQUEST_BYTES + STRANGER_SLICE_BYTES

    asyncio.run(run())


async def read_to_the_end(reader: asyncio.StreamReader) -> bytes:
    """What comes until the connection ends, or is reset."""
    found = b""
    with contextlib.suppress(OSError):
        while data := await reader.read(1024):
            found += data
    return found


def test_ten_phones_behind_one_router_load_their_pages(tmp_path: Path) -> None:
    """Each asks for thirty files, six at a time."""

    async def load(phones: Phones) -> None:
        at_once = asyncio.Semaphore(6)

        async def one() -> None:
            async with at_once:
                assert b"404" in await answered(phones, "/nothing", FRIEND)

        await asyncio.gather(*(one() for _ in range(30)))

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            await asyncio.gather(*(load(phones) for _ in range(10)))

    asyncio.run(run())


@attack(
    By.STRANGER,
    "The largest file of the phones’ page is requested many times and never read.",
    f"{NEED_NOT}: few are sent at a time, from one copy, and each has little time.",
)
def test_answers_that_nobody_reads_take_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    big = os.urandom(5 << 20)
    real = "cli.phones.serving.answer"

    def answer(path: str, _server: bytes) -> tuple[str, bytes, Mapping[str, str]] | None:
        return ("application/wasm", big, {}) if path in ("/big", "/") else None

    monkeypatch.setattr(real, answer)

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            before = memory_mib()
            streams = [await asks(phones, "/big", STRANGER) for _ in range(40)]
            most = 0.0
            for _ in range(20):
                await asyncio.sleep(0.1)
                most = max(most, memory_mib() - before)
            assert most < 30, most
            assert (await asyncio.wait_for(answered(phones, "/big", FRIEND), 60)).endswith(big[-1000:])
            for _reader, writer in streams:
                writer.close()

    asyncio.run(run())


@attack(
    By.STRANGER,
    "A message is sent to the phones’ socket in any number of empty fragments, and never ends.",
    "At once, by the computer that serves the phones, which closes the connection.",
)
def test_empty_parts_of_a_message_end_the_connection(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            socket = await dialled(phones, source=STRANGER)
            await socket.recv()
            await ended_by(socket, b"\x02\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 1000)

    asyncio.run(run())


@attack(
    By.STRANGER,
    "The phones’ socket is pinged as fast as possible, and the answers are never read.",
    "At once, by the computer that serves the phones, which closes the connection.",
)
def test_pings_without_end_end_the_connection(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            socket = await dialled(phones, source=STRANGER)
            await socket.recv()
            await ended_by(socket, b"\x89\x80\0\0\0\0" * 1000)

    asyncio.run(run())


async def ended_by(socket: ClientConnection, data: bytes) -> None:
    """Wait until the connection is ended after these bytes."""
    socket.transport.write(data)
    async with asyncio.timeout(60):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()


@attack(
    By.ROOM,
    "A phone that was admitted sends empty messages, or one byte at a time, which no byte limit counts.",
    "At once, by the computer that serves it, which cuts it off.",
)
@pytest.mark.parametrize("data", [b"", b"\0", b"\0\0\0\x01\x04" * 2], ids=["empty", "a byte", "two frames"])
def test_a_message_is_one_frame(tmp_path: Path, data: bytes) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            link = await sits_down(phones, secret_of(phones.invite()))
            ended = asyncio.Event()
            link.start(lambda *_: None, lambda _link: ended.set())
            link._writer.write(data)
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(run())


async def let_in(phones: Phones, secret: bytes, number: int) -> Link | None:
    try:
        link = await sits_down(phones, secret, Identity(bytes([number]) * 32), source=STRANGER)
    except (GuestRefused, BadMessage, LinkLost, OSError):
        return None
    link.start(lambda *_: None)
    return link


@attack(
    By.ROOM,
    "Somebody with an invitation connects with one key after another, and never sits down.",
    "Nobody needs to notice: only as many are admitted as there are places, and the oldest of them is dropped.",
)
@pytest.mark.slow
def test_one_invitation_does_not_let_in_a_crowd(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            secret = secret_of(phones.invite())
            for number in range(1, 81):
                await let_in(phones, secret, number)
            assert len(node.mesh.links) <= 16
            assert len(node.settings.phones) <= 64
            assert {node.mesh.standing(link) for link in node.mesh.links.values()} == {PeerRank.LOOKER}
            link = await sits_down(phones, secret, source=FRIEND)
            await until_linked(node, LENA.public)
            link.abort("lost")

    asyncio.run(run())


async def until_linked(node: Node, key: bytes) -> None:
    async with asyncio.timeout(60):
        while key not in node.mesh.links:
            await asyncio.sleep(0.01)


def test_a_phone_that_is_not_in_the_room_has_no_say(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            link = await sits_down(phones, secret_of(phones.invite()))
            ended = asyncio.Event()
            link.start(lambda *_: None, lambda _link: ended.set())
            await until_linked(node, LENA.public)
            assert node.mesh.standing(node.mesh.links[LENA.public]) is PeerRank.LOOKER
            link.send(b"something of a table")
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(run())


@attack(
    By.ROOM,
    "Somebody who is not playing, by phone or not, reads nothing that they are sent, but says that they "
    "are still there.",
    "When some megabytes are waiting for them, by the sending computer, which closes the connection.",
)
def test_little_is_kept_for_a_phone_that_reads_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            link = await sits_down(phones, secret_of(phones.invite()))  # it is not started: nobody reads
            await until_linked(node, LENA.public)
            ours, most = node.mesh.links[LENA.public], 0
            while ours.send(bytes(48_000)):
                most = max(most, ours.queued)
                assert most <= MAX_UNSEATED_QUEUED_BYTES
                await asyncio.sleep(0)
            assert ours.reason == "slow" and most > MAX_UNSEATED_QUEUED_BYTES // 2
            link.abort("lost")

    asyncio.run(run())
