"""Play a seat without a person, match after match in one room (`--autoplay`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from cli.client.ending import finish
from cli.client.session import Session
from cli.client.waits import tell_waits
from cli.faults import MatchFailed, NobodyThere
from cli.news import DrawTorn, RoomNews, TableWords
from p2p import bot_driver
from p2p.driver import Driver
from p2p.room.offers import SeatOffer
from protocol.games.game import NORMAL

TORN_AGAIN = 2
"""How often an unattended client sits again after torn draws."""
BOT_FAILURE_S = 5.0
"""How long an unattended match may continue without a bot, in seconds: it may be about to end."""


async def wait_for_deal(session: Session, leaving: Awaitable[None] | None = None) -> bool:
    """Wait until the table is sealed; return False if `leaving` finished first.

    Raises NobodyThere after the time limit or when the host refuses us, MatchFailed if our bots cannot play.
    """
    seat, limit = session.seat, session.request.wait_or_default_s
    assert seat.refused is not None
    seated = asyncio.ensure_future(session.wait_until_dealt())
    left = asyncio.ensure_future(leaving if leaving is not None else asyncio.Event().wait())
    try:
        done, _pending = await asyncio.wait(
            (seated, session.bot_failure, seat.refused, left), timeout=limit, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        for task in (seated, left):
            task.cancel()
        await asyncio.gather(seated, left, return_exceptions=True)
    if session.bot_failure in done and seated not in done:
        reason = session.bot_failure.result()
        raise MatchFailed(reason.template, **reason.fields)
    if seat.refused in done:
        reason = seat.refused.result()
        raise NobodyThere(reason.template, **reason.fields)
    if not done:
        raise NobodyThere("not enough players joined within {seconds} s", seconds=round(limit or 0))
    if left in done and seated not in done:
        left.result()  # it may have failed
        return False
    return True


async def play_room(session: Session, report: Callable[[dict[str, Any]], None]) -> bool:
    """Play the requested number of matches in our room, or until it is gone; `report` receives each result.

    Return whether all transcripts were verified. Raises what prevents or breaks off a match.
    """
    played, are_verified = 0, True
    torn = asyncio.get_running_loop().create_future()
    session.seat.on_room_news = partial(_sit_again, session, torn)
    session.seat.offered = partial(_sit_down, session)
    while played != session.request.matches_or_default:
        if played and not session.again(is_ready=True):
            return are_verified
        try:
            await wait_for_deal(session, asyncio.shield(torn))
        except NobodyThere:
            if played:
                return are_verified
            raise
        session.note_bots()
        session.notify(TableWords(session.driver.table.record.words, session.seat.facts.lacks_recovery))
        found = await _autoplay(session)
        report(found)
        raise_what_ended(session)
        are_verified = are_verified and found["verified"]
        played += 1
    close_if_alone(session)
    return are_verified


def _sit_again(session: Session, torn: asyncio.Future[None], piece: RoomNews) -> None:
    """Be ready again after a torn draw, but only so often: somebody who keeps interrupting draws may be choosing among them."""
    if isinstance(piece, DrawTorn) and piece.revealed:
        if piece.count <= TORN_AGAIN:
            session.node.waiting_room.ready()
        elif not torn.done():
            torn.set_exception(_why_torn(piece.silent))


def _why_torn(silent: Sequence[str]) -> MatchFailed:
    if silent:
        return MatchFailed("the seats could not be drawn: {names} did not answer", names=", ".join(silent))
    return MatchFailed("the host called the match off after the seats were drawn")


def _sit_down(session: Session, offer: SeatOffer | None) -> None:
    """Take an empty seat of the running match, instead of waiting for the next one."""
    if offer is not None and session.node.waiting_room.entry.plays:
        session.take_seat(offer)


def close_if_alone(session: Session) -> None:
    """Close our room at the end of our matches, unless people are still in it: then one of them hosts it."""
    waiting_room = session.node.waiting_room
    room, own = waiting_room.room, session.node.identity.public
    if room is not None and waiting_room.is_host and not any(g.is_person and g.key != own for g in room.members):
        waiting_room.close_room()


async def _autoplay(session: Session) -> dict[str, Any]:
    """Play this seat with a bot, the node's own or one that takes over; return the report. Raises what ended the match."""
    finishing = asyncio.create_task(finish(session))
    waiting = asyncio.create_task(tell_waits(session))
    player = None
    if not session.node.has_bot:
        player = asyncio.create_task(
            bot_driver.play(session.driver, session.workers, level=session.request.level or NORMAL)
        )
        player.add_done_callback(partial(_player_ended, session.driver))
    try:
        while not (finishing.done() or session.bot_failure.done()):
            ends: list[asyncio.Future[Any]] = [finishing, session.bot_failure, *([] if waiting.done() else [waiting])]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                waiting.result()
        await asyncio.wait((finishing,), timeout=BOT_FAILURE_S)
        if not finishing.done():
            reason = session.bot_failure.result()
            raise MatchFailed(reason.template, **reason.fields)
        return finishing.result()
    finally:
        finishing.cancel()
        waiting.cancel()
        if player is not None:
            player.cancel()


def _player_ended(driver: Driver, player: asyncio.Task[None]) -> None:
    """A bug in the bot must not leave the others waiting for its moves: the seat stops."""
    if not player.cancelled() and isinstance(bug := player.exception(), Exception):
        driver.crash(bug)


def raise_what_ended(session: Session) -> None:
    """Raise what broke off the match, or the error that stopped our table."""
    if session.seat.broken is not None:
        raise MatchFailed(session.seat.broken.template, **session.seat.broken.fields)
    if session.driver.fault is not None:
        raise session.driver.fault
