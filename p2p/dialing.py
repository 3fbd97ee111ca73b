"""Call a peer at all of its addresses at once, and keep exactly one link."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable

from p2p.errors import LinkLost, LinkRefused
from p2p.frames import Hello, Timing
from p2p.handshake import handshake, start_tls
from p2p.interfaces import Address, interfaces, is_near, scoped
from p2p.links import Link, host_of
from p2p.opening import Admit
from p2p.tls import Credentials

MAX_DIALED = 16
LOCAL_HEAD_START_S = 0.05  # delay for addresses behind a router when others are on our own networks


async def dial(
    addresses: Iterable[Address],
    credentials: Credentials,
    hello: Hello,
    *,
    expect: bytes | None = None,
    admit: Admit = lambda _key, _hello, _host: None,
    timing: Timing | None = None,
) -> Link:
    """Call all addresses in parallel and return the first link that opens.

    Addresses on our own networks get a head start. With `expect`, peers with another key are skipped. Only one
    connection at a time runs the opening exchange, so the peer never sees two links. Raises LinkRefused if the peer rejects
    us, otherwise LinkLost with the most informative reason.
    """
    timing = timing or Timing()
    targets = await resolve(list(addresses)[:MAX_DIALED])
    if not targets:
        raise LinkLost("there is no address to connect to", reason="unreachable")
    gate = asyncio.Lock()
    winner: Link | None = None

    async def call(target: Target, wait_s: float) -> None:
        """Call one address and set `winner`, or raise LinkLost."""
        nonlocal winner
        await asyncio.sleep(wait_s)
        try:
            async with asyncio.timeout(timing.dial_s):
                streams = await start_tls(await connect(target), credentials, is_caller=True, timing=timing)
        except OSError as fault:  # TimeoutError included
            raise LinkLost(
                "no answer from that address", reason="late" if isinstance(fault, TimeoutError) else "lost"
            ) from fault
        try:
            async with gate, asyncio.timeout(timing.opening_s):
                if winner is not None:
                    raise LinkLost("another address answered first", reason="late")
                winner = await handshake(
                    streams,
                    credentials.public,
                    hello,
                    is_caller=True,
                    peer_host=host_of(target[1]),
                    expect=expect,
                    admit=admit,
                    timing=timing,
                )
        except BaseException as fault:  # cancelled, too: the link is cut
            streams[1].transport.abort()
            if isinstance(fault, TimeoutError):
                raise LinkLost("the other computer took too long to answer", reason="late") from fault
            raise

    calls = {asyncio.create_task(call(*target), name=f"call {target[0][1][0]}") for target in targets}
    failures: list[LinkLost] = []
    pending = calls
    try:
        while pending and winner is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                match task.exception():
                    case LinkLost() as failure:
                        failures.append(failure)
                    case BaseException() as fault:
                        raise fault
            refused = [failure for failure in failures if isinstance(failure, LinkRefused)]
            if refused and winner is None and (expect is not None or not pending):
                raise refused[0]
        link, winner = winner, None
    finally:
        for task in calls:
            task.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        if winner is not None:  # this dial was cancelled just as the link opened
            winner.abort("lost")
    if link is not None:
        return link
    most_telling = ("version", "identity", "self", "garbage", "late", "lost")
    raise min(failures, key=lambda f: most_telling.index(f.reason) if f.reason in most_telling else -1)


Target = tuple[socket.AddressFamily, tuple[object, ...]]


async def resolve(addresses: list[Address]) -> list[tuple[Target, float]]:
    """Return the socket addresses to connect to, each with a delay in seconds; own networks come first.

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


async def connect(target: Target) -> socket.socket:
    family, where = target
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, where)
    except BaseException:  # cancelled, too: nobody else will close it
        sock.close()
        raise
    return sock
