"""A client's bots: ordinary peers with homes inside the client's own, run in one subprocess.

They shuffle, prove and sign, and talk to the client over links like everyone else. In the client's own process their
arithmetic would compete with the screen for the interpreter.

A process that ends unexpectedly is restarted, and the bots take their seats again from their journals. A command that
was under way is sent again, so commands are idempotent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cli.client.subprocess import ProcessEnded, Subprocess
from cli.crash import write_down
from cli.news import STOPPED, STOPPED_IN_ROOM, BotsBack, BotsNews, BotsStopped, BotStuck, level_of
from p2p.home import Home
from p2p.interfaces import Address
from protocol.cards import Seat
from protocol.dealing import library
from protocol.errors import FairdealError
from protocol.room.values import Room
from protocol.table.roster import Roster

CODE = (
    "import json, sys; words = sys.argv[1]; sys.path[:] = json.loads(words)['path']; "
    "from cli.client.bot_process import main; main(words)"
)
"""The subprocess imports our packages from the same path, and nothing from its working directory."""
WAIT_S = (0.0, 1.0, 2.0, 4.0)
"""Delay before each restart within WITHIN_S seconds, in seconds; after one more crash the bots stay stopped."""
WITHIN_S = 60.0


PING_EVERY_S = 5.0
HANGS_S = 20.0
"""A process that does not answer for so long is killed, and started anew."""


class BotsGone(FairdealError):
    """The bots' process has crashed too often, or was closed."""


async def _no_seats(_process: Subprocess) -> None:
    pass


class Bots:
    """Supervises the bots' process. Call everything from the client's event loop."""

    def __init__(self, home: Home, keeper: bytes, hosts: tuple[str, str], pace_s: float) -> None:
        self.names: list[str] = []
        self.keys: dict[str, bytes] = {}
        """Keys of the bots that were seated in a waiting room, by name."""
        self.filling: dict[str, tuple[Seat, bytes]] = {}
        """The bots that were called to a running match: for which seat, and their keys."""
        self.called = 0
        """Bots for our room that are still to be told to sit down."""
        self.restore_seats: Callable[[Subprocess], Awaitable[None]] = _no_seats
        """Brings all named bots back to their seats through a new process."""
        self.on_news: Callable[[BotsNews], None] = lambda _news: None
        self.kept: Callable[[], list[str]] = list
        """Returns the matches that can be gone back to, in hexadecimal: the bots keep their seats in them."""
        self._home = home
        self._arguments = {
            "home": str(home.path),
            "library": str(library.folder_in_use() or home.path / "library"),
            "keeper": keeper.hex(),
            "hosts": hosts,
            "pace_s": pace_s,
            "path": sys.path,
        }
        self._process: Subprocess | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._is_up = asyncio.Event()
        """Set when all bots are in their seats, or stopped for good."""
        self._is_down = False
        """Whether BotsStopped was reported and BotsBack was not yet."""
        self._is_over = False
        self._is_closed = False
        self._reason: FairdealError | None = None
        """What the process said before it ended: how the game failed."""

    def __len__(self) -> int:
        return len(self.names)

    def start(self) -> None:
        """Start the process, which takes a moment: call this as soon as bots can be expected."""
        if self._supervisor is None and not self._is_over:
            self._process = self._start_process()
            self._supervisor = asyncio.create_task(self._supervise(), name="bots")

    def coming(self, room: Room) -> int:
        """Return how many of our bots are on their way into our room."""
        arrived = {each.key for each in room.seats if each is not None and each.bot} | room.refused
        return self.called + sum(self.keys.get(name) not in arrived for name in self.names)

    def way_in(self, name: str, host: Sequence[Address], expect: bytes) -> dict[str, Any]:
        """Return what a process must be told to bring a bot into a room."""
        more = {"expect": expect.hex(), "level": level_of(name), "kept": self.kept()}
        return {"name": name, "host": list(host), **more}

    async def seat(self, name: str, host: Sequence[Address], expect: bytes) -> bytes:
        """Seat one more bot in the waiting room of the host at these addresses; return its key. Raises the bot's error."""
        if self._is_over and not self._is_closed:  # the user tries again
            self._supervisor, self._is_over = None, False
        try:
            found = await self._ask("seat", **self.way_in(name, host, expect))
        except BotsGone as gone:
            raise BotsGone(STOPPED_IN_ROOM) from gone
        if name not in self.names:
            self.names.append(name)
        self.keys[name] = bytes.fromhex(found)
        return self.keys[name]

    async def take_seat(
        self, name: str, host: Sequence[Address], expect: bytes, roster: Roster, epoch: int, seat: Seat
    ) -> None:
        """Let a bot that is in the room of the host at these addresses take an empty seat of the running match. Raises the bot's
        error."""
        way = self.way_in(name, host, expect)
        await self._ask("take_seat", **way, roster=roster.encode().hex(), epoch=epoch, seat=seat)

    async def resume(self, names: Sequence[str], match: bytes) -> None:
        """Return these bots to the seats that they had in this match."""
        if not names:
            return
        await self._ready_process()
        self.names += [name for name in names if name not in self.names]
        for name in names:
            await self._ask("resume", name=name, match=match.hex(), level=level_of(name))

    async def introduce(self, key: bytes, port: int) -> dict[bytes, int]:
        """Tell the bots where their keeper and each other listen; return the port of each by its key."""
        if not self.names:
            return {}
        return ports(await self._ask("introduce", key=key.hex(), port=port))

    async def put_aside(self) -> None:
        """Leave the table with all bots; they keep their seats, and are ready for the room's next match."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("put_aside")

    async def finished(self) -> None:
        """Wait until no bot has anything more to send at its table; no-op if the bots are gone."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finished")

    async def finish(self, title: str, status: str) -> None:
        """End the match: each bot keeps its result, deletes its records, and is ready for the room's next match."""
        if self.names:
            with contextlib.suppress(BotsGone):
                await self._ask("finish", title=title, status=status)

    async def dismiss(self, name: str) -> None:
        """Let a bot leave its match and its room; it comes back to neither."""
        self.names.remove(name)
        self.keys.pop(name, None)
        with contextlib.suppress(BotsGone):
            await self._ask("dismiss", name=name)

    def forget(self, key: bytes) -> None:
        """Do not seat this bot again, if it is one of ours: it was removed."""
        for name in [name for name, known in self.keys.items() if known == key]:
            del self.keys[name]
            if name in self.names:
                self.names.remove(name)

    async def close(self) -> None:
        """Stop all bots and keep their seats. Safe to call twice."""
        self._is_over = self._is_closed = True
        self._is_up.set()
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.gather(self._supervisor, return_exceptions=True)
        if self._process is not None:
            await self._process.close()

    # --- commands ---

    async def _ready_process(self) -> Subprocess:
        """Return the process once all bots are in their seats. Raises BotsGone."""
        self.start()
        while not self._is_up.is_set():
            await self._is_up.wait()
        if self._is_over or self._process is None:
            raise BotsGone(STOPPED)
        return self._process

    async def _ask(self, command_name: str, **arguments: Any) -> Any:
        """Return the answer to a command, sent again if the process ends. Raises the bot's error, or BotsGone."""
        while True:
            process = await self._ready_process()
            with contextlib.suppress(ProcessEnded):
                return await process.ask(command_name, **arguments)

    # --- the process ---

    def _start_process(self) -> Subprocess | None:
        """Start a process; None if the system cannot."""
        self._is_up.clear()
        with contextlib.suppress(OSError):
            return Subprocess(
                [sys.executable, "-P", "-c", CODE, json.dumps(self._arguments)], self._on_message, self._ended
            )
        return None

    def _ended(self, process: Subprocess) -> None:
        if process is self._process and not self._is_over:
            self._is_up.clear()

    def _on_message(self, message: dict[str, Any]) -> None:
        if "failed" in message:
            template, fields = message["failed"]
            self._reason = FairdealError(template, **fields)
            return
        template, fields = message["fault"]
        self.on_news(BotStuck(message["name"], FairdealError(template, **fields), message["is_bug"]))

    async def _supervise(self) -> None:
        """Restart the process until it has crashed too often."""
        loop = asyncio.get_running_loop()
        ends: list[float] = []
        self._is_down = False
        while True:
            stderr_tail = await self._until_end(self._process) if self._process is not None else ""
            ends = [*(each for each in ends if each > loop.time() - WITHIN_S), loop.time()]
            is_for_good = len(ends) > len(WAIT_S)
            log = str(write_down(self._home.path, stderr_tail)) if stderr_tail.strip() else ""
            if self.names and (is_for_good or not self._is_down):
                self.on_news(BotsStopped(tuple(self.names), is_for_good, log, self._reason))
                self._is_down = True
            self._reason = None
            if is_for_good:
                self._is_over, self._process = True, None
                self._is_up.set()
                return
            await asyncio.sleep(WAIT_S[len(ends) - 1])
            self._process = self._start_process()

    async def _until_end(self, process: Subprocess) -> str:
        """Wait for the process to end; return what it wrote to standard error."""
        seating, watching = asyncio.create_task(self._restore_seats(process)), asyncio.create_task(_watch(process))
        try:
            await process.ended.wait()
        finally:
            seating.cancel()
            watching.cancel()
            fault, _ = await asyncio.gather(seating, watching, return_exceptions=True)
        if isinstance(fault, Exception):
            return process.stderr_tail + "".join(traceback.format_exception(fault))
        return process.stderr_tail

    async def _restore_seats(self, process: Subprocess) -> None:
        try:
            if self.names:
                await self.restore_seats(process)
        except ProcessEnded:
            return
        except Exception:  # whatever it was, half of the bots may sit: killed, the process begins anew, or is given up
            process.kill()
            raise
        if self._is_down:
            self._is_down = False
            if self.names:
                self.on_news(BotsBack(tuple(self.names)))
        self._is_up.set()


async def _watch(process: Subprocess) -> None:
    """Kill a process that hangs."""
    while True:
        await asyncio.sleep(PING_EVERY_S)
        try:
            async with asyncio.timeout(HANGS_S):
                await process.ask("ping")
        except TimeoutError:
            process.kill()
        except ProcessEnded:
            return


def ports(found: dict[str, int]) -> dict[bytes, int]:
    """Decode the answer to `introduce`: each bot's port by its key."""
    return {bytes.fromhex(each): int(where) for each, where in found.items()}
