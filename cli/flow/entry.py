"""The commands that a face carries out: each runs until the person ends it, and returns the exit status."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cli.clean import clean
from cli.flow.session import Flow
from cli.requests import TableRequest, WatchRequest
from p2p.interfaces import Address


def run_lobby(flow: Flow) -> int:
    """`fairdeal` alone."""
    from cli.flow.lobby import lobby

    return flow.run(partial(lobby, flow))


def run_table(request: TableRequest, flow: Flow) -> int:
    """`play` and `host`."""

    async def session() -> None:
        from cli.client.room import opening
        from cli.flow.sitting import sit

        await _lobby_after(flow, await sit(flow, opening(request)))

    return flow.run(session)


async def _lobby_after(flow: Flow, outcome: str) -> None:
    """The sheet of a match that is over leads to the lobby, whichever command began it."""
    flow.has_quit = outcome == "goodbye"
    if outcome == "lobby":
        from cli.flow.lobby import lobby

        flow.table = None
        await lobby(flow)


def _looking(flow: Flow, where: str | None) -> str:
    if where is None:
        return flow._("Looking for a table on this network…")
    return flow._("Looking for “{name}” on this network…", name=clean(where))


def run_join(request: TableRequest, flow: Flow) -> int:
    """`join`."""

    async def session() -> None:
        from cli.client.discovery import find_table
        from cli.client.room import Door
        from cli.flow.sitting import sit
        from cli.news import is_busy, is_free

        flow.wait_screen(_looking(flow, request.where))
        place = await find_table(request.where, request.wait_or_default_s, flow.notify, is_free, is_busy)
        await _lobby_after(flow, await sit(flow, Door(request, place.addresses, place.keys)))

    return flow.run(session)


def run_watch(request: WatchRequest, flow: Flow) -> int:
    """`watch`."""

    async def session() -> None:
        from cli.client.discovery import find_table
        from cli.flow.looking import watch
        from cli.news import is_running

        flow.wait_screen(_looking(flow, request.where))
        place = await find_table(request.where, request.wait_s, flow.notify, is_running)
        await watch(flow, place.addresses, match=place.match)

    return flow.run(session)


def run_tv(request: WatchRequest, flow: Flow) -> int:
    """`watch --tv`: nobody taps there, so it goes on from match to match, and looks for the table again if it is gone."""

    async def session() -> None:
        from cli.client.discovery import find_table
        from cli.client.phones_address import phones_address
        from cli.client.watching import identity_of
        from cli.flow.watching import keep_code, watch_all
        from cli.news import is_free, is_running

        identity = identity_of(flow.context.home)
        found: Sequence[Address] = ()

        async def find() -> Sequence[Address]:
            nonlocal found
            place = await find_table(request.where, request.wait_s, flow.notify, is_running, is_free)
            found = place.addresses
            flow.show_code(await phones_address(identity, found))
            return found

        flow.wait_screen(_looking(flow, request.where))
        await find()
        keeping = asyncio.create_task(keep_code(flow, lambda: phones_address(identity, found)))
        try:
            await watch_all(flow, find, identity, None)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    return flow.run(session)


def run_replay(path: Path, flow: Flow) -> int:
    """`replay`."""

    async def session() -> None:
        from cli.flow.looking import replay

        await replay(flow, str(path), flow.wait_screen)

    return flow.run(session)
