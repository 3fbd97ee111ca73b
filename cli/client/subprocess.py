"""A subprocess that takes commands as lines on its standard input and answers on its standard output."""

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

EXIT_S = 10.0
"""The process is killed if it has not exited this long after its input was closed."""
LAST_LINES = 500
"""Number of lines kept of its standard error."""


class ProcessEnded(Exception):
    """The process has ended: the command was not carried out, or it is unknown whether it was."""


class Subprocess:
    """A running subprocess. Everything is called from the event loop, the callbacks included.

    `on_message` receives each line that is not an answer, `on_end` is called once. Raises OSError if the system cannot
    start it.
    """

    def __init__(
        self, command: Sequence[str], on_message: Callable[[dict[str, Any]], None], on_end: Callable[[Subprocess], None]
    ) -> None:
        self.ended = asyncio.Event()
        self._on_message, self._on_end = on_message, on_end
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self._stderr: deque[str] = deque(maxlen=LAST_LINES)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # would spoil the screen
            text=True,
            encoding="utf-8",
            errors="replace",
            # Ctrl-C, Ctrl-Z and a closed window reach only us, and we then close the pipe.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        stderr = threading.Thread(target=self._collect, name="stderr", daemon=True)
        stderr.start()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop, stderr), name="answers", daemon=True).start()

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to its standard error."""
        return "".join(self._stderr.copy())

    async def ask(self, command_name: str, **arguments: Any) -> Any:
        """Send a command and return the answer. Raises the fault that the command raised, or ProcessEnded."""
        assert self.process.stdin is not None
        self._count += 1
        number = self._count
        answer = self._pending[number] = asyncio.get_running_loop().create_future()
        try:
            if self.ended.is_set():  # the pipe may still accept a line, but nobody would read it
                raise ProcessEnded
            try:
                self.process.stdin.write(json.dumps({"n": number, "do": command_name, "with": arguments}) + "\n")
                self.process.stdin.flush()
            except (OSError, ValueError):  # ValueError: closed already
                self.kill()  # it no longer reads; the listener reports its end
            found = await answer
        finally:
            self._pending.pop(number, None)
        if "fault" in found:
            template, fields = found["fault"]
            raise FairdealError(template, **fields)
        if "mistake" in found:
            raise RuntimeError(found["mistake"])
        return found["ok"]

    def kill(self) -> None:
        """Kill the process; its end is reported later."""
        with contextlib.suppress(OSError):
            self.process.kill()

    async def close(self) -> None:
        """Close its input and wait until it has exited. Safe to call twice."""
        self._close_stdin()
        try:
            await asyncio.to_thread(self.process.wait, EXIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            await asyncio.to_thread(self.process.wait)

    def _close_stdin(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    # --- in threads ---

    def _collect(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stderr:
            self._stderr.extend(stderr)

    def _listen(self, loop: asyncio.AbstractEventLoop, stderr: threading.Thread) -> None:
        """Pass each line to the event loop, and report the end of the process."""
        assert self.process.stdout is not None
        # RuntimeError: the loop was closed meanwhile, so nobody waits for an answer.
        with self.process.stdout as lines, contextlib.suppress(RuntimeError):
            for line in lines:
                with contextlib.suppress(ValueError):  # a line cut off when the process was killed
                    loop.call_soon_threadsafe(self._dispatch, json.loads(line))
            try:
                self.process.wait(EXIT_S)
            except subprocess.TimeoutExpired:
                self.kill()
                self.process.wait()
            stderr.join(1.0)
            loop.call_soon_threadsafe(self._finished)

    # --- in the event loop ---

    def _dispatch(self, message: dict[str, Any]) -> None:
        if "n" not in message:
            self._on_message(message)
            return
        pending = self._pending.get(message["n"])
        if pending is not None and not pending.done():
            pending.set_result(message)

    def _finished(self) -> None:
        self.ended.set()
        self._close_stdin()
        for pending in self._pending.values():
            if not pending.done():
                pending.set_exception(ProcessEnded())
        self._on_end(self)
