"""Whose keys the secret-check words stand for, of a room's members or of a table's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Holder(Protocol):
    """A guest of a room, or a member of a table."""

    @property
    def key(self) -> bytes: ...

    @property
    def keeper(self) -> bytes: ...

    @property
    def bot(self) -> bool: ...


def keys_to_compare(members: Iterable[Holder], own: bytes) -> frozenset[bytes]:
    """Return the keys of all other people and of all other computers: bots have new keys each time, which their computers sign.

    `own`: our key.
    """
    found: set[bytes] = set()
    for member in members:
        found |= {member.keeper} if member.bot else {member.key, member.keeper}
    return frozenset(found - {own})
