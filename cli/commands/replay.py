"""`fairdeal replay FILE`: steps through a match, with all hands once a round has been opened."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cli.clean import clean, clean_name
from cli.commands.verify import read_transcript
from cli.context import Context
from cli.faults import DONE, FAILED, WrongUse
from cli.plain.lines_in import read_lines
from cli.plain.replay import Replay
from cli.plain.run import Voice
from cli.playing import Moved, RoundBegan, RoundEnded
from cli.replaying import Recorded, Step
from cli.requests import FilesRequest
from protocol.games.game import Data
from protocol.table import events
from protocol.table.verify import Snapshot, Unreadable, replayed


def run(request: FilesRequest, context: Context) -> int:
    """0, or 1 for a file that is not in order (what is in order is shown)."""
    (path,) = request.files
    if not context.terminal.plain:
        from cli.screen.flow import run_replay

        return run_replay(path, context)
    name = clean(str(path))
    try:
        reading, scenes = replayed(read_transcript(path), os.urandom)
    except (WrongUse, Unreadable) as fault:
        raise WrongUse("{path}: {reason}", path=name, reason=context.words(fault.template, **fault.fields)) from fault
    steps = tuple(steps_of(scenes))
    if not steps:
        raise WrongUse("{path} holds no round that could be replayed", path=name)
    names = tuple(clean_name(player) for player, _fingerprint in reading.report.players)
    voice = Voice(context)
    if not reading.report.ok:
        voice.tell(
            context.words("This file is NOT in order; fairdeal verify says why. What comes before the fault is shown.")
        )
    Replay(Recorded(reading.game, names, steps), context.words, voice.tell).run(read_lines(context.stdin))
    return DONE if reading.report.ok else FAILED


def steps_of(scenes: Iterable[Snapshot]) -> Iterable[Step]:
    """The steps that a person follows: rounds beginning and ending, and moves. As at the table each is told once what it
    demanded is settled: cards dealt are turned up, cards drawn are in the hand."""
    opened: int | None = None
    moves: list[tuple[events.Moved, int]] = []
    before: Data = {}
    for scene in scenes:
        event = scene.event
        if isinstance(event, events.RoundOpened):
            opened = event.round
        elif isinstance(event, events.Moved):
            moves.append((event, scene.round))
        elif isinstance(event, (events.Settled, events.RoundClosed)):
            view = with_hands(scene)
            if opened is not None:
                yield Step(RoundBegan(opened, view), view, opened)
                opened, before = None, view
            for moved, number in moves:
                yield Step(Moved(moved.seat, moved.move, before or moved.before, view), view, number)
                before = view
            moves.clear()
            if isinstance(event, events.RoundClosed):
                yield Step(RoundEnded(event.view), view, event.round)


def with_hands(scene: Snapshot) -> Data:
    """The view of a moment, with all hands where the file opens them."""
    if scene.hands is None:
        return scene.view
    return {**scene.view, "hands": {str(seat): list(hand) for seat, hand in enumerate(scene.hands)}}
