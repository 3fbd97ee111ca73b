"""What the host of a room does: it keeps the list, shows it to everyone, and has matches started.

Its own wishes reach it in the same way as everyone else's. PROTOCOL.md: "The room".
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Protocol

from p2p.budgets import ALL_TALK, CHANGES, SHOWN, TALK, Bucket, Buckets, gives_way
from p2p.interfaces import LOOPBACK, Address
from p2p.room.owner import RoomNode
from p2p.room.timers import NamedTimers
from p2p.routes import Route, RouteChange
from protocol.errors import BadMessage
from protocol.room.refusals import RoomRefusal, decode_refusal
from protocol.room.starting import all_are_ready, begun, start_of, starting, torn
from protocol.room.statements import encode_room
from protocol.room.values import MAX_MEMBERS, MAX_REFUSED, NOBODY, Guest, Room
from protocol.table.roster import Roster
from protocol.values import replace

CROWD = 4
"""From so many of one computer on who are not ready, the last of them gives way to somebody else when the room is full."""
REMOVED_S = 60.0
"""How long nobody new is let in from the computer of somebody who was removed; each time twice as long."""
GONE_S = 10.0
"""A member that cannot be reached for this long is not in the room any more."""
FORMER_S = 600.0
MAX_FORMER = 32
"""How many who were lost without a word are called at a time."""
SEALING_S = 12.0
"""If not everyone has signed and revealed their number by then, the table is not sealed."""


class Post(Protocol):
    """How the host reaches the others, and shows what it has decided."""

    def send(self, key: bytes, kind: str, **body: Any) -> None:
        """Send a statement."""

    def show(self, room: Room) -> None:
        """Take over the room that we have decided on."""

    def not_sealed(self, silent: Collection[bytes], revealed: bool) -> None:
        """The table was not sealed; for our own seat at it."""

    def said(self, key: bytes, text: str) -> None:
        """Somebody said this."""

    def declined(self, key: bytes, reason: RoomRefusal) -> None:
        """Somebody did not sign."""


class Hosting:
    """The host's side of a room."""

    def __init__(self, node: RoomNode, post: Post, room: Room, start_after_s: float | None) -> None:
        self.room = room
        self._node, self._post = node, post
        self._start_after_s = start_after_s
        self._timers = NamedTimers()
        now = asyncio.get_running_loop().time()
        self._talk: Buckets[tuple[str, bytes]] = Buckets(TALK)
        self._all_talk, self._shown = Bucket(ALL_TALK, now), Bucket(SHOWN, now)
        self._changes: Buckets[str] = Buckets(CHANGES)
        self._late: dict[bytes, Mapping[str, Any]] = {}
        """The last of what members who say it too often have said about being ready."""
        self._removals: dict[str, tuple[int, float]] = {}
        """How many were removed who came from each computer, and until when nobody new is let in from there."""
        self.former: dict[bytes, tuple[Address, ...]] = {}
        """Members who were lost without a word, and where they were: we call them, as they may have a branch of the room."""
        self._players: frozenset[bytes] = frozenset()
        """Who is asked to sign."""
        self._seated: set[bytes] = set()
        """Who may have a seat in the room's match: who was asked to sign it, or has taken a seat since."""
        self._claims: set[bytes] = set()
        """Members who say that they are in a match, although we know of no seat of theirs (yet)."""
        self._reports: dict[bytes, frozenset[bytes]] = {}
        """Whom each player of the roster lacks, as reported; nobody: sealed."""

    @property
    def _own_key(self) -> bytes:
        return self._node.identity.public

    def begin(self, lost: Mapping[bytes, tuple[Address, ...]], playing: Collection[bytes] = ()) -> None:
        """Show the room, with us as its host. `lost`: whom to call, as they may have a branch of the room; `playing`: whom the
        host before us showed as playing.

        Members whom we don't reach yet have as much time as if they had just been lost.
        """
        self._seated.update(playing)
        self.look_for(lost)
        for guest in self.room.members:
            if guest.key != self._own_key and self._node.mesh.route(guest.key) is Route.NONE:
                self._timers.set(guest.key, GONE_S, partial(self._gone, guest.key))
        self.publish(self.room)

    def close(self) -> None:
        """Stop hosting."""
        self._timers.close()

    # --- what is shown ---

    def publish(self, room: Room) -> None:
        """Show the changed room to everyone in it, and start the match if everyone is ready."""
        self.room = replace(room, number=self.room.number + 1 if room.term == self.room.term else 1)
        self._post.show(self.room)
        self._show_soon()
        self._mind_start()

    def _answer(self, key: bytes, room: Room) -> None:
        """Show what became of a member's request to everyone, or to the member alone if nothing has changed."""
        if room != self.room:
            self.publish(room)
            return
        self._post.send(key, "room", room=encode_room(room))
        self._mind_start()

    def _show_soon(self) -> None:
        """Show the room to everyone; if it changes too often, a little later: the others would take us for the one who floods."""
        if self._timers.is_set("show"):
            return
        if wait_s := self._shown.spend(1, asyncio.get_running_loop().time()):
            self._timers.set("show", wait_s, self._show_all)
        else:
            self._show_all()

    def _show_all(self) -> None:
        self._timers.cancel("show")
        word = encode_room(self.room)
        for guest in self.room.members:
            if guest.key != self._own_key:
                self._post.send(guest.key, "room", room=word)

    def linked(self, key: bytes) -> None:
        """Show the room to somebody of ours who has just been linked (again)."""
        self._timers.cancel(key)
        link = self._node.mesh.links.get(key)
        if self.room.guest(key) is None and link is not None and link.hello.fields.get("room") != self.room.id:
            self.former.pop(key, None)  # it is in another room now
            return
        self._post.send(key, "room", room=encode_room(self.room))

    def lost(self, change: RouteChange) -> None:
        """Remove a member after some time without a route to it, or at once if it said goodbye."""
        guest = self.room.guest(change.key)
        if guest is None:
            return
        if guest.is_kept or change.reason in ("bye", "goodbye"):  # its keeper starts a bot anew, which sits down again
            self.publish(self.room.without(change.key))
        else:
            self._timers.set(change.key, GONE_S, partial(self._gone, change.key))

    def _gone(self, key: bytes) -> None:
        guest = self.room.guest(key)
        if guest is not None:
            self.look_for({key: self._node.mesh.addresses(key)} if not guest.is_kept else {})
        self.publish(self.room.without(key))

    def look_for(self, lost: Mapping[bytes, tuple[Address, ...]]) -> None:
        """Call these for a while, who were lost without a word."""
        for key, addresses in lost.items():
            self.former.pop(key, None)
            self.former[key] = addresses
            for old in list(self.former)[:-MAX_FORMER]:
                self._timers.cancel(("former", old))
                del self.former[old]
            self._timers.set(("former", key), FORMER_S, partial(self._forget, key))

    def _forget(self, key: bytes) -> None:
        self.former.pop(key, None)

    # --- requests ---

    def receive(self, key: bytes, kind: str, body: Mapping[str, Any]) -> None:
        """Handle a request of a member, or our own. Refusals are sent to a member, and raised to ourselves."""
        try:
            self._receive(key, kind, body)
        except RoomRefusal as reason:
            if key == self._own_key:
                raise
            self._post.send(key, "refused", code=reason.code, fields=dict(reason.fields))

    def _receive(self, key: bytes, kind: str, body: Mapping[str, Any]) -> None:
        room = self.room
        match kind:
            case "sit":
                self._sit(key, body)
            case _stranger if room.guest(key) is None:
                return
            case "ready" if not room.sealing:
                self._claims.discard(key)
                self._hear_ready(key, body)
            case "move" if not room.sealing and not self._changes_too_much(key):
                self.publish(room.moved(key, body["seat"]))
            case "leave":
                self._timers.cancel(key)
                self._late.pop(key, None)
                self._claims.discard(key)
                self.publish(room.without(key))
            case "say" if self._may_be_heard(key):
                for guest in room.members:
                    if guest.key not in (key, self._own_key):
                        self._post.send(guest.key, "said", text=body["text"], who=key)
                if key != self._own_key:
                    self._post.said(key, body["text"])
            case "sealed":
                self._reported(key, body["silent"])
            case "declined" if room.sealing and key in self._players:
                self._post.declined(key, decode_plain(body["code"]))
                self.not_sealed((), False)

    def _talks_too_much(self, kind: str, key: bytes) -> float:
        """Count that a member says something; return for how long it has said too much."""
        return 0.0 if key == self._own_key else self._talk.spend((kind, key), 1, asyncio.get_running_loop().time())

    def _may_be_heard(self, key: bytes) -> bool:
        """Count that a member says something to all; return whether it is passed on."""
        if key == self._own_key:
            return True
        return not self._talks_too_much("say", key) and not self._all_talk.spend(1, asyncio.get_running_loop().time())

    def _changes_too_much(self, key: bytes) -> bool:
        """Count a change of the room; return whether its computer makes too many."""
        host = self._node.mesh.host_of(key)
        return not self._is_here(host) and self._changes.spend(host, 1, asyncio.get_running_loop().time()) > 0

    def _hear_ready(self, key: bytes, body: Mapping[str, Any]) -> None:
        """Note that a member is ready, or not: of who says it too often, the last, a little later."""
        if key not in self._late and (wait_s := self._talks_too_much("ready", key)):
            self._timers.set(("ready", key), wait_s, partial(self._hear_late, key))
            self._late[key] = body
        elif key in self._late:
            self._late[key] = body
        else:
            self._answer(key, self.room.with_ready(key, body["ready"], body["nonce"], body["plays"]))

    def _hear_late(self, key: bytes) -> None:
        body = self._late.pop(key, None)
        if body is not None and self.room.guest(key) is not None and not self.room.sealing:
            self._answer(key, self.room.with_ready(key, body["ready"], body["nonce"], body["plays"]))

    def _sit(self, key: bytes, body: Mapping[str, Any]) -> None:
        known = self.room.guest(key)
        if body["keeper"] == self._own_key != key and not self._is_ours(key, body["bot"]):
            raise RoomRefusal("bot")  # else anybody could pass for a bot or phone of ours, and count as one with us
        if self.room.sealing and known is not None:
            return  # its entry is part of the roster that is being signed; it says so again if ours is not what it is
        address = next(iter(self._node.mesh.addresses(key)), ("", 0)) if key != self._own_key else ("", 0)
        guest = Guest(
            key,
            body["name"],
            body["keeper"],
            body["bot"],
            body["nonce"],
            body["ready"] and body["plays"],
            address,
            body["phone"],
            body["plays"],
            body["playing"] and self._has_seat(key),
            serves=body["serves"],
        )
        is_change = known is None or known != replace(guest, waited=known.waited, arrived=known.arrived)
        if is_change and self._changes_too_much(key):
            return  # it asks again
        loser = self._gives_way(guest) if known is None else None
        room = (self.room if loser is None else self.room.without(loser)).with_guest(guest)
        if loser is not None:
            self._node.mesh.report(self._node.mesh.host_of(loser), "full")
            self._post.send(loser, "refused", code="full", fields={})
        self._timers.cancel(key)
        self.former.pop(key, None)
        self._late.pop(key, None)
        self._claims = {each for each in self._claims if room.guest(each) is not None} - {key}
        if body["playing"] and not guest.playing:
            self._claims.add(key)
        self._answer(key, room)

    def _has_seat(self, key: bytes) -> bool:
        """Whether somebody may have a seat in the room's match: else a word of theirs would keep all others from the next one."""
        driver = self._node.driver
        if driver is not None and driver.match == self.room.match:
            record = driver.table.record
            self._seated.update((member.key for member in record.roster.members), record.newcomers)
        return key in self._seated

    def seats_changed(self) -> None:
        """Show those as playing who said so before we knew that they had taken a seat."""
        seated = {key for key in self._claims if self._has_seat(key)}
        self._claims -= seated
        members = tuple(replace(each, playing=each.playing or each.key in seated) for each in self.room.members)
        if members != self.room.members:
            self.publish(replace(self.room, members=members))

    def _gives_way(self, newcomer: Guest) -> bytes | None:
        """Return who of a full room gives way to a newcomer, if one computer has filled it. Raises Refusal."""
        mesh, now = self._node.mesh, asyncio.get_running_loop().time()
        host = mesh.host_of(newcomer.key)
        if now < self._removals.get(host, (0, 0.0))[1]:
            raise RoomRefusal("removed")  # else somebody who was removed comes back at once under another key
        if len(self.room.members) < MAX_MEMBERS:
            return None
        idle = [(g.key, mesh.host_of(g.key)) for g in reversed(self.room.members) if not g.ready and not g.playing]
        crowds = Counter(origin for _key, origin in idle)
        others = [(key, origin) for key, origin in idle if crowds[origin] >= CROWD and not self._is_here(origin)]
        loser = gives_way(others, host)
        return None if loser is None or mesh.host_of(loser) == host else loser

    def _is_ours(self, key: bytes, is_bot: bool) -> bool:
        """Whether we serve this phone, or this bot's program runs on our own computer (which it may call by any address)."""
        link = self._node.mesh.links.get(key)
        if is_bot:
            return link is not None and (link.host in LOOPBACK or link.host == link.own_host)
        return key in self._node.settings.phones

    @staticmethod
    def _is_here(host: str) -> bool:
        """Whether this is our own computer, or unknown."""
        return not host or host in LOOPBACK

    # --- the host's own decisions ---

    def refuse(self, key: bytes) -> None:
        """Remove this key from the room and keep it out; for a while nobody new comes from its computer, each time for longer."""
        if key != self._own_key and not self.room.sealing:
            host, now = self._node.mesh.host_of(key), asyncio.get_running_loop().time()
            if not self._is_here(host):
                count = self._removals.pop(host, (0, 0.0))[0] + 1
                self._removals[host] = count, now + REMOVED_S * 2 ** min(count - 1, 10)
                for old in list(self._removals)[:-MAX_REFUSED]:
                    del self._removals[old]
            self._post.send(key, "refused", code="removed", fields={})
            self.publish(self.room.refusing(key))

    def pick(self, key: bytes) -> None:
        """Let somebody play the next match who has no place in it, instead of somebody else. Raises Refusal."""
        if self.room.sealing or self.room.is_playing:
            raise RoomRefusal("running")
        self.publish(self.room.picked(key))

    def choose(self, room: Room) -> None:
        """Show another game, other options or another number of places. All are asked for Ready again, unless they were ready for
        just that."""
        if room.sealing or room.is_playing:
            raise RoomRefusal("running")
        if room.choice == self.room.choice:
            self.publish(replace(self.room, title=room.title))
            return
        members = tuple(replace(g, ready=g.ready and (g.is_kept or g.bot)) for g in room.members)
        self.publish(replace(room, members=members))

    # --- starting ---

    def start(self) -> None:
        """Ask those who sit and are ready to sign. Raises Refusal or BadOption, which says what is missing."""
        start = start_of(self.room)
        if start.obstacle is not None:
            raise start.obstacle
        if self.room.sealing or self._node.driver is not None:
            raise RoomRefusal("running")
        self._timers.cancel("start")
        self._reports.clear()
        self._players = frozenset(guest.key for guest in start.players)
        self._seated = set(self._players)
        id = os.urandom(16)
        match = self.room.roster(id, start.players).table_id
        room = starting(self.room, start.players, match)
        roster = room.roster(id, start.players)
        self.room = replace(room, number=room.number + 1)
        self._post.show(self.room)
        self._show_all()
        self._timers.set("sealing", SEALING_S, self._sealing_is_late)
        self._seal(roster)

    def _seal(self, roster: Roster) -> None:
        for member in roster.members:
            if member.key != self._own_key:
                self._post.send(member.key, "roster", roster=roster.encode())
        if any(member.key == self._own_key for member in roster.members):
            self._node.seal(roster)

    def _mind_start(self) -> None:
        """Start by itself: when everyone is ready, all places are taken, or the host has waited long enough."""
        room, start = self.room, start_of(self.room)
        if room.sealing or self._node.driver is not None or start.obstacle is not None:
            self._timers.cancel("start")
            return
        is_full = len(start.players) == room.most
        # A host that is ready by itself has not said that nobody else is to come.
        if is_full or (all_are_ready(room) and not self._node.settings.auto_ready):
            self._try_start()
        elif self._start_after_s is not None and not self._timers.is_set("start"):
            self._timers.set("start", self._start_after_s, self._try_start)

    def _try_start(self) -> None:
        if start_of(self.room).obstacle is None and self._node.driver is None and not self.room.sealing:
            self.start()

    def _reported(self, key: bytes, silent: Collection[bytes]) -> None:
        """A player has sealed, or lacks something from the silent ones. We believe our own table, or all players."""
        if not self.room.sealing or key not in self._players:
            return
        self._reports[key] = frozenset(silent)
        word = self._reports.get(self._own_key) if self._own_key in self._players else None
        if word is None and self._own_key not in self._players and self._reports.keys() == self._players:
            word = frozenset[bytes]().union(*self._reports.values())
        if word is not None and not word:
            self._timers.cancel("sealing")
            self.publish(begun(self.room))

    def _sealing_is_late(self) -> None:
        """Nobody has sealed in time: our own table says who is silent, or else most of those who report."""
        driver = self._node.driver
        if driver is not None:
            self.not_sealed(*silent_at(driver.table.record))
            return
        told = list(self._reports.values())
        named = {key for key in self._players if 2 * sum(key in each for each in told) > len(told)}
        self.not_sealed(named | (self._players - self._reports.keys()), bool(told))

    def not_sealed(self, silent: Collection[bytes], revealed: bool) -> None:
        """Return to the room: the others follow."""
        self._timers.cancel("sealing")
        self._seated.clear()
        for key in silent:
            if not revealed and key != self._own_key:
                self._node.mesh.drop(key, "silent")
        room = torn(self.room, set(silent) - ({self._own_key} if not revealed else set()), revealed)
        self.publish(replace(room, match=NOBODY))
        self._post.not_sealed(silent, revealed)


def silent_at(record: Any) -> tuple[frozenset[bytes], bool]:
    """Return who did not sign a table, or, if all have signed, who did not show their number; and whether all signed."""
    places = range(record.size)
    has_signed = [record.from_seat(place, "seal") is not None for place in places]
    has_shown = [record.from_seat(place, "nonce") is not None for place in places]
    is_done = has_shown if all(has_signed) else has_signed
    return frozenset(record.roster.members[at].key for at in places if not is_done[at]), all(has_signed)


def decode_plain(code: str) -> RoomRefusal:
    """Return a refusal that needs no fields."""
    try:
        return decode_refusal(code, {})
    except BadMessage:
        return RoomRefusal("roster")
