"""Looking on and looking back: other people's tables, and matches that are over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.client.exporting import save
from cli.faults import NobodyThere
from cli.news import Do, Saved
from cli.terminal.screens.session import Flow
from cli.view.saved import saved_page
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.news import Recorded
    from cli.view.lobby import Unfinished
    from cli.view.records import Record
    from cli.view.table.presenter import TablePresenter


async def watch(flow: Flow, addresses: Any, title: str = "") -> None:
    """Looks on at this table until it is over or the person leaves."""
    await asyncio.to_thread(import_module, "cli.commands.watch")
    from cli.client.watching import WatchedTable, identity_of
    from cli.games.rules_page import rules_lines
    from cli.terminal.seat import SeatSession
    from p2p.errors import LinkLost
    from p2p.watcher import Watcher

    watcher = Watcher(identity_of(flow.context.home))
    try:
        try:
            await watcher.watch(addresses)
        except LinkLost as lost:
            raise NobodyThere(lost.template, **lost.fields) from lost
        first = await watcher.scenes.get()
        if first is None or watcher.follower is None:
            reason = watcher.reason
            raise reason if isinstance(reason, FairdealError) else NobodyThere("the table is gone")
        table = WatchedTable(watcher, watcher.follower, first, title)
        hearing = asyncio.create_task(table.run())
        game = table.game
        session = SeatSession(
            flow.app,
            table,
            lambda columns: rules_lines(flow.settings.words, game, game.seats, columns),
            partial(do_other, flow),
        )
        try:
            await session.run()
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
    finally:
        await watcher.close()


async def records(flow: Flow, unfinished: Unfinished | None = None) -> None:
    """Matches that lie here, the unfinished one on top, until the person goes back."""
    from cli.view.records import RecordsPresenter, waiting_record

    files, scores = await asyncio.to_thread(_files, flow)
    if unfinished is not None:
        files.insert(0, waiting_record(flow._, unfinished, _when(unfinished.begun)))
    presenter = RecordsPresenter(flow.settings, time.monotonic, files, scores)
    while True:
        chosen = await flow.choice(presenter)
        if chosen == Do("back"):
            return
        if isinstance(chosen, Do) and chosen.name == "replay":
            try:
                await replay(flow, str(chosen.about))
            except FairdealError as fault:
                presenter.notice = flow.explained(fault)


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _files(flow: Flow) -> tuple[list[Record], list[str]]:
    """Transcripts with what the journal says of them, the newest first; the scores in words."""
    from cli.client.results import finished_match
    from cli.games.titles import game_title
    from cli.view.records import Record, short_names, won_by
    from cli.view.results import match_line, score_lines
    from p2p.home import read_home
    from p2p.journal import Journal
    from protocol.table.roster import decode_roster

    home = read_home(flow.context.home)
    found: list[Record] = []
    matches = []
    if home.journal.exists():
        with contextlib.suppress(FairdealError):
            journal = Journal.read_only(home.journal)
            try:
                for match in journal.finished(200):
                    each = finished_match(match.finished or match.created, match.status, match.result or {})
                    matches.append(replace(each, game=game_title(flow._, each.game)))
                    path = home.transcripts / f"{match.id.hex()[:16]}.fairdeal"
                    if path.exists():
                        when = _when(each.ended)
                        bots = [member.bot for member in decode_roster(match.roster).members]
                        cells = (when, matches[-1].game, short_names(flow._, each.names, bots), won_by(flow._, each))
                        found.append(Record(str(path), cells, match_line(flow._, each)))
            finally:
                journal.close()
    return found, score_lines(flow._, matches) if matches else []


async def replay(flow: Flow, path: str) -> None:
    """Steps through a transcript until the person goes back."""
    from cli.view.replay import ReplayPresenter

    recording, is_sound = await asyncio.to_thread(_recording, path)
    note = "" if is_sound else flow._("This file is NOT in order; fairdeal verify says why.")
    presenter = ReplayPresenter(recording, flow.settings, time.monotonic, path, note)
    while True:
        chosen = await flow.choice(presenter)
        if chosen == Do("back"):
            return
        if isinstance(chosen, Do) and chosen.name == "export":
            heading = _heading(flow, recording.game.name, recording.names)
            saved = _export(flow, path, [heading, "", *presenter.story()])
            if isinstance(saved, str):
                presenter.say(saved)
            else:
                presenter.overlay = saved_page(flow.settings, time.monotonic, saved, flow.context.home)


def _recording(path: str) -> tuple[Recorded, bool]:
    """A transcript as a recording, and whether it is in order. Raises FairdealError."""
    from cli.client.recording import read_transcript, steps_of
    from cli.faults import WrongUse
    from cli.news import Recorded
    from protocol.table.verify import replayed

    reading, scenes = replayed(read_transcript(Path(path)), os.urandom)
    steps = tuple(steps_of(scenes))
    if not steps:
        raise WrongUse("{path} holds no round that could be replayed", path=path)
    names = tuple(clean_name(player) for player, _fingerprint in reading.report.players)
    return Recorded(reading.game, names, steps), reading.report.ok


def do_other(flow: Flow, effect: Do, presenter: TablePresenter) -> None:
    """What a table's presenter wants besides moves."""
    path = str(effect.about or "")
    match effect.name:
        case "export":
            if not path:
                path = presenter.ended.transcript if presenter.ended is not None else flow.transcript
            heading = _heading(flow, presenter.playing.game.name, [each.name for each in presenter.playing.players])
            saved = _export(flow, path, [heading, "", *(text for text, _ink in presenter.log)])
            if isinstance(saved, str):
                presenter.tell_note(saved)
            else:
                presenter.overlay = saved_page(
                    flow.settings, time.monotonic, saved, flow.context.home, presenter._beneath
                )
        case "replay" if path:
            task = asyncio.get_running_loop().create_task(_replay_over(flow, path))
            flow.background.add(task)
            task.add_done_callback(flow.background.discard)
        case _other:
            pass


async def _replay_over(flow: Flow, path: str) -> None:
    """A replay, and back to where we were."""
    from cli.view.table.presenter import TablePresenter

    before, carry_out = flow.app.presenter, flow.app.carry_out
    try:
        await replay(flow, path)
    except FairdealError as fault:
        if isinstance(before, TablePresenter):
            before.tell_note(flow.explained(fault))
    if before is not None:
        flow.app.carry_out = carry_out
        flow.app.show(before)


def _heading(flow: Flow, game: str, names: Sequence[str]) -> str:
    """What a saved evening begins with."""
    from cli.games.titles import game_title

    return " · ".join((game_title(flow._, game), flow._.list(names), time.strftime("%Y-%m-%d %H:%M")))


def _export(flow: Flow, path: str, lines: Sequence[str]) -> Saved | str:
    """Copies the transcript and writes the evening in words, into the folder where the program was started, or where that
    cannot be written to, into the program's own; in a sentence why it could not be done, and what to do."""
    try:
        return save((Path.cwd(), flow.context.home / "saved"), lines, Path(path) if path else None, time.time())
    except OSError as fault:
        reason = fault.strerror or str(fault)
        return flow._(
            "Nothing could be saved: {reason}. Make room on the disk, or start in another folder.", reason=reason
        )
