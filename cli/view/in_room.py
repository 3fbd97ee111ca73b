"""A room as one of its members sees it: who hosts it, who is awaited, and whether the next match can start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from cli.clean import clean_name
from cli.games.explain import explain
from cli.games.options import house_rules
from cli.games.titles import game_title
from cli.text import Translator
from cli.view.views import Piece
from protocol.errors import BadOption
from protocol.room.starting import NextMatch, start_of
from protocol.room.succession import successors
from protocol.room.values import Guest, Room
from protocol.values import replace


@dataclass(frozen=True)
class InRoom:
    """`me`: our key."""

    room: Room
    me: bytes

    @property
    def is_host(self) -> bool:
        return self.room.host == self.me

    @cached_property
    def own(self) -> Guest | None:
        return self.room.guest(self.me)

    def picks(self, guest: Guest) -> Guest | None:
        """Who sits out if we, who host, let somebody play who has no place; None where we cannot."""
        is_free = self.is_host and self.room.is_open and not self.room.is_playing
        return self.room.gives_way_to(guest.key) if is_free else None

    @property
    def is_ready(self) -> bool:
        return self.own is not None and self.own.ready

    @property
    def host_name(self) -> str:
        host = self.room.guest(self.room.host)
        return clean_name(host.name) if host is not None else "?"

    @property
    def friends(self) -> tuple[Guest, ...]:
        """The other people here."""
        return tuple(each for each in self.room.members if each.is_person and each.key != self.me)

    @property
    def phone_servers(self) -> tuple[str, ...]:
        """The names of those whose computers serve phones that are here."""
        keepers = {each.keeper for each in self.room.members if each.phone and each.keeper != each.key}
        return tuple(clean_name(each.name) for each in self.room.members if each.key in keepers)

    @property
    def may_serve(self) -> bool:
        """Whether phones can sit down through us: a phone lets nobody else in."""
        return self.own is not None and not self.own.phone

    @property
    def next_host(self) -> Guest | None:
        """Who hosts the room if its host leaves now; None: nobody, so it closes."""
        return next(iter(successors(self.room)), None)

    @property
    def awaited(self) -> tuple[Guest, ...]:
        """Who else sits here and is not ready."""
        return tuple(each for each in self.room.sitters if not each.ready and each.key != self.me)

    @cached_property
    def if_ready(self) -> InRoom:
        """The same if we were ready."""
        members = tuple(replace(g, ready=g.ready or (g.key == self.me and g.plays)) for g in self.room.members)
        return InRoom(replace(self.room, members=members), self.me)

    @cached_property
    def start(self) -> NextMatch:
        """The next match, if it started now."""
        return start_of(self.room)


def names_of(guests: Iterable[Guest]) -> list[str]:
    """Their names, cleaned."""
    return [clean_name(each.name) for each in guests]


def who_is_ready(_: Translator, standing: InRoom) -> str:
    """Who of the others is ready for the next match."""
    ready = names_of(each for each in standing.friends if each.ready)
    return _.n("{names} is ready", "{names} are ready", len(ready), names=_.list(ready)) if ready else ""


def hosts_own(_: Translator, standing: InRoom) -> str:
    """Why we cannot do what only hosts do."""
    return _("Only {name}, who hosts this room, can do that.", name=standing.host_name)


def only_the_host(_: Translator, standing: InRoom) -> str:
    """Why we cannot choose the game."""
    return _("Only {name}, who hosts this room, can change the game.", name=standing.host_name)


def obstacle(_: Translator, standing: InRoom) -> str:
    """Why the next match cannot start now; empty where it can."""
    found = standing.start.obstacle
    return explain(_, found) if found is not None else ""


def what_is_played(_: Translator, room: Room) -> str:
    """The chosen game with its options in a line."""
    try:
        changed = house_rules(_, room.game, room.options, room.table)
    except BadOption:
        changed = []
    rules = [_("{label}: {value}", label=label, value=value) for label, value in changed] or [_("standard rules")]
    return " · ".join((game_title(_, room.game), *rules))


def is_same_game(one: Room, other: Room) -> bool:
    """Whether both play the same by the same rules."""
    return (one.game, one.options, one.table) == (other.game, other.options, other.table)


def host_told(_: Translator, now: InRoom) -> str:
    """Who hosts the room from now on."""
    return _("You host this room now.") if now.is_host else _("{name} hosts this room now.", name=now.host_name)


def what_changed(_: Translator, before: InRoom, now: InRoom) -> list[Piece]:
    """Who came and left, who hosts now, what is played now, and that a match began, could not begin, or ended."""
    old, new = names_of(before.room.members), names_of(now.room.members)
    told: list[Piece] = []
    told += [(_("{name} joined.", name=each), "ok") for each in (Counter(new) - Counter(old)).elements()]
    told += [(_("{name} left.", name=each), "alarm") for each in (Counter(old) - Counter(new)).elements()]
    if before.room.host != now.room.host:
        told.append((host_told(_, now), "gold"))
    chosen = what_is_played(_, now.room)
    if chosen != what_is_played(_, before.room):
        told.append((_("Next game: {game}.", game=chosen), "gold"))
    if now.room.is_playing and not before.room.is_playing:
        playing = names_of(each for each in now.room.members if each.playing)
        told.append((_("The match has begun: {names}.", names=_.list(playing)), "gold"))
    elif before.room.is_playing and not now.room.is_playing and not before.room.sealing:
        told.append((_("The match is over."), "gold"))
    elif before.room.sealing and now.room.is_open and not now.room.is_playing and not _played(before):
        told.append((_("The match could not begin."), "gold"))  # whoever would have played hears why
    return told


def _played(standing: InRoom) -> bool:
    return standing.own is not None and standing.own.playing
