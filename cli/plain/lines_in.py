"""Lines as they are typed, or piped, without ever blocking the table: a thread reads, the loop listens."""

from __future__ import annotations

import asyncio
import codecs
import io
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TextIO

CHUNK = 4096
MAX_LINE = 2000
"""A longer line is no line that anybody typed; its end is dropped."""


class LineQueue:
    """The stream's lines, one after another, for the next reader: first the waiting room, then the table. The next one can
    be looked at and left where it is."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[str | None] | None = None
        self._head: deque[str | None] = deque()

    async def peek(self) -> str | None:
        """The next line, or None at the end, once it is there. A cancelled call has taken nothing."""
        if not self._head:
            if self._lines is None:
                self._lines = self._start()
            self._head.append(await self._lines.get())
        return self._head[0]

    def take(self) -> None:
        """The line that was looked at is done with; the end stays."""
        if self._head and self._head[0] is not None:
            self._head.popleft()

    def give_back(self, lines: Iterable[str]) -> None:
        """Lines that were taken and not used: the next who asks gets them first."""
        self._head.extendleft(reversed(list(lines)))

    def _start(self) -> asyncio.Queue[str | None]:
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[str | None] = asyncio.Queue()

        def pump() -> None:
            # The loop may be gone while the thread still waits for a key: then nobody wants the line.
            try:
                for line in read_lines(self._stream):
                    loop.call_soon_threadsafe(lines.put_nowait, line[:MAX_LINE])
                loop.call_soon_threadsafe(lines.put_nowait, None)
            except RuntimeError:
                pass

        threading.Thread(target=pump, name="typed lines", daemon=True).start()
        return lines

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self.peek()) is not None:
            self.take()
            yield line


def read_lines(stream: TextIO | None) -> Iterator[str]:
    """Lines without their ends. Reads below Python's buffer where there is one: a thread that waits inside the buffer holds
    its lock, and the interpreter could not end without a crash."""
    if stream is None or stream.closed:
        return
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    try:
        if isinstance(raw, io.RawIOBase):
            yield from _raw_lines(raw, stream.encoding or "utf-8")
        else:
            for line in stream:
                yield line.rstrip("\r\n")
    except (OSError, ValueError):
        return


def _raw_lines(raw: io.RawIOBase, encoding: str) -> Iterator[str]:
    # A console on Windows gives UTF-8 below the buffer, whatever its code page.
    decoder = codecs.getincrementaldecoder("utf-8" if encoding.startswith("utf") else encoding)("replace")
    pending = ""
    while True:
        data = raw.read(CHUNK)
        if not data:
            break
        pending += decoder.decode(data)
        *whole, pending = pending.split("\n")
        for line in whole:
            yield line.rstrip("\r")
    pending += decoder.decode(b"", True)
    if pending:
        yield pending.rstrip("\r")
