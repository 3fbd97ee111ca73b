"""`fairdeal replay FILE`: step through a match, with all hands if the round was revealed."""

from __future__ import annotations

import os

from cli.clean import clean, clean_name
from cli.client.recording import read_transcript, steps_of
from cli.commands.opening import flow_for
from cli.context import Context
from cli.faults import DONE, FAILED, WrongUse
from cli.news import Recorded
from cli.plain.lines_in import read_lines
from cli.plain.replay import Replay
from cli.plain.voice import Voice
from cli.requests import FilesRequest
from protocol.table.verify import Unreadable, replayed


def run(request: FilesRequest, context: Context) -> int:
    """Return 0, or 1 for an invalid file, whose valid beginning is shown."""
    (path,) = request.files
    if (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_replay

        return run_replay(path, flow)
    name = clean(str(path))
    try:
        reading, scenes = replayed(read_transcript(path), os.urandom)
    except (WrongUse, Unreadable) as fault:
        raise WrongUse("{path}: {reason}", path=name, reason=context.words(fault.template, **fault.fields)) from fault
    steps = tuple(steps_of(scenes))
    if not steps:
        raise WrongUse("{path} has no round to replay", path=name)
    names = tuple(clean_name(player) for player, _fingerprint in reading.report.players)
    voice = Voice(context)
    if not reading.report.ok:
        voice.tell(
            context.words("This file is NOT valid (fairdeal verify says why). Only the part before the error is shown.")
        )
    Replay(Recorded(reading.game, names, steps), context.words, voice.tell).run(read_lines(context.stdin))
    return DONE if reading.report.ok else FAILED
