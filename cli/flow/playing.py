"""At the table: from the sealed seats to the end of the match, or until the person leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.faults import DONE, FAILED
from cli.flow.looking import do_other
from cli.flow.session import Flow
from cli.news import RoomNews, has_company
from cli.news.emotes import shown_text
from cli.view.in_room import InRoom
from cli.view.partings import recovery_lacks
from cli.view.room_news import room_news_text
from cli.view.secret_check import asks_for_words, words_told
from p2p.budgets import TALK, Bucket
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.client.session import Session
    from cli.flow.seat import SeatSession
    from cli.view.views import Piece
    from protocol.room.values import Room


async def play(flow: Flow, session: Session, chat: Sequence[Piece] = ()) -> str:
    """From the sealed table to its end, and its score sheet, over which we are in the room again; how it was left."""
    from cli.flow.seat import SeatSession
    from cli.games.registry import take_fault
    from cli.games.rules_page import rules_lines

    driver = session.driver
    session.note_bots()
    flow.transcript = str(driver.transcript_path)
    game = driver.table.game
    is_alone = session.request.command == "play"
    shown = SeatSession(
        flow.app,
        session.seat.at_table(),
        lambda columns: rules_lines(flow.settings.words, game, game.seats, columns),
        partial(do_other, flow),
        flow.run_steps,
    )
    flow.table = shown.model
    shown.model.table.rounds.may_go_again = session.node.waiting_room.room is not None
    for text, ink in chat:
        shown.model.tell(text, ink)
    if session.home.guest:  # the waiting room said it, too, which may have been there for a moment only
        shown.model.tell(
            flow._(
                "Fairdeal is already running on this computer, so you play here as guest {number}.",
                number=session.home.guest,
            )
        )
    for fault in filter(None, (*flow.settings.faults, take_fault(game))):
        shown.model.tell(flow.explained(fault), "alarm")
    if asks_for_words(session.seat):
        told = words_told(flow._, session.seat)
        shown.model.note(told)
        shown.model.tell(flow._.join([told, flow._("If they match, say so under {@report}.")]), "gold")
    if session.seat.facts.lacks_recovery:
        shown.model.tell(recovery_lacks(flow._), "gold")
        shown.model.note(recovery_lacks(flow._))
    flow.fill_seat = session.bot_is_wanted.set
    shown.model.table.fills_seats = session.node.waiting_room.is_host
    flow.kept_seat = False
    _listen(flow, session, shown)
    finishing = asyncio.create_task(_finish(flow, session, shown))
    try:
        outcome = await shown.run()
        if shown.match is not None or shown.broken is not None:
            await finishing
        flow.lobby_words = parting(flow, outcome, shown)
        if outcome == "goodbye" and not is_alone and driver.table.is_over:
            outcome = await _back_in_room(flow, session, finishing)
        flow.next_opening = (
            None if not (shown.wants_other and outcome == "lobby") else "practise" if is_alone else "new"
        )
        flow.kept_seat = outcome == "left" and shown.match is None and shown.broken is None
        if outcome == "room" and shown.wants_other:
            flow.room_opens_with = "other-game"
    except Exception as error:
        if shown.fault is None or isinstance(error, FairdealError):
            raise
        raise session.seat.failed(error) from error
    finally:
        if shown.fault is not None:
            flow.wait_screen(flow._("One moment…"))  # the table cannot be drawn again
        finishing.cancel()
        await asyncio.gather(finishing, return_exceptions=True)
    return outcome


async def _back_in_room(flow: Flow, session: Session, finishing: asyncio.Task[None]) -> str:
    """Whoever quits a match for good stays in the room, which outlives it; "gave-up" if there is one."""
    status = flow.status
    flow.wait_screen(flow._("One moment…"))
    await finishing
    flow.status = status  # they asked for it
    return "gave-up" if session.node.waiting_room.room is not None and session.seat.driver is None else "goodbye"


async def _finish(flow: Flow, session: Session, shown: SeatSession) -> None:
    """The end of the match: its file is checked, and we are in the room again while the score sheet is read."""
    from cli.client.ending import finish

    driver = session.driver
    report = await finish(session)
    has_ended = driver.table.is_over and session.seat.broken is None
    flow.status = DONE if report["verified"] and has_ended else FAILED
    if path := report.get("transcript"):
        flow.transcripts.append(str(path))
    if driver.fault is not None:
        return  # the seat is kept, and with it the match
    rounds = shown.model.table.rounds
    is_back = session.again(is_ready=False)
    rounds.may_go_again = is_back
    if is_back and session.request.command != "play" and session.node.waiting_room.room is not None:
        rounds.look_at_room(InRoom(session.node.waiting_room.room, session.node.identity.public))
    flow.app.redraw()


def _listen(flow: Flow, session: Session, shown: SeatSession) -> None:
    """What happens in the room meanwhile: who is ready and who speaks is seen on the score sheet."""
    rounds, me = shown.model.table.rounds, session.node.identity.public

    newcomers = Bucket(TALK, time.monotonic())  # a host may show any number of them
    known = {member.key for member in session.driver.table.record.roster.members}
    known |= {guest.key for guest in session.seat.room.members} if session.seat.room is not None else set()

    def changed(room: Room) -> None:
        for guest in room.members:
            is_new = guest.key not in known and guest.is_person
            is_next = guest.plays and not guest.playing  # whoever has taken a seat since plays already
            if is_new and is_next and not newcomers.spend(1, time.monotonic()):
                name = clean_name(guest.name)
                shown.model.tell(flow._("{name} joined the room and plays in the next match.", name=name), "ok")
        known.update(guest.key for guest in room.members)
        if rounds.room is not None:
            rounds.look_at_room(InRoom(room, me))
        flow.app.redraw()

    def said(who: bytes, text: str) -> None:
        room = session.seat.room
        guest = room.guest(who) if room is not None else None
        if guest is not None and who != me:
            told = flow._("{name}: {text}", name=clean_name(guest.name), text=shown_text(flow._, text))
            shown.model.tell(told, "chat")
            shown.model.note(told)
            flow.app.redraw()

    def noticed(news: RoomNews) -> None:
        shown.model.note(room_news_text(flow._, news))
        flow.app.redraw()

    session.seat.on_room_change, session.seat.on_chat, session.seat.on_room_news = changed, said, noticed


def parting(flow: Flow, outcome: str, session: SeatSession) -> str:
    """Return what the lobby says about the table that was left."""
    if session.match is not None or session.broken is not None:
        return flow._("Match saved. Press {@records} to replay it.")
    if outcome == "goodbye":
        return flow._("You quit for good.")
    if outcome != "left":
        return ""
    if has_company(session.playing):
        return flow._("You stepped away. The table is waiting for you: press {@resume} to rejoin.")
    return flow._("You stepped away. Your seat is kept: press {@resume} to rejoin.")
