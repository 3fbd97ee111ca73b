"""The bots that a client keeps: peers like any other, with homes within its own, in one process beside it.

They shuffle, prove and sign, and talk to their keeper through links like everybody. In the keeper's own process their
arithmetic would compete with the screen for the interpreter: while eight seats deal, keys would wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from cli.words import key
from p2p.home import Home
from p2p.interfaces import Address
from protocol.errors import FairdealError

CODE = "import json, sys; words = sys.argv[1]; sys.path[:] = json.loads(words)['path']; from cli.kept import main; main(words)"
"""The new interpreter finds our packages where we found them, and nothing in the folder where it happens to start."""
LEAVE_S = 10.0
"""Who has not gone by then after being told is ended."""

GONE = key("the bots of this machine have stopped: leave, and take your seat again")


class BotsGone(FairdealError):
    """The bots' process has ended, and it was not told to."""


class Bots:
    """Everything is called from the client's event loop."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float) -> None:
        self.names: list[str] = []
        self._orders = {
            "home": str(home.path),
            "keeper": keeper.hex(),
            "hosts": hosts,
            "pace_s": pace_s,
            "path": sys.path,
        }
        self._process: subprocess.Popen[str] | None = None
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._count = 0
        self._is_gone = False

    def __len__(self) -> int:
        return len(self.names)

    def start(self) -> None:
        """Starts their process, which takes a moment: worth calling as soon as bots are to be expected."""
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", CODE, json.dumps(self._orders)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # would spoil the screen; what goes wrong is in the answers
            text=True,
            encoding="utf-8",
            # Ctrl-C, Ctrl-Z and a closed window are for the client, which then closes the pipe.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(self._process, loop), name="bots", daemon=True).start()

    async def seat(self, name: str, host: Sequence[Address], expect: bytes) -> None:
        """One more bot sits down in the waiting room of the host found there. Raises what it meets."""
        self.names.append(name)
        try:
            await self._ask("seat", name=name, host=list(host), expect=expect.hex())
        except FairdealError:
            self.names.remove(name)
            raise

    async def resume(self, names: Sequence[str], match: bytes) -> None:
        """These bots take the seats again that they had in this match."""
        for name in names:
            self.names.append(name)
            await self._ask("resume", name=name, match=match.hex())

    async def introduce(self, key: bytes, port: int) -> dict[bytes, int]:
        """Tell the bots where their keeper and each other listen; returns the port of each by its key."""
        if not self.names:
            return {}
        found = await self._ask("introduce", key=key.hex(), port=port)
        return {bytes.fromhex(each): int(where) for each, where in found.items()}

    async def finished(self) -> None:
        """Until no bot has anything more to say at its table; bots that are gone have not."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finished")

    async def finish(self, title: str, status: str) -> None:
        """The match is over: each bot keeps its result and forgets its records."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finish", title=title, status=status)

    async def close(self) -> None:
        """Away with all of them; their seats are kept. Safe to call twice."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            await asyncio.to_thread(process.wait, LEAVE_S)
        except subprocess.TimeoutExpired:
            process.kill()

    # --- orders and answers ---

    async def _ask(self, what: str, **about: Any) -> Any:
        self.start()
        assert self._process is not None and self._process.stdin is not None
        if self._is_gone:  # what is written now may still find a pipe, but nobody reads it
            raise BotsGone(GONE)
        self._count += 1
        number = self._count
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._process.stdin.write(json.dumps({"n": number, "do": what, "with": about}) + "\n")
            self._process.stdin.flush()
        except OSError:
            self._gone()
        try:
            found = await answer
        finally:
            self._waiting.pop(number, None)
        if "fault" in found:
            template, fields = found["fault"]
            raise FairdealError(template, **fields)
        if "mistake" in found:
            raise RuntimeError(found["mistake"])
        return found["ok"]

    def _listen(self, process: subprocess.Popen[str], loop: asyncio.AbstractEventLoop) -> None:
        """In a thread: hands each answer to the event loop."""
        assert process.stdout is not None
        # RuntimeError: the loop was closed while we listened, and nobody waits any more.
        with process.stdout, contextlib.suppress(RuntimeError):
            for line in process.stdout:
                loop.call_soon_threadsafe(self._answered, json.loads(line))
            loop.call_soon_threadsafe(self._gone)

    def _answered(self, answer: dict[str, Any]) -> None:
        waiting = self._waiting.get(answer["n"])
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def _gone(self) -> None:
        self._is_gone = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(BotsGone(GONE))
