"""One client's part in a waiting room: the host shows the room and asks for signatures, guests sit, move and are ready.

What is said here is signed by whoever says it, and shows only what each wants: nothing of it binds anybody until the roster is
signed. (PROTOCOL.md, "The waiting room".)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from p2p.driver import Driver
from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.mesh import Change, Mesh
from p2p.settings import Plan, Settings
from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption, FairdealError
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.table.record import Phase, Record
from protocol.table.roster import Roster, decode_roster, nonce_hash
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
"""How a statement of a waiting room begins: an array of three, the text "w"."""


class Owner(Protocol):
    """Who is told what happens in a waiting room."""

    def on_room(self, room: Room) -> None:
        """The waiting room has changed."""

    def on_said(self, key: bytes, text: str) -> None:
        """Somebody said something in the waiting room."""

    def on_refused(self, reason: FairdealError) -> None:
        """We cannot sit here, or have lost the seat in the waiting room."""


class Holder(Protocol):
    """What a waiting room needs of its node."""

    settings: Settings
    identity: Identity
    mesh: Mesh
    driver: Driver | None

    def seal(self, roster: Roster) -> None:
        """Sign this roster; the table begins."""

    def abandon(self) -> None:
        """The roster at hand was never sealed: forget its table."""

    def refresh(self) -> None:
        """What our hello says of the room has changed."""


class Waiting:
    """`room` is the room as the host shows it, while we are in one."""

    def __init__(self, node: Holder, owner: Owner) -> None:
        self.room: Room | None = None
        self.is_host = False
        self.nonce = b""
        """What our seal binds us to, and what is drawn from when it is shown: fresh for each sealing."""
        self._node, self._owner = node, owner
        self._host: bytes | None = None
        self._host_address = ""
        self._counter = 0

    @property
    def _own(self) -> bytes:
        return self._node.identity.public

    def leave(self) -> None:
        """A guest gets up."""
        if self.room is not None and not self.is_host and self._host is not None:
            self._tell(self._host, "leave")

    def hear(self, author: bytes, data: bytes) -> None:
        """A statement, which begins with STATEMENT. Nonsense is dropped: links bound how much of it there can be."""
        try:
            said = read_statement(data, author)
            if self.is_host and self.room is not None:
                self._host_hears(said)
            elif author == self._host:
                self._guest_hears(said)
        except BadMessage:
            return
        except Refusal as reason:
            self._give_up(reason)

    def lost(self, change: Change) -> None:
        """There is no way to somebody any more."""
        if self._node.driver is not None:
            return
        if self.is_host:
            if self.room is not None and self.room.place_of(change.key) is not None:
                self._show(self.room.without(change.key))
        elif change.key == self._host:
            self._host = self.room = None
            self._owner.on_refused(
                LinkLost("the host has closed the table ({reason})", reason=change.reason or "link lost")
            )

    # --- as the host ---

    def host(self, plan: Plan) -> None:
        """Open a waiting room and sit down in it."""
        game = plan.game
        self.is_host = True
        self.nonce = os.urandom(32)
        seats: tuple[Sitter | None, ...] = (self._sitter(), *(None for _ in range(game.seats - 1)))
        room = Room(
            os.urandom(16),
            self._own,
            plan.title,
            game.name,
            game.version,
            dict(game.options),
            plan.options,
            seats,
        )
        self._show(room)

    def start(self) -> None:
        """The host begins: all are asked to sign. Raises Refusal while seats are empty."""
        room = self.room
        if room is None or not self.is_host or len(room.sitters) < len(room.seats):
            raise Refusal("the table can begin when all its seats are taken")
        roster = room.roster(os.urandom(16))
        self._show(replace(room, is_open=False))
        for sitter in room.sitters:
            self._tell(sitter.key, "roster", roster=roster.encode())
        self._node.seal(roster)

    def refuse(self, key: bytes) -> None:
        """The host does not want this key at the table."""
        if self.room is not None and self.is_host and self._node.driver is None and key != self._own:
            self._tell(key, "refused", reason="the host does not want you at this table", fields={})
            room = self.room.without(key)
            self._show(replace(room, refused=room.refused | {key}))

    def _sitter(self) -> Sitter:
        keeper = self._node.settings.keeper or self._own
        hashed = nonce_hash(self.nonce)
        ready = self._node.settings.auto_ready
        return Sitter(self._own, self._node.settings.name, keeper, self._node.settings.bot, hashed, ready)

    def _show(self, room: Room) -> None:
        """The room has changed: tell all who sit in it, and begin when all are there."""
        self.room = room
        self._node.refresh()
        shown = room.encode()
        for sitter in room.sitters:
            if sitter.key != self._own:
                self._tell(sitter.key, "room", room=shown)
        self._owner.on_room(room)
        if room.can_start and room.is_open:
            self.start()

    def _host_hears(self, said: Statement) -> None:
        room = self.room
        assert room is not None
        try:
            match said.kind:
                case "sit":
                    self._welcome(said)
                case "leave" if self._node.driver is None:
                    self._show(room.without(said.key))
                case "ready" if self._node.driver is None:
                    self._show(room.with_ready(said.key, said.body["ready"]))
                case "move" if self._node.driver is None:
                    self._show(room.moved(said.key, said.body["seat"]))
                case "say" if room.place_of(said.key) is not None:
                    for sitter in room.sitters:
                        if sitter.key != self._own:
                            self._tell(sitter.key, "said", text=said.body["text"], who=said.key)
                    self._owner.on_said(said.key, said.body["text"])
        except Refusal as reason:
            self._tell(said.key, "refused", reason=reason.template, fields=dict(reason.fields))

    def _welcome(self, said: Statement) -> None:
        assert self.room is not None
        body = said.body
        link = self._node.mesh.links.get(said.key)
        address = link.address if link is not None and link.address is not None else ("", 0)
        before = self.room.place_of(said.key)
        ready = before is None and body["bot"]
        sitter = Sitter(said.key, body["name"], body["keeper"], body["bot"], body["nonce"], ready, address)
        self._show(self.room.with_sitter(sitter))

    # --- as a guest ---

    async def join(self, addresses: Iterable[Address], expect: bytes | None = None) -> None:
        """Ask for a seat at the host found there. Raises LinkLost."""
        self.nonce = os.urandom(32)
        key = await self._node.mesh.call(addresses, expect)
        link = self._node.mesh.links.get(key)
        if link is None:
            raise LinkLost("the host has hung up", reason="closed")
        fields = link.hello.fields
        room = fields.get("id")
        if fields.get("state") != "open" or not fields.get("host") or not isinstance(room, bytes):
            self._node.mesh.drop(key, "bye")
            raise Refusal("there is no open table at this address")
        self._host = key
        self._host_address = link.address[0] if link.address is not None else ""
        self._sit(room)

    def _sit(self, room: bytes) -> None:
        assert self._host is not None
        keeper = self._node.settings.keeper or self._own
        body = {"name": self._node.settings.name, "keeper": keeper, "bot": self._node.settings.bot}
        self._tell(self._host, "sit", room_id=room, nonce=nonce_hash(self.nonce), **body)
        if self._node.settings.auto_ready:
            self._tell(self._host, "ready", room_id=room, ready=True)

    def ready(self, ready: bool = True) -> None:
        """We are ready, or not."""
        if self.room is None or self._node.driver is not None:
            return
        if self.is_host:
            self._show(self.room.with_ready(self._own, ready))
        elif self._host is not None:
            self._tell(self._host, "ready", ready=ready)

    def move_to(self, seat: Seat) -> None:
        """Take another free seat. Raises Refusal for the host; guests are told."""
        if self.room is None or self._node.driver is not None:
            return
        if self.is_host:
            self._show(self.room.moved(self._own, seat))
        elif self._host is not None:
            self._tell(self._host, "move", seat=seat)

    def say(self, text: str) -> None:
        """Chat."""
        if self.room is None:
            return
        if self.is_host:
            for sitter in self.room.sitters:
                if sitter.key != self._own:
                    self._tell(sitter.key, "said", text=text, who=self._own)
        elif self._host is not None:
            self._tell(self._host, "say", text=text)

    def _guest_hears(self, said: Statement) -> None:
        match said.kind:
            case "room":
                self._see(decode_room(said.room, said.body["room"]))
            case "roster":
                self._asked_to_sign(said)
            case "refused":
                fields = {str(key): value for key, value in said.body["fields"].items()}
                self._give_up(Refusal(said.body["reason"], **fields))
            case "said":
                self._owner.on_said(said.body["who"], said.body["text"])

    def _see(self, room: Room) -> None:
        """The host shows its room. If we were sealing, somebody was dropped: sit again, with a fresh nonce."""
        try:
            game = load(room.game, len(room.seats), room.options)
            if game.version != room.rules_version:
                raise BadOption(
                    "the host plays {game} by rules of version {theirs}, and this program knows version {ours}",
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
            self._sit(room.id)
            return
        self.room = room
        self._node.refresh()
        self._owner.on_room(room)

    def _asked_to_sign(self, said: Statement) -> None:
        roster = decode_roster(said.body["roster"])
        if self.room is None or self._node.driver is not None:
            return
        own = {self._own: nonce_hash(self.nonce)}
        own |= {sitter.key: sitter.nonce_hash for sitter in self.room.sitters if sitter.keeper == self._own}
        self.room.check_roster(roster, own)
        self._node.seal(roster)

    def _give_up(self, reason: FairdealError) -> None:
        if self._node.driver is not None:
            return
        if self._host is not None:
            self._tell(self._host, "leave")
            self._node.mesh.drop(self._host, "bye")
        self._host = self.room = None
        self._owner.on_refused(reason)

    def _tell(self, key: bytes, kind: str, room_id: bytes | None = None, **body: Any) -> None:
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        self._counter += 1
        self._node.mesh.send(key, state(self._node.identity, room, self._counter, kind, **body))

    def addresses(self, room: Room) -> dict[bytes, tuple[Address, ...]]:
        """Where the others are. What the host sees as its own machine is for us the machine where we found the host."""
        found: dict[bytes, tuple[Address, ...]] = {}
        for sitter in room.sitters:
            host, port = sitter.address
            if sitter.key == self._host:
                link = self._node.mesh.links.get(self._host)
                found[sitter.key] = (link.address,) if link is not None and link.address is not None else ()
            elif port:
                is_hosts_machine = host in ("127.0.0.1", "::1")
                found[sitter.key] = ((self._host_address if is_hosts_machine and self._host_address else host, port),)
            else:
                found[sitter.key] = ()
        return found

    def unsealed(self, record: Record) -> None:
        """Somebody did not sign in time: the host goes back to the waiting room without them, and the others follow."""
        if not self.is_host or self.room is None:
            return
        places = range(record.size)
        has_signed = [record.from_seat(place, "seal") is not None for place in places]
        has_shown = [record.from_seat(place, "nonce") is not None for place in places]
        # Nobody shows a nonce before all have signed.
        is_done = has_shown if all(has_signed) else has_signed
        silent = {record.roster.members[place].key for place in places if not is_done[place]}
        self._node.abandon()
        room = replace(self.room, is_open=True)
        for key in silent - {self._own}:
            room = room.without(key)
            self._node.mesh.drop(key, "silent")
        self.nonce = os.urandom(32)
        room = replace(room, seats=tuple(replace(s, ready=False) if s is not None else None for s in room.seats))
        self._show(room.with_sitter(self._sitter()))
