"""Find a table and sit down, retrying while the host or the network is not ready yet."""

from __future__ import annotations

import asyncio

from cli.client.discovery import find_table
from cli.client.session import Session
from cli.faults import NobodyThere
from cli.news import NoAnswer, is_busy, is_free
from p2p.errors import LinkLost

RETRY_S = 0.5


async def join(session: Session) -> None:
    """Try until the request's time is up. Raises NobodyThere then, or at once if a host answers and refuses."""
    request = session.request
    limit = request.wait_or_default_s
    loop = asyncio.get_running_loop()
    deadline = None if limit is None else loop.time() + limit
    has_notified = False
    while True:
        left = None if deadline is None else max(0.0, deadline - loop.time())
        place = await find_table(request.where, left, session.notify, is_free, is_busy)
        try:
            return await session.join(place.addresses, place.keys)
        except NobodyThere as reason:
            if not isinstance(reason.__cause__, LinkLost) or (deadline is not None and loop.time() >= deadline):
                raise
        if not has_notified:
            has_notified = True
            session.notify(NoAnswer())
        await asyncio.sleep(RETRY_S)
