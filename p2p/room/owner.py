"""What a room needs of its node, and what it reports to the node's owner."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from p2p.driver import Driver
from p2p.mesh import Mesh
from p2p.room.offers import SeatOffer
from p2p.room.tally import FilePart, ToldTally
from p2p.settings import NodeSettings
from protocol.errors import FairdealError
from protocol.identity import Identity
from protocol.room.refusals import RoomRefusal
from protocol.room.values import Room
from protocol.table.roster import Roster


class EveningListener(Protocol):
    """Hears what members say to each other of the matches that were played in their room."""

    def asked(self, key: bytes) -> None:
        """A member asks which matches were played here this evening."""

    def told(self, key: bytes, tally: ToldTally) -> None:
        """A member tells the evening's matches."""

    def file_asked(self, key: bytes, match: bytes, offset: int) -> None:
        """A member asks for a match's file, from here on."""

    def received(self, key: bytes, part: FilePart) -> None:
        """A member sends a part of a match's file."""


class RoomOwner:
    """Receives what happens in a room. Override what is needed."""

    @property
    def listener(self) -> EveningListener | None:
        """Return who hears of the evening's matches, if anybody does."""
        return None

    def on_room(self, room: Room) -> None:
        """The room has changed."""

    def on_said(self, key: bytes, text: str) -> None:
        """Someone sent a chat message in the room."""

    def on_refused(self, reason: FairdealError) -> None:
        """We cannot be in this room, or it was closed."""

    def on_torn(self, silent: Collection[bytes], revealed: bool, count: int) -> None:
        """A table was not sealed because of the silent ones.

        `revealed`: we had shown our number, and are ready again only if our player says so; `count`: how many draws of
        ours were torn in a row.
        """

    def on_offer(self, offer: SeatOffer | None) -> None:
        """We may take this seat at the running match; None: not any more."""

    def on_seat_lost(self, driver: Driver) -> None:
        """We would have taken a seat at this table, but somebody else has it now, or the match is over."""

    def on_not_done(self, reason: RoomRefusal) -> None:
        """The host did not do what we asked for; we are still in the room."""

    def on_declined(self, key: bytes, reason: RoomRefusal) -> None:
        """Someone (or we, with our own key) did not sign the host's roster."""


class RoomNode(Protocol):
    """What a room needs of its node."""

    settings: NodeSettings
    identity: Identity
    mesh: Mesh
    driver: Driver | None

    def seal(self, roster: Roster) -> None:
        """Sign this roster; the table starts."""

    def abandon(self, silent: Collection[bytes]) -> None:
        """Discard the current table, whose roster was never sealed because of the silent ones."""

    def room_changed(self) -> None:
        """Update our hello and the wanted links after a change of the room."""

    def is_over(self, match: bytes) -> bool:
        """Whether we know that this match is over."""
