"""The bots that a client keeps: peers like any other, with homes within its own, in one process beside it.

They shuffle, prove and sign, and talk to their keeper through links like everybody. In the keeper's own process their
arithmetic would compete with the screen for the interpreter: while eight seats deal, keys would wait.

A process that ends though nobody told it to is started anew, and the bots take their seats again: each has its journal, as any
player who was away. An order that was under way then is given again, so orders are such that twice does no harm.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cli.client.subprocess import Beside, Ended
from cli.crash import write_down
from cli.news import STOPPED, STOPPED_IN_ROOM, BotsBack, BotsNews, BotsStopped, BotStuck
from p2p.home import Home
from p2p.interfaces import Address
from protocol.dealing import library
from protocol.errors import FairdealError

CODE = (
    "import json, sys; words = sys.argv[1]; sys.path[:] = json.loads(words)['path']; "
    "from cli.client.bot_process import main; main(words)"
)
"""The new interpreter finds our packages where we found them, and nothing in the folder where it happens to start."""
WAIT_S = (0.0, 1.0, 2.0, 4.0)
"""How long after each end of the last WITHIN_S seconds a new process is started; after one more none is."""
WITHIN_S = 60.0


class BotsGone(FairdealError):
    """The bots' process ends again and again, or was told to go."""


async def _nowhere(_process: Beside) -> None:
    pass


class Bots:
    """Everything is called from the client's event loop."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float) -> None:
        self.names: list[str] = []
        self.keys: dict[str, bytes] = {}
        """Of those that were seated in a waiting room."""
        self.take_seats: Callable[[Beside], Awaitable[None]] = _nowhere
        """Brings all bots that are named back to their seats, through a process that is new and knows none of them."""
        self.tell: Callable[[BotsNews], None] = lambda _news: None
        self._home = home
        self._orders = {
            "home": str(home.path),
            "library": str(library.folder_in_use() or home.path / "library"),
            "keeper": keeper.hex(),
            "hosts": hosts,
            "pace_s": pace_s,
            "path": sys.path,
        }
        self._process: Beside | None = None
        self._keeping_up: asyncio.Task[None] | None = None
        self._is_up = asyncio.Event()
        """All bots are where they belong; or it is over with them."""
        self._is_missed = False
        """It has been said that they stopped, and not yet that they are back."""
        self._is_over = False
        self._is_closed = False

    def __len__(self) -> int:
        return len(self.names)

    def start(self) -> None:
        """Starts their process, which takes a moment: worth calling as soon as bots are to be expected."""
        if self._keeping_up is None and not self._is_over:
            self._process = self._begin()
            self._keeping_up = asyncio.create_task(self._keep_up(), name="bots")

    async def seat(self, name: str, host: Sequence[Address], expect: bytes) -> bytes:
        """One more bot sits down in the waiting room of the host found there; its key. Raises what it meets."""
        if self._is_over and not self._is_closed:  # somebody wants to try it again
            self._keeping_up, self._is_over = None, False
        try:
            found = await self._ask("seat", name=name, host=list(host), expect=expect.hex())
        except BotsGone as gone:
            raise BotsGone(STOPPED_IN_ROOM) from gone
        if name not in self.names:
            self.names.append(name)
        self.keys[name] = bytes.fromhex(found)
        return self.keys[name]

    async def resume(self, names: Sequence[str], match: bytes) -> None:
        """These bots take the seats again that they had in this match."""
        if not names:
            return
        await self._there()
        self.names += [name for name in names if name not in self.names]
        for name in names:
            await self._ask("resume", name=name, match=match.hex())

    async def introduce(self, key: bytes, port: int) -> dict[bytes, int]:
        """Tell the bots where their keeper and each other listen; returns the port of each by its key."""
        if not self.names:
            return {}
        return ports(await self._ask("introduce", key=key.hex(), port=port))

    async def finished(self) -> None:
        """Until no bot has anything more to say at its table; bots that are gone have not."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finished")

    async def finish(self, title: str, status: str) -> None:
        """The match is over: each bot keeps its result and forgets its records. There is nothing to come back to then."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finish", title=title, status=status)
            self.names.clear()

    async def close(self) -> None:
        """Away with all of them; their seats are kept. Safe to call twice."""
        self._is_over = self._is_closed = True
        self._is_up.set()
        if self._keeping_up is not None:
            self._keeping_up.cancel()
            await asyncio.gather(self._keeping_up, return_exceptions=True)
        if self._process is not None:
            await self._process.close()

    # --- orders ---

    async def _there(self) -> Beside:
        """The process, with all bots where they belong. Raises BotsGone."""
        self.start()
        while not self._is_up.is_set():
            await self._is_up.wait()
        if self._is_over or self._process is None:
            raise BotsGone(STOPPED)
        return self._process

    async def _ask(self, what: str, **about: Any) -> Any:
        """The answer, of another process if one ends over it. Raises the fault that the bot meets, or BotsGone."""
        while True:
            process = await self._there()
            with contextlib.suppress(Ended):
                return await process.ask(what, **about)

    # --- the process ---

    def _begin(self) -> Beside | None:
        """None: the system cannot start one now."""
        self._is_up.clear()
        with contextlib.suppress(OSError):
            return Beside([sys.executable, "-P", "-c", CODE, json.dumps(self._orders)], self._heard, self._ended)
        return None

    def _ended(self, process: Beside) -> None:
        if process is self._process and not self._is_over:
            self._is_up.clear()

    def _heard(self, said: dict[str, Any]) -> None:
        template, fields = said["fault"]
        self.tell(BotStuck(said["name"], FairdealError(template, **fields)))

    async def _keep_up(self) -> None:
        """Until it is over with them."""
        loop = asyncio.get_running_loop()
        ends: list[float] = []
        self._is_missed = False
        while True:
            complaint = await self._until_end(self._process) if self._process is not None else ""
            ends = [*(each for each in ends if each > loop.time() - WITHIN_S), loop.time()]
            is_for_good = len(ends) > len(WAIT_S)
            log = str(write_down(self._home.path, complaint)) if complaint.strip() else ""
            if self.names and (is_for_good or not self._is_missed):
                self.tell(BotsStopped(tuple(self.names), is_for_good, log))
                self._is_missed = True
            if is_for_good:
                self._is_over, self._process = True, None
                self._is_up.set()
                return
            await asyncio.sleep(WAIT_S[len(ends) - 1])
            self._process = self._begin()

    async def _until_end(self, process: Beside) -> str:
        """Returns what went wrong, if that is known."""
        seating = asyncio.create_task(self._seat_again(process))
        try:
            await process.ended.wait()
        finally:
            seating.cancel()
            (fault,) = await asyncio.gather(seating, return_exceptions=True)
        if isinstance(fault, Exception):
            return process.complaint + "".join(traceback.format_exception(fault))
        return process.complaint

    async def _seat_again(self, process: Beside) -> None:
        try:
            if self.names:
                await self.take_seats(process)
        except Ended:
            return
        except Exception:
            process.kill()  # then it is tried again, or it is said that it cannot be
            raise
        if self._is_missed:
            self._is_missed = False
            if self.names:
                self.tell(BotsBack(tuple(self.names)))
        self._is_up.set()


def ports(found: dict[str, int]) -> dict[bytes, int]:
    """The answer to being introduced: where each bot listens, by its key."""
    return {bytes.fromhex(each): int(where) for each, where in found.items()}
