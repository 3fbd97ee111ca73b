"""Open a link on a connected socket: TLS proves both keys, then comes the opening exchange (p2p.opening)."""

from __future__ import annotations

import asyncio
import socket

from p2p.frames import Hello, Timing
from p2p.links import Link, Streams
from p2p.opening import Admit, open_link
from p2p.tls import Credentials, peer_key
from p2p.undertow import Toll, Undertow, counted


class Opening(asyncio.StreamReaderProtocol):
    """The protocol of a connection that is being opened. `transport` is None until TLS stands."""

    transport: asyncio.BaseTransport | None = None
    undertow: Undertow | None = None

    def __init__(self, reader: asyncio.StreamReader, toll: Toll) -> None:
        super().__init__(reader, loop=asyncio.get_running_loop())
        self._toll = toll

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.undertow = counted(transport, self._toll)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self.undertow is not None:
            self.undertow.brought(len(data))
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits for the end of a connection that was given up: asyncio must not complain that nobody heard why."""
        super().connection_lost(exc)
        closed: asyncio.Future[None] | None = getattr(self, "_closed", None)
        if closed is not None and closed.done() and not closed.cancelled():
            closed.exception()


async def start_tls(
    sock: socket.socket,
    credentials: Credentials,
    *,
    is_caller: bool,
    timing: Timing,
    toll: Toll | None = None,
) -> Streams:
    """Start TLS on a connected socket. The streams own the socket from here on; it is closed if anything fails.

    `toll`: what it costs those who call us beside it; None: we call.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(loop=loop)
    protocol = Opening(reader, toll or Toll())
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
    except BaseException:  # cancelled, too: nobody else will close it
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
    """Run the opening exchange over TLS: see `open_link`."""
    return await open_link(
        streams,
        lambda: peer_key(streams[1].get_extra_info("ssl_object")),
        own_key,
        own_hello,
        is_caller=is_caller,
        peer_host=peer_host,
        expect=expect,
        admit=admit,
        timing=timing,
    )
