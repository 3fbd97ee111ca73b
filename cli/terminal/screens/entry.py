"""The commands that take the screen: each runs until the person gives it back, and returns the exit status."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from cli.context import Context
from cli.requests import TableRequest, WatchRequest
from cli.terminal.screens.session import Flow


def run_lobby(context: Context) -> int:
    """`fairdeal` alone."""
    from cli.terminal.screens.lobby import lobby

    flow = Flow(context)
    return flow.run(partial(lobby, flow))


def run_table(request: TableRequest, context: Context) -> int:
    """`play` and `host` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.client.room import opening
        from cli.terminal.screens.sitting import sit

        await _lobby_after(flow, await sit(flow, opening(request)))

    return flow.run(session)


async def _lobby_after(flow: Flow, outcome: str) -> None:
    """The sheet of a match that is over leads to the lobby, whichever command began it."""
    if outcome == "lobby":
        from cli.terminal.screens.lobby import lobby

        flow.table = None
        await lobby(flow)


def run_join(request: TableRequest, context: Context) -> int:
    """`join` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.client.discovery import find_table
        from cli.client.room import Door
        from cli.news import is_free
        from cli.terminal.screens.sitting import sit

        flow.wait_screen(flow._("Looking for a table on this network…"))
        place = await find_table(request.where, request.wait_or_default_s, flow.notify, is_free)
        await _lobby_after(flow, await sit(flow, Door(request, place.addresses, place.keys)))

    return flow.run(session)


def run_watch(request: WatchRequest, context: Context) -> int:
    """`watch` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.client.discovery import find_table
        from cli.news import is_running
        from cli.terminal.screens.looking import watch

        flow.wait_screen(flow._("Looking for a table on this network…"))
        place = await find_table(request.where, request.wait_s, flow.notify, is_running)
        await watch(flow, place.addresses)

    return flow.run(session)


def run_replay(path: Path, context: Context) -> int:
    """`replay` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.terminal.screens.looking import replay

        await replay(flow, str(path))

    return flow.run(session)
