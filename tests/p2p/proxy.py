"""A wire that can be cut: connections pass through it until it is told to swallow, to break, or to stop reading."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Wire:
    """Forwards connections to 127.0.0.1:`port`. `is_silent`: takes bytes and forwards none, as a pulled cable does.

    To be closed when nobody calls any more: asyncio's server loses a socket that comes in as it closes.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.is_silent = False
        self.count = 0

    async def open(self, port: int) -> int:
        self._target = port
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        own: int = self._server.sockets[0].getsockname()[1]
        return own

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.count += 1
        self._writers.add(writer)
        self._keep(asyncio.current_task())
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(far_writer)
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            self._keep(asyncio.create_task(self._pipe(source, sink)))

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not self.is_silent:
                    writer.write(data)
                    await writer.drain()
        if not self.is_silent:
            writer.close()

    def _keep(self, task: asyncio.Task[None] | None) -> None:
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cut(self) -> None:
        """Breaks what passes through now."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        self._server.close()
        self.cut()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()


@contextlib.asynccontextmanager
async def wiring(count: int = 1) -> AsyncIterator[list[Wire]]:
    wires = [Wire() for _ in range(count)]
    try:
        yield wires
    finally:
        for wire in wires:
            await wire.close()
