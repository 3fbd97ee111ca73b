"""What comes and goes on the connections of the phones' server, whatever the other end does."""

from __future__ import annotations

import asyncio
import contextlib
import http
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Opcode
from websockets.http11 import Request

from p2p.budgets import Rate
from p2p.frames import FrameKind, encode_frame
from p2p.guests.page_server import PAGE, PageResponse, PageServer
from p2p.guests.websocket import SocketCarrier
from p2p.interfaces import counted_as
from p2p.waiting_line import Limits
from protocol.errors import BadMessage
from tests.adversaries.declared import By, attack
from tests.phones.serving import kitchen

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]
UPGRADE = (
    b"GET /guest HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
OPEN = Limits(64, 64, 64, 64, Rate(10_000, 10_000), Rate(10_000, 10_000), 2.0)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::1", "127.0.0.1"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:9::8", "2001:db8:0:1::/64"),
        ("fe80::1%2", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("?", "?"),
    ],
)
def test_all_ipv6_addresses_of_a_network_count_as_one(host: str, name: str) -> None:
    assert counted_as(host) == name


def frames() -> st.SearchStrategy[bytes]:
    """Frames of a client: whole ones, and what is none."""

    def written(opcode: int, data: bytes, fin: bool, rsv: bool, is_masked: bool) -> bytes:
        length = bytes((len(data),)) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")
        head = bytes((fin << 7 | rsv << 6 | opcode, is_masked << 7 | length[0])) + length[1:]
        return head + (bytes(4) if is_masked else b"") + data

    data = st.one_of(
        st.binary(max_size=40), st.builds(encode_frame, st.sampled_from(FrameKind), st.binary(max_size=300))
    )
    whole = st.builds(written, st.sampled_from(Opcode), data, st.booleans(), st.just(False), st.just(True))
    odd = st.builds(written, st.sampled_from(Opcode), data, st.booleans(), st.booleans(), st.booleans())
    return st.one_of(whole, whole, odd, st.binary(max_size=30))


class Heard:
    """A server on this computer, and what it heard."""

    def __init__(self) -> None:
        self.faults: list[BaseException] = []
        self.messages: list[bytes] = []
        sock = socket.create_server(("127.0.0.1", 0))
        sock.setblocking(False)
        self.server = PageServer([sock], lambda _request: None, self._serve, OPEN)

    async def _serve(self, carrier: SocketCarrier, _host: str, _place: str, is_known: Any) -> None:
        carrier.becomes_link(lambda: 1000)
        is_known()
        try:
            while True:
                self.messages.append(await carrier.receive())
        except (OSError, BadMessage):
            pass
        except BaseException as fault:
            self.faults.append(fault)
        finally:
            carrier.close()


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(frames(), max_size=8), min_size=1, max_size=12), st.integers(0, 400))
def test_whatever_a_socket_says_the_server_says_nothing_undeclared(said: list[list[bytes]], cut: int) -> None:
    async def one(port: int, data: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        sent = UPGRADE + data
        try:
            writer.write(sent[:cut])
            await asyncio.sleep(0)
            writer.write(sent[cut:])
            writer.write_eof()
            async with asyncio.timeout(60):
                await reader.read()
        except OSError:
            pass
        finally:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def run() -> None:
        told: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
        heard = Heard()
        try:
            await asyncio.gather(*(one(heard.server.port, b"".join(each)) for each in said))
        finally:
            await heard.server.close()
        assert not told and not heard.faults
        assert all(len(each) <= 1004 for each in heard.messages)

    asyncio.run(run())


REQUESTS = [
    b"",
    b"\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nOrigin: http://x\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://[\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://x:99999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9\r\n\r\n123456789",
    b"HEAD / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%2e%2e/etc HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\n" + b"A: b\r\n" * 500 + b"\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [::1%25lo]:1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST@evil\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nUpgrade: websocket\r\n\r\n",
    b"GET /guest HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\n\r\n\xb4\x48\x5f\x9f\x65\x7e",
    UPGRADE.replace(b"Host: h", b"Host: HOST\r\nOrigin: http://HOST") + b"\xb4\x48\x5f\x9f\x65\x7e",
]


@attack(
    By.STRANGER,
    "The phones’ server is sent something that is not a request, or a request that no browser sends.",
    "At once, by the computer that serves the phones, which closes the connection.",
)
def test_whatever_is_asked_for_there_is_an_answer_or_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)

    async def ask(port: int, data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(data.replace(b"HOST", b"127.0.0.1:%d" % port))
            writer.write_eof()
            async with asyncio.timeout(60):
                return await reader.read()
        except OSError:
            return b""
        finally:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def run() -> None:
        told: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
        async with kitchen(tmp_path) as (_node, phones):
            answers = await asyncio.gather(*(ask(phones.port, each) for each in REQUESTS))
        assert not told
        assert all(not each or each.startswith(b"HTTP/1.1 4") for each in answers), answers

    asyncio.run(run())


BIG = (1 << 20).to_bytes(8, "big")
OF_A_STRANGER = {
    "compressed": b"\xc2\x8a" + bytes(4) + b"0123456789",
    "a text": b"\x81\x81" + bytes(4) + b"0",
    "too long for anything": b"\x82\xff" + (1 << 40).to_bytes(8, "big") + bytes(4),
    "too long for a stranger": b"\x82\xff" + BIG + bytes(4) + bytes(9000),
    "in too many parts": b"\x02\x81" + bytes(5) + (b"\x00\x81" + bytes(5)) * 300,
    "the wrong answer": b"\x82\x81" + bytes(4) + b"\x90",
}


@attack(
    By.STRANGER,
    "The phones’ socket is sent compressed, endless, heavily fragmented or unknown messages.",
    "At once, by the computer that serves the phones: it refuses compression and closes the connection.",
)
def test_a_stranger_can_say_one_short_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)

    async def ended(port: int, data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        place = b"127.0.0.1:%d" % port
        offer = b"\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
        asked = UPGRADE.replace(b"Host: h", b"Host: %s\r\nOrigin: http://%s" % (place, place))
        writer.write(asked.replace(b"\r\n\r\n", offer))
        found = b""
        try:
            async with asyncio.timeout(60):
                found = await reader.readuntil(b"\r\n\r\n")
                writer.write(data)
                await reader.read()
        except OSError:
            pass  # what it says may be lost with what is unread
        writer.transport.abort()
        return found

    async def run() -> None:
        async with kitchen(tmp_path) as (node, phones):
            for what, data in OF_A_STRANGER.items():
                answer = await ended(phones.port, data)
                assert answer.startswith(b"HTTP/1.1 101") and b"xtensions" not in answer, what
            assert not node.mesh.links

    asyncio.run(run())


def test_of_requests_on_one_connection_the_first_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody smuggles a request in behind another."""
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            reader, writer = await asyncio.open_connection("127.0.0.1", phones.port)
            writer.write(b"GET /none HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % phones.port * 3)
            async with asyncio.timeout(60):
                answers = await reader.read()
            assert answers.count(b"HTTP/1.1 ") == 1 and b"\r\nConnection: close\r\n" in answers
            writer.transport.abort()

    asyncio.run(run())


def test_a_request_that_comes_byte_by_byte_has_no_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)
    monkeypatch.setattr("p2p.guests.page_server.OPEN_S", 0.2)

    async def run() -> None:
        async with kitchen(tmp_path) as (_node, phones):
            reader, writer = await asyncio.open_connection("127.0.0.1", phones.port)

            async def drip() -> None:
                while True:
                    writer.write(b"G")
                    await asyncio.sleep(0.01)

            dripping = asyncio.create_task(drip())
            async with asyncio.timeout(60):
                with contextlib.suppress(OSError):
                    assert not await reader.read()
            dripping.cancel()
            writer.transport.abort()

    asyncio.run(run())


def test_time_in_which_the_computer_itself_stood_still_is_not_taken_from_a_phone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its request has come by then, and a browser asks for a part of a page only once."""
    monkeypatch.setattr("p2p.guests.page_server.OPEN_S", 1.0)

    async def run() -> None:
        heard = Heard()
        port = heard.server.port
        late = socket.create_connection(("127.0.0.1", port))

        def said(request: Request) -> PageResponse:
            if request.path == "/long":
                late.sendall(b"GET /short HTTP/1.1\r\n\r\n")
                time.sleep(2.0)
            return PageResponse(http.HTTPStatus.OK, "text/plain", b"here")

        heard.server._reply = said
        while not heard.server._wires:
            await asyncio.sleep(0)
        _reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /long HTTP/1.1\r\n\r\n")
        reader, late_writer = await asyncio.open_connection(sock=late)
        async with asyncio.timeout(60):
            assert (await reader.read()).endswith(b"here")
        writer.transport.abort()
        late_writer.transport.abort()
        await heard.server.close()

    asyncio.run(run())


def reset(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are reset differently there")
@pytest.mark.parametrize("data", [b"", UPGRADE[:20], UPGRADE, b"GET / HTTP/1.1\r\n\r\n", UPGRADE + b"\x82\x80\0\0\0\0"])
def test_a_connection_that_is_reset_leaves_nothing(data: bytes) -> None:
    def said(request: Request) -> PageResponse | None:
        return None if request.path == "/guest" else PageResponse(http.HTTPStatus.OK, "text/plain", b"x" * 1_000_000)

    async def run() -> None:
        told: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
        heard = Heard()
        heard.server._reply = said
        for _ in range(20):
            sock = socket.create_connection(("127.0.0.1", heard.server.port))
            sock.sendall(data)
            await asyncio.sleep(0.005)
            reset(sock)
        async with asyncio.timeout(60):
            while heard.server._openings or heard.server._ending:
                await asyncio.sleep(0.01)
        await heard.server.close()
        assert not told and not heard.faults

    asyncio.run(run())


def test_the_limits_of_the_page_leave_room_for_a_router_full_of_phones() -> None:
    assert PAGE.openings >= 2 * PAGE.openings_per_host
    assert PAGE.host_rate.burst >= 10 * 30
