"""Decide who plays the next match of a room, and what happens to the room when it begins, ends, or is never sealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protocol.errors import BadOption, FairdealError
from protocol.games.catalogue import game_class, load
from protocol.room.refusals import RoomRefusal
from protocol.room.values import MAX_COUNT, Guest, Room
from protocol.table.roster import Roster, game_of
from protocol.values import dataclass, replace

MAX_WAITED = 1 << 15


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The next match, if it started now: who plays, in the order of the seats, and what prevents it, or None."""

    players: tuple[Guest, ...]
    obstacle: FairdealError | None = None


def start_of(room: Room) -> NextMatch:
    """Return who plays if the match starts now: those who sit and are ready.

    Members who kept silent in the last draw sit out, unless too few would be left to play at all.
    """
    ready = tuple(guest for guest in room.sitters if guest.ready and not guest.playing)
    players = tuple(guest for guest in ready if guest.key not in room.barred)
    if room.is_playing:
        return NextMatch(players, RoomRefusal("running"))
    try:
        least = min(game_class(room.game).seat_counts)
        if len(players) < least:
            players = ready
        if len(players) < least:
            return NextMatch(players, RoomRefusal("few", least=least))
        load(room.game, len(players), room.options)
    except BadOption as obstacle:
        return NextMatch(players, obstacle)
    return NextMatch(players)


def all_are_ready(room: Room) -> bool:
    """Whether everyone who sits is ready (those who sit out do not count)."""
    return all(g.ready or g.key in room.barred for g in room.sitters) and not room.is_playing


def starting(room: Room, players: Collection[Guest], match: bytes) -> Room:
    """Return the room while these players are asked to sign: the others have waited once more."""
    keys = {guest.key for guest in players}
    members = tuple(
        replace(g, playing=True, ready=False, waited=0)
        if g.key in keys
        else replace(g, waited=min(g.waited + 1, MAX_WAITED) if g.plays else g.waited)
        for g in room.members
    )
    return replace(room, members=members, sealing=True, match=match)


def begun(room: Room) -> Room:
    """Return the room once the table is sealed: nobody is barred any more."""
    return replace(room, sealing=False, torn=0, barred=frozenset())


def torn(room: Room, silent: Collection[bytes], revealed: bool) -> Room:
    """Return the room after a table was not sealed. `silent`: who did not sign or, if `revealed`, kept their number back.

    Who did not even sign has probably gone and is removed; who kept a number back is barred from the next draw. All are
    asked for Ready again.
    """
    left = room if revealed else room.without(*silent)
    return replace(
        left,
        members=tuple(replace(guest, ready=False, playing=False) for guest in left.members),
        sealing=False,
        torn=min(room.torn + revealed, MAX_COUNT),
        barred=frozenset(silent) if revealed else room.barred,
    )


def check_roster(room: Room, roster: Roster, own: Mapping[bytes, bytes], barred: Collection[bytes] = ()) -> None:
    """Check, before signing, that a roster is exactly what the room showed, member by member, and can be played. Raises Refusal.

    `own`: our keys (ours first, then our bots') with the hashes of their nonces; `barred`: who kept silent in the last
    draw, as far as we saw.
    """
    nonces = {member.key: member.nonce_hash for member in roster.members}
    ours = next(iter(own))
    if ours not in nonces:
        raise RoomRefusal("not-in-roster")
    if any(key in nonces and nonces[key] != nonce for key, nonce in own.items()):
        raise RoomRefusal("roster")
    if any(member.keeper == ours and member.key not in own for member in roster.members):
        raise RoomRefusal("not-our-bot")
    sitting_out = {*room.barred, *barred}
    others = [g for g in room.sitters if g.key not in sitting_out and (g.playing or g.ready)]
    if sitting_out & nonces.keys() and len(others) >= min(game_class(room.game).seat_counts):
        raise RoomRefusal("not-barred")
    guests = [guest for guest in room.sitters if guest.key in nonces]
    are_all_there = guests == [guest for guest in room.sitters if guest.playing]
    if not room.sealing or not are_all_there or roster != room.roster(roster.id, guests):
        raise RoomRefusal("roster")
    try:
        game_of(roster)
    except BadOption as fault:  # a host's own program does not start such a match
        raise RoomRefusal("roster") from fault
