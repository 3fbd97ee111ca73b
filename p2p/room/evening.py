"""What we say to the members of our room of the matches that were played there, and what they ask and tell.

PROTOCOL.md: "The room".
"""

from __future__ import annotations

from p2p.room.membership import Membership
from p2p.room.owner import RoomOwner
from p2p.room.tally import FilePart, ToldTally, read_part, read_tally
from protocol.room.statements import Statement

OF_THE_EVENING = ("ask-tally", "tally", "ask-file", "file")
"""The kinds of statements that it is about. Files are not passed on."""


class EveningStatements:
    """Carries them between the members and the listener of our node's owner."""

    def __init__(self, place: Membership, owner: RoomOwner) -> None:
        self._place, self._owner = place, owner

    def ask_tally(self, of: bytes) -> None:
        """Ask a member which matches were played here this evening."""
        self._place.send(of, "ask-tally")

    def tell_tally(self, tally: ToldTally, to: bytes) -> None:
        """Tell a member which matches were played here this evening."""
        self._place.send(to, "tally", **tally.body())

    def ask_file(self, match: bytes, offset: int, of: bytes) -> None:
        """Ask a member for a match's file, from here on."""
        self._place.send(of, "ask-file", match=match, offset=offset)

    def send_file(self, part: FilePart, to: bytes) -> bool:
        """Send a member a part of a match's file; return whether it was sent."""
        return self._place.send(to, "file", **part.body())

    def receive(self, statement: Statement, is_direct: bool) -> None:
        """A member asks, or tells, what was played here. `is_direct`: it was not passed on."""
        key, body, room, listener = statement.key, statement.body, self._place.room, self._owner.listener
        if listener is None or room is None or room.guest(key) is None:
            return
        match statement.kind:
            case "ask-tally":
                listener.asked(key)
            case "tally":
                listener.told(key, read_tally(body))
            case "ask-file" if is_direct:
                listener.file_asked(key, body["match"], body["offset"])
            case "file" if is_direct:
                listener.received(key, read_part(body))
