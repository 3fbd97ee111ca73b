"""Floods that a stranger, or a guest in the room, could send: what `fairdeal bench --only hostile` measures a match under.

Each is a separate program (`python -m cli.bench.floods NAME HOST PORT [SOURCE [GROUP]]`): a modified client with keys of its
own that does its worst until its standard input is closed. It needs nothing that is secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import socket
import struct
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from cli.bench.guests import Dial, ask_for_files, open_sockets
from cli.bench.key_changes import CRYPTO, SSL, KeyChanger
from p2p.announcements import SERVICE
from p2p.errors import LinkLost
from p2p.frames import RUN_BYTES, FrameKind, Hello, Timing, encode_frame
from p2p.handshake import handshake, start_tls
from p2p.links import Link
from p2p.tls import Credentials
from protocol.identity import Identity
from protocol.room.statements import state
from protocol.table.roster import PROTOCOL_VERSION
from protocol.values import dataclass

CONNECTS_PER_S = 1000
IDLE_LINKS = 64
MDNS_GROUP, MDNS_PORT = "224.0.0.251", 5353
RETRY_S = 0.05
WATCHING = 16
"""How many watch at a time, or try to."""
WATCHED_S = 0.25
CHANGING = 4
"""How many links change their keys at a time."""
KEY_CHANGES = 200
"""How many between two signs of life."""
COUNTER = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to flood, from which of this computer's addresses; `group`: the multicast group for announcements."""

    host: str
    port: int
    source: str
    group: str = MDNS_GROUP

    async def connect(self) -> socket.socket:
        """Open a TCP connection. Raises OSError."""
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            if self.source:
                sock.bind((self.source, 0))
            await asyncio.get_running_loop().sock_connect(sock, (self.host, self.port))
        except BaseException:  # cancelled, or not let in
            sock.close()
            raise
        return sock

    async def link(self, identity: Identity, want: str) -> Link:
        """Open a link as an honest client does. Raises LinkLost or OSError."""
        credentials, timing = Credentials.of(identity.secret_seed), Timing()
        async with asyncio.timeout(timing.opening_s):
            streams = await start_tls(await self.connect(), credentials, is_caller=True, timing=timing)
            return await handshake(
                streams,
                credentials.public,
                Hello(os.urandom(RUN_BYTES), 0, {"v": PROTOCOL_VERSION, "want": want}),
                is_caller=True,
                peer_host=self.host,
                expect=None,
                admit=lambda _key, _hello, _host: None,
                timing=timing,
            )


def new_identity() -> Identity:
    return Identity(secrets.token_bytes(32))


async def send_for_ever(
    target: Target, frame: Callable[[Identity, Link], bytes], first: Callable[[Identity, Link], bytes] | None = None
) -> None:
    """Send frames as fast as the target takes them; call again when cut. `first`: what opens each link."""
    identity = new_identity()
    while True:
        with contextlib.suppress(LinkLost, OSError):
            link = await target.link(identity, "look")
            link.start(lambda *_: None)
            if first is not None:
                link._writer.write(first(identity, link))
            many = frame(identity, link) * 200
            while link.is_open:
                link._writer.write(many)
                await link.drained()
                await asyncio.sleep(0)
            await link.wait_closed()
        await asyncio.sleep(RETRY_S)


async def frames(target: Target) -> None:
    """Two-byte frames on one link."""
    await send_for_ever(target, lambda _identity, _link: encode_frame(FrameKind.BEAT, b"\0"))


async def requests(target: Target) -> None:
    """Signed requests for a seat, on one link."""
    await send_for_ever(target, sit)


async def talk(target: Target) -> None:
    """Somebody who sits in the room, and says “ready” and chats without end."""

    def chatter(identity: Identity, link: Link) -> bytes:
        ready = {"ready": False, "plays": False}
        said = [said_in_room(identity, link, "say", text=f"line {number}") for number in range(4)]
        said += [said_in_room(identity, link, "ready", nonce=bytes([number]) * 32, **ready) for number in range(4)]
        return b"".join(said)

    await send_for_ever(target, chatter, sit)


def sit(identity: Identity, link: Link) -> bytes:
    """A request to be let into the room, to watch."""
    body = {"name": "Mallory", "keeper": identity.public, "bot": False, "nonce": bytes(32)}
    body |= {"phone": False, "playing": False, "plays": False, "ready": False, "serves": 0}
    return said_in_room(identity, link, "sit", **body)


def said_in_room(identity: Identity, link: Link, kind: str, **body: Any) -> bytes:
    """Return the frame of a statement to the link's peer."""
    room = link.hello.fields.get("room")
    room = room if isinstance(room, bytes) and len(room) == 16 else bytes(16)
    return encode_frame(FrameKind.DATA, state(identity, room, link.peer, next(COUNTER), kind, **body))


async def connects(target: Target) -> None:
    """A thousand connections a second that never say a word."""
    opened: list[socket.socket] = []
    loop = asyncio.get_running_loop()
    began = loop.time()
    for count in itertools.count(1):
        with contextlib.suppress(OSError):
            async with asyncio.timeout(1):
                opened.append(await target.connect())
        if len(opened) > 800:
            opened.pop(0).close()
        await asyncio.sleep(max(0.0, began + count / CONNECTS_PER_S - loop.time()))


async def handshakes(target: Target) -> None:
    """Links that are opened and dropped, as fast as it goes, eight at a time, each with another key."""

    async def one() -> None:
        while True:
            with contextlib.suppress(LinkLost, OSError):
                (await target.link(new_identity(), "look")).abort("bye")
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(8)))


async def links(target: Target) -> None:
    """Idle links, half to look and half to watch, as many as are let in."""

    async def one(want: str) -> None:
        while True:
            with contextlib.suppress(LinkLost, OSError):
                link = await target.link(new_identity(), want)
                link.start(lambda *_: None)
                await link.wait_closed()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one("watch" if number % 2 else "look") for number in range(IDLE_LINKS)))


async def watching(target: Target) -> None:
    """Watchers, as many as are let in: each reads as fast as it comes, and soon asks for all of it again, from its start."""

    async def one() -> None:
        identity = new_identity()
        while True:
            with contextlib.suppress(LinkLost, OSError):
                link = await target.link(identity, "watch")
                link.start(lambda *_: None)
                await asyncio.sleep(WATCHED_S)
                link.abort("bye")
            await asyncio.sleep(RETRY_S)

    await asyncio.gather(*(one() for _ in range(WATCHING)))


async def keys(target: Target) -> None:
    """Links that change their TLS keys as fast as they are let, and say only that they are there; called again when cut."""

    def one(folder: Path) -> None:
        changer = KeyChanger(target.host, target.port, target.source, folder)
        try:
            while True:
                changer.change_keys(KEY_CHANGES)
                changer.beat()
        finally:
            changer.close()

    async def often() -> None:
        with tempfile.TemporaryDirectory(prefix="fairdeal-bench-", ignore_cleanup_errors=True) as folder:
            while True:
                with contextlib.suppress(OSError):
                    await asyncio.to_thread(one, Path(folder))
                await asyncio.sleep(RETRY_S)

    await asyncio.gather(*(often() for _ in range(CHANGING)))


async def announcements(target: Target) -> None:
    """Twenty tables a second that do not exist, without an address to resolve them."""
    await announce(target, 20, lambda: pointer(secrets.token_hex(16)))


async def packets(target: Target) -> None:
    """Two thousand multicast packets a second."""
    await announce(target, 2000, lambda: pointer(secrets.token_hex(16)))


async def announce(target: Target, per_s: int, packet: Callable[[], bytes]) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        source = target.source or target.host
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(source))
        sock.bind((source, MDNS_PORT))
        began = loop.time()
        for count in itertools.count(1):
            with contextlib.suppress(OSError):
                sock.sendto(packet(), (target.group, MDNS_PORT))
            await asyncio.sleep(max(0.0, began + count / per_s - loop.time()))


def pointer(name: str) -> bytes:
    """Return a DNS answer that names one more instance of our service, and nothing else of it."""
    service = labels(SERVICE)
    data = bytes((len(name),)) + name.encode() + service
    record = service + struct.pack("!HHIH", 12, 1, 4500, len(data)) + data
    return struct.pack("!6H", 0, 0x8400, 0, 1, 0, 0) + record


def labels(name: str) -> bytes:
    """Encode a DNS name."""
    return b"".join(bytes((len(part),)) + part.encode() for part in name.strip(".").split(".")) + b"\0"


async def pages(target: Target) -> None:
    """Files of the phones' page, over IPv4 and IPv6."""
    await asyncio.gather(*(ask_for_files(dial, place) for dial, place in _ways(target)))


async def sockets(target: Target) -> None:
    """Sockets of the phones' page, over IPv4 and IPv6."""
    await asyncio.gather(*(open_sockets(dial, place) for dial, place in _ways(target)))


def _ways(target: Target) -> list[tuple[Dial, str]]:
    """How the phones' page is reached: also by IPv6, if it is on this computer."""

    async def dial() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(sock=await target.connect())

    async def dial_v6() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("::1", target.port)

    ways: list[tuple[Dial, str]] = [(dial, f"{target.host}:{target.port}")]
    return ways + ([(dial_v6, f"[::1]:{target.port}")] if target.host == "127.0.0.1" and socket.has_ipv6 else [])


PAGE_FLOODS: dict[str, Callable[[Target], Awaitable[None]]] = {"pages": pages, "sockets": sockets}
"""Those whose target is the port of the phones' page."""
FLOODS: dict[str, Callable[[Target], Awaitable[None]]] = {
    "frames": frames,
    "requests": requests,
    "talk": talk,
    "connects": connects,
    "handshakes": handshakes,
    "links": links,
    "watching": watching,
    **({"keys": keys} if SSL and CRYPTO else {}),
    "announcements": announcements,
    "packets": packets,
    **PAGE_FLOODS,
}


async def until_told(flood: Awaitable[None]) -> None:
    """Run a flood until standard input ends."""
    flooding = asyncio.ensure_future(flood)
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.to_thread(sys.stdin.read)
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)


if __name__ == "__main__":
    name, host, port, *rest = sys.argv[1:]
    asyncio.run(until_told(FLOODS[name](Target(host, int(port), *(rest or [""])))))
