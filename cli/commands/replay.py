"""`fairdeal replay FILE`: step through a match, with all hands if the round was revealed."""

from __future__ import annotations

from cli.clean import clean
from cli.client.game_failures import failing_in
from cli.client.recording import recording_of
from cli.commands.opening import flow_for
from cli.context import Context
from cli.faults import DONE, FAILED, WrongUse
from cli.plain.lines_in import read_lines
from cli.plain.replay import Replay
from cli.plain.voice import Voice
from cli.requests import FilesRequest
from protocol.steps import done
from protocol.table.verify import Unreadable


def run(request: FilesRequest, context: Context) -> int:
    """Return 0, or 1 for an invalid file, whose valid beginning is shown."""
    (path,) = request.files
    if (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_replay

        return run_replay(path, flow)
    try:
        recording, is_sound = done(recording_of(path, context.home))
    except (WrongUse, Unreadable) as fault:
        reason = context.words(fault.template, **fault.fields)
        raise WrongUse("{path}: {reason}", path=clean(str(path)), reason=reason) from fault
    voice = Voice(context)
    if not is_sound:
        voice.tell(
            context.words("This file is NOT valid (fairdeal verify says why). Only the part before the error is shown.")
        )
    with failing_in(recording.game.name, context.home):
        Replay(recording, context.words, voice.tell).run(read_lines(context.stdin))
    return DONE if is_sound else FAILED
