"""A process beside this one that takes orders: line by line on its standard input, answered on its standard output."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from protocol.errors import FairdealError

LEAVE_S = 10.0
"""Who has not gone by then after being told is ended."""
LAST_LINES = 500
"""So many of its complaints are kept."""


class Ended(Exception):
    """The process has ended: nobody carries out the order, or it is not known whether anybody has."""


class Beside:
    """Starts the process (OSError if the system cannot). Everything is called from the event loop, and so is what it calls:
    `heard` with each line that answers nothing, `ended` once."""

    def __init__(
        self, command: Sequence[str], heard: Callable[[dict[str, Any]], None], ended: Callable[[Beside], None]
    ) -> None:
        self.ended = asyncio.Event()
        self._heard, self._told_end = heard, ended
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self._complaints: deque[str] = deque(maxlen=LAST_LINES)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # would spoil the screen
            text=True,
            encoding="utf-8",
            errors="replace",
            # Ctrl-C, Ctrl-Z and a closed window are for us, who then close the pipe.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        complaints = threading.Thread(target=self._collect, name="complaints", daemon=True)
        complaints.start()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop, complaints), name="answers", daemon=True).start()

    @property
    def complaint(self) -> str:
        """What it wrote to its standard error, the end of it."""
        return "".join(self._complaints.copy())

    async def ask(self, what: str, **about: Any) -> Any:
        """The answer to an order. Raises the fault that it meets, or Ended."""
        assert self.process.stdin is not None
        self._count += 1
        number = self._count
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            if self.ended.is_set():  # what is written now may still find a pipe, but nobody reads it
                raise Ended
            try:
                self.process.stdin.write(json.dumps({"n": number, "do": what, "with": about}) + "\n")
                self.process.stdin.flush()
            except (OSError, ValueError):  # ValueError: closed already
                self.kill()  # as good as gone: then the listener says so
            found = await answer
        finally:
            self._waiting.pop(number, None)
        if "fault" in found:
            template, fields = found["fault"]
            raise FairdealError(template, **fields)
        if "mistake" in found:
            raise RuntimeError(found["mistake"])
        return found["ok"]

    def kill(self) -> None:
        """Ends it at once; that it has ended is told later."""
        with contextlib.suppress(OSError):
            self.process.kill()

    async def close(self) -> None:
        """Tells it to go and waits until it has gone. Safe to call twice."""
        self._hang_up()
        try:
            await asyncio.to_thread(self.process.wait, LEAVE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            await asyncio.to_thread(self.process.wait)

    def _hang_up(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    # --- in threads ---

    def _collect(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as complaints:
            self._complaints.extend(complaints)

    def _listen(self, loop: asyncio.AbstractEventLoop, complaints: threading.Thread) -> None:
        """Hands each line to the event loop, and its end when it can hold nothing any more."""
        assert self.process.stdout is not None
        # RuntimeError: the loop was closed while we listened, and nobody waits any more.
        with self.process.stdout as lines, contextlib.suppress(RuntimeError):
            for line in lines:
                with contextlib.suppress(ValueError):  # cut off in the middle when it was killed
                    loop.call_soon_threadsafe(self._hear, json.loads(line))
            try:
                self.process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                self.kill()
                self.process.wait()
            complaints.join(1.0)
            loop.call_soon_threadsafe(self._gone)

    # --- in the event loop ---

    def _hear(self, said: dict[str, Any]) -> None:
        if "n" not in said:
            self._heard(said)
            return
        waiting = self._waiting.get(said["n"])
        if waiting is not None and not waiting.done():
            waiting.set_result(said)

    def _gone(self) -> None:
        self.ended.set()
        self._hang_up()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(Ended())
        self._told_end(self)
