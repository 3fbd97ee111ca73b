"""Files and a socket on one port of this computer: the way to the page. Nobody else on the network can reach it."""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import logging
import os
from collections.abc import AsyncIterator, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cli.page.files import SAFETY, found_files
from cli.web.access import Access, is_own_host, is_own_origin
from cli.web.app import WebApp
from cli.web.checking import Parts, checked
from cli.web.incoming import MOST_BYTES, FilePart, Garbled, Opens, read_message

HOST = "127.0.0.1"
SOCKET = "/socket"
OPEN_S = 10.0
"""How long a page has to say who it is."""
MOST_PAGES = 8
MOST_WAITING = 32
"""How many sockets may be open that have not said yet who they are."""
USED, GARBLED, FULL = 4001, 4002, 4003
"""Why we close a socket: the address was used already, the page says nonsense, too many pages are open."""


class _Socket:
    """A page behind a socket. Only the newest view matters: one that waits gives way to the next."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._is_there = asyncio.Event()

    def tell(self, message: dict[str, Any]) -> None:
        kind = str(message["type"])
        self._waiting.pop(kind, None)
        self._waiting[kind] = message
        self._is_there.set()

    async def send(self, connection: ServerConnection) -> None:
        while True:
            await self._is_there.wait()
            self._is_there.clear()
            waiting, self._waiting = list(self._waiting.values()), {}
            for message in waiting:
                await connection.send(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


class Server:
    """Serves one app. `opened` is called when a page came, `left` when the last one went."""

    def __init__(self, app: WebApp, left: Callable[[], None] = lambda: None) -> None:
        self._app = app
        self._left = left
        self.access = Access(os.urandom)
        self._waiting = 0
        self.port = 0

    def address(self) -> str:
        """A new address, good for one page."""
        return f"http://{HOST}:{self.port}/#t={self.access.new_token()}"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        quiet = logging.getLogger("cli.web.sockets")
        quiet.propagate = False
        async with serve(
            self._socket,
            HOST,
            0,
            process_request=self._request,
            max_size=4 * MOST_BYTES,
            compression=None,
            close_timeout=1,
            logger=quiet,
        ) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            yield

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answers what is not the socket; lets the socket through if our own page asks for it."""
        if not is_own_host(request.headers.get("Host"), self.port):
            return _answer(http.HTTPStatus.FORBIDDEN, "text/plain", b"not this host\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
            if is_own_origin(request.headers.get("Origin"), self.port):
                return None
            return _answer(http.HTTPStatus.FORBIDDEN, "text/plain", b"not from this page\n")
        found = found_files().get(path)
        if found is None:
            return _answer(http.HTTPStatus.NOT_FOUND, "text/plain", b"no such file\n")
        return _answer(http.HTTPStatus.OK, *found)

    async def _socket(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            if self._waiting >= MOST_WAITING:
                await connection.close(FULL)
                return
            self._waiting += 1
            try:
                async with asyncio.timeout(OPEN_S):
                    first = read_message(await connection.recv())
                held = self.access.admit(first.token, first.held) if isinstance(first, Opens) else None
            except (Garbled, TimeoutError):
                await connection.close(GARBLED)
                return
            finally:
                self._waiting -= 1
            if held is None or self._app.pages >= MOST_PAGES:
                await connection.close(USED if held is None else FULL)
                return
            await connection.send(json.dumps({"type": "welcome", "pass": held}))
            await self._serve(connection)

    async def _serve(self, connection: ServerConnection) -> None:
        link, parts = _Socket(), Parts()
        self._app.opened(link)
        sending = asyncio.create_task(link.send(connection))
        try:
            async for data in connection:
                message = read_message(data)
                if isinstance(message, Opens):
                    raise Garbled("it is open")
                if isinstance(message, FilePart):
                    await self._check(parts.take(message), message.name, link)
                else:
                    self._app.said(message)
        except Garbled:
            await connection.close(GARBLED)
        finally:
            self._app.closed(link)
            # What is told last, that the program has ended, shall still arrive.
            await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            if not self._app.pages:
                self._left()

    async def _check(self, data: bytes | None, name: str, link: _Socket) -> None:
        """Check a file of which all parts are here; meanwhile the page's taps wait."""
        if data is not None:
            lines = await asyncio.to_thread(checked, self._app.settings.words, name, data)
            message = {"type": "told", "lines": lines}
            link.tell(message)


def _answer(status: http.HTTPStatus, kind: str, body: bytes) -> Response:
    headers = Headers({**SAFETY, "Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, body)
