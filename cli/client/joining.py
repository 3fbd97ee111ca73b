"""Finding a table and sitting down at it, with patience: the host may be a moment late, or the network."""

from __future__ import annotations

import asyncio

from cli.client import session as client_session
from cli.client.discovery import find_table, is_free
from cli.context import Context
from cli.faults import NobodyThere
from cli.requests import TableRequest
from p2p.errors import LinkLost

RETRY_S = 0.5


async def join(client: client_session.Client, request: TableRequest, context: Context) -> None:
    """Try until the request's time is up. Raises NobodyThere then, and at once where somebody answers and refuses."""
    limit = request.wait_or_default_s
    loop = asyncio.get_running_loop()
    deadline = None if limit is None else loop.time() + limit
    has_said = False
    while True:
        left = None if deadline is None else max(0.0, deadline - loop.time())
        addresses = await find_table(request.where, left, context, is_free)
        try:
            return await client_session.join(client, addresses)
        except NobodyThere as reason:
            if not isinstance(reason.__cause__, LinkLost) or (deadline is not None and loop.time() >= deadline):
                raise
        if not has_said:
            has_said = True
            context.note(context.words("Nobody answers there yet; trying on. Ctrl-C stops."))
            context.note(context.words("What may be in the way: fairdeal doctor"))
        await asyncio.sleep(RETRY_S)
