"""A page's server in this process, with an app that shows one list: what it is told can be looked at."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from cli.news import Do
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.effects import Effect
from cli.view.settings import Settings
from cli.web.app import WebApp
from cli.web.server import HOST, Server


class Served:
    """`done`: what the model wanted done."""

    def __init__(self) -> None:
        settings = Settings()
        self.app = WebApp(settings)
        self.server = Server(self.app)
        self.done: list[Effect] = []
        self.app.carry_out = self._carry_out
        self.model = ChoiceModel(settings, "Which?", (Alternative("one", "First"), Alternative("two", "Second")))
        self.app.show(self.app.screen_of(self.model))

    async def _carry_out(self, effect: Effect) -> None:
        self.done.append(effect)

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.server.port}"

    def token(self) -> str:
        return self.server.address().partition("#t=")[2]

    @asynccontextmanager
    async def socket(self, origin: str | None = None, host: str | None = None) -> AsyncIterator[ClientConnection]:
        headers = {"Host": host} if host else None
        where = f"ws://{HOST}:{self.server.port}/socket"
        async with connect(
            where,
            origin=Origin(origin or self.origin),
            additional_headers=headers,
            compression=None,
        ) as socket:
            yield socket

    async def get(self, path: str, host: str | None = None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by name in small letters, and body of a plain request."""
        reader, writer = await asyncio.open_connection(HOST, self.server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host or f'{HOST}:{self.server.port}'}\r\n\r\n".encode())
        head, _blank, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        first, *rest = head.decode().split("\r\n")
        return int(first.split()[1]), {n.lower(): v for n, v in (each.split(": ", 1) for each in rest)}, body


@asynccontextmanager
async def served() -> AsyncIterator[Served]:
    there = Served()
    async with there.server.running():
        yield there


async def opened(socket: ClientConnection, token: str = "", held: str = "") -> dict[str, Any]:
    """Says who we are; the first answer."""
    await socket.send(json.dumps({"type": "open", "token": token, "pass": held}))
    return await heard(socket)


async def heard(socket: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(60):
        found: dict[str, Any] = json.loads(await socket.recv())
    return found


async def closed(socket: ClientConnection) -> int | None:
    """The code with which the other side closes."""
    async with asyncio.timeout(60):
        await socket.wait_closed()
    return socket.close_code


CHOSEN = Do("chosen", "two")
