"""The room as its host shows it: who is here in the order of arrival, who sits where, and what is to be played.

All values are frozen; each deed returns the new room. (PROTOCOL.md, "The room".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from protocol.cards import Seat
from protocol.room.refusals import RoomRefusal
from protocol.table.options import TableOptions
from protocol.table.roster import Member, Roster
from protocol.values import dataclass, replace

MAX_MEMBERS = 16
MAX_COUNT = 1 << 32
"""Nothing is counted further: a host may show any number, and whoever hosts after it goes on from there."""
MAX_REFUSED = 64
NOBODY = b""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody in the room. `address` is the (host, port) seen by the host's computer, or ("", 0)."""

    key: bytes
    name: str
    keeper: bytes
    """Whose computer runs this bot or serves this phone; its own key for everybody else."""
    bot: bool
    nonce_hash: bytes
    """The hash of its contribution to the next draw of lots."""
    ready: bool = False
    address: tuple[str, int] = ("", 0)
    phone: bool = False
    plays: bool = True
    """Whether it wants to play, rather than watch."""
    playing: bool = False
    """Whether its last match is not over yet on its computer."""
    waited: int = 0
    """How many matches have begun without it although it wanted to play."""
    arrived: int = 0
    """Its number in the order of arrival, which it keeps while it is here."""
    serves: int = 0
    """The port at which its computer serves phones; 0: it does not."""

    @property
    def is_person(self) -> bool:
        """Whether a person sits there; an unattended client is a bot that keeps itself."""
        return not self.bot

    @property
    def is_kept(self) -> bool:
        """Whether it is a bot on somebody else's computer."""
        return self.bot and self.keeper != self.key

    @property
    def can_host(self) -> bool:
        """Whether others can reach it, so that it can host: bots on somebody else's computer and phones cannot."""
        return not self.is_kept and not self.phone


@dataclass(frozen=True, slots=True)
class Room:
    """A room. `members` in the order in which they came; `seating` has a key or NOBODY for each place."""

    id: bytes
    host: bytes
    title: str
    game: str
    rules_version: int
    options: Mapping[str, Any]
    table: TableOptions
    members: tuple[Guest, ...]
    seating: tuple[bytes, ...]
    sealing: bool = False
    """Whether everyone is being asked to sign a roster now."""
    term: int = 0
    """How often the room has changed its host. The higher term holds."""
    number: int = 0
    """Counts the words of this term."""
    match: bytes = NOBODY
    """The id of the last table that was sealed here."""
    torn: int = 0
    """How many draws of lots were torn."""
    barred: frozenset[bytes] = field(default=frozenset())
    """Who kept silent in the last draw, and is left out of the next one."""
    refused: frozenset[bytes] = field(default=frozenset())
    """Who was removed, and may not come back."""

    # --- what can be asked ---

    @property
    def is_open(self) -> bool:
        """Whether nothing is being signed now."""
        return not self.sealing

    @property
    def is_playing(self) -> bool:
        """Whether a match of this room is still running somewhere."""
        return any(guest.playing for guest in self.members)

    @property
    def most(self) -> int:
        """How many can play at most."""
        return len(self.seating)

    @property
    def seats(self) -> tuple[Guest | None, ...]:
        """Who sits at each place, or None."""
        by_key = {guest.key: guest for guest in self.members}
        return tuple(by_key.get(key) for key in self.seating)

    @property
    def sitters(self) -> tuple[Guest, ...]:
        """Everyone who has a seat, in the order of the seats."""
        return tuple(guest for guest in self.seats if guest is not None)

    def guest(self, key: bytes) -> Guest | None:
        """Return the member with this key, or None."""
        return next((guest for guest in self.members if guest.key == key), None)

    def place_of(self, key: bytes) -> Seat | None:
        """Return the seat of a key, or None."""
        return self.seating.index(key) if key != NOBODY and key in self.seating else None

    def roster(self, id: bytes, players: Iterable[Guest]) -> Roster:
        """Return the roster that these players are asked to sign. `id`: 16 fresh bytes."""
        members = tuple(Member(g.key, g.name, g.keeper, g.bot, g.nonce_hash) for g in players)
        return Roster(self.game, self.rules_version, self.options, self.table, id, members)

    # --- what the host decides ---

    def with_guest(self, guest: Guest) -> Room:
        """Let somebody in, or update its entry: it keeps its place in the order. Raises Refusal."""
        if guest.key in self.refused:
            raise RoomRefusal("removed")
        known = self.guest(guest.key)
        if known is None and len(self.members) >= MAX_MEMBERS:
            raise RoomRefusal("full")
        if guest.is_kept and self.guest(guest.keeper) is None:
            raise RoomRefusal("bot")
        if known is None:
            arrived = min(max((each.arrived for each in self.members), default=0) + 1, MAX_COUNT)
            room = replace(self, members=(*self.members, replace(guest, arrived=arrived, waited=0)))
        else:
            room = self._put(replace(guest, waited=known.waited, arrived=known.arrived))
        return room.seated()

    def without(self, *keys: bytes) -> Room:
        """Remove somebody, and the bots on its computer."""
        gone = {g.key for g in self.members if g.key in keys or (g.keeper in keys and g.is_kept)}
        members = tuple(guest for guest in self.members if guest.key not in gone)
        return replace(self, members=members, seating=tuple(NOBODY if k in gone else k for k in self.seating)).seated()

    def refusing(self, key: bytes) -> Room:
        """Remove somebody for good."""
        refused = self.refused | {key} if len(self.refused) < MAX_REFUSED else self.refused
        return replace(self.without(key), refused=refused)

    def with_ready(self, key: bytes, ready: bool, nonce_hash: bytes, plays: bool = True) -> Room:
        """Note that somebody's computer is free, whether they are ready to play, and their part of the next draw."""
        guest = self.guest(key)
        if guest is None:
            return self
        changed = replace(guest, ready=ready and plays, nonce_hash=nonce_hash, plays=plays, playing=False)
        room = self._put(changed)
        return room.seated() if plays else replace(room, seating=_without(room.seating, key)).seated()

    def moved(self, key: bytes, seat: Seat) -> Room:
        """Move somebody to another free seat, for example to choose a partner. Raises Refusal."""
        if seat >= self.most or self.guest(key) is None:
            raise RoomRefusal("seat")
        if self.seating[seat] != NOBODY:
            raise RoomRefusal("taken")
        seating = list(_without(self.seating, key))
        seating[seat] = key
        return replace(self, seating=tuple(seating))

    def gives_way_to(self, key: bytes) -> Guest | None:
        """Return who would sit out if the host let this member play, who has no place: a bot, else the one who has waited least
        and came last. None where nobody has to, or it has a place."""
        guest = self.guest(key)
        if guest is None or not guest.plays or key in self.seating or NOBODY in self.seating:
            return None
        others = (each for each in self.sitters if each.key != self.host)
        return min(others, key=lambda each: (not each.bot, each.waited, -each.arrived), default=None)

    def picked(self, key: bytes) -> Room:
        """Let a member play who has no place, instead of `gives_way_to`. Raises Refusal."""
        loser = self.gives_way_to(key)
        if loser is None:
            raise RoomRefusal("seat")
        room = self._put(replace(loser, ready=loser.bot))
        return replace(room, seating=tuple(key if each == loser.key else each for each in room.seating))

    def seated(self) -> Room:
        """Give each free place to those who want to play and have none, the longest waiting first."""
        waiting = [g.key for g in self.by_turn() if g.key not in self.seating]
        seating = [key if key != NOBODY or not waiting else waiting.pop(0) for key in self.seating]
        return replace(self, seating=tuple(seating))

    def by_turn(self) -> tuple[Guest, ...]:
        """Return those who want to play: the longest waiting first, then in the order of arrival."""
        return tuple(sorted((g for g in self.members if g.plays), key=lambda guest: -guest.waited))

    @property
    def choice(self) -> object:
        """What a player says Ready to."""
        return self.game, self.rules_version, dict(self.options), self.table, len(self.seating)

    def with_places(self, most: int) -> Room:
        """Return the room with this many places."""
        kept = [key for key in self.seating if key != NOBODY][:most]
        return replace(self, seating=(*kept, *[NOBODY] * (most - len(kept)))).seated()

    def _put(self, guest: Guest) -> Room:
        return replace(self, members=tuple(guest if g.key == guest.key else g for g in self.members))


def _without(seating: tuple[bytes, ...], key: bytes) -> tuple[bytes, ...]:
    return tuple(NOBODY if each == key else each for each in seating)
