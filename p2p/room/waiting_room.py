"""One client's place in a room, whoever hosts it, and the way into it.

Statements are signed by their author. They express wishes only: nothing is binding until the roster is signed.
PROTOCOL.md: "The room".
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from p2p.errors import LinkLost, LinkRefused
from p2p.interfaces import Address, parse
from p2p.mesh import Route, RouteChange
from p2p.room.hosting import GONE_S, SEALING_S, Hosting, silent_at
from p2p.room.offers import Offer, offer_body, read_offer
from p2p.room.owner import RoomNode, RoomOwner
from p2p.room.timers import Timers
from p2p.settings import TablePlan
from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption, FairdealError
from protocol.games.catalogue import game_class
from protocol.identity import KEY_BYTES
from protocol.room.refusals import Refusal, decode_refusal
from protocol.room.starting import begun, check_roster, torn
from protocol.room.statements import MAX_PASSED_BYTES, Statement, decode_room, read_statement, state
from protocol.room.succession import hosted_by, precedes, successors
from protocol.room.values import NOBODY, Guest, Room
from protocol.table.record import Phase
from protocol.table.roster import PROTOCOL_VERSION, decode_roster, nonce_hash

STATEMENT = b"\x93\xa1w"
"""How a statement of a room begins: a msgpack array of three, then the text "w"."""
MAX_HOPS = 3
"""How often whoever answers may send us on to the room's host."""
SIT_AGAIN_S = 1.0
REFUSED_LINK = {"older": "we-are-older", "newer": "they-are-older", "full": "full", "closed": "nothing"}
"""Reasons with which a host refuses a link, as the caller sees them."""


class WaitingRoom:
    """The room that we are in. `room` is its state as the host shows it, None outside of a room."""

    def __init__(self, node: RoomNode, owner: RoomOwner) -> None:
        self.room: Room | None = None
        self.nonce = b""
        """Our contribution to the next draw of lots; our signature commits to it. Used once."""
        self.is_ready = False
        """Whether our player wants the next match to start."""
        self.plays = True
        self.torn = 0
        """How many draws in a row were torn after we had shown our number."""
        self._node, self._owner = node, owner
        self._hosting: Hosting | None = None
        self._joining: tuple[bytes, bytes] | None = None
        """The host and the room that we have asked to let us in."""
        self._host_address = ""
        self._counter = 0
        self._known: frozenset[bytes] = frozenset()
        """Who has been in this room since we came: nobody else can be its host."""
        self._barred: frozenset[bytes] = frozenset()
        self._timers = Timers()
        self._considered = 0
        self.offer: Offer | None = None
        """The empty seat of the running match that we may take."""

    @property
    def is_host(self) -> bool:
        """Whether we host the room."""
        return self._hosting is not None

    @property
    def _own_key(self) -> bytes:
        return self._node.identity.public

    @property
    def _nonce_hash(self) -> bytes:
        return nonce_hash(self._own_key, self.nonce)

    @property
    def host(self) -> bytes | None:
        """The key of the room's host, also while we are being let in."""
        if self.room is not None:
            return self.room.host
        return self._joining[0] if self._joining is not None else None

    # --- the way in and out ---

    def open(self, plan: TablePlan) -> None:
        """Open a room and sit down in it, as its host."""
        self._fresh_nonce()
        self.is_ready = self._node.settings.auto_ready
        own, game = self._own_guest(), plan.game
        seating = (own.key, *[NOBODY] * (game.seats - 1))
        room = Room(
            os.urandom(16),
            own.key,
            plan.title,
            game.name,
            game.version,
            dict(game.options),
            plan.options,
            (replace(own, arrived=1),),
            seating,
        )
        self._begin_hosting(room)

    async def join(
        self, addresses: Iterable[Address], expect: bytes | None = None, announced: Collection[str] = ()
    ) -> None:
        """Ask the host of the room at these addresses to let us in. Raises LinkLost or Refusal.

        `expect`: the only key that may answer; `announced`: beginnings of keys (hexadecimal), one of which must.
        """
        for hop in range(MAX_HOPS):
            key = await self._call(addresses, expect)
            if not hop and announced and not any(start and key.hex().startswith(start) for start in announced):
                self._node.mesh.drop(key, "identity")
                raise LinkLost("someone else answers at that address", reason="identity")
            link = self._node.mesh.links.get(key)
            if link is None:
                raise LinkLost("the host closed the connection", reason="closed")
            fields = link.hello.fields
            self._check_version(key, fields.get("v"))
            room, host = fields.get("room"), fields.get("at_key")
            found = link.address[0] if link.address is not None else ""
            if fields.get("host") is True and isinstance(room, bytes):
                self._ask_in(key, room, found)
                return
            if self._node.settings.is_phone and isinstance(room, bytes) and _is_key(host):
                self._node.mesh.reach(host, key)  # a page reaches nobody but the machines that serve it
                self._ask_in(host, room, found)
                return
            self._node.mesh.drop(key, "bye")
            addresses = _hosts_address(fields.get("at"))
            if not addresses or not _is_key(host):
                break
            expect = host
        raise Refusal("nothing")

    def _ask_in(self, host: bytes, room: bytes, address: str) -> None:
        """Ask the host of this room to let us in. `address`: where we found it."""
        self._joining = host, room
        self._host_address = address
        self._fresh_nonce()
        self.is_ready = self._node.settings.auto_ready
        self._sit_down()

    async def _call(self, addresses: Iterable[Address], expect: bytes | None) -> bytes:
        try:
            return await self._node.mesh.call(addresses, expect)
        except LinkRefused as refused:
            if refused.reason in REFUSED_LINK:
                raise Refusal(REFUSED_LINK[refused.reason]) from refused
            raise

    def _check_version(self, key: bytes, theirs: object) -> None:
        if theirs == PROTOCOL_VERSION:
            return
        self._node.mesh.drop(key, "bye")
        is_newer = type(theirs) is int and theirs > PROTOCOL_VERSION
        raise Refusal("we-are-older" if is_newer else "they-are-older")

    def restore(self, room: Room) -> None:
        """Be in the room of a match that was resumed, until its host shows it: after some time we may be the host."""
        self._set_room(room)
        self._fresh_nonce()
        self._node.room_changed()
        others = [guest for guest in room.members if guest.key != self._own_key and not guest.is_kept]
        if room.host == self._own_key and not others:
            self._take_over(())
        else:
            self._mind_host(GONE_S)

    def _set_room(self, room: Room) -> None:
        self.room = room
        self._known |= {guest.key for guest in room.members}

    def leave(self) -> None:
        """Leave the room; if we host it, whoever has been here longest does from now on."""
        room, self._joining = self.room, None
        if room is not None:
            if self.is_host:
                for guest in room.members:
                    self._send(guest.key, "leave")
            else:
                self._send(room.host, "leave")
        self._forget()

    def close_room(self) -> None:
        """Close the room for everyone; for its host."""
        if self.room is not None and self.is_host:
            for guest in self.room.members:
                self._send(guest.key, "close")
        self._forget()

    def close(self) -> None:
        """Leave the room if we are in one, and stop all timers."""
        self.leave()
        self._timers.close()

    def _forget(self) -> None:
        if self._hosting is not None:
            self._hosting.close()
        self._timers.close()
        self._hosting = self.room = self._joining = None
        self._look_at_offer()
        self._known = frozenset()
        self._node.room_changed()

    def _give_up(self, reason: FairdealError) -> None:
        """We cannot be in this room."""
        host = self.host
        if host is not None and host != self._own_key:
            self._send(host, "leave")
        self._forget()
        if host is not None and self._node.driver is None:
            self._node.mesh.drop(host, "bye")
        self._owner.on_refused(reason)

    # --- what our player does ---

    def ready(self, ready: bool = True) -> None:
        """Say whether we are ready for the next match."""
        self.is_ready = ready
        if self._node.driver is None:
            self._say_ready()

    def play(self, plays: bool) -> None:
        """Say whether we want to play, rather than watch."""
        self.plays = plays
        if self._node.driver is None:
            self._say_ready()

    def move_to(self, seat: Seat) -> None:
        """Move to another free seat. Raises Refusal for the host; a member gets the host's answer."""
        self._ask("move", seat=seat)

    def say(self, text: str) -> None:
        """Send a chat message."""
        self._ask("say", text=text)

    def start(self) -> None:
        """Start with those who are ready; for the host. Raises Refusal or BadOption, which says what is missing."""
        self._for_host().start()

    def refuse(self, key: bytes) -> None:
        """Remove this key from the room and keep it out; for the host."""
        self._for_host().refuse(key)

    def choose(self, plan: TablePlan) -> None:
        """Choose another game, its options, and how many play at most; for the host."""
        hosting, game = self._for_host(), plan.game
        room = replace(
            hosting.room,
            game=game.name,
            rules_version=game.version,
            options=dict(game.options),
            table=plan.options,
            title=plan.title,
        )
        hosting.choose(room.with_places(game.seats))

    def hand_over(self, key: bytes) -> None:
        """Let somebody else host the room; for the host."""
        guest = self._for_host().room.guest(key)
        if guest is not None and guest.can_host and key != self._own_key:
            self._send(key, "hand-over")

    def _for_host(self) -> Hosting:
        if self._hosting is None:
            raise Refusal("host-only")
        return self._hosting

    def _ask(self, kind: str, **body: Any) -> None:
        """Send a request to the host, who may be us."""
        if self.room is None:
            return
        if self._hosting is not None:
            self._hosting.receive(self._own_key, kind, body)
        else:
            self._send(self.room.host, kind, **body)

    def _say_ready(self) -> None:
        self._ask("ready", ready=self.is_ready and self.plays, plays=self.plays, nonce=self._nonce_hash)

    # --- the node's table ---

    def sealed(self) -> None:
        """Our table is sealed."""
        self.torn, self._barred = 0, frozenset()
        self._timers.cancel("sealing")
        self._ask("sealed", silent=())

    def returned(self, is_ready: bool) -> None:
        """Our match is over, and this computer is free for the next one."""
        self._fresh_nonce()
        self.is_ready = is_ready
        self._say_ready()

    def began_sealing(self) -> None:
        """We have signed a roster: do not wait for ever."""
        self._timers.set("sealing", SEALING_S, self._sealing_is_late)

    def _sealing_is_late(self) -> None:
        """Tell the host whom we miss: the host decides. Without a room, give up."""
        driver = self._node.driver
        if driver is None or driver.table.record.phase is not Phase.SEALING:
            return
        silent, revealed = silent_at(driver.table.record)
        if self.room is None:
            self.not_sealed(silent, revealed)
        elif not self.is_host:
            self._ask("sealed", silent=tuple(sorted(silent)))
            self._timers.set("sealing", GONE_S, self._sealing_is_late)

    def not_sealed(self, silent: Collection[bytes], revealed: bool) -> None:
        """Give up a table that is not sealed. After we have shown our number, only our player makes us ready again."""
        if self._node.driver is not None:
            self._node.abandon(silent)
            self._fresh_nonce()
        self._timers.cancel("sealing")
        self.torn += revealed
        self._barred = frozenset(silent) if revealed else self._barred
        is_kept_bot = self._node.settings.is_kept_bot  # its keeper is the one who is asked
        self.is_ready = self._node.settings.auto_ready and (is_kept_bot or not revealed)
        self._owner.on_torn(silent, revealed, self.torn)
        self._say_ready()

    # --- what arrives ---

    def receive(self, author: bytes, data: bytes) -> None:
        """Handle a message that begins with STATEMENT. Invalid ones are dropped: links limit how many there can be."""
        try:
            statement = read_statement(data, author)
            if self.room is not None and statement.room != self.room.id:
                return
            if statement.kind == "offer":
                self._hear_offer(statement)
            elif self._hosting is not None and statement.kind not in ("room", "hand-over"):
                self._hosting.receive(author, statement.kind, statement.body)
            else:
                self._receive(statement, data)
        except BadMessage:
            return

    def _receive(self, statement: Statement, data: bytes) -> None:
        if statement.kind == "room":
            self._hear_word(statement, data)
        elif statement.key != self.host:
            return
        match statement.kind:
            case "roster":
                self._sign_roster(statement)
            case "refused":
                self._refused(decode_refusal(statement.body["code"], statement.body["fields"]))
            case "said":
                self._owner.on_said(statement.body["who"], statement.body["text"])
            case "leave":
                self._host_is_gone()
            case "hand-over" if self.room is not None:
                self._take_over(())
            case "close":
                self._forget()
                self._owner.on_refused(Refusal("closed"))
            case "sit" if self.room is not None:  # the host has started anew, and lacks its room
                self._host_is_gone()
            case "moved" if self.room is not None:
                self._follow(statement)

    # --- an empty seat at the running match ---

    def _hear_offer(self, statement: Statement) -> None:
        """Take an offer of somebody who plays, while we do not."""
        guest = self.room.guest(statement.key) if self.room is not None else None
        if self.room is None or guest is None or not guest.playing or self._node.driver is not None:
            return
        self._set_offer(read_offer(statement.body, self.room))

    def _set_offer(self, offer: Offer | None) -> None:
        if offer != self.offer:
            self.offer = offer
            self._owner.on_offer(offer)

    def _look_at_offer(self) -> None:
        """Drop an offer of a match that is over, or at which we are now."""
        room, offer = self.room, self.offer
        is_over = room is None or not room.is_playing or (offer is not None and room.match != offer.roster.table_id)
        if offer is not None and (is_over or self._node.driver is not None):
            self._set_offer(None)

    def show_offer(self, offer: Offer | None, to: bytes) -> None:
        """Tell somebody who waits of an empty seat at our table, or that there is none any more."""
        self._send(to, "offer", **offer_body(offer))

    def began_to_play(self) -> None:
        """We take a seat at the running match: tell the host that this computer is not free."""
        self._look_at_offer()
        if self.room is not None:
            self._sit(self.room.host, self.room.id)

    def _refused(self, reason: Refusal) -> None:
        if self.room is None or reason.code in ("removed", "full", "closed"):
            self._give_up(reason)
        else:
            self._owner.on_not_done(reason)

    def _hear_word(self, statement: Statement, data: bytes) -> None:
        """Take a host's word if it holds: of our host, or of another whom a branch of this room has chosen."""
        room = decode_room(statement.room, statement.body["room"])
        if statement.key != room.host:
            raise BadMessage("only the host speaks for a room")
        if self.room is None and self._joining != (room.host, room.id):
            return
        if self.room is not None and room.host not in self._known:
            return
        if self.room is not None and not precedes(room, self.room):
            if self._hosting is not None and room.host != self._own_key:
                self._hosting.linked(room.host)  # its branch ends here
            return
        if self._hosting is not None:
            self._pass_on(room, data)
        self._take_word(room)

    def _pass_on(self, room: Room, word: bytes) -> None:
        """Our branch ends: show its members the word of the host who holds, and where that host is."""
        host, port = next(iter(self._node.mesh.addresses(room.host)), ("", 0))
        for guest in self.room.members if self.room is not None else ():
            if room.guest(guest.key) is None and len(word) <= MAX_PASSED_BYTES:
                self._send(guest.key, "moved", host=host, port=port, word=word)

    def _follow(self, moved: Statement) -> None:
        """Follow our host into another branch of the room."""
        word = read_statement(moved.body["word"], None)
        if word.kind != "room" or self.room is None or word.room != self.room.id:
            raise BadMessage("only a word of the same room can be passed on")
        room = decode_room(word.room, word.body["room"])
        if word.key == room.host and precedes(room, self.room):
            self._take_word(room)
            if found := _hosts_address([moved.body["host"], moved.body["port"]]):
                self._node.mesh.add_addresses(room.host, (self._translated(found[0]),))

    def _take_word(self, room: Room) -> None:
        if (fault := _cannot_play(room)) is not None:
            self._give_up(fault)
            return
        if self._hosting is not None:
            self._hosting.close()
            self._hosting = None
        is_new_host = self.room is None or self.room.host != room.host
        self._set_room(room)
        self._joining = None
        if is_new_host:
            self._considered = 0
            self._timers.cancel("host")
            link = self._node.mesh.links.get(room.host)
            self._host_address = link.address[0] if link is not None and link.address is not None else ""
        self._follow_sealing(room)
        self._node.room_changed()
        self._look_at_offer()
        if room.guest(self._own_key) is None:
            if self._own_key in room.refused:
                self._give_up(Refusal("removed"))
            elif not self._timers.is_set("sit"):
                self._sit_down()
            return
        self._mind_own_entry()
        self._owner.on_room(room)

    def _sit_down(self) -> None:
        """Ask the host for our place until its word names us: where two links crossed, a request is lost with one of them."""
        room, asked = self.room, self._joining
        if room is not None:
            asked = (room.host, room.id) if room.guest(self._own_key) is None else None
        if asked is not None:
            self._sit(*asked)
            self._timers.set("sit", SIT_AGAIN_S, self._sit_down)

    def _follow_sealing(self, room: Room) -> None:
        """Give up our table if the host has: it was not sealed for everyone, and no card was dealt yet."""
        driver = self._node.driver
        if driver is None or room.sealing or driver.table.record.round is not None or driver.table.is_newcomer:
            return
        own = room.guest(self._own_key)
        if room.match != driver.match or (own is not None and not own.playing):
            record = driver.table.record
            silent, _all_signed = silent_at(record)
            revealed = record.from_seat(driver.table.seat, "nonce") is not None
            self.not_sealed(room.barred or silent, revealed)

    def _sign_roster(self, statement: Statement) -> None:
        roster = decode_roster(statement.body["roster"])
        if self.room is None:
            return
        own = {self._own_key: self._nonce_hash}
        kept = self._node.settings.bots | self._node.settings.phones
        own |= {guest.key: guest.nonce_hash for guest in self.room.members if guest.key in kept}
        try:
            if self._node.driver is not None:
                raise Refusal("busy")
            check_roster(self.room, roster, own, self._barred)
        except Refusal as reason:
            self._send(self.room.host, "declined", code=reason.code)
            self._owner.on_declined(self._own_key, reason)
        else:
            self._node.seal(roster)

    # --- links ---

    def route_changed(self, change: RouteChange) -> None:
        """Handle a new route to a peer, or the loss of it."""
        room, is_lost = self.room, change.route is Route.NONE
        self._mind_own_entry()
        if room is None:
            if is_lost and self._joining is not None and change.key == self._joining[0]:
                self._forget()
                self._owner.on_refused(LinkLost("the host closed the connection", reason=change.reason or "lost"))
        elif self._hosting is not None:
            if is_lost:
                self._hosting.lost(change)
            elif room.guest(change.key) is not None or change.key in self._hosting.former:
                self._hosting.linked(change.key)
        elif change.key == room.host:
            if not is_lost:
                self._timers.cancel("host")
                self._sit(room.host, room.id)
            elif change.reason == "bye":
                self._host_is_gone()
            else:
                self._mind_host(GONE_S)

    def _mind_host(self, wait_s: float) -> None:
        self._timers.set("host", wait_s, self._consider_hosting)

    def _host_is_gone(self) -> None:
        """The host has left, or has started anew without its room: do not wait for it."""
        self._considered = 0
        self._consider_hosting(is_gone=True)

    def _consider_hosting(self, is_gone: bool = False) -> None:
        """Host the room if its host is gone, and everyone before us is gone or has had time to."""
        room, mesh = self.room, self._node.mesh
        if room is None or self.is_host or (not is_gone and mesh.route(room.host) is not Route.NONE):
            return
        before = [guest.key for guest in successors(room)]
        if room.host == self._own_key:
            before.clear()  # we have started anew, and nobody else hosts
        elif self._own_key in before:
            del before[before.index(self._own_key) :]
        else:
            return  # kept bots never host: they wait for whoever does
        here = [key for key in before if mesh.route(key) is not Route.NONE]
        if len(here) <= self._considered:
            self._take_over((room.host, *(key for key in before if key not in here)))
        else:
            self._considered += 1
            self._mind_host(GONE_S)

    def _take_over(self, gone: Collection[bytes]) -> None:
        """Host the room from now on, without those who are gone."""
        assert self.room is not None
        was_sealing, old_host, driver = self.room.sealing, self.room.host, self._node.driver
        lost = {key: where for key, where in self.addresses().items() if key in gone}
        room = hosted_by(self.room, self._own_key, tuple(gone))
        if room.guest(self._own_key) is None:
            return
        members = tuple(replace(g, address=self._address_of(g)) for g in room.members)
        room = replace(room, members=members)
        if was_sealing and driver is not None and driver.table.record.phase is not Phase.SEALING:
            room = begun(replace(room, sealing=True))
        elif was_sealing:
            silent, revealed = silent_at(driver.table.record) if driver is not None else (frozenset({old_host}), False)
            room = torn(replace(room, match=NOBODY), silent - {self._own_key}, revealed)
            self._begin_hosting(room, lost)
            self.not_sealed(silent, revealed)
            return
        self._begin_hosting(room, lost)
        if driver is None:
            self._say_ready()

    def _begin_hosting(self, room: Room, lost: Mapping[bytes, tuple[Address, ...]] | None = None) -> None:
        """`lost`: whom we call, as they may have a branch of the room."""
        self._timers.cancel("host")
        self._joining = None
        self._hosting = Hosting(self._node, self, room, self._node.settings.start_after_s)
        self._hosting.begin(lost or {})

    def _address_of(self, guest: Guest) -> Address:
        """Return where a member can be reached, as the new host sees it."""
        if guest.key == self._own_key:
            return ("", 0)
        return next(iter(self._node.mesh.addresses(guest.key)), self._translated(guest.address))

    def addresses(self) -> dict[bytes, tuple[Address, ...]]:
        """Return the other members' addresses."""
        found: dict[bytes, tuple[Address, ...]] = {}
        if self._hosting is not None:
            found |= {key: self._node.mesh.addresses(key) or known for key, known in self._hosting.former.items()}
        for guest in self.room.members if self.room is not None else ():
            if guest.key == self._own_key:
                continue
            known = self._node.mesh.addresses(guest.key)
            found[guest.key] = known or ((self._translated(guest.address),) if guest.address[1] else ())
        return found

    def _translated(self, address: Address) -> Address:
        """A loopback address at the host means the computer where we found the host."""
        is_loopback = address[0] in ("127.0.0.1", "::1")
        return (self._host_address, address[1]) if is_loopback and self._host_address else address

    # --- sending (and the host's post) ---

    def send(self, key: bytes, kind: str, **body: Any) -> None:
        self._send(key, kind, **body)

    def show(self, room: Room) -> None:
        self._set_room(room)
        self._node.room_changed()
        self._look_at_offer()
        self._owner.on_room(room)

    def said(self, key: bytes, text: str) -> None:
        self._owner.on_said(key, text)

    def declined(self, key: bytes, reason: Refusal) -> None:
        self._owner.on_declined(key, reason)

    def about_us_changed(self) -> None:
        """Tell the host what is new about our computer."""
        room = self.room
        if room is not None and self._hosting is not None:
            self._hosting.receive(self._own_key, "sit", self._sit_body())
        elif room is not None:
            self._sit(room.host, room.id)

    def _mind_own_entry(self) -> None:
        """Tell the host who serves us now, or that we serve phones, if the room shows something else."""
        room, own = self.room, self._own_guest()
        shown = room.guest(self._own_key) if room is not None else None
        if room is None or shown is None or room.sealing or self._hosting is not None:
            return
        if (shown.keeper, shown.serves) != (own.keeper, own.serves):
            self._sit(room.host, room.id)

    def _keeper(self) -> bytes:
        """Return who is responsible for us: for a phone, a machine that serves it now, the one that gave it its page first."""
        settings, mesh = self._node.settings, self._node.mesh
        keeper = settings.keeper or self._own_key
        if not settings.is_phone or mesh.route(keeper) is Route.DIRECT:
            return keeper
        return next(iter(mesh.links), keeper)

    def _own_guest(self) -> Guest:
        settings = self._node.settings
        return Guest(
            self._own_key,
            settings.name,
            self._keeper(),
            settings.bot,
            self._nonce_hash,
            self.is_ready,
            phone=settings.is_phone,
            plays=self.plays,
            serves=settings.serves,
        )

    def _sit(self, host: bytes, room: bytes) -> None:
        self._send(host, "sit", room, **self._sit_body())

    def _sit_body(self) -> dict[str, Any]:
        own = self._own_guest()
        is_playing = self._node.driver is not None
        return {
            "name": own.name,
            "keeper": own.keeper,
            "bot": own.bot,
            "nonce": own.nonce_hash,
            "phone": own.phone,
            "playing": is_playing,
            "plays": own.plays,
            "ready": own.ready and not is_playing,
            "serves": own.serves,
        }

    def _send(self, key: bytes, kind: str, room_id: bytes | None = None, /, **body: Any) -> None:
        room = room_id or (self.room.id if self.room is not None else b"\0" * 16)
        if key != self._own_key:
            self._counter += 1
            self._node.mesh.send(key, state(self._node.identity, room, self._counter, kind, **body))

    def _fresh_nonce(self) -> None:
        self.nonce = os.urandom(32)


def _cannot_play(room: Room) -> FairdealError | None:
    """Return why this client cannot play what the room has chosen, or None."""
    try:
        version = game_class(room.game).version
    except BadOption as fault:
        return fault
    if version == room.rules_version:
        return None
    return Refusal("rules", game=room.game, theirs=room.rules_version, ours=version)


def _is_key(found: object) -> TypeGuard[bytes]:
    return isinstance(found, bytes) and len(found) == KEY_BYTES


def _hosts_address(found: object) -> tuple[Address, ...]:
    """Decode where a member says that the host is: a literal address and a port."""
    match found:
        case [str() as host, int() as port] if parse(host) is not None and 0 < port < 1 << 16:
            return ((host, port),)
    return ()
