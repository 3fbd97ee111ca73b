"""At the table: from the sealed seats to the end of the match, or until the person leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cli.faults import DONE, FAILED
from cli.screen.flow.looking import do_other
from cli.screen.flow.session import Flow

if TYPE_CHECKING:
    from cli.screen.views import Piece
    from cli.tabling import Client


async def play(flow: Flow, client: Client, chat: Sequence[Piece] = ()) -> str:
    """From the sealed table to its end."""
    from cli import tabling
    from cli.commands.rules import rules_lines
    from cli.screen.seat import SeatSession

    driver = client.seat.driver
    assert driver is not None
    tabling.note_bots(client, driver)
    flow.transcript = str(driver.transcript_path)
    game = driver.table.game
    finishing = asyncio.create_task(tabling.finish(client))
    session = SeatSession(
        flow.app,
        client.seat,
        lambda columns: rules_lines(flow.settings.words, game, game.seats, columns),
        partial(do_other, flow),
    )
    flow.table = session.presenter
    session.presenter.log.extend(chat)
    words = " ".join(driver.table.record.words)
    if words:
        if client.request.command != "play":
            session.presenter.tell_note(flow._("The table’s words: {words}. Compare them aloud once.", words=words))
        session.presenter.log.append((flow._("The table’s words: {words}", words=words), "gold"))
    try:
        outcome = await session.run()
        if session.match is not None or session.broken is not None:
            report = await finishing
            flow.status = DONE if report["verified"] and session.broken is None else FAILED
            flow.last_words = _goodbye(flow, report)
        elif outcome == "left":
            flow.last_words = [flow._("You left; your seat is kept. Come back with: {command}", command="fairdeal")]
    finally:
        finishing.cancel()
        await asyncio.gather(finishing, return_exceptions=True)
    return outcome


def _goodbye(flow: Flow, report: dict[str, Any]) -> list[str]:
    return [flow._("Transcript: {path}", path=report["transcript"])] if report.get("transcript") else []
