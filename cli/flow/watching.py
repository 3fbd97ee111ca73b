"""A screen for the whole room: shows what is played at one table, match after match. Nobody taps on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NoReturn

from cli.flow.looking import session_at, watched
from cli.flow.session import Flow
from p2p.errors import LinkRefused
from p2p.interfaces import Address
from p2p.ports import Ports
from p2p.watcher import Watcher
from protocol.errors import FairdealError
from protocol.identity import Identity

CODE_S = 10.0
RETRY_S = 2.0
"""How long until a match that has begun is shown."""


async def watch_all(
    flow: Flow,
    find: Callable[[], Awaitable[Sequence[Address]]],
    identity: Identity,
    ports: Ports | None,
    is_refused: Callable[[], bool] = lambda: False,
) -> None:
    """Show each match from its beginning, its score sheet until the next one begins, and before the first that we wait.

    `find` tells where the table is now. Ends only when `is_refused` is true after a link failed: raises why.
    """
    waits = flow._("Nobody is playing yet. The table appears here as soon as a match begins.")
    flow.wait_screen(waits)
    showing: asyncio.Task[str] | None = None
    over = b""
    try:
        while True:
            watcher = Watcher(identity, ports)
            try:
                table = await watched(watcher, await find(), flow.context.home, is_tried_again=True)
                if table.match != over:
                    await _end(showing)
                    showing = asyncio.create_task(session_at(flow, table).run())
                    await table.run()
                    over = table.match if table.is_over else b""
            except FairdealError as fault:
                if is_refused():
                    raise
                if showing is not None and not over and _plays_nothing(fault):
                    await _end(showing)
                    showing = None
                    flow.wait_screen(waits)
            finally:
                await watcher.close()
            await asyncio.sleep(RETRY_S)
    finally:
        await _end(showing)


async def keep_code(flow: Flow, address: Callable[[], Awaitable[str]]) -> NoReturn:
    """Show the code by which phones join now: in the middle of a match it changes, and comes and goes with who serves them."""
    while True:
        await asyncio.sleep(CODE_S)
        flow.show_code(await address())


def _plays_nothing(fault: FairdealError) -> bool:
    """Whether somebody answered there who has no table: the match that we lost sight of goes on without them, or is over."""
    return isinstance(fault.__cause__, LinkRefused) and fault.__cause__.reason == "closed"


async def _end(showing: asyncio.Task[str] | None) -> None:
    if showing is not None:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)
