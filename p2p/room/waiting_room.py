"""One client's place in a room, as its host or as a guest.

Statements are signed by their author. They express wishes only: nothing is binding until the roster is signed.
PROTOCOL.md: "The room".
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from p2p.budgets import ALL_TALK, LINES, TALK, Bucket, Buckets
from p2p.errors import LinkLost
from p2p.interfaces import Address, is_plausible
from p2p.room.entrance import find_host, read_address
from p2p.room.evening import OF_THE_EVENING, EveningStatements
from p2p.room.hosting import Hosting
from p2p.room.membership import Membership
from p2p.room.offered_seat import OfferedSeat
from p2p.room.offers import SeatOffer, offer_body
from p2p.room.own_entry import OwnEntry
from p2p.room.owner import RoomNode, RoomOwner
from p2p.room.sealing import RoomSealing
from p2p.room.taking_over import TakingOver
from p2p.room.whereabouts import Whereabouts
from p2p.routes import Route, RouteChange
from p2p.settings import TablePlan
from protocol.cards import Seat
from protocol.errors import BadMessage, BadOption, FairdealError
from protocol.games.catalogue import game_class, load
from protocol.room.refusals import RoomRefusal, decode_refusal
from protocol.room.statements import MAX_PASSED_BYTES, Statement, decode_room, read_statement
from protocol.room.succession import precedes
from protocol.room.values import NOBODY, Room
from protocol.values import replace

STATEMENT = b"\x93\xa1w"
"""How a statement of a room begins: a msgpack array of three, then the text "w"."""

MOST_TERMS = 1000
"""How many hosts may follow one another without us; otherwise somebody could use up all terms at once."""


class WaitingRoom:
    """The room that we are in: what our player does there, and what arrives from the others.

    `entry` is our own entry in its list, `sealing` our way to a table, `evening` what is said of the matches before.
    """

    def __init__(self, node: RoomNode, owner: RoomOwner) -> None:
        self._node, self._owner = node, owner
        self._place = place = Membership(node)
        self.entry = OwnEntry(place)
        self.sealing = RoomSealing(place, self.entry, owner)
        self.evening = EveningStatements(place, owner)
        self._offered = OfferedSeat(place, owner)
        self._whereabouts = Whereabouts(place)
        self._talk: Buckets[bytes] = Buckets(TALK)
        self._all_talk = Bucket(ALL_TALK, 0.0)
        self._refusals: Buckets[bytes] = Buckets(LINES)
        self._host_watch = TakingOver(place, self.entry, self.sealing, self._whereabouts, self._begin_hosting)

    @property
    def room(self) -> Room | None:
        """The room's state as its host shows it, None outside of a room."""
        return self._place.room

    @property
    def host(self) -> bytes | None:
        """The key of the room's host, also while we are being let in."""
        return self._place.host

    @property
    def is_host(self) -> bool:
        """Whether we host the room."""
        return self._place.hosting is not None

    @property
    def offer(self) -> SeatOffer | None:
        """The seat of the running match that we may take."""
        return self._offered.offer

    def addresses(self) -> dict[bytes, tuple[Address, ...]]:
        """Return the other members' addresses."""
        return self._whereabouts.all()

    # --- the way in and out ---

    def open(self, plan: TablePlan) -> None:
        """Open a room and sit down in it, as its host."""
        self._arrive()
        own, game = self.entry.guest(), plan.game
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

        `expect`: the only key that may answer; `announced`: keys (hexadecimal), one of which must.
        """
        found = await find_host(self._node.mesh, addresses, expect, announced, self._node.settings.is_phone)
        if found.via is not None:
            self._node.mesh.reach(found.host, found.via)
        self._place.joining = found.host, found.room
        self._whereabouts.host_address = found.address
        self._arrive()
        self.entry.sit_down()

    def _arrive(self) -> None:
        self.entry.renew()
        self.entry.is_ready = self._node.settings.auto_ready

    def restore(self, room: Room) -> None:
        """Be in the room of a match that was resumed, until its host shows it: after some time we may be the host."""
        self._place.set_room(room)
        self.entry.renew()
        self._node.room_changed()
        own_key = self._place.own_key
        others = [guest for guest in room.members if guest.key != own_key and not guest.is_kept]
        if room.host == own_key and not others:
            self._host_watch.take_over(())
        else:
            self._host_watch.host_is_lost()

    def leave(self) -> None:
        """Leave the room; if we host it, the member who has been here longest takes over."""
        room, self._place.joining = self.room, None
        if room is not None:
            if self.is_host:
                for guest in room.members:
                    self.send(guest.key, "leave")
            else:
                self.send(room.host, "leave")
        self._forget()

    def close_room(self) -> None:
        """Close the room for everyone; for its host."""
        if self.room is not None and self.is_host:
            for guest in self.room.members:
                self.send(guest.key, "close")
        self._forget()

    def close(self) -> None:
        """Leave the room if we are in one, and stop all timers."""
        self.leave()
        self._place.timers.close()

    def _forget(self) -> None:
        self._place.clear()
        self._offered.review()
        self._node.room_changed()

    def _give_up(self, reason: FairdealError) -> None:
        """We cannot be in this room."""
        host = self.host
        self.sealing.room_is_gone()
        if host is not None and host != self._place.own_key:
            self.send(host, "leave")
        self._forget()
        if host is not None and self._node.driver is None:
            self._node.mesh.drop(host, "bye")
        self._owner.on_refused(reason)

    # --- what our player does ---

    def ready(self, ready: bool = True) -> None:
        """Say whether we are ready for the next match."""
        self.entry.is_ready = ready
        if self._node.driver is None:
            self.entry.say_ready()

    def play(self, plays: bool) -> None:
        """Say whether we want to play, rather than watch."""
        self.entry.plays = plays
        if self._node.driver is None:
            self.entry.say_ready()

    def move_to(self, seat: Seat) -> None:
        """Move to another free seat. Raises Refusal for the host; a member gets the host's answer."""
        self._place.ask("move", seat=seat)

    def say(self, text: str) -> None:
        """Send a chat message."""
        self._place.ask("say", text=text)

    def start(self) -> None:
        """Start with those who are ready; for the host. Raises Refusal or BadOption, which says what is missing."""
        self._for_host().start()

    def refuse(self, key: bytes) -> None:
        """Remove this key from the room and keep it out; for the host."""
        self._for_host().refuse(key)

    def pick(self, key: bytes) -> None:
        """Let somebody play the next match who has no place in it, instead of somebody else; for the host. Raises Refusal."""
        self._for_host().pick(key)

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
        before = hosting.room
        hosting.choose(room.with_places(game.seats))
        if hosting.room.choice != before.choice:
            self.entry.chosen_anew()

    def hand_over(self, key: bytes) -> None:
        """Let somebody else host the room; for the host."""
        guest = self._for_host().room.guest(key)
        if guest is not None and guest.can_host and key != self._place.own_key:
            self.send(key, "hand-over")

    def _for_host(self) -> Hosting:
        if self._place.hosting is None:
            raise RoomRefusal("host-only")
        return self._place.hosting

    # --- our table ---

    def returned(self, is_ready: bool) -> None:
        """Our match is over, and this computer is free for the next one."""
        self.entry.renew()
        self.entry.is_ready = is_ready
        self.entry.say_ready()

    def show_offer(self, offer: SeatOffer | None, to: bytes) -> bool:
        """Tell somebody who waits of a seat at our table, or that there is none any more; return whether it was sent."""
        return self._place.send(to, "offer", **offer_body(offer))

    def began_to_play(self) -> None:
        """We take a seat at the running match: tell the host that this computer is not free."""
        self._offered.review()
        if self.room is not None:
            self.entry.sit(self.room.host, self.room.id)

    def seats_changed(self) -> None:
        """Somebody may have taken a seat at our table."""
        if self._place.hosting is not None:
            self._place.hosting.seats_changed()

    # --- what arrives ---

    def receive(self, author: bytes, data: bytes, via: bytes | None = None, *, is_introduced: bool = False) -> None:
        """Handle a message that begins with STATEMENT. Invalid ones are dropped: links limit how many there can be.

        `via`: who passed it on; `is_introduced`: we know the author only by that.
        """
        hosting = self._place.hosting
        try:
            statement = read_statement(data, author, self._place.own_key)
            if self.room is not None and statement.room != self.room.id:
                return
            if self._place.is_repeated(statement, via is not None):
                return
            if via is not None and is_introduced and hosting is not None:
                self._node.mesh.reach(author, via)
            if statement.kind == "offer":
                self._offered.receive(statement)
            elif statement.kind in OF_THE_EVENING:
                self.evening.receive(statement, via is None)
            elif hosting is not None and statement.kind not in ("room", "hand-over"):
                hosting.receive(author, statement.kind, statement.body)
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
                self.sealing.sign(statement.body["roster"])
            case "refused":
                self._refused(decode_refusal(statement.body["code"], statement.body["fields"]))
            case "said" if self._may_be_heard(statement.body["who"]):
                self._owner.on_said(statement.body["who"], statement.body["text"])
            case "leave":
                self._host_watch.host_is_gone()
            case "hand-over" if self.room is not None:
                self._host_watch.take_over(())
            case "close":
                self.sealing.room_is_gone()
                self._forget()
                self._owner.on_refused(RoomRefusal("closed"))
            case "sit" if self.room is not None:  # the host has started anew, and lacks its room
                self._host_watch.host_is_gone()
            case "moved" if self.room is not None:
                self._follow(statement)

    def _may_be_heard(self, speaker: bytes) -> bool:
        """Whether our host may let us hear one more thing that a member is said to have said."""
        room, now = self.room, asyncio.get_running_loop().time()
        if room is None or room.guest(speaker) is None:
            return False
        return self._talk.spend(speaker, 1, now) == 0 and self._all_talk.spend(1, now) == 0

    def _refused(self, reason: RoomRefusal) -> None:
        if self.room is None or reason.code in ("removed", "full", "closed"):
            self._give_up(reason)
        elif self._refusals.takes(self.room.host, asyncio.get_running_loop().time()):
            self._owner.on_not_done(reason)

    # --- the room as its host, or another branch's host, shows it ---

    def _hear_word(self, statement: Statement, data: bytes) -> None:
        """Take a host's word if it holds: of our host, or of another whom a branch of this room has chosen."""
        place, room = self._place, decode_room(statement.room, statement.body["room"])
        if statement.key != room.host:
            raise BadMessage("only the host speaks for a room")
        _check_choice(room)
        if place.room is None and place.joining != (room.host, room.id):
            return
        if place.room is not None and (room.host not in place.known or _is_far(room, place.room)):
            return
        if place.room is not None and not precedes(room, place.room):
            if place.hosting is not None and room.host != place.own_key:
                place.hosting.linked(room.host)  # its branch ends here
            return
        if self.is_host:
            self._pass_on(room, data)
        self._take_word(room)

    def _pass_on(self, room: Room, word: bytes) -> None:
        """Our branch ends: show its members the word of the host who holds, and where that host is."""
        host, port = next(iter(self._node.mesh.addresses(room.host)), ("", 0))
        for guest in self.room.members if self.room is not None else ():
            if room.guest(guest.key) is None and len(word) <= MAX_PASSED_BYTES:
                self.send(guest.key, "moved", host=host, port=port, word=word)

    def _follow(self, moved: Statement) -> None:
        """Follow our host into another branch of the room."""
        word = read_statement(moved.body["word"], None)
        if word.kind != "room" or self.room is None or word.room != self.room.id:
            raise BadMessage("a message from another room was passed on")
        room = decode_room(word.room, word.body["room"])
        _check_choice(room)
        if word.key == room.host and precedes(room, self.room) and not _is_far(room, self.room):
            self._take_word(room)
            if found := read_address([moved.body["host"], moved.body["port"]]):
                address = self._whereabouts.translated(found[0])
                if is_plausible(address, self._node.mesh.host_of(moved.key)):
                    self._node.mesh.add_addresses(room.host, (address,))

    def _take_word(self, room: Room) -> None:
        if (fault := _cannot_play(room)) is not None:
            self._give_up(fault)
            return
        place = self._place
        if place.hosting is not None:
            place.hosting.close()
            place.hosting = None
        before = place.room
        is_new_host = before is None or before.host != room.host
        place.set_room(room)
        place.joining = None
        if is_new_host:
            self._host_watch.host_is_new()
            self._whereabouts.found_host(room.host)
        self.sealing.follow(room)
        self._node.room_changed()
        self._offered.review()
        if room.guest(place.own_key) is None:
            if place.own_key in room.refused:
                self._give_up(RoomRefusal("removed"))
            elif not place.timers.is_set("sit"):
                self.entry.sit_down()
            return
        self.entry.review()
        if before is not None and before.choice != room.choice:
            self.entry.chosen_anew()
        self._owner.on_room(room)

    def route_changed(self, change: RouteChange) -> None:
        """Handle a new route to a peer, or the loss of it."""
        place, room, is_lost = self._place, self.room, change.route is Route.NONE
        self.entry.review()
        if room is None:
            if is_lost and place.joining is not None and change.key == place.joining[0]:
                self._forget()
                self._owner.on_refused(LinkLost("the host closed the connection", reason=change.reason or "lost"))
        elif place.hosting is not None:
            if is_lost:
                place.hosting.lost(change)
            elif room.guest(change.key) is not None or change.key in place.hosting.former:
                place.hosting.linked(change.key)
        elif change.key == room.host:
            if not is_lost:
                self._host_watch.host_is_here()
                self.entry.sit(room.host, room.id)
            elif change.reason == "bye":
                self._host_watch.host_is_gone()
            else:
                self._host_watch.host_is_lost()

    # --- we host it ---

    def _begin_hosting(self, room: Room, lost: Mapping[bytes, tuple[Address, ...]] | None = None) -> None:
        """`lost`: whom we call, as they may have a branch of the room."""
        before = self.room.members if self.room is not None else ()
        self._host_watch.host_is_here()
        self._place.joining = None
        self._place.hosting = Hosting(self._node, self, room, self._node.settings.start_after_s)
        self._place.hosting.begin(lost or {}, [guest.key for guest in before if guest.playing])

    def send(self, key: bytes, kind: str, **body: Any) -> None:
        """Send a statement of this room. This and what follows is how our `Hosting` reaches everybody."""
        self._place.send(key, kind, **body)

    def show(self, room: Room) -> None:
        self._place.set_room(room)
        self._node.room_changed()
        self._offered.review()
        self._owner.on_room(room)

    def not_sealed(self, silent: Collection[bytes], revealed: bool) -> None:
        self.sealing.failed(silent, revealed)

    def said(self, key: bytes, text: str) -> None:
        self._owner.on_said(key, text)

    def declined(self, key: bytes, reason: RoomRefusal) -> None:
        self._owner.on_declined(key, reason)


def _is_far(one: Room, other: Room) -> bool:
    """Whether one word is of a term in which no branch of the room can be."""
    return one.term > other.term + MOST_TERMS


def _check_choice(room: Room) -> None:
    """Check that what a host has chosen can be played, if we know the game: whoever hosts after it would have to show it.

    Raises BadMessage.
    """
    if _cannot_play(room) is not None:
        return  # its guests are told
    try:
        options = load(room.game, room.most, room.options).options
    except FairdealError as fault:
        raise BadMessage("a host has chosen options that its game does not have") from fault
    if options != room.options:
        raise BadMessage("a host has left options out")


def _cannot_play(room: Room) -> FairdealError | None:
    """Return why this client cannot play what the room has chosen, or None."""
    try:
        version = game_class(room.game).version
    except BadOption as fault:
        return fault
    if version == room.rules_version:
        return None
    return RoomRefusal("rules", game=room.game, theirs=room.rules_version, ours=version)
