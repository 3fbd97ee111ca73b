"""Accept links from peers: one port for IPv4 and IPv6, with few handshakes at a time."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Callable

from p2p.budgets import Bucket, Rate
from p2p.errors import LinkLost, PortTaken
from p2p.frames import Hello, Timing
from p2p.handshake import handshake, start_tls
from p2p.links import Link, host_of
from p2p.opening import Admit
from p2p.tls import Credentials
from p2p.waiting_line import WaitingLine

BACKLOG = 128
ACCEPTED = Rate(2000, 256)
"""Connections accepted a second: even one that is closed at once costs some 30 microseconds."""
ACCEPTED_AT_ONCE = 16
RETRY_S = 0.1


class Listener:
    """Listens on one port. `on_link` receives every link that opens, not yet started."""

    def __init__(
        self,
        sockets: list[socket.socket],
        credentials: Credentials,
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._sockets = sockets
        self._credentials = credentials
        self._hello, self._admit, self._on_link = hello, admit, on_link
        self._timing = timing
        self._line: WaitingLine[socket.socket] = WaitingLine(self._loop.time())
        self._openings: dict[
            asyncio.Task[None], tuple[str, float]
        ] = {}  # to the caller's host and the time, oldest first
        self._ending: set[asyncio.Task[None]] = set()  # cancelled openings
        self._accepted = Bucket(ACCEPTED, self._loop.time())
        self._timer: asyncio.TimerHandle | None = None
        self._acceptors: list[asyncio.Task[None]] = []
        self._is_closed = False
        self.port: int = sockets[0].getsockname()[1]
        for sock in sockets:
            self._wait_on(sock)

    # asyncio's own servers and sock_accept can leak a connection that arrives while they are closed;
    # a reader callback cannot. Windows' event loop has no readers.

    def _wait_on(self, server: socket.socket) -> None:
        if self._is_closed:
            return
        try:
            self._loop.add_reader(server, self._accept_all, server)
        except NotImplementedError:
            self._acceptors.append(self._loop.create_task(self._accept_each(server)))

    def _accept_all(self, server: socket.socket) -> None:
        """Accept some connections; more are accepted in the loop's next turn, so that others have theirs."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, where = server.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # out of file descriptors: the connection stays queued and would wake us again at once
                self._pause(server, RETRY_S)
                return
            self._let_wait(sock, where)
            debt_s = self._accepted.spend(1, self._loop.time())
            if debt_s:
                self._pause(server, debt_s)
                return

    def _pause(self, server: socket.socket, seconds: float) -> None:
        self._loop.remove_reader(server)
        self._loop.call_later(seconds, self._wait_on, server)

    async def _accept_each(self, server: socket.socket) -> None:
        while True:
            try:
                sock, where = await self._loop.sock_accept(server)
            except OSError:
                await asyncio.sleep(RETRY_S)
                continue
            self._let_wait(sock, where)
            await asyncio.sleep(self._accepted.spend(1, self._loop.time()))

    def _let_wait(self, sock: socket.socket, where: tuple[object, ...]) -> None:
        """Put a newly accepted connection into the line, before TLS, which is the expensive part of a flood."""
        sock.setblocking(False)
        evicted = self._line.add(host_of(where), sock)
        if evicted is not None:
            evicted.close()
        if evicted is not sock:
            self._serve()

    def _serve(self) -> None:
        """Begin the openings that may begin now, and come back when more may."""
        if self._is_closed:
            return
        now = self._loop.time()
        while True:
            busy: dict[str, int] = {}
            for host, _began in self._openings.values():
                busy[host] = busy.get(host, 0) + 1
            found = self._line.next(busy, now)
            if found is None:
                overdue = self._line.overdue(self._openings, now)
                if overdue is None:
                    break
                self._cancel(overdue)
                continue
            host, sock = found
            opening = self._loop.create_task(self._open(sock, host), name=f"opening from {host}")
            self._openings[opening] = host, now
            opening.add_done_callback(lambda done, sock=sock: self._opened(done, sock))  # type: ignore[misc]
        if self._line and self._timer is None:
            self._timer = self._loop.call_later(max(RETRY_S, self._line.wait_s(now)), self._serve_again)

    def _serve_again(self) -> None:
        self._timer = None
        self._serve()

    def _cancel(self, opening: asyncio.Task[None]) -> None:
        """End an opening. It counts no more from now on, although its task runs once more."""
        del self._openings[opening]
        self._ending.add(opening)
        opening.cancel()

    async def _open(self, sock: socket.socket, host: str) -> None:
        try:
            async with asyncio.timeout(self._timing.opening_s):
                streams = await start_tls(sock, self._credentials, is_caller=False, timing=self._timing)
                link = await handshake(
                    streams,
                    self._credentials.public,
                    self._hello(),
                    is_caller=False,
                    peer_host=host,
                    expect=None,
                    admit=self._admit,
                    timing=self._timing,
                )
            self._on_link(link)
        except (OSError, LinkLost, TimeoutError):
            pass  # failed attempts of strangers are not reported

    def _opened(self, opening: asyncio.Task[None], sock: socket.socket) -> None:
        self._openings.pop(opening, None)
        self._ending.discard(opening)
        if opening.cancelled():  # perhaps before it started, so it could not clean up itself
            sock.close()
        self._serve()

    async def close(self) -> None:
        """Stop listening; open links stay. Safe to call twice."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        tasks = [*self._acceptors, *self._openings, *self._ending]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for sock in self._sockets:
            if sock.fileno() >= 0 and not self._acceptors:
                self._loop.remove_reader(sock)
            sock.close()
        for sock in self._line.clear():  # last, for connections are accepted until now
            sock.close()


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
    except BaseException:
        sock.close()
        raise
    return sock
