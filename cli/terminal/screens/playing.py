"""At the table: from the sealed seats to the end of the match, or until the person leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from cli.faults import DONE, FAILED
from cli.news import has_company
from cli.terminal.screens.looking import do_other
from cli.terminal.screens.session import Flow

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.terminal.seat import SeatSession
    from cli.view.views import Piece


async def play(flow: Flow, session: Session, chat: Sequence[Piece] = (), may_rematch: bool = True) -> str:
    """From the sealed table to its end. `may_rematch`: it is known how to come to the next table."""
    from cli.games.rules_page import rules_lines
    from cli.terminal.seat import SeatSession

    driver = session.driver
    session.note_bots()
    flow.transcript = str(driver.transcript_path)
    game = driver.table.game
    finishing = asyncio.create_task(session.finish())
    shown = SeatSession(
        flow.app,
        session.seat,
        lambda columns: rules_lines(flow.settings.words, game, game.seats, columns),
        partial(do_other, flow),
    )
    flow.table = shown.model
    shown.model.table.rounds.may_rematch = may_rematch
    for text, ink in chat:
        shown.model.tell(text, ink)
    if session.home.guest:  # the waiting room said it, too, which may have been there for a moment only
        shown.model.tell(
            flow._(
                "Fairdeal is already running on this computer, so you play here as guest {number}.",
                number=session.home.guest,
            )
        )
    for fault in flow.settings.faults:
        shown.model.tell(flow.explained(fault), "alarm")
    words = " ".join(driver.table.record.words)
    if words and has_company(session.seat):
        shown.model.note(flow._("Secret-check words: {words}. Read them out once.", words=words))
        shown.model.tell(flow._("Secret-check words: {words}", words=words), "gold")
    flow.kept_seat = False
    try:
        outcome = await shown.run()
        if shown.match is not None or shown.broken is not None:
            report = await finishing
            flow.status = DONE if report["verified"] and shown.broken is None else FAILED
            if path := report.get("transcript"):
                flow.transcripts.append(str(path))
        flow.lobby_words = parting(flow, outcome, shown)
        flow.next_opening = None if not shown.wants_other else "new" if has_company(session.seat) else "practise"
        flow.kept_seat = outcome == "left" and shown.match is None and shown.broken is None
    finally:
        finishing.cancel()
        await asyncio.gather(finishing, return_exceptions=True)
    return outcome


def parting(flow: Flow, outcome: str, session: SeatSession) -> str:
    """What the lobby says of the table that was left."""
    if session.match is not None or session.broken is not None:
        return flow._("Match saved. Press {@records} to replay it.")
    if outcome == "goodbye":
        return flow._("You quit for good.")
    if outcome != "left":
        return ""
    if has_company(session.playing):
        return flow._("You stepped away. The table is waiting for you: press {@resume} to rejoin.")
    return flow._("You stepped away. Your seat is kept: press {@resume} to rejoin.")
