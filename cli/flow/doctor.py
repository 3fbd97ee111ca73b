"""The doctor's findings in a page over the lobby, looked for beside it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cli.flow.session import Flow
from cli.view.effects import ShowModel

if TYPE_CHECKING:
    from cli.doctor.check_result import Finding
    from cli.flow.showing import Showing
    from cli.text import Translator
    from cli.view.lobby import LobbyModel
    from cli.view.page import PageModel
    from cli.view.views import Line


def begin(flow: Flow, lobby: Showing, model: LobbyModel) -> None:
    """Looks for what may be in the way while the lobby goes on; the page comes when that is known."""
    lobby.say(flow._("Checking the network, about 3 seconds…"))
    model.awaits_doctor = True
    if flow.doctor is None:
        flow.doctor = asyncio.get_running_loop().create_task(_look(flow, lobby, model))


async def _look(flow: Flow, lobby: Showing, model: LobbyModel) -> None:
    try:
        parts = await asyncio.to_thread(findings, flow)
    except Exception as fault:  # of ours: ends the program, as one anywhere else would
        flow.app.fail(fault)
        return
    is_awaited, model.awaits_doctor, flow.doctor = model.awaits_doctor, False, None
    if is_awaited and flow.app.presenter is lobby and lobby.overlay is None:
        lobby.say("")
        lobby.take((ShowModel(doctor_page(flow, model, parts)),))
        flow.app.redraw()


def findings(flow: Flow) -> list[tuple[str, list[Finding]]]:
    """Headings with their findings, the network first. The terminal is not asked: it shows the lobby."""
    from cli.doctor.data import look_at_data
    from cli.doctor.machine import look_at_machine
    from cli.doctor.report import network

    _ = flow._
    _addresses, seen = network(_)
    return [
        (_("The network"), seen),
        (_("Your data"), look_at_data(_, flow.context.home)),
        (_("The program"), look_at_machine(_)),
    ]


def doctor_page(flow: Flow, lobby: LobbyModel, parts: list[tuple[str, list[Finding]]]) -> PageModel:
    """The page itself."""
    from cli.view.page import PageModel

    lines = doctor_lines(flow._, parts)
    return PageModel(
        flow.settings, lobby.title, lambda: flow._("Can’t find your friends? Check the network"), lambda: lines
    )


def doctor_lines(_: Translator, parts: list[tuple[str, list[Finding]]]) -> tuple[Line, ...]:
    """What it comes to, then each finding with what to do about it."""
    from cli.doctor.check_result import State
    from cli.doctor.report import MARKS, summary

    inks = {State.OK: "ok", State.WARN: "gold", State.BAD: "alarm", State.UNKNOWN: "dim"}
    lines: list[Line] = [((summary(_, [each for _title, found in parts for each in found]), "strong"),)]
    for title, found in parts:
        lines += [(("", "text"),), ((title, "gold"),)]
        for each in found:
            lines.append(((f"{MARKS[each.state]} ", inks[each.state]), (each.what, "text")))
            lines += [(("    ", "text"), (advice, "dim")) for advice in (each.advice or "").splitlines()]
    return tuple(lines)
