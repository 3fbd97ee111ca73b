"""A page's end of a guest link: a WebSocket of the browser."""

from __future__ import annotations

import asyncio
from typing import Any

from js import WebSocket
from pyodide.ffi import create_proxy, to_js


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


async def connect(url: str) -> PageSocket:
    """Open a WebSocket. Raises OSError."""
    socket = PageSocket(url)
    try:
        await socket.opened()
    except BaseException:  # cancelled, or not let in
        socket.close()
        raise
    return socket
