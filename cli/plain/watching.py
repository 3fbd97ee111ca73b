"""Watches the running match of one's room in lines."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from cli.faults import NobodyThere
from cli.plain.run import sit
from cli.view.partings import watching_told
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.context import Context
    from cli.plain.lines_in import LineQueue
    from cli.plain.voice import Voice


async def watch_match(session: Session, context: Context, typed: LineQueue, voice: Voice) -> None:
    """Until it is over or the person stops watching. Raises NobodyThere."""
    from cli.client.room import addresses_of_match
    from cli.client.watching import WatchedTable
    from p2p.errors import LinkLost
    from p2p.watcher import Watcher
    from protocol.identity import Identity

    watcher = Watcher(Identity(os.urandom(32)))  # our own key sits in the room
    try:
        try:
            await watcher.watch(addresses_of_match(session))
        except LinkLost as lost:
            raise NobodyThere(lost.template, **lost.fields) from lost
        first = await watcher.scenes.get()
        if first is None or watcher.follower is None:
            raise NobodyThere("the table is no longer there")
        table = WatchedTable(watcher, watcher.follower, first, context.home)
        voice.tell(context.words.join([context.words("You are watching."), watching_told(context.words)]))
        following = asyncio.create_task(table.run())
        try:
            await sit(table, context, None, typed, voice)
        except (FairdealError, OSError):
            raise
        except Exception as error:  # the game or its face, maybe a stranger's
            raise table.failed(error) from error
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
    finally:
        await watcher.close()
