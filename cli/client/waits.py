"""Tell whom an unattended client waits for during its match and without whom it plays on, and give up when waiting leads
nowhere."""

from __future__ import annotations

import asyncio

from cli.client.session import Session
from cli.faults import NobodyThere
from cli.news import AwaitedSeats, Paused, PlayingOn, SeatTaken, TookSeat, VotesCast, WentOn


async def tell_waits(session: Session) -> None:
    """Report whom the table waits for, until the news of the match end.

    Raises NobodyThere when seats without which the others cannot go on stay away for as long as `--wait` says. Somebody who is
    there and thinks is awaited for as long as that takes.
    """
    seat, limit = session.seat, session.request.wait_or_default_s
    names: tuple[str, ...] = ()
    paused = Paused(())
    votes = VotesCast(())
    deadline: float | None = None
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                piece = await seat.news.get()
        except TimeoutError:
            raise NobodyThere(
                "{names} did not come back within {seconds} s: run the same command to take the seat again",
                names=", ".join(names),
                seconds=round(limit or 0),
            ) from None
        if piece is None:
            return
        if isinstance(piece, WentOn) and piece.without:
            left_out = session.driver.table.seat in piece.without
            names, paused = (), Paused(())
            gone = tuple(map(seat.name, piece.without))
            playing_on = PlayingOn(gone, piece.fate, left_out, piece.may_return, piece.ends_recovery)
            session.notify(playing_on)
        if isinstance(piece, TookSeat):
            is_own = piece.seat == seat.seat
            session.notify(SeatTaken(seat.name(piece.seat), piece.is_back, is_own, piece.was_ours, piece.bot))
        if isinstance(piece, Paused):
            before, names, paused = names, piece.joining or tuple(map(seat.name, piece.awaited)), piece
            if names != before:
                deadline = None
                session.notify(AwaitedSeats(names, piece.left_s))
            cast = VotesCast(tuple(map(seat.name, piece.agreed)), tuple(map(seat.name, piece.against)))
            if cast not in (votes, VotesCast(())):
                session.notify(cast)
            votes = cast
        is_gone = bool(paused.joining) or any(seat.players[each].away for each in paused.awaited)
        if not is_gone or paused.left_s is not None or limit is None:
            deadline = None
        elif deadline is None:
            deadline = asyncio.get_running_loop().time() + limit
