"""Turn a match's transcript into a recording that can be stepped through."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISBLK, S_ISCHR

from cli.clean import clean, clean_name
from cli.client.game_failures import noted
from cli.faults import WrongUse
from cli.news import Moved, Player, Recorded, RecordedStep, RoundBegan, RoundEnded
from protocol.errors import GameFailed
from protocol.games.views import PublicView
from protocol.steps import Steps
from protocol.table import events
from protocol.table.verify import Snapshot, replaying

MAX_FILE_BYTES = 1 << 30


def read_transcript(path: Path) -> bytes:
    """Return the file's bytes. Raises WrongUse if it cannot be read or is too large."""
    try:
        mode = path.stat().st_mode
        if S_ISCHR(mode) or S_ISBLK(mode):  # some never end
            raise WrongUse("this is a device, not a file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise WrongUse("the file is too large for a transcript")
        return data
    except OSError as fault:
        raise WrongUse("cannot read the file ({reason})", reason=fault.strerror or str(fault)) from fault


def recording_of(path: Path, home: Path) -> Steps[None, tuple[Recorded, bool]]:
    """A transcript as a recording, and whether it is in order. Raises FairdealError; a file has how a game failed."""
    try:
        reading, scenes = yield from replaying(read_transcript(path), os.urandom)
    except GameFailed as fault:
        raise noted(fault, home) from fault
    steps = tuple(steps_of(scenes))
    if not steps:
        raise WrongUse("{path} has no round to replay", path=clean(str(path)))
    members = reading.report.members
    players = tuple(Player(clean_name(each.name), each.bot, key=each.key.hex()) for each in members)
    return Recorded(reading.game, tuple(each.name for each in players), steps, players), reading.report.ok


def steps_of(scenes: Iterable[Snapshot]) -> Iterable[RecordedStep]:
    """Yield the steps that a person follows: the start and end of each round, and moves.

    As at the table, a step is reported once its effects are settled: dealt cards are turned up, drawn cards in the
    hand.
    """
    opened: int | None = None
    moves: list[tuple[events.Moved, int]] = []
    before: PublicView | None = None
    for scene in scenes:
        event = scene.event
        if isinstance(event, events.RoundOpened):
            opened = event.round
        elif isinstance(event, events.Moved):
            moves.append((event, scene.round))
        elif isinstance(event, (events.Settled, events.RoundClosed)):
            view = with_hands(scene)
            if opened is not None:
                yield RecordedStep(RoundBegan(opened, view), view, opened)
                opened, before = None, view
            for moved, number in moves:
                yield RecordedStep(Moved(moved.seat, moved.move, before or moved.before, view), view, number)
                before = view
            moves.clear()
            if isinstance(event, events.RoundClosed):
                yield RecordedStep(RoundEnded(event.view), view, event.round)


def with_hands(scene: Snapshot) -> PublicView:
    """Return the view of a moment, with all hands if the file reveals them."""
    return scene.view if scene.hands is None else scene.view.with_hands(dict(enumerate(scene.hands)))
