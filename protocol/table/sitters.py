"""Say who sits where: the player in the roster or, since a change between rounds, the one who took the empty seat.

(PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.identity import check_public_key
from protocol.table.roster import Member

Added: TypeAlias = tuple[Seat, bytes, bytes, str, bool]
"""A seat that is taken, as promises name it: seat, key, keeper, name, whether it is a bot."""


def sitters_of(added: Iterable[Added]) -> dict[Seat, Member]:
    """Return who takes these seats."""
    return {seat: Member(key, name, keeper, bot, b"") for seat, key, keeper, name, bot in added}


def keeper_of(member: Member) -> bytes:
    """Return who is responsible for a seat when it goes or comes: a phone is its own keeper, whoever serves its page."""
    return member.keeper if member.bot else member.key


def gives_way(sitter: Member, present: Iterable[Member]) -> bool:
    """Whether this is a bot on the computer of somebody else who is present: between rounds it makes room for a person."""
    return sitter.bot and sitter.keeper != sitter.key and any(member.key == sitter.keeper for member in present)


def check_added(added: tuple[Added, ...], base: Iterable[Seat], seats: int) -> None:
    """Check what of the seats that are taken does not depend on the match. `base`: the seats of the epoch before.

    Raises BadMessage.
    """
    taken = [seat for seat, *_ in added]
    if taken != sorted(set(taken)) or any(seat >= seats for seat in taken) or not set(base).isdisjoint(taken):
        raise BadMessage("a seat that is not empty is taken, or one is taken twice")
    if len({key for _, key, *_ in added}) != len(added):
        raise BadMessage("the same key takes two seats")
    for _, key, keeper, _, bot in added:
        check_public_key(key)
        check_public_key(keeper)
        if not bot and keeper != key:
            raise BadMessage("a player who is not a bot has a keeper")


def check_sitters(taken: Mapping[Seat, Member], present: Mapping[Seat, Member], gone: Iterable[bytes]) -> None:
    """Check that these may join those who are present. `gone`: keys that left for good or were caught, and their keepers.

    A bot comes with its keeper or after them. People come one at a time: if several vanished again before the change was
    complete, those who stay could be too few to undo it. Raises BadMessage.
    """
    keys = {member.key for member in present.values()}
    if not keys.isdisjoint(member.key for member in taken.values()):
        raise BadMessage("a player takes a second seat")
    out = set(gone)
    if any(member.key in out or member.keeper in out for member in taken.values()):
        raise BadMessage("a player who quit for good cannot come back with the same key")
    keepers = {keeper_of(member) for member in present.values()}
    joining = {member.keeper for member in taken.values()} - keepers
    if len(joining) > 1:
        raise BadMessage("several people take seats at the same time")
    speaking = {member.key for member in taken.values()}
    if not joining <= speaking:
        raise BadMessage("a bot takes a seat without its keeper")
