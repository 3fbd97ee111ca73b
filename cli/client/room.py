"""The way into a room: open one, join one, or return to the match that was left in one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cli.client.session import Session
from cli.faults import NobodyThere
from cli.requests import TableRequest
from p2p.interfaces import Address

UNHURRIED_S = 12 * 3600.0
"""The pause between rounds when nobody else waits, in seconds: the person ends it."""


@dataclass(frozen=True, slots=True)
class Door:
    """The way into a room.

    Opens a room as `request` says, or joins the one at `addresses`, or with `is_return` resumes the match that was left
    here.
    """

    request: TableRequest
    addresses: tuple[Address, ...] = ()
    keys: tuple[str, ...] = ()
    """The beginnings of the keys that announced it: see `Session.join`."""
    is_return: bool = False

    async def enter(self, session: Session) -> None:
        """Bring the session into the room. Raises NobodyThere."""
        if self.is_return:
            match = session.unfinished
            if match is None:
                raise NobodyThere("there is no unfinished match on this computer")
            if not await session.resume(match):
                raise NobodyThere("the match had not begun when you left, and did not begin without you")
        elif self.request.command in ("play", "host"):
            await session.host(self.request.bots or 0)
        else:
            await session.join(self.addresses, self.keys)


def opening(request: TableRequest) -> Door:
    """Return the way to a new room. With bots only, the next round waits for the person."""
    if request.command == "play" and request.pause_s is None and not request.autoplay:
        request = replace(request, pause_s=UNHURRIED_S)
    return Door(request)
