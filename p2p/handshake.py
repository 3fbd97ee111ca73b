"""Open a link on a connected socket, the same way from both sides.

TLS proves both keys, then each side says hello, then each says that the other is welcome: in TLS 1.3 a caller that is
rejected believes for a moment that it is connected. Until then a stranger gets few connections, small frames and little
time. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable

from p2p.errors import LinkLost, LinkRefused
from p2p.frames import (
    LINK_VERSION,
    MAX_OPENING_BYTES,
    MAX_REASON_BYTES,
    FrameKind,
    Hello,
    Timing,
    encode_frame,
    read_frame,
)
from p2p.links import Link, Streams, decode_reason
from p2p.tls import Credentials, peer_key
from protocol.errors import BadMessage

Admit = Callable[[bytes, Hello, str], str | None]
"""Called with a peer's proved key, its hello and its host; returns None to admit it, otherwise the reason for refusing."""


class Opening(asyncio.StreamReaderProtocol):
    """The protocol of a connection that is being opened. `transport` is None until TLS stands."""

    transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        super().connection_made(transport)


async def start_tls(sock: socket.socket, credentials: Credentials, *, is_caller: bool, timing: Timing) -> Streams:
    """Start TLS on a connected socket. The streams own the socket from here on; it is closed if anything fails."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(loop=loop)
    protocol = Opening(reader, loop=loop)
    transport: asyncio.Transport
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if is_caller:
            transport, _ = await loop.create_connection(
                lambda: protocol,
                sock=sock,
                ssl=credentials.calling,
                server_hostname="",
                ssl_handshake_timeout=timing.opening_s,
                ssl_shutdown_timeout=timing.linger_s,
            )
        else:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                sock,
                ssl=credentials.answering,
                ssl_handshake_timeout=timing.opening_s,
                ssl_shutdown_timeout=timing.linger_s,
            )
    except BaseException:
        if isinstance(protocol.transport, asyncio.WriteTransport):
            protocol.transport.abort()  # cancelled as TLS stood: asyncio would only begin an orderly end, for nobody to await
        sock.close()
        raise
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def handshake(
    streams: Streams,
    own_key: bytes,
    own_hello: Hello,
    *,
    is_caller: bool,
    peer_host: str,
    expect: bytes | None,
    admit: Admit,
    timing: Timing,
) -> Link:
    """Run the opening exchange: HELLO in each direction, then WELCOME (or BYE and a reason) in each direction.

    The caller limits the time. Raises LinkLost or LinkRefused, and then the streams are closed.
    """
    reader, writer = streams
    try:
        peer = peer_key(writer.get_extra_info("ssl_object"))
        if peer == own_key:
            raise LinkLost("that address is this Fairdeal itself", reason="self")
        if expect is not None and peer != expect:
            raise LinkLost("someone else answers at that address", reason="identity")
        writer.write(encode_frame(FrameKind.HELLO, own_hello.encode()))
        hello = Hello.decode(await expect_frame(reader, FrameKind.HELLO))
        if hello.version != LINK_VERSION:
            objection: str | None = "version"
        else:
            objection = admit(peer, hello, peer_host)
        if objection is not None:
            await reject(streams, objection, timing)
            raise LinkLost("this computer refused the connection ({reason})", reason=objection)
        writer.write(encode_frame(FrameKind.WELCOME))
        await expect_frame(reader, FrameKind.WELCOME)
        address = (peer_host, hello.port) if hello.port else None
        return Link(streams, peer, hello, is_caller=is_caller, host=peer_host, address=address, timing=timing)
    except (OSError, asyncio.IncompleteReadError) as fault:
        writer.transport.abort()
        raise LinkLost("the connection broke while it was being set up", reason="lost") from fault
    except BadMessage as fault:
        writer.transport.abort()
        raise LinkLost("the program at that address is not Fairdeal", reason="garbage") from fault
    except BaseException:
        writer.transport.abort()
        raise


async def expect_frame(reader: asyncio.StreamReader, wanted: FrameKind) -> bytes:
    """Read a frame of the wanted kind and return its payload. Raises LinkRefused on BYE, BadMessage on any other kind."""
    kind, payload = await read_frame(reader, MAX_OPENING_BYTES)
    if kind is FrameKind.BYE:
        raise LinkRefused("the other computer refused the connection ({reason})", reason=decode_reason(payload))
    if kind is not wanted:
        raise BadMessage("a frame out of sequence")
    return payload


async def reject(streams: Streams, reason: str, timing: Timing) -> None:
    """Send the reason and wait a little for the peer to read it: closing at once could discard it."""
    reader, writer = streams
    writer.write(encode_frame(FrameKind.BYE, reason.encode("utf-8")[:MAX_REASON_BYTES]))
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(timing.linger_s):
            for _ in range(64):
                if not await reader.read(MAX_OPENING_BYTES):
                    break
