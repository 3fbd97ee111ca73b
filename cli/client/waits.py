"""Tell whom an unattended client waits for during its match and without whom it plays on, and give up when waiting leads
nowhere."""

from __future__ import annotations

import asyncio

from cli.client.session import Session
from cli.faults import NobodyThere
from cli.news import AwaitedSeats, Paused, PlayingOn, SeatTaken, TookSeat, VotesCast, WentOn


async def tell_waits(session: Session) -> None:
    """Report whom the table waits for, until the news of the match end.

    Raises NobodyThere when seats without which the others cannot go on stay away for as long as `--wait` says.
    """
    seat, limit = session.seat, session.request.wait_or_default_s
    names: tuple[str, ...] = ()
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
            names, deadline = (), None
            gone = tuple(map(seat.name, piece.without))
            playing_on = PlayingOn(gone, piece.fate, left_out, piece.may_return, piece.ends_recovery)
            session.notify(playing_on)
        if isinstance(piece, TookSeat):
            is_own = piece.seat == seat.seat
            session.notify(SeatTaken(seat.name(piece.seat), piece.is_back, is_own, piece.was_ours, piece.bot))
        if not isinstance(piece, Paused):
            continue
        before, names = names, piece.joining or tuple(map(seat.name, piece.awaited))
        if names != before:
            session.notify(AwaitedSeats(names, piece.left_s))
        cast = VotesCast(tuple(map(seat.name, piece.agreed)), tuple(map(seat.name, piece.against)))
        if cast not in (votes, VotesCast(())):
            session.notify(cast)
        votes = cast
        is_hopeless = bool(names) and piece.left_s is None and limit is not None
        if not is_hopeless:
            deadline = None
        elif deadline is None or names != before:
            deadline = asyncio.get_running_loop().time() + (limit or 0.0)
