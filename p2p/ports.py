"""What a node needs of the system below it: links, a store, jobs, and asyncio's clock.

On a computer these are TLS over TCP, SQLite and threads (`native_ports`); in a phone's browser a WebSocket to the machine that
serves the page, the browser's database, and the worker that everything runs in (p2p.browser).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from p2p.frames import Hello, Timing
from p2p.interfaces import Address
from p2p.links import Link
from p2p.opening import Admit
from p2p.saved import Journals
from protocol.errors import FairdealError
from protocol.steps import Steps
from protocol.table.work import Job, Pace, Result
from protocol.values import dataclass

T = TypeVar("T")


class Listening(Protocol):
    """An open door for peers."""

    port: int

    async def close(self) -> None:
        """Let nobody in any more; open links stay. Safe to call twice."""


class Links(Protocol):
    """Opens links to peers, and lets peers open them."""

    public: bytes
    """The own key, which these links prove."""

    async def dial(self, addresses: Iterable[Address], hello: Hello, *, expect: bytes | None, timing: Timing) -> Link:
        """Return a link to any key that answers, or to `expect`. Raises LinkLost or LinkRefused."""

    def phones_are_served(self, ports: Mapping[bytes, int]) -> None:
        """Hear whose machines serve phones, at which ports: a phone can link to these alone."""

    async def listen(
        self,
        port: int,
        hosts: tuple[str, str],
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> Listening:
        """Let peers call. Raises PortTaken, or OSError without a network."""


class Jobs(Protocol):
    """Runs what takes long without holding up the event loop, and saves."""

    def submit(self, job: Job, done: Callable[[Job, Result], None]) -> None:
        """Run a job and call `done` with its result in the event loop."""

    def keep(self, holder: Hashable, pace: Pace) -> None:
        """Hear at which pace jobs for later may go on, as far as this holder is concerned. None keeps them still for ever."""

    def run(self, function: Callable[[], T]) -> Awaitable[T]:
        """Run a function and return its result."""

    def run_steps(self, steps: Steps[Any, T]) -> Awaitable[T]:
        """Take all steps and return what comes of them. Where the event loop shares its thread, it has its turn between them."""

    def save(self, write: Callable[[], None], done: Callable[[FairdealError | None], None]) -> None:
        """Call `write`, wait until everything in the journal is durable, then call `done` in the event loop.

        The argument of `done`: why it is not durable, or None.
        """

    def close(self) -> None:
        """Drop what has not begun."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where a node finds them. `links` is called with the identity's seed."""

    open_journal: Callable[[Path], Journals]
    links: Callable[[bytes], Links]
    has_disk: bool = True
    """Whether files lie on a disk. In a page they lie in its memory: what can be made anew is written late."""


def native_ports() -> Ports:
    """Return those of a computer."""
    from p2p.journal import Journal
    from p2p.tcp import TcpLinks

    return Ports(Journal.open, TcpLinks.of)
