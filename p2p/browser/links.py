"""The one link of a phone: a WebSocket to the machine that serves its page."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Any

from js import WebSocket
from pyodide.ffi import create_proxy, to_js

from p2p.errors import LinkLost
from p2p.frames import Hello, Timing
from p2p.guests.challenge import NONCE_BYTES, Answer, Challenge, GuestRefused, check_welcome
from p2p.guests.streams import streams_over
from p2p.interfaces import Address
from p2p.links import Link
from p2p.opening import Admit, open_link
from p2p.ports import Listening
from protocol.errors import BadMessage
from protocol.identity import Identity

OPENING_S = 15.0
"""The exchange of keys, on a phone that may be busy with a proof."""


class PageSocket:
    """See `p2p.guests.streams.Carrier`."""

    own_host = "127.0.0.1"

    def __init__(self, url: str) -> None:
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._socket = WebSocket.new(url)
        self._socket.binaryType = "arraybuffer"
        self._proxies = [create_proxy(each) for each in (self._on_open, self._on_message, self._on_close)]
        self._socket.onopen, self._socket.onmessage, self._socket.onclose = self._proxies
        self._is_closed = False

    def _on_open(self, _event: object) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _on_message(self, event: Any) -> None:
        if hasattr(event.data, "to_bytes"):  # else it is a text, which nobody sends here
            self._messages.put_nowait(bytes(event.data.to_bytes()))

    def _on_close(self, _event: object) -> None:
        self._is_closed = True
        if not self._opened.done():
            self._opened.set_exception(OSError("no connection"))
        self._messages.put_nowait(None)

    async def opened(self) -> None:
        """Wait until it is open. Raises OSError."""
        await self._opened

    async def receive(self) -> bytes:
        data = None if self._is_closed and self._messages.empty() else await self._messages.get()
        if data is None:
            raise OSError("closed")
        return data

    def send(self, data: bytes) -> None:
        if not self._is_closed:
            self._socket.send(to_js(data))

    @property
    def queued(self) -> int:
        return 0 if self._is_closed else int(self._socket.bufferedAmount)

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._messages.put_nowait(None)
            self._socket.close()


class GuestLinks:
    """See `p2p.ports.Links`. `url` is the guest socket's; `server`: the beginning of the server's key in hexadecimal."""

    def __init__(
        self, seed: bytes, url: str, place: str, server: str, invitation: bytes, came_in: Callable[[bytes], None]
    ) -> None:
        self._identity = Identity(seed)
        self.public = self._identity.public
        self._url, self._place, self._server, self._invitation = url, place, server, invitation
        self._came_in = came_in
        self.refused: GuestRefused | None = None

    async def dial(self, addresses: Iterable[Address], hello: Hello, *, expect: bytes | None, timing: Timing) -> Link:
        """Link to the server, whatever the addresses are: a page reaches nobody else."""
        if expect is not None and not expect.hex().startswith(self._server):
            raise LinkLost("there is no address to connect to", reason="unreachable")
        socket = PageSocket(self._url)
        try:
            async with asyncio.timeout(timing.dial_s):
                await socket.opened()
            async with asyncio.timeout(OPENING_S):
                key = await self._exchange(socket)
                return await open_link(
                    streams_over(socket),
                    lambda: key,
                    self.public,
                    hello,
                    is_caller=True,
                    peer_host=self._place.rpartition(":")[0].strip("[]"),
                    expect=expect,
                    admit=lambda _key, _hello, _host: None,
                    timing=timing,
                )
        except GuestRefused as refused:
            socket.close()
            self.refused = refused
            raise LinkLost(refused.template, reason=refused.code) from refused
        except (OSError, BadMessage) as fault:
            socket.close()
            raise LinkLost("no answer from that address", reason="lost") from fault
        except BaseException:
            socket.close()
            raise

    async def _exchange(self, socket: PageSocket) -> bytes:
        challenge = Challenge.decode(await socket.receive())
        if challenge.place != self._place or not challenge.server.hex().startswith(self._server):
            raise LinkLost("someone else answers at that address", reason="identity")
        answer = Answer.to(challenge, self._identity, os.urandom(NONCE_BYTES), self._invitation)
        socket.send(answer.encode())
        check_welcome(await socket.receive(), challenge, answer)
        self._invitation = b""
        self._came_in(challenge.server)
        return challenge.server

    async def listen(
        self,
        port: int,
        hosts: tuple[str, str],
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> Listening:
        """Nobody can call a page."""
        return _Closed()


class _Closed:
    port = 0

    async def close(self) -> None:
        """There is nothing to close."""
