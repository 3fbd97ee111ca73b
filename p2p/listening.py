"""Accept links from peers: one port for IPv4 and IPv6, with few handshakes at a time."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Callable

from p2p.budgets import Bucket
from p2p.errors import LinkLost, PortTaken
from p2p.frames import Hello, Timing
from p2p.handshake import handshake, start_tls
from p2p.links import Link, host_of
from p2p.opening import Admit
from p2p.reception import Reception
from p2p.tls import Credentials
from p2p.undertow import LENT, Toll

BACKLOG = 128


class Listener(Reception):
    """Listens on one port for links. `on_link` receives every link that opens, not yet started."""

    def __init__(
        self,
        sockets: list[socket.socket],
        credentials: Credentials,
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> None:
        self._credentials = credentials
        self._hello, self._admit, self._on_link = hello, admit, on_link
        self._timing = timing
        self.lent = Bucket(LENT, asyncio.get_running_loop().time())
        super().__init__(sockets)

    async def _open(self, sock: socket.socket, host: str) -> None:
        try:
            caller = host_of(sock.getpeername())
        except OSError:  # it is gone
            sock.close()
            return
        try:
            async with asyncio.timeout(self._timing.opening_s):
                streams = await start_tls(
                    sock, self._credentials, is_caller=False, timing=self._timing, toll=CallersToll(self, host)
                )
                link = await handshake(
                    streams,
                    self._credentials.public,
                    self._hello(),
                    is_caller=False,
                    peer_host=caller,
                    expect=None,
                    admit=self._admit,
                    timing=self._timing,
                )
            self._on_link(link)
        except (OSError, LinkLost, TimeoutError):
            pass  # failed attempts of strangers are not reported


class CallersToll(Toll):
    """What somebody's connection costs all who call: see `p2p.undertow`."""

    def __init__(self, listener: Listener, host: str) -> None:
        self._listener, self._host = listener, host

    def lend(self, size: int) -> int:
        now = asyncio.get_running_loop().time()
        if self._listener.lent.debt_s(now):
            return 0
        self._listener.lent.spend(size, now)
        return size

    def wasted(self) -> None:
        self._listener.wasted(self._host)


async def listen(
    port: int,
    credentials: Credentials,
    hello: Callable[[], Hello],
    admit: Admit,
    on_link: Callable[[Link], None],
    *,
    timing: Timing | None = None,
    hosts: tuple[str, str] = ("0.0.0.0", "::"),
) -> Listener:
    """Listen on `port` (0: any free one). Raises PortTaken, or OSError if there is no network at all."""
    return Listener(server_sockets(port, hosts), credentials, hello, admit, on_link, timing or Timing())


def server_sockets(port: int, hosts: tuple[str, str]) -> list[socket.socket]:
    """Return an IPv4 and an IPv6 socket with the same port, or only one if the computer has a single family."""
    last: OSError | None = None
    for _ in range(8):  # a port that is free in one family may be taken in the other
        made: list[socket.socket] = []
        try:
            for family, host in zip((socket.AF_INET, socket.AF_INET6), hosts, strict=True):
                try:
                    sock = server_socket(family, host, made[0].getsockname()[1] if made else port)
                except OSError as fault:
                    if fault.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.ENOPROTOOPT):
                        last = fault
                        continue
                    raise
                made.append(sock)
            if made:
                return made
            break
        except OSError as fault:
            for sock in made:
                sock.close()
            last = fault
            if port or fault.errno != errno.EADDRINUSE:
                break
    if last is not None and last.errno in (errno.EADDRINUSE, errno.EACCES):
        raise PortTaken("port {port} is in use or not allowed: choose another with --port", port=port) from last
    raise last or OSError("no network")


def server_socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # On Windows, SO_REUSEADDR would let another program take over our port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setblocking(False)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except BaseException:  # cancelled, too: nobody else will close it
        sock.close()
        raise
    return sock
