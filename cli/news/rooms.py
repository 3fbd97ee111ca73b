"""A waiting room: who sits where, and what happens there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from protocol.errors import FairdealError
from protocol.values import dataclass

if TYPE_CHECKING:
    from protocol.room.values import Room


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The room as it is now."""

    room: Room


@dataclass(frozen=True, slots=True)
class RoomChat:
    """Somebody's chat."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True)
class RoomAddresses:
    """Where friends find this table."""

    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The Wi-Fi that this computer itself is. `code`: what a phone scans to join it, password included."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class PhonesServed:
    """Phones can sit down by opening this address. `name`: whose computer serves them."""

    address: str
    name: str
    loaded: int = 0
    """How many pages were opened since this address was made."""
    is_alone: bool = False
    """Whether this computer is in no network, so that no phone can reach it."""
    hotspot: Hotspot | None = None


@dataclass(frozen=True, slots=True)
class DrawTorn:
    """The match could not begin: these players' computers did not answer while the seats were drawn; nobody: the host called it
    off.

    `revealed`: our own number had been shown, so we are ready again only if our player says so; `count`: how many draws
    of ours were torn in a row.
    """

    silent: tuple[str, ...]
    revealed: bool
    count: int


@dataclass(frozen=True, slots=True)
class NotSigned:
    """A computer (`name`; empty for our own) did not agree to the player list of the match."""

    name: str
    reason: FairdealError


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """The host did not do what we asked for."""

    reason: FairdealError


@dataclass(frozen=True, slots=True)
class NameNoticed:
    """A name does not belong to its key as before.

    `before`: the name under which this key was last seen; empty if the key is new, and the name belonged to another one.
    """

    key: bytes
    name: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """A seat at the running match can be taken: whose it was (empty: none is offered any more), and its points. `is_bots`: a bot
    sits there, and makes room."""

    name: str
    points: int
    is_bots: bool = False


@dataclass(frozen=True, slots=True)
class SeatLost:
    """We wanted to sit down at the running match, but `name` has the seat; empty: the match is over."""

    name: str


RoomNews: TypeAlias = DrawTorn | NotSigned | RequestRefused | NameNoticed | SeatLost
