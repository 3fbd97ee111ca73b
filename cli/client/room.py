"""A person's way into a room, and what a person does there."""

from __future__ import annotations

from cli.client.aside import aside_here
from cli.client.returning import resume
from cli.client.session import PATIENCE_S, Session
from cli.faults import NobodyThere
from cli.news import Do, Say, Tonight
from cli.requests import TableRequest
from p2p.interfaces import Address
from p2p.settings import TablePlan
from protocol.games.catalogue import load
from protocol.values import dataclass, replace

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
    """The keys that announced it: see `Session.join`."""
    is_return: bool = False
    match: str = ""
    """Which match is resumed (hexadecimal); empty: the one that was left last, or else put aside last."""
    patience_s: float = PATIENCE_S
    """See `Session.join`."""

    async def enter(self, session: Session) -> None:
        """Bring the session into the room. Raises NobodyThere."""
        if self.is_return:
            left = aside_here(session.node)
            match = next((each for each in left if self.match in ("", each.id.hex())), None)
            if match is None and session.home.guest:  # whoever was first has the home, and with it the match
                raise NobodyThere("that match is open in another window on this computer: play on there")
            if match is None:
                raise NobodyThere("there is no unfinished match on this computer")
            if not await resume(session, match):
                raise NobodyThere("the match had not begun when you left, and did not begin without you")
        elif self.request.command in ("play", "host"):
            await session.host(self.request.bots or 0)
        else:
            await session.join(self.addresses, self.keys, self.patience_s)


def opening(request: TableRequest) -> Door:
    """Return the way to a new room. With bots only, the next round waits for the person."""
    if request.command == "play" and request.pause_s is None and not request.autoplay:
        request = replace(request, pause_s=UNHURRIED_S)
    return Door(request)


async def act(session: Session, chosen: Do | Say) -> None:
    """Carry out what a person chose in the room. Raises FairdealError with the reason why it is not done."""
    waiting_room = session.node.waiting_room
    match chosen:
        case Do("start"):
            room = waiting_room.room
            own = room.guest(session.node.identity.public) if room is not None else None
            if own is not None and own.plays and not own.ready:
                await session.act(Do("ready", True))  # with which the match may have begun
            if waiting_room.room is not None and waiting_room.room.is_open and not waiting_room.room.is_playing:
                await session.act(chosen)
        case Do("choose", plan) if waiting_room.room is not None:
            game, before = load(plan.game, plan.seats, plan.options), waiting_room.room.table
            table = replace(
                before,
                time=round((plan.time_s or 0) * 1000),
                suggest=plan.suggest,
                remind=plan.remind,
                lots=game.options["teams"] == "lot" if "teams" in game.options else before.lots,
            )
            await session.act(Do("choose", TablePlan(game, plan.title, table)))
        case _other:
            await session.act(chosen)


async def tally_of(session: Session) -> Tonight:
    """Return how this evening stands in our room."""
    return Tonight() if session.seat.evening is None else await session.seat.evening.tonight()


def addresses_of_match(session: Session) -> tuple[Address, ...]:
    """Return where those listen who play the running match of our room. Raises NobodyThere."""
    room, known = session.node.waiting_room.room, session.node.waiting_room.addresses()
    players = [guest.key for guest in room.members if guest.playing] if room is not None else []
    found = tuple(address for key in players for address in known.get(key, ()))
    if not found:
        raise NobodyThere("the match can’t be watched from here right now")
    return found
