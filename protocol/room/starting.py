"""Decide who plays the next match of a room, and what happens to the room when it begins, ends, or is never sealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from protocol.errors import BadOption, FairdealError
from protocol.games.catalogue import game_class, load
from protocol.room.refusals import Refusal
from protocol.room.values import Guest, Room
from protocol.table.roster import Roster


@dataclass(frozen=True, slots=True)
class Start:
    """The next match, if it started now: who plays, in the order of the seats, and what prevents it, or None."""

    players: tuple[Guest, ...]
    obstacle: FairdealError | None = None


def start_of(room: Room) -> Start:
    """Return who plays if the match starts now: those who sit and are ready."""
    players = tuple(g for g in room.sitters if g.ready and not g.playing and g.key not in room.barred)
    if room.is_playing:
        return Start(players, Refusal("running"))
    try:
        least = min(game_class(room.game).seat_counts)
        if len(players) < least:
            return Start(players, Refusal("few", least=least))
        load(room.game, len(players), room.options)
    except BadOption as obstacle:
        return Start(players, obstacle)
    return Start(players)


def all_are_ready(room: Room) -> bool:
    """Whether everyone who sits is ready (those who are barred or watch do not count)."""
    return all(g.ready for g in room.sitters if g.key not in room.barred) and not room.is_playing


def starting(room: Room, players: Collection[Guest], match: bytes) -> Room:
    """Return the room while these players are asked to sign: the others have waited once more."""
    keys = {guest.key for guest in players}
    members = tuple(
        replace(g, ready=True, waited=0)
        if g.key in keys
        else replace(g, waited=min(g.waited + 1, 1 << 15) if g.plays else g.waited)
        for g in room.members
    )
    return replace(room, members=members, sealing=True, match=match)


def begun(room: Room) -> Room:
    """Return the room once the table is sealed: the players are at the match, and nobody is barred any more."""
    seated = set(room.seating)
    members = tuple(
        replace(g, playing=True, ready=False) if g.key in seated and g.ready and g.key not in room.barred else g
        for g in room.members
    )
    return replace(room, members=members, sealing=False, torn=0, barred=frozenset())


def torn(room: Room, silent: Collection[bytes], revealed: bool) -> Room:
    """Return the room after a table was not sealed. `silent`: who did not sign or, if `revealed`, kept their number back.

    Who did not even sign has probably gone and is removed; who kept a number back is barred from the next draw. All are
    asked for Ready again.
    """
    left = room if revealed else room.without(*silent)
    members = tuple(replace(guest, ready=False) for guest in left.members)
    return replace(
        left,
        members=members,
        sealing=False,
        torn=room.torn + revealed,
        barred=frozenset(silent) if revealed else room.barred,
    )


def check_roster(room: Room, roster: Roster, own: Mapping[bytes, bytes], barred: Collection[bytes] = ()) -> None:
    """Check, before signing, that a roster is exactly what the room showed, member by member. Raises Refusal.

    `own`: our keys (ours first, then our bots') with the hashes of their nonces; `barred`: who kept silent in the last
    draw, as far as we saw.
    """
    nonces = {member.key: member.nonce_hash for member in roster.members}
    ours = next(iter(own))
    if ours not in nonces:
        raise Refusal("not-in-roster")
    if any(key in nonces and nonces[key] != nonce for key, nonce in own.items()):
        raise Refusal("roster")
    if any(member.keeper == ours and member.key not in own for member in roster.members):
        raise Refusal("not-our-bot")
    if any(key in nonces for key in (*room.barred, *barred)):
        raise Refusal("not-barred")
    guests = [guest for guest in room.sitters if guest.key in nonces]
    if not room.sealing or roster != room.roster(roster.id, guests):
        raise Refusal("roster")
