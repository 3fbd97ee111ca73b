"""Call a peer at all of its addresses at once, and keep exactly one link."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable

from p2p.errors import LinkLost, Refused
from p2p.frames import Hello, Timing
from p2p.handshake import Admit, handshake, start_tls
from p2p.interfaces import Address, interfaces, is_near, scoped
from p2p.links import Link, host_of
from p2p.tls import Credentials

MAX_DIALED = 16
LOCAL_HEAD_START_S = 0.05  # delay for addresses behind a router when others are on our own networks


async def dial(
    addresses: Iterable[Address],
    credentials: Credentials,
    hello: Hello,
    *,
    expect: bytes | None = None,
    admit: Admit = lambda _key, _hello: None,
    timing: Timing | None = None,
) -> Link:
    """Call all addresses in parallel and return the first link that opens.

    Addresses on our own networks get a head start. With `expect`, peers with another key are skipped. Only one
    connection at a time runs the opening exchange, so the peer never sees two links. Raises Refused if the peer rejects
    us, otherwise LinkLost with the most informative reason.
    """
    timing = timing or Timing()
    targets = await resolve(list(addresses)[:MAX_DIALED])
    if not targets:
        raise LinkLost("there is no address to call", reason="unreachable")
    race = Race()
    calls = {
        asyncio.create_task(
            call(target, wait_s, race, credentials, hello, expect=expect, admit=admit, timing=timing),
            name=f"call {target[1][0]}",
        )
        for target, wait_s in targets
    }
    failures: list[LinkLost] = []
    pending = calls
    try:
        while pending and race.winner is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                match task.exception():
                    case LinkLost() as failure:
                        failures.append(failure)
                    case BaseException() as fault:
                        raise fault
            refused = [failure for failure in failures if isinstance(failure, Refused)]
            if refused and race.winner is None and (expect is not None or not pending):
                raise refused[0]
        link, race.winner = race.winner, None
    finally:
        for task in calls:
            task.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        if race.winner is not None:  # this dial was cancelled just as the link opened
            race.winner.abort("lost")
    if link is not None:
        return link
    most_telling = ("version", "identity", "self", "garbage", "late", "lost")
    raise min(failures, key=lambda f: most_telling.index(f.reason) if f.reason in most_telling else -1)


class Race:
    """The state shared by the calls of one dial: the lock for the opening exchange, and the link that won."""

    def __init__(self) -> None:
        self.gate = asyncio.Lock()
        self.winner: Link | None = None


Target = tuple[socket.AddressFamily, tuple[object, ...]]


async def resolve(addresses: list[Address]) -> list[tuple[Target, float]]:
    """Return the socket addresses to connect to, each with a delay in seconds; addresses on our own networks come
    first.

    Host names are looked up, and link-local IPv6 addresses are scoped.
    """
    loop = asyncio.get_running_loop()
    adapters = interfaces()
    found: dict[Target, bool] = {}
    for host, port in addresses:
        for scoped_host in scoped(host, adapters):
            try:
                infos = await loop.getaddrinfo(scoped_host, port, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError):
                continue
            for family, _, _, _, where in infos:
                if family in (socket.AF_INET, socket.AF_INET6):
                    found.setdefault((family, where), is_near(host_of(where), adapters))
    some_near = any(found.values())
    ordered = sorted(found.items(), key=lambda item: not item[1])[:MAX_DIALED]
    return [(target, 0.0 if near or not some_near else LOCAL_HEAD_START_S) for target, near in ordered]


async def call(
    target: Target,
    wait_s: float,
    race: Race,
    credentials: Credentials,
    hello: Hello,
    *,
    expect: bytes | None,
    admit: Admit,
    timing: Timing,
) -> None:
    """Call one address: store the link in `race.winner`, or raise LinkLost."""
    await asyncio.sleep(wait_s)
    try:
        async with asyncio.timeout(timing.dial_s):
            sock = await connect(target)
            streams = await start_tls(sock, credentials, is_caller=True, timing=timing)
    except TimeoutError as fault:
        raise LinkLost("nobody answers there", reason="late") from fault
    except OSError as fault:
        raise LinkLost("nobody answers there", reason="lost") from fault
    try:
        async with race.gate, asyncio.timeout(timing.opening_s):
            if race.winner is not None:
                raise LinkLost("another address answered before", reason="late")
            race.winner = await handshake(
                streams,
                credentials.public,
                hello,
                is_caller=True,
                peer_host=host_of(target[1]),
                expect=expect,
                admit=admit,
                timing=timing,
            )
    except BaseException as fault:
        streams[1].transport.abort()
        if isinstance(fault, TimeoutError):
            raise LinkLost("the other side took too long to answer", reason="late") from fault
        raise


async def connect(target: Target) -> socket.socket:
    family, where = target
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, where)
    except BaseException:
        sock.close()
        raise
    return sock
