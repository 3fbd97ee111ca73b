"""One client's part in a waiting room, as its host or as a guest.

The host publishes the room and asks for signatures; guests sit, move and get ready. Statements are signed by their
author. They express wishes only: nothing is binding until the roster is signed. PROTOCOL.md: "The waiting room".
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.mesh import Mesh, RouteChange
from p2p.settings import NodeSettings, TablePlan
from p2p.text import clean
from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption, FairdealError
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.table.record import Phase, Record
from protocol.table.roster import MAX_NAME_BYTES, Roster, decode_roster, nonce_hash
from protocol.table.seating import (
    Refusal,
    Room,
    Sitter,
    Statement,
    decode_room,
    read_statement,
    state,
)

STATEMENT = b"\x93\xa1w"
"""How a statement of a waiting room begins: a msgpack array of three, then the text "w"."""


class RoomOwner:
    """Receives what happens in a waiting room. Override what is needed."""

    def on_room(self, room: Room) -> None:
        """The waiting room has changed."""

    def on_said(self, key: bytes, text: str) -> None:
        """Someone sent a chat message in the waiting room."""

    def on_refused(self, reason: FairdealError) -> None:
        """We cannot sit here, or have lost our seat in the waiting room."""


class RoomNode(Protocol):
    """What a waiting room needs of its node."""

    settings: NodeSettings
    identity: Identity
    mesh: Mesh
    driver: Driver | None

    def seal(self, roster: Roster) -> None:
        """Sign this roster; the table starts."""

    def abandon(self) -> None:
        """Discard the current table, whose roster was never sealed."""

    def refresh(self) -> None:
        """Update our hello after a change of the room."""


class WaitingRoom:
    """The waiting room that we host or sit in. `room` is its state as the host shows it, None outside of a room."""

    def __init__(self, node: RoomNode, owner: RoomOwner) -> None:
        self.room: Room | None = None
        self.is_host = False
        self.nonce = b""
        """Our contribution to the draw of the seats; our signature commits to it. Fresh for each sealing."""
        self._node, self._owner = node, owner
        self._host: bytes | None = None
        self._host_address = ""
        self._counter = 0

    @property
    def _own_key(self) -> bytes:
        return self._node.identity.public

    def leave(self) -> None:
        """Tell the host that we leave; no-op for the host."""
        if self.room is not None and not self.is_host and self._host is not None:
            self._send(self._host, "leave")

    def receive(self, author: bytes, data: bytes) -> None:
        """Handle a message that begins with STATEMENT. Invalid ones are dropped: links limit how many there can be."""
        try:
            statement = read_statement(data, author)
            if self.is_host and self.room is not None:
                self._receive_as_host(statement)
            elif author == self._host:
                self._receive_as_guest(statement)
        except BadMessage:
            return
        except Refusal as reason:
            self._give_up(reason)

    def lost(self, change: RouteChange) -> None:
        """Handle the loss of the route to a peer."""
        if self._node.driver is not None:
            return
        if self.is_host:
            if self.room is not None and self.room.place_of(change.key) is not None:
                self._publish(self.room.without(change.key))
        elif change.key == self._host:
            lost = self._host_lost(change.reason or "lost")
            self._host = self.room = None
            self._owner.on_refused(lost)

    def _host_lost(self, reason: str) -> LinkLost:
        """Return the fault for the end of the host's link, with the host's name if the room is known."""
        sitters = self.room.sitters if self.room is not None else ()
        host = next((clean(sitter.name, MAX_NAME_BYTES) for sitter in sitters if sitter.key == self._host), None)
        if host is None:
            return LinkLost("the host closed the connection", reason=reason)
        if reason == "bye":
            return LinkLost("{host} closed the table", reason=reason, host=host)
        return LinkLost("can't reach {host}'s table any more", reason=reason, host=host)

    # --- as the host ---

    def host(self, plan: TablePlan) -> None:
        """Open a waiting room and sit down in it."""
        game = plan.game
        self.is_host = True
        self.nonce = os.urandom(32)
        seats: tuple[Sitter | None, ...] = (self._sitter(), *(None for _ in range(game.seats - 1)))
        room = Room(
            os.urandom(16),
            self._own_key,
            plan.title,
            game.name,
            game.version,
            dict(game.options),
            plan.options,
            seats,
        )
        self._publish(room)

    def start(self) -> None:
        """Ask everyone to sign. Raises Refusal while seats are empty."""
        room = self.room
        if room is None or not self.is_host or len(room.sitters) < len(room.seats):
            raise Refusal("the match can start once all seats are taken")
        roster = room.roster(os.urandom(16))
        self._publish(replace(room, is_open=False))
        for sitter in room.sitters:
            self._send(sitter.key, "roster", roster=roster.encode())
        self._node.seal(roster)

    def refuse(self, key: bytes) -> None:
        """Remove this key from the room and keep it out; for the host."""
        if self.room is not None and self.is_host and self._node.driver is None and key != self._own_key:
            self._send(key, "refused", reason="the host removed you from this table", fields={})
            room = self.room.without(key)
            self._publish(replace(room, refused=room.refused | {key}))

    def _sitter(self) -> Sitter:
        keeper = self._node.settings.keeper or self._own_key
        hashed = nonce_hash(self._own_key, self.nonce)
        ready = self._node.settings.auto_ready
        return Sitter(self._own_key, self._node.settings.name, keeper, self._node.settings.bot, hashed, ready)

    def _publish(self, room: Room) -> None:
        """Show the changed room to everyone in it, and start the table if everyone is ready."""
        self.room = room
        self._node.refresh()
        self._send_guests("room", room=room.encode())
        self._owner.on_room(room)
        if room.can_start and room.is_open:
            self.start()

    def _receive_as_host(self, statement: Statement) -> None:
        room = self.room
        assert room is not None
        try:
            match statement.kind:
                case "sit":
                    self._seat_guest(statement)
                case "leave" if self._node.driver is None:
                    self._publish(room.without(statement.key))
                case "ready" if self._node.driver is None:
                    self._publish(room.with_ready(statement.key, statement.body["ready"]))
                case "move" if self._node.driver is None:
                    self._publish(room.moved(statement.key, statement.body["seat"]))
                case "say" if room.place_of(statement.key) is not None:
                    self._send_guests("said", text=statement.body["text"], who=statement.key)
                    self._owner.on_said(statement.key, statement.body["text"])
        except Refusal as reason:
            self._send(statement.key, "refused", reason=reason.template, fields=dict(reason.fields))

    def _seat_guest(self, statement: Statement) -> None:
        assert self.room is not None
        body = statement.body
        link = self._node.mesh.links.get(statement.key)
        address = link.address if link is not None and link.address is not None else ("", 0)
        before = self.room.place_of(statement.key)
        ready = before is None and body["bot"]
        sitter = Sitter(statement.key, body["name"], body["keeper"], body["bot"], body["nonce"], ready, address)
        self._publish(self.room.with_sitter(sitter))

    # --- as a guest ---

    async def join(self, addresses: Iterable[Address], expect: bytes | None = None) -> None:
        """Ask the host at these addresses for a seat. Raises LinkLost or Refusal."""
        self.nonce = os.urandom(32)
        key = await self._node.mesh.call(addresses, expect)
        link = self._node.mesh.links.get(key)
        if link is None:
            raise LinkLost("the host closed the connection", reason="closed")
        fields = link.hello.fields
        room = fields.get("id")
        if fields.get("state") != "open" or not fields.get("host") or not isinstance(room, bytes):
            self._node.mesh.drop(key, "bye")
            raise Refusal("there is no table to join at this address right now")
        self._host = key
        self._host_address = link.address[0] if link.address is not None else ""
        self._request_seat(room)

    def _request_seat(self, room: bytes) -> None:
        assert self._host is not None
        keeper = self._node.settings.keeper or self._own_key
        body = {"name": self._node.settings.name, "keeper": keeper, "bot": self._node.settings.bot}
        self._send(self._host, "sit", room_id=room, nonce=nonce_hash(self._own_key, self.nonce), **body)
        if self._node.settings.auto_ready:
            self._send(self._host, "ready", room_id=room, ready=True)

    def ready(self, ready: bool = True) -> None:
        """Say whether we are ready."""
        if self.room is None or self._node.driver is not None:
            return
        if self.is_host:
            self._publish(self.room.with_ready(self._own_key, ready))
        elif self._host is not None:
            self._send(self._host, "ready", ready=ready)

    def move_to(self, seat: Seat) -> None:
        """Move to another free seat. Raises Refusal for the host; a guest gets the host's answer."""
        if self.room is None or self._node.driver is not None:
            return
        if self.is_host:
            self._publish(self.room.moved(self._own_key, seat))
        elif self._host is not None:
            self._send(self._host, "move", seat=seat)

    def say(self, text: str) -> None:
        """Send a chat message."""
        if self.room is None:
            return
        if self.is_host:
            self._send_guests("said", text=text, who=self._own_key)
        elif self._host is not None:
            self._send(self._host, "say", text=text)

    def _receive_as_guest(self, statement: Statement) -> None:
        match statement.kind:
            case "room":
                self._update_room(decode_room(statement.room, statement.body["room"]))
            case "roster":
                self._sign_roster(statement)
            case "refused":
                fields = {str(key): value for key, value in statement.body["fields"].items()}
                self._give_up(Refusal(statement.body["reason"], **fields))
            case "said":
                self._owner.on_said(statement.body["who"], statement.body["text"])

    def _update_room(self, room: Room) -> None:
        """Take over the room that the host shows; if we were sealing, that has failed: sit down with a fresh nonce."""
        try:
            game = load(room.game, len(room.seats), room.options)
            if game.version != room.rules_version:
                raise BadOption(
                    "the host has version {theirs} of the {game} rules, you have version {ours}: update the "
                    "older Fairdeal",
                    game=room.game,
                    theirs=room.rules_version,
                    ours=game.version,
                )
        except BadOption as reason:
            self._give_up(reason)
            return
        if self._node.driver is not None:
            if self._node.driver.table.record.phase is not Phase.SEALING or not room.is_open:
                return
            self._node.abandon()
            self.nonce = os.urandom(32)
            self._request_seat(room.id)
            return
        self.room = room
        self._node.refresh()
        self._owner.on_room(room)

    def _sign_roster(self, statement: Statement) -> None:
        roster = decode_roster(statement.body["roster"])
        if self.room is None or self._node.driver is not None:
            return
        own = {self._own_key: nonce_hash(self._own_key, self.nonce)}
        own |= {sitter.key: sitter.nonce_hash for sitter in self.room.sitters if sitter.keeper == self._own_key}
        self.room.check_roster(roster, own)
        self._node.seal(roster)

    def _give_up(self, reason: FairdealError) -> None:
        if self._node.driver is not None:
            return
        if self._host is not None:
            self._send(self._host, "leave")
            self._node.mesh.drop(self._host, "bye")
        self._host = self.room = None
        self._owner.on_refused(reason)

    def _send(self, key: bytes, kind: str, room_id: bytes | None = None, **body: Any) -> None:
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        self._counter += 1
        self._node.mesh.send(key, state(self._node.identity, room, self._counter, kind, **body))

    def _send_guests(self, kind: str, **body: Any) -> None:
        """Send a statement to everyone in our room but ourselves."""
        for sitter in self.room.sitters if self.room is not None else ():
            if sitter.key != self._own_key:
                self._send(sitter.key, kind, **body)

    def addresses(self, room: Room) -> dict[bytes, tuple[Address, ...]]:
        """Return the others' addresses. A loopback address at the host means the computer where we found the host."""
        found: dict[bytes, tuple[Address, ...]] = {}
        for sitter in room.sitters:
            host, port = sitter.address
            if sitter.key == self._host:
                link = self._node.mesh.links.get(self._host)
                found[sitter.key] = (link.address,) if link is not None and link.address is not None else ()
            elif port:
                is_loopback = host in ("127.0.0.1", "::1")
                found[sitter.key] = ((self._host_address if is_loopback and self._host_address else host, port),)
            else:
                found[sitter.key] = ()
        return found

    def sealing_failed(self, record: Record) -> None:
        """Return to the waiting room without those who did not sign in time; for the host. The others follow."""
        if not self.is_host or self.room is None:
            return
        places = range(record.size)
        has_signed = [record.from_seat(place, "seal") is not None for place in places]
        has_shown = [record.from_seat(place, "nonce") is not None for place in places]
        # Nonces are revealed only after everyone has signed.
        is_done = has_shown if all(has_signed) else has_signed
        silent = {record.roster.members[place].key for place in places if not is_done[place]}
        self._node.abandon()
        room = replace(self.room, is_open=True)
        for key in silent - {self._own_key}:
            room = room.without(key)
            self._node.mesh.drop(key, "silent")
        self.nonce = os.urandom(32)
        room = replace(room, seats=tuple(replace(s, ready=False) if s is not None else None for s in room.seats))
        self._publish(room.with_sitter(self._sitter()))
