"""Watch other people's tables, and replay matches that are over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cli.client.exporting import save
from cli.client.game_failures import failing_in
from cli.client.recording import recording_of
from cli.client.results import finished_matches
from cli.faults import CommandFault, NobodyThere
from cli.flow.session import Flow
from cli.news import Do, ExportedFiles
from cli.view.effects import ShowModel
from cli.view.saved import saved_page
from cli.view.table.prompting import beneath
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.watching import WatchedTable
    from cli.flow.seat import SeatSession
    from cli.flow.showing import Showing
    from cli.news import Finished, Recorded, Unfinished
    from cli.view.replay import ReplayModel
    from cli.view.table.model import TableModel
    from p2p.watcher import Watcher

MOST_MATCHES = 200
PATIENT_S = 600.0
"""A table that is lost is looked for as long: whoever does not want to wait leaves."""
PATIENCE_S = 0.3
"""What takes no longer is done before a sentence about it could be read."""

T = TypeVar("T")


async def watch(
    flow: Flow,
    addresses: Any,
    begins: Callable[[SeatSession], None] | None = None,
    match: str = "",
) -> str:
    """Watches this table until it is over or the person leaves; returns how. `begins` is called with what is shown: from a
    room, in which our own key sits already, one watches with another key."""
    await asyncio.to_thread(import_module, "cli.client.watching")
    from cli.client.watching import identity_of
    from p2p.watcher import Watcher
    from protocol.identity import Identity

    ports = flow.system.watching if flow.system is not None else None
    identity = identity_of(flow.context.home) if begins is None else Identity(os.urandom(32))
    watcher = Watcher(identity, ports, PATIENT_S)
    try:
        table = await watched(watcher, addresses, flow.context.home, match)
        hearing = asyncio.create_task(table.run())
        session = session_at(flow, table)
        if begins is not None:
            begins(session)
        try:
            return await session.run()
        except Exception as error:
            if session.fault is None or isinstance(error, FairdealError):
                raise
            raise table.failed(error) from error
        finally:
            if session.fault is not None:
                flow.wait_screen(flow._("One moment…"))  # the table cannot be drawn again
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
    finally:
        await watcher.close()


async def watched(
    watcher: Watcher, addresses: Any, home: Path, match: str = "", is_tried_again: bool = False
) -> WatchedTable:
    """Begin to watch, and wait for the first that is seen. `is_tried_again`: see `WatchedTable`.

    Raises NobodyThere, or why the table's messages can't be followed.
    """
    from cli.client.watching import WatchedTable, end_of
    from p2p.errors import LinkLost

    try:
        await watcher.watch(addresses, match)
    except LinkLost as lost:
        raise NobodyThere(lost.template, **lost.fields) from lost
    first = await watcher.scenes.get()
    if first is None or watcher.follower is None:
        fault = end_of(watcher, home)
        raise fault if isinstance(watcher.reason, FairdealError) else NobodyThere(fault.template)
    return WatchedTable(watcher, watcher.follower, first, home, is_tried_again)


def session_at(flow: Flow, table: WatchedTable) -> SeatSession:
    """Return what shows a watched table."""
    from cli.flow.seat import SeatSession
    from cli.games.rules_page import rules_lines

    game = table.game
    return SeatSession(
        flow.app,
        table,
        lambda columns: rules_lines(flow.settings.words, game, game.seats, columns),
        partial(do_other, flow),
        flow.run_steps,
    )


async def records(flow: Flow, unfinished: Sequence[Unfinished] = ()) -> str:
    """Matches that lie here, unfinished ones on top, until the person goes back; returns the id of one to take up again."""
    from cli.view.records import records_model

    screen = flow.screen(records_model(flow.settings, await asyncio.to_thread(_matches, flow.context.home), unfinished))
    while True:
        chosen = await flow.choice(screen)
        if chosen == Do("back"):
            return ""
        if isinstance(chosen, Do) and chosen.name == "resume":
            return str(chosen.about)
        if isinstance(chosen, Do) and chosen.name == "replay":
            try:
                await replay(flow, str(chosen.about), screen.say)
                screen.say("")
            except FairdealError as fault:
                screen.say(flow.explained(fault))


def _matches(home: Path) -> list[Finished]:
    with contextlib.suppress(FairdealError):
        return finished_matches(home, MOST_MATCHES)
    return []


async def replay(flow: Flow, path: str, say: Callable[[str], None]) -> None:
    """Steps through a transcript until the person goes back. Raises FairdealError, also for what the game or its face raises.

    `say`: shows a sentence where the person is while a long match is read and checked.
    """
    reading = flow.run_steps(recording_of(Path(path), flow.context.home))
    recording, is_sound = await patiently(reading, lambda: say(flow._("One moment…")))
    with failing_in(recording.game.name, flow.context.home):
        await _step_through(flow, recording, path, is_sound)


async def patiently(work: Coroutine[Any, Any, T], say: Callable[[], None]) -> T:
    """What comes of it; where that takes long enough to be noticed, it is said."""
    task = asyncio.ensure_future(work)
    try:
        if task not in (await asyncio.wait({task}, timeout=PATIENCE_S))[0]:
            say()
        return await task
    finally:
        task.cancel()


async def _step_through(flow: Flow, recording: Recorded, path: str, is_sound: bool) -> None:
    """Raises also what the game or its face raises when the recording is shown."""
    from cli.view.replay import ReplayModel

    model = ReplayModel(recording, flow.settings, time.monotonic, path)
    screen = flow.screen(model)
    if not is_sound:
        screen.say(flow._("This file is NOT valid: run fairdeal verify to see why."), True)

    def fails(fault: BaseException) -> bool:
        if not isinstance(fault, Exception) or isinstance(fault, CommandFault):
            return False
        flow.choices.put_nowait(Do("failed", fault))
        return True

    before, flow.app.takes_fault = flow.app.takes_fault, fails
    try:
        await _stepped(flow, model, screen, path)
    except Exception:
        flow.wait_screen(flow._("One moment…"))  # the recording cannot be drawn again
        raise
    finally:
        flow.app.takes_fault = before
        flow.forget_choices()


async def _stepped(flow: Flow, model: ReplayModel, screen: Showing, path: str) -> None:
    recording = model.recording
    while True:
        chosen = await flow.choice(screen)
        if chosen == Do("back"):
            return
        if isinstance(chosen, Do) and chosen.name == "failed":
            raise chosen.about
        if isinstance(chosen, Do) and chosen.name == "export":
            heading = _heading(flow, recording.game.name, recording.names)
            saved = _export(flow, path, [heading, "", *model.story()])
            if isinstance(saved, str):
                screen.say(saved)
            else:
                screen.take((ShowModel(saved_page(flow.settings, saved, flow.context.home)),))


def do_other(flow: Flow, effect: Do, model: TableModel, screen: Showing) -> None:
    """What a table's presenter wants besides moves."""
    path, table = str(effect.about or ""), model.table
    match effect.name:
        case "export":
            if not path:
                path = table.rounds.ended.transcript if table.rounds.ended is not None else flow.transcript
            heading = _heading(flow, table.playing.game.name, [each.name for each in table.playing.players])
            saved = _export(flow, path, [heading, "", *(text for text, _ink in table.log.entries)])
            if isinstance(saved, str):
                table.notice.note(saved)
            else:
                screen.take((ShowModel(saved_page(flow.settings, saved, flow.context.home, lambda: beneath(table))),))
        case "replay" if path:
            task = asyncio.get_running_loop().create_task(_replay_over(flow, path))
            flow.background.add(task)
            task.add_done_callback(flow.background.discard)
        case "take-seat":
            flow.take_seat()
        case "fill-seat":
            flow.fill_seat()
        case _other:
            pass


async def _replay_over(flow: Flow, path: str) -> None:
    """A replay, and back to where we were."""
    from cli.view.table.model import TableModel

    before, carry_out = flow.app.presenter, flow.app.carry_out

    def say(text: str) -> None:
        if before is not None and isinstance(before.model, TableModel):
            before.model.note(text)

    try:
        await replay(flow, path, say)
    except FairdealError as fault:
        say(flow.explained(fault))
    if before is not None:
        flow.app.carry_out = carry_out
        flow.app.show(before)


def _heading(flow: Flow, game: str, names: Sequence[str]) -> str:
    """What a saved evening begins with."""
    from cli.games.titles import game_title

    return " · ".join((game_title(flow._, game), flow._.list(names), time.strftime("%Y-%m-%d %H:%M")))


def _export(flow: Flow, path: str, lines: Sequence[str]) -> ExportedFiles | str:
    """Copies the transcript and writes the evening in words, into the folder where the program was started, or where that
    cannot be written to, into the program's own; in a sentence why it could not be done, and what to do."""
    try:
        saved = save((Path.cwd(), flow.context.home / "saved"), lines, Path(path) if path else None, time.time())
        flow.on_saved(saved)
        return saved
    except OSError as fault:
        reason = fault.strerror or str(fault)
        return flow._("Can’t save: {reason}. Free up disk space, or start Fairdeal in another folder.", reason=reason)
