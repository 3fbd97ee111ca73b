"""`fairdeal watch [TABLE or HOST[:PORT]]`: watch a table; what is public is verified like a file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.client.discovery import find_table
from cli.client.game_failures import failing_in
from cli.client.watching import end_of, identity_of
from cli.commands.opening import flow_for
from cli.context import Context
from cli.faults import DONE, MatchFailed, NobodyThere
from cli.games.explain import explain
from cli.games.registry import face_of
from cli.news import is_running
from cli.plain.voice import Voice
from cli.requests import WatchRequest
from p2p.errors import LinkLost
from p2p.watcher import Watcher
from protocol.errors import FairdealError
from protocol.table import events
from protocol.table.record import Phase

if TYPE_CHECKING:
    from cli.games.base.narrator import Narrator
    from protocol.table.verify import Follower, Snapshot


def run(request: WatchRequest, context: Context) -> int:
    if (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_tv, run_watch

        return run_tv(request, flow) if request.tv else run_watch(request, flow)
    return asyncio.run(_watch(request, context))


async def _watch(request: WatchRequest, context: Context) -> int:
    place = await find_table(request.where, request.wait_s, context.notify, is_running)
    watcher = Watcher(identity_of(context.home))
    voice = Voice(context)
    narrator: Narrator | None = None
    try:
        try:
            await watcher.watch(place.addresses, place.match)
        except LinkLost as lost:
            raise NobodyThere(lost.template, **lost.fields) from lost
        while (scene := await watcher.scenes.get()) is not None:
            assert watcher.follower is not None
            with failing_in(watcher.follower.game.name, context.home):
                narrator = narrator or _narrator(context, watcher.follower)
                lines = _lines_of(context, narrator, scene)
            for line in lines:
                voice.tell(line)
    finally:
        await watcher.close()
    follower = watcher.follower
    if follower is None or (follower.record.phase is not Phase.OVER and watcher.reason is not None):
        fault = end_of(watcher, context.home)
        raise MatchFailed(fault.template, **fault.fields)
    return DONE


def _narrator(context: Context, follower: Follower) -> Narrator:
    record = follower.record
    names = [clean_name(record.member(seat).name) for seat in range(record.size)]
    return face_of(record.game).narrator(context.words, names, None)


def _lines_of(context: Context, narrator: Narrator, scene: Snapshot) -> list[str]:
    _ = context.words
    match scene.event:
        case events.Sealed(words):
            return [_("Secret-check words: {words}", words=" ".join(words))]
        case events.RoundOpened(number):
            return narrator.round_began(number, scene.view)
        case events.Moved(seat, move, before, after):
            return narrator.moved(seat, move, before, after)
        case events.RoundClosed(view=view):
            return narrator.round_ended(view)
        case events.Accused(seat=seat, reason=reason) if isinstance(reason, FairdealError):
            return [_("{name} was caught cheating: {reason}", name=narrator.names[seat], reason=explain(_, reason))]
        case events.MatchOver(match=match):
            return [_("The match is over. Match ID: {match}", match=match.hex())]
        case _other:
            return []
