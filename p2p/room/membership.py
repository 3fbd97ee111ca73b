"""What one client knows of the room that it is in, and how it speaks there.

The parts of a waiting room share one of these. PROTOCOL.md: "The room".
"""

from __future__ import annotations

from typing import Any

from p2p.room.hosting import Hosting
from p2p.room.owner import RoomNode
from p2p.room.timers import Timers
from protocol.room.statements import state
from protocol.room.values import Room


class Membership:
    """`room` is the room's state as the host shows it, None outside of a room."""

    def __init__(self, node: RoomNode) -> None:
        self.node = node
        self.room: Room | None = None
        self.hosting: Hosting | None = None
        """The host's side, if we host the room."""
        self.joining: tuple[bytes, bytes] | None = None
        """The host and the room that we have asked to let us in."""
        self.known: frozenset[bytes] = frozenset()
        """Who has been in this room since we came: nobody else can be its host."""
        self.timers = Timers()
        self._counter = 0

    @property
    def own_key(self) -> bytes:
        return self.node.identity.public

    @property
    def host(self) -> bytes | None:
        """The key of the room's host, also while we are being let in."""
        if self.room is not None:
            return self.room.host
        return self.joining[0] if self.joining is not None else None

    def set_room(self, room: Room) -> None:
        """Be in this room, as its host shows it now."""
        self.room = room
        self.known |= {guest.key for guest in room.members}

    def clear(self) -> None:
        """Be in no room."""
        if self.hosting is not None:
            self.hosting.close()
        self.timers.close()
        self.hosting = self.room = self.joining = None
        self.known = frozenset()

    def send(self, key: bytes, kind: str, room_id: bytes | None = None, /, **body: Any) -> bool:
        """Send a signed statement; nothing to ourselves. Return whether there was a route: it can still be lost."""
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        if key == self.own_key:
            return False
        self._counter += 1
        return self.node.mesh.send(key, state(self.node.identity, room, self._counter, kind, **body))

    def ask(self, kind: str, **body: Any) -> None:
        """Send a request to the host, who may be us."""
        if self.room is None:
            return
        if self.hosting is not None:
            self.hosting.receive(self.own_key, kind, body)
        else:
            self.send(self.room.host, kind, **body)
