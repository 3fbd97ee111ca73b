"""The doctor's findings in a page over the lobby, looked for beside it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from cli.terminal.screens.session import Flow

if TYPE_CHECKING:
    from cli.doctor.check_result import Finding
    from cli.text import Translator
    from cli.view.lobby import LobbyPresenter
    from cli.view.presenter import PagePresenter
    from cli.view.views import Line


def begin(flow: Flow, lobby: LobbyPresenter) -> None:
    """Looks for what may be in the way while the lobby goes on; the page comes when that is known."""
    lobby.say(flow._("Looking at the network, about 3 seconds…"))
    lobby.awaits_doctor = True
    if lobby.is_doctor_out:
        return
    lobby.is_doctor_out = True
    task = asyncio.get_running_loop().create_task(_look(flow, lobby))
    flow.background.add(task)
    task.add_done_callback(flow.background.discard)


async def _look(flow: Flow, lobby: LobbyPresenter) -> None:
    try:
        parts = await asyncio.to_thread(findings, flow)
    except Exception as fault:  # of ours: ends the program, as one anywhere else would
        flow.app.fail(fault)
        return
    is_awaited, lobby.awaits_doctor, lobby.is_doctor_out = lobby.awaits_doctor, False, False
    if is_awaited and flow.app.presenter is lobby and lobby.overlay is None:
        lobby.notice = ""
        lobby.overlay = doctor_page(flow, lobby, parts)
        flow.app.redraw()


def findings(flow: Flow) -> list[tuple[str, list[Finding]]]:
    """Headings with their findings, the network first. The terminal is not asked: it shows the lobby."""
    from cli.commands.doctor import network
    from cli.doctor.data import look_at_data
    from cli.doctor.machine import look_at_machine

    _ = flow._
    _addresses, seen = network(_)
    return [
        (_("The network"), seen),
        (_("Your data"), look_at_data(_, flow.context.home)),
        (_("The program"), look_at_machine(_)),
    ]


def doctor_page(flow: Flow, lobby: LobbyPresenter, parts: list[tuple[str, list[Finding]]]) -> PagePresenter:
    """The page itself."""
    from cli.view.presenter import PagePresenter

    lines = doctor_lines(flow._, parts)
    return PagePresenter(
        flow.settings,
        time.monotonic,
        lobby.title,
        lambda: flow._("Doctor: what may be in the way"),
        lambda _columns: lines,
    )


def doctor_lines(_: Translator, parts: list[tuple[str, list[Finding]]]) -> tuple[Line, ...]:
    """What it comes to, then each finding with what to do about it."""
    from cli.commands.doctor import MARKS, summary
    from cli.doctor.check_result import State

    inks = {State.OK: "ok", State.WARN: "gold", State.BAD: "alarm", State.UNKNOWN: "dim"}
    lines: list[Line] = [((summary(_, [each for _title, found in parts for each in found]), "strong"),)]
    for title, found in parts:
        lines += [(("", "text"),), ((title, "gold"),)]
        for each in found:
            lines.append(((f"{MARKS[each.state]} ", inks[each.state]), (each.what, "text")))
            if each.advice:
                lines.append((("    ", "text"), (each.advice, "dim")))
    return tuple(lines)
