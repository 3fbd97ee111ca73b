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
    flow.table = shown.presenter
    shown.presenter.may_rematch = may_rematch
    for text, ink in chat:
        shown.presenter.tell(text, ink)
    if session.home.guest:  # the waiting room said it, too, which may have been there for a moment only
        shown.presenter.tell(
            flow._("Another Fairdeal is running here: this one plays as guest {number}.", number=session.home.guest)
        )
    for fault in flow.settings.key_faults:
        shown.presenter.tell(flow.explained(fault), "alarm")
    words = " ".join(driver.table.record.words)
    if words and has_company(session.seat):
        shown.presenter.tell_note(flow._("The table’s words: {words}. Compare them aloud once.", words=words))
        shown.presenter.tell(flow._("The table’s words: {words}", words=words), "gold")
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
        return flow._("Saved: R shows it again.")
    if outcome == "goodbye":
        return flow._("You gave your seat up for good.")
    if outcome != "left":
        return ""
    if has_company(session.playing):
        return flow._("You left; your seat is kept, the others wait for you. U takes it again.")
    return flow._("You left; your seat is kept. U takes it again.")
