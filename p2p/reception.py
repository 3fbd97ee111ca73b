"""Accept connections on a port, few at a time: strangers wait in line, and who takes long gives way."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine
from typing import Any

from p2p.budgets import Bucket, Rate
from p2p.interfaces import counted_as
from p2p.links import host_of
from p2p.waiting_line import LINKS, Limits, WaitingLine

ACCEPTED = Rate(2000, 256)
"""Connections accepted a second: even one that is closed at once costs some 30 microseconds."""
ACCEPTED_AT_ONCE = 16
RETRY_S = 0.1


class Reception:
    """Accepts connections on these sockets. A subclass says how one is opened, which counts until that is done."""

    def __init__(self, sockets: list[socket.socket], limits: Limits = LINKS) -> None:
        self._loop = asyncio.get_running_loop()
        self._sockets = sockets
        self._limits = limits
        self._line: WaitingLine[socket.socket] = WaitingLine(self._loop.time(), limits)
        self._openings: dict[
            asyncio.Task[None], tuple[str, float]
        ] = {}  # to the caller's host and the time, oldest first
        self._ending: set[asyncio.Task[None]] = set()  # openings that do not count any more
        self._accepted = Bucket(ACCEPTED, self._loop.time())
        self._timer: asyncio.TimerHandle | None = None
        self._acceptors: list[asyncio.Task[None]] = []
        self._is_closed = False
        self.port: int = sockets[0].getsockname()[1]
        for sock in sockets:
            self._wait_on(sock)

    def _open(self, sock: socket.socket, host: str) -> Coroutine[Any, Any, None]:
        """Open a connection, which is counted for this host. It owns the socket, unless it is cancelled before it has begun."""
        raise NotImplementedError

    def _holds(self, seconds: float) -> None:
        """Let the current opening give way to others only after so long."""
        opening = asyncio.current_task()
        if opening in self._openings:
            host, _began = self._openings[opening]
            self._openings[opening] = host, self._loop.time() + seconds - self._limits.overdue_s

    def _counts_no_more(self) -> None:
        """The current opening is of somebody who is known: let it go on beside those of strangers."""
        opening = asyncio.current_task()
        if opening in self._openings:
            del self._openings[opening]
            self._ending.add(opening)
            self._serve()

    def wasted(self, host: str) -> None:
        """A connection of this host has ended because it cost us much for nothing: the next ones have to wait."""
        self._line.charge(host, self._loop.time())

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
        evicted = self._line.add(counted_as(host_of(where)), sock)
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
