"""The opening exchange of a link, the same way from both sides and over any connection that has proved the peer's key.

Each side says hello, then each says that the other is welcome: in TLS 1.3 a caller that is rejected believes for a moment that
it is connected. Until then a stranger gets few connections, small frames and little time. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
import contextlib
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
from protocol.errors import BadMessage

Admit = Callable[[bytes, Hello, str], str | None]
"""Called with a peer's proved key, its hello and its host; returns None to admit it, otherwise the reason for refusing."""


async def open_link(
    streams: Streams,
    prove: Callable[[], bytes],
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

    `prove` returns the peer's key, which the connection has proved. The caller limits the time. Raises LinkLost or
    LinkRefused, and then the streams are closed.
    """
    reader, writer = streams
    try:
        peer = prove()
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
            if objection == "version":
                raise LinkLost(
                    "the Fairdeal there has a different version: update the older of the two",
                    reason="version",
                )
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
    except BaseException:  # cancelled, too: nobody else knows of this link
        writer.transport.abort()
        raise


async def expect_frame(reader: asyncio.StreamReader, wanted: FrameKind) -> bytes:
    """Read a frame of the wanted kind and return its payload. Raises LinkRefused on BYE, BadMessage on any other kind."""
    kind, payload = await read_frame(reader, MAX_OPENING_BYTES)
    if kind is FrameKind.BYE:
        reason = decode_reason(payload)
        if reason == "version":
            raise LinkRefused("the Fairdeal there has a different version: update the older of the two", reason=reason)
        raise LinkRefused("the other computer refused the connection ({reason})", reason=reason)
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
