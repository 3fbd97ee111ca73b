"""Links over real sockets: who gets in, what ends a link, and what strangers can cost."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import socket
import ssl
import struct
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast
from unittest.mock import Mock

import pytest

from p2p import tls
from p2p.dialing import dial
from p2p.errors import LinkLost, LinkRefused, PortTaken
from p2p.frames import (
    LINK_VERSION,
    MAX_BODY_BYTES,
    MAX_MESSAGE_BYTES,
    FrameKind,
    Hello,
    Timing,
    encode_frame,
    pack,
    read_frame,
)
from p2p.handshake import Opening, start_tls
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.opening import Admit
from p2p.tls import Credentials
from p2p.undertow import Toll
from p2p.waiting_line import MAX_OPENINGS_PER_HOST, MAX_WAITING
from tests.p2p.aio import LOOPBACK, PATIENT, QUICK, people, run, until
from tests.p2p.proxy import wiring

pytestmark = pytest.mark.sockets

ANN, BEN, CAT = people(3)
IMPATIENT = Timing(heartbeat_s=0.05, timeout_s=1.0)
"""Silence is noticed soon."""


def hello(port: int = 0, **fields: Any) -> Hello:
    return Hello(b"testtest", port, fields)


class Host:
    """A listener, the links that came in, and what was said on them."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.said: list[bytes] = []
        self.ended: list[str | None] = []
        self.listener: Listener

    def take(self, link: Link) -> None:
        self.links.append(link)
        link.start(self.hear, lambda link: self.ended.append(link.reason))

    def hear(self, _: Link, kind: FrameKind, payload: bytes) -> None:
        if kind is FrameKind.DATA:
            self.said.append(payload)

    @property
    def port(self) -> int:
        return self.listener.port

    @property
    def addresses(self) -> list[tuple[str, int]]:
        return [("127.0.0.1", self.port)]


@asynccontextmanager
async def hosting(
    credentials: Credentials = ANN, admit: Admit = lambda _k, _hello, _host: None, timing: Timing = QUICK
) -> AsyncIterator[Host]:
    host = Host()
    host.listener = await listen(0, credentials, hello, admit, host.take, timing=timing, hosts=LOOPBACK)
    try:
        yield host
    finally:
        await host.listener.close()
        for link in host.links:
            link.close()
            await link.wait_closed()


def heard(into: list[bytes]) -> Callable[[Link, FrameKind, bytes], None]:
    def on_frame(_: Link, kind: FrameKind, payload: bytes) -> None:
        if kind is FrameKind.DATA:
            into.append(payload)

    return on_frame


async def part(link: Link) -> None:
    link.close()
    await link.wait_closed()


def test_both_know_who_the_other_is_and_messages_arrive_in_order() -> None:
    async def scene() -> None:
        async with hosting() as host:
            link = await dial(host.addresses, BEN, hello(port=4711, name="Ben"), expect=ANN.public, timing=QUICK)
            answers: list[bytes] = []
            link.start(heard(answers))
            await until(lambda: host.links)
            assert (link.peer, host.links[0].peer) == (ANN.public, BEN.public)
            assert (link.is_caller, host.links[0].is_caller) == (True, False)
            assert host.links[0].hello.fields == {"name": "Ben"}
            assert host.links[0].address == ("127.0.0.1", 4711)
            messages = [bytes([n]) * n for n in range(100)] + [bytes(MAX_MESSAGE_BYTES)]
            for message in messages:
                assert link.send(message)
                assert host.links[0].send(message)
            await until(lambda: len(host.said) == len(answers) == len(messages))
            assert host.said == answers == messages
            with pytest.raises(ValueError):
                link.send(bytes(MAX_MESSAGE_BYTES + 1))
            await part(link)
            await until(lambda: host.ended)
            assert host.ended == ["bye"]
            assert not link.send(b"late")

    run(scene())


def test_nagle_waits_on_neither_side() -> None:
    async def scene() -> None:
        async with hosting() as host:
            link = await dial(host.addresses, BEN, hello(), timing=QUICK)
            await until(lambda: host.links)
            for end in (link, host.links[0]):
                sock = end._writer.get_extra_info("socket")
                assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            await part(link)

    run(scene())


def test_ipv6_and_ipv4_share_a_port() -> None:
    async def scene() -> None:
        async with hosting() as host:
            for address in ("127.0.0.1", "::1", "localhost"):
                await part(await dial([(address, host.port)], BEN, hello(), expect=ANN.public, timing=QUICK))

    run(scene())


def test_the_close_says_why_and_delivers_what_was_sent_before() -> None:
    async def scene() -> None:
        async with hosting() as host:
            link = await dial(host.addresses, BEN, hello(), timing=QUICK)
            answers: list[bytes] = []
            link.start(heard(answers))
            await until(lambda: host.links)
            host.links[0].send(b"before")
            link.close("over", listen=True)
            await link.wait_closed()
            await until(lambda: host.ended)
            assert (answers, host.ended, link.reason) == ([b"before"], ["over"], "over")

    run(scene())


def test_of_all_addresses_the_first_that_is_the_right_peer_wins() -> None:
    async def scene() -> None:
        with socket.socket() as dead:
            dead.bind(("127.0.0.1", 0))
            dead.listen()  # takes connections and says nothing
            async with hosting(ANN) as ann, hosting(CAT) as cat:
                addresses = [
                    ("127.0.0.1", dead.getsockname()[1]),
                    ("127.0.0.1", cat.port),
                    ("127.0.0.1", ann.port),
                    ("::1", ann.port),
                ]
                link = await dial(addresses, BEN, hello(), expect=ANN.public, timing=QUICK)
                assert link.peer == ANN.public
                await until(lambda: ann.links)
                await part(link)
                assert (len(ann.links), len(cat.links)) == (1, 0)

    run(scene())


def test_a_peer_never_sees_two_links_from_one_dial() -> None:
    async def scene() -> None:
        greeted: list[bytes] = []

        def admit(key: bytes, _: Hello, _host: str) -> None:
            greeted.append(key)

        async with hosting(admit=admit) as host:
            for _ in range(10):
                await part(await dial([("127.0.0.1", host.port), ("::1", host.port)], BEN, hello(), timing=QUICK))
            assert len(greeted) == 10

    run(scene())


def test_another_key_than_expected_is_no_link() -> None:
    async def scene() -> None:
        async with hosting(CAT) as host:
            with pytest.raises(LinkLost) as caught:
                await dial(host.addresses, BEN, hello(), expect=ANN.public, timing=QUICK)
            assert caught.value.reason == "identity"
            with pytest.raises(LinkLost) as caught:
                await dial(host.addresses, CAT, hello(), timing=QUICK)
            assert caught.value.reason == "self"
            assert host.links == []

    run(scene())


def test_nobody_there() -> None:
    async def scene() -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))  # and nobody listens there
            port = free.getsockname()[1]
            with pytest.raises(LinkLost) as caught:
                await dial([("127.0.0.1", port)], BEN, hello(), timing=QUICK)
        assert caught.value.reason == "lost"
        for nowhere in ([], [("no such host.invalid", 1)]):
            with pytest.raises(LinkLost) as caught:
                await dial(nowhere, BEN, hello(), timing=QUICK)
            assert caught.value.reason == "unreachable"

    run(scene())


@pytest.mark.parametrize("silent_after_tls", [False, True])
def test_who_answers_and_says_nothing_is_given_up(silent_after_tls: bool) -> None:
    timing = Timing(opening_s=0.3, dial_s=0.3)

    async def scene() -> None:
        with socket.socket() as dead:
            dead.bind(("127.0.0.1", 0))
            dead.listen()
            dead.setblocking(False)
            call = asyncio.create_task(dial([("127.0.0.1", dead.getsockname()[1])], BEN, hello(), timing=timing))
            sock, _ = await asyncio.get_running_loop().sock_accept(dead)
            transport = None
            if silent_after_tls:
                with contextlib.suppress(OSError):  # on a machine that stood still it is given up before
                    transport, _ = await asyncio.get_running_loop().connect_accepted_socket(
                        asyncio.Protocol, sock, ssl=ANN.answering
                    )
            with pytest.raises(LinkLost) as caught:
                await call
            assert caught.value.reason == "late"
            if transport:
                transport.abort()
            sock.close()

    run(scene())


def test_the_refused_are_told_why() -> None:
    async def scene() -> None:
        async with hosting(admit=lambda key, _hello, _host: "full" if key == BEN.public else None) as host:
            with pytest.raises(LinkRefused) as caught:
                await dial(host.addresses, BEN, hello(), timing=QUICK)
            assert caught.value.reason == "full"
            await part(await dial(host.addresses, CAT, hello(), timing=QUICK))

    run(scene())


def test_the_caller_may_refuse_too_and_the_host_then_has_no_link() -> None:
    async def scene() -> None:
        async with hosting() as host:
            with pytest.raises(LinkLost) as caught:
                await dial(host.addresses, BEN, hello(), admit=lambda _k, _hello, _host: "closed", timing=QUICK)
            assert caught.value.reason == "closed"
            assert host.links == []

    run(scene())


# Strangers


def impostor_context(*, with_certificate: bool) -> ssl.SSLContext:
    """TLS as somebody without our authority would do it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if with_certificate:
        genuine = tls.AUTHORITY_SEED
        try:
            tls.AUTHORITY_SEED = bytes(32)
            tls.authority_pem.cache_clear()
            foreign = Credentials.of(b"x" * 32).calling
            foreign.verify_mode = ssl.CERT_NONE
            return foreign
        finally:
            tls.AUTHORITY_SEED = genuine
            tls.authority_pem.cache_clear()
    return context


@pytest.mark.parametrize("with_certificate", [False, True])
def test_without_a_certificate_of_the_authority_nobody_gets_a_word_in(with_certificate: bool) -> None:
    async def scene() -> None:
        async with hosting() as host:
            context = impostor_context(with_certificate=with_certificate)
            reader, writer = await asyncio.open_connection("127.0.0.1", host.port, ssl=context, server_hostname="")
            writer.write(encode_frame(FrameKind.HELLO, hello().encode()))
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await read_frame(reader, MAX_BODY_BYTES)
            writer.transport.abort()
            assert host.links == []
            await part(await dial(host.addresses, BEN, hello(), timing=QUICK))

    run(scene())


def test_an_older_tls_is_refused() -> None:
    async def scene() -> None:
        async with hosting() as host:
            context = Credentials.of(b"y" * 32).calling
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
            with pytest.raises(OSError):
                await asyncio.open_connection("127.0.0.1", host.port, ssl=context, server_hostname="")

    run(scene())


GREETINGS = {
    "too long": struct.pack(">I", 5000) + b"\x01" + bytes(4999),
    "endless": b"\xff\xff\xff\xff",
    "empty": b"\0\0\0\0",
    "no msgpack": encode_frame(FrameKind.HELLO, b"\xc1"),
    "not a hello": encode_frame(FrameKind.HELLO, pack({"a": 1})),
    "out of order": encode_frame(FrameKind.WELCOME),
    "data before the welcome": encode_frame(FrameKind.DATA, b"x"),
    "unknown kind": encode_frame(FrameKind.HELLO, b"")[:4] + b"\x77",
}


@pytest.mark.parametrize("greeting", GREETINGS.values(), ids=GREETINGS.keys())
def test_a_stranger_who_talks_nonsense_is_cut_off(greeting: bytes) -> None:
    async def scene() -> None:
        async with hosting() as host:
            reader, writer = await asyncio.open_connection("127.0.0.1", host.port, ssl=BEN.calling, server_hostname="")
            writer.write(greeting)
            kind, _ = await read_frame(reader, MAX_BODY_BYTES)
            assert kind is FrameKind.HELLO
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await read_frame(reader, MAX_BODY_BYTES)
            writer.transport.abort()
            assert host.links == []

    run(scene())


def test_another_version_is_told_so() -> None:
    async def scene() -> None:
        async with hosting() as host:
            reader, writer = await asyncio.open_connection("127.0.0.1", host.port, ssl=BEN.calling, server_hostname="")
            writer.write(encode_frame(FrameKind.HELLO, pack([LINK_VERSION + 1, "?"])))
            assert (await read_frame(reader, MAX_BODY_BYTES))[0] is FrameKind.HELLO
            assert await read_frame(reader, MAX_BODY_BYTES) == (FrameKind.BYE, b"version")
            writer.transport.abort()

    run(scene())


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        struct.pack(">IB", 1, 99),
        encode_frame(FrameKind.HELLO, b""),
        encode_frame(FrameKind.WELCOME),
    ],
)
def test_nonsense_on_an_open_link_ends_it(nonsense: bytes) -> None:
    async def scene() -> None:
        async with hosting() as host:
            link = await dial(host.addresses, BEN, hello(), timing=QUICK)
            link.start(lambda *_: None)
            await until(lambda: host.links)
            link._writer.write(nonsense)
            await until(lambda: host.ended)
            await link.wait_closed()
            assert (host.ended, link.reason) == (["garbage"], "garbage")

    run(scene())


def test_nobody_hears_of_a_connection_that_was_given_up_and_then_reset() -> None:
    """Its protocol and its end are one piece of garbage, and asyncio complains of the one that goes first."""

    async def scene() -> None:
        complaints: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        protocol = Opening(asyncio.StreamReader(), Toll())
        end = protocol._closed  # type: ignore[attr-defined]
        protocol.connection_lost(ConnectionResetError())
        protocol._closed = asyncio.get_running_loop().create_future()  # type: ignore[attr-defined]
        del end
        gc.collect()
        assert not complaints

    run(scene())


def test_a_flood_of_strangers_keeps_nobody_out() -> None:
    async def scene() -> None:
        async with hosting(timing=Timing(opening_s=600.0)) as host:
            flood = [await asyncio.open_connection("127.0.0.1", host.port) for _ in range(200)]
            link = await dial(host.addresses, BEN, hello(), timing=QUICK)
            assert len(host.listener._openings) <= MAX_OPENINGS_PER_HOST
            assert len(host.listener._line) <= MAX_WAITING
            ended = [asyncio.create_task(reader.read()) for reader, _ in flood]
            await until(lambda: sum(each.done() for each in ended) >= 200 - MAX_OPENINGS_PER_HOST - MAX_WAITING)
            for task in ended:
                task.cancel()
            for _, writer in flood:
                writer.transport.abort()
            await part(link)

    run(scene())


def test_strangers_have_little_time() -> None:
    async def scene() -> None:
        async with hosting(timing=Timing(opening_s=0.2)) as host:
            mute = await asyncio.open_connection("127.0.0.1", host.port)
            assert await mute[0].read() == b""
            mute[1].close()
            proved = None
            while proved is None:
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    # Too late on a machine that stood still.
                    reached = await asyncio.open_connection("127.0.0.1", host.port, ssl=BEN.calling, server_hostname="")
                    try:
                        await read_frame(reached[0], MAX_BODY_BYTES)
                    except BaseException:
                        reached[1].transport.abort()
                        raise
                    proved = reached
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await read_frame(proved[0], MAX_BODY_BYTES)
            proved[1].transport.abort()
            await until(lambda: not host.listener._openings)

    run(scene())


# Heartbeats and broken wires


def test_a_silent_wire_is_noticed_by_both_sides_and_only_then() -> None:
    async def scene() -> None:
        async with wiring() as (wire,), hosting(timing=IMPATIENT) as host:
            link = await dial([("127.0.0.1", await wire.open(host.port))], BEN, hello(), timing=IMPATIENT)
            link.start(lambda *_: None)
            loop = asyncio.get_running_loop()
            await asyncio.sleep(2 * IMPATIENT.timeout_s)  # nobody says a word, and hearts beat
            assert link.is_open
            wire.is_silent = True
            since = loop.time()
            await link.wait_closed()
            await until(lambda: host.ended)
            assert (link.reason, host.ended) == ("silent", ["silent"])
            assert loop.time() - since >= IMPATIENT.timeout_s - IMPATIENT.heartbeat_s - 0.01

    run(scene())


def test_a_broken_wire_is_noticed_at_once() -> None:
    async def scene() -> None:
        async with wiring() as (wire,), hosting(timing=PATIENT) as host:
            link = await dial([("127.0.0.1", await wire.open(host.port))], BEN, hello(), timing=PATIENT)
            link.start(lambda *_: None)
            await until(lambda: host.links)
            wire.cut()
            await link.wait_closed()
            await until(lambda: host.ended)
            assert (link.reason, host.ended) == ("lost", ["lost"])

    run(scene())


def test_a_peer_that_does_not_read_is_cut_off_and_the_rest_of_us_live() -> None:
    async def scene() -> None:
        async with hosting(timing=PATIENT) as host:
            link = await dial(host.addresses, BEN, hello(), timing=PATIENT)
            await until(lambda: host.links)  # the link is not started: nobody reads at this end
            sent = 0
            while host.links[0].send(bytes(MAX_MESSAGE_BYTES)):
                sent += 1
                assert sent < 60
                await asyncio.sleep(0)
            await until(lambda: host.ended)
            assert host.ended == ["slow"]
            assert sent >= 16
            link.abort("lost")
            await asyncio.sleep(0.01)

    run(scene())


def test_who_streams_can_wait_for_room() -> None:
    async def scene() -> None:
        async with hosting(timing=Timing()) as host:
            link = await dial(host.addresses, BEN, hello(), timing=Timing())
            link.start(lambda *_: None)
            for _ in range(64):
                assert link.send(bytes(MAX_MESSAGE_BYTES))
                await link.drained()
            await until(lambda: len(host.said) == 64)
            await part(link)

    run(scene())


def test_a_slow_owner_holds_the_peer_back_and_does_not_lose_it() -> None:
    async def scene() -> None:
        async with hosting(timing=IMPATIENT) as host:
            link = await dial(host.addresses, BEN, hello(), timing=IMPATIENT)
            busy: list[bytes] = []
            release = asyncio.Event()

            async def work(payload: bytes) -> None:
                busy.append(payload)
                await release.wait()

            link.start(lambda _link, kind, payload: work(payload) if kind is FrameKind.DATA else None)
            await until(lambda: host.links)
            host.links[0].send(b"one")
            host.links[0].send(b"two")
            await asyncio.sleep(2 * IMPATIENT.timeout_s)
            assert busy == [b"one"]
            release.set()
            await until(lambda: busy == [b"one", b"two"])
            assert link.is_open
            await part(link)

    run(scene())


# Ports


def test_a_loop_without_readers_accepts_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        with monkeypatch.context() as patched:
            patched.setattr(loop, "add_reader", Mock(side_effect=NotImplementedError))
            async with hosting() as host:
                patched.undo()
                await part(await dial(host.addresses, BEN, hello(), timing=QUICK))
                await part(await dial(host.addresses, CAT, hello(), timing=QUICK))
                assert [link.peer for link in host.links] == [BEN.public, CAT.public]

    run(scene())


def test_out_of_files_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with hosting() as host:
            sock = host.listener._sockets[0]
            tried = []

            class Full:
                """The listening socket of a process that has no file left for a moment."""

                fileno = sock.fileno

                def accept(self) -> tuple[socket.socket, Any]:
                    tried.append(1)
                    if len(tried) == 1:
                        raise OSError(errno.EMFILE, "Too many open files")
                    return sock.accept()

            host.listener._wait_on(cast(socket.socket, Full()))
            await part(await dial(host.addresses, BEN, hello(), timing=QUICK))
            assert len(host.links) == 1
            assert 2 <= len(tried) <= 4  # and not all the time in between

    run(scene())


def test_a_port_in_use_is_said() -> None:
    async def scene() -> None:
        async with hosting() as host:
            with pytest.raises(PortTaken, match="--port"):
                await listen(host.port, BEN, hello, lambda *_: None, lambda _: None, hosts=LOOPBACK)
        again = await listen(host.port, BEN, hello, lambda *_: None, lambda _: None, hosts=LOOPBACK)
        assert again.port == host.port
        await again.close()

    run(scene())


def test_secrets_of_tls_leave_no_file_behind(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = Credentials.of(b"z" * 32)
    assert list(tmp_path.iterdir()) == []
    assert "7a7a" not in repr(made)


def test_a_call_that_is_given_up_just_as_tls_stands_leaves_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the end of the TLS handshake and the news of it there is a turn of the loop in which one may be cancelled."""
    made = asyncio.StreamReaderProtocol.connection_made

    async def scene() -> None:
        async with hosting() as host:
            sock = socket.create_connection(("127.0.0.1", host.port))
            sock.setblocking(False)
            calling = asyncio.create_task(start_tls(sock, BEN, is_caller=True, timing=QUICK))

            def cancelling(protocol: asyncio.StreamReaderProtocol, transport: asyncio.BaseTransport) -> None:
                made(protocol, transport)
                calling.cancel()

            monkeypatch.setattr(asyncio.StreamReaderProtocol, "connection_made", cancelling)
            with pytest.raises(asyncio.CancelledError):
                await calling
            monkeypatch.undo()

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run(scene())
        gc.collect()
    assert not [each.message for each in told]


def test_a_connection_that_comes_while_we_stop_listening_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        credentials = people(1)[0]
        listener = await listen(
            0, credentials, lambda: Hello(b"r" * 8, 0, {}), lambda *_: None, lambda _: None, hosts=LOOPBACK
        )
        with socket.create_connection(("127.0.0.1", listener.port)):
            await until(lambda: listener._openings)
            closing = asyncio.create_task(listener.close())
            with socket.create_connection(("127.0.0.1", listener.port)) as late:
                late.setblocking(False)
                await closing
                assert not len(listener._line)
                assert await asyncio.get_running_loop().sock_recv(late, 1) == b""

    run(scene())
