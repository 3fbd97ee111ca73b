"""`fairdeal watch [TABLE or HOST[:PORT]]`: watch a table; what is public is verified like a file."""

from __future__ import annotations

import asyncio

from cli.client.discovery import find_table
from cli.client.game_failures import failing_in
from cli.client.watching import WatchedTable, identity_of
from cli.commands.opening import flow_for
from cli.context import Context
from cli.faults import DONE, MatchFailed
from cli.flow.looking import watched
from cli.news import Broken, MatchEnded, RoundBegan, is_running
from cli.plain.outlook import Outlook
from cli.plain.telling import Telling
from cli.plain.voice import Voice
from cli.requests import WatchRequest
from p2p.watcher import Watcher


def run(request: WatchRequest, context: Context) -> int:
    if (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_tv, run_watch

        return run_tv(request, flow) if request.tv else run_watch(request, flow)
    return asyncio.run(_watch(request, context))


async def _watch(request: WatchRequest, context: Context) -> int:
    place = await find_table(request.where, request.wait_s, context.notify, is_running)
    watcher = Watcher(identity_of(context.home))
    try:
        table = await watched(watcher, place.addresses, context.home, match=place.match)
        following = asyncio.create_task(table.run())
        try:
            with failing_in(table.game.name, context.home):
                await _tell(table, context)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
    finally:
        await watcher.close()
    return DONE


async def _tell(table: WatchedTable, context: Context) -> None:
    """Tell all news of a table. Raises MatchFailed if the match breaks off, or we lose it."""
    _, voice = context.words, Voice(context)
    telling = Telling(Outlook(table, _))
    while (piece := await table.news.get()) is not None:
        telling.outlook.refresh_names()
        match piece:
            case Broken(reason):
                raise MatchFailed(reason.template, **reason.fields)
            case RoundBegan(1):
                voice.tell(_("Secret-check words: {words}", words=" ".join(table.facts.words)))
        if told := telling.told(piece):
            voice.tell(_.join(told))
        if isinstance(piece, MatchEnded):
            voice.tell(_("  Match ID: {match}", match=piece.match))
