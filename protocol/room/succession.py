"""Decide who hosts a room: who comes next when the host is gone, and which of two hosts holds when branches meet."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.room.values import Guest, Room
from protocol.values import replace


def successors(room: Room) -> tuple[Guest, ...]:
    """Return who may host after the host, in order.

    People who play before people who watch, then unattended clients; each group by the time of arrival. Bots on somebody
    else's computer and phones never host.
    """
    others = [guest for guest in room.members if guest.key != room.host and guest.can_host]
    return tuple(sorted(others, key=lambda guest: (guest.bot, not guest.plays)))


def hosted_by(room: Room, key: bytes, gone: Sequence[bytes]) -> Room:
    """Return the room with a new host, in the next term. `gone`: who is not here any more."""
    left = room.without(*(each for each in gone if each != key))
    return replace(left, host=key, term=room.term + 1, number=0, sealing=False)


def precedes(one: Room, other: Room) -> bool:
    """Whether the first of two words of one room holds: the higher term, then the earlier member, then the later word."""
    if one.term != other.term:
        return one.term > other.term
    if one.host != other.host:
        return _arrival_of_host(one) < _arrival_of_host(other)
    return one.number > other.number


def _arrival_of_host(room: Room) -> tuple[int, bytes]:
    """Return what orders hosts of one term: the arrival, then the key, where two branches counted alike."""
    host = room.guest(room.host)
    return (host.arrived if host is not None else 1 << 32, room.host)
