"""What one client knows of the room that it is in, and how it speaks there.

The parts of a waiting room share one of these. PROTOCOL.md: "The room".
"""

from __future__ import annotations

import time
from typing import Any

from p2p.room.hosting import Hosting
from p2p.room.owner import RoomNode
from p2p.room.timers import NamedTimers
from protocol.room.statements import COUNTS_PER_S, Statement, state
from protocol.room.values import Room

MAX_KNOWN = 64
"""How many keys of a room are remembered: its members, and the most recent former ones."""


class Membership:
    """`room` is the room's state as the host shows it, None outside of a room."""

    def __init__(self, node: RoomNode) -> None:
        self.node = node
        self.room: Room | None = None
        self.hosting: Hosting | None = None
        """The host's side, if we host the room."""
        self.joining: tuple[bytes, bytes] | None = None
        """The host and the room that we have asked to let us in."""
        self.known: tuple[bytes, ...] = ()
        """Who has been in this room since we came, last of all who is in it now: nobody else can be its host."""
        self.timers = NamedTimers()
        self._counter = 0
        self._heard: dict[bytes, int] = {}
        """The highest counter of each author's statements to us."""

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
        """Enter this room, or update it, as its host shows it now."""
        self.room = room
        here = dict.fromkeys(guest.key for guest in room.members)
        self.known = (*(key for key in self.known if key not in here), *here)[-MAX_KNOWN:]

    def clear(self) -> None:
        """Leave the room."""
        if self.hosting is not None:
            self.hosting.close()
        self.timers.close()
        self.hosting = self.room = self.joining = None
        self.known = ()

    def is_repeated(self, statement: Statement, is_relayed: bool) -> bool:
        """Whether somebody passes on an old statement of another; note each one's last."""
        last = self._heard.pop(statement.key, -1)
        self._heard[statement.key] = max(last, statement.counter)
        for key in list(self._heard)[:-MAX_KNOWN]:
            if key not in self.known and key != self.host:
                del self._heard[key]
        return is_relayed and statement.counter <= last

    def send(self, key: bytes, kind: str, room_id: bytes | None = None, /, **body: Any) -> bool:
        """Send a signed statement; nothing to ourselves. Return whether there was a route: it can still be lost."""
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        if key == self.own_key:
            return False
        self._counter = max(self._counter + 1, int(time.time() * COUNTS_PER_S))
        return self.node.mesh.send(key, state(self.node.identity, room, key, self._counter, kind, **body))

    def ask(self, kind: str, **body: Any) -> None:
        """Send a request to the host, who may be us."""
        if self.room is None:
            return
        if self.hosting is not None:
            self.hosting.receive(self.own_key, kind, body)
        else:
            self.send(self.room.host, kind, **body)
