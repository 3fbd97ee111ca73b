"""A group in which logarithms are no secret: a point is its own logarithm. A hundred times faster than the real group.

Every equation that holds in the real group holds here and the other way round, so a table behaves the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import lru_cache

import pytest

from protocol import signed
from protocol.dealing import faces, group
from protocol.dealing.group import POINT_BYTES, SCALAR_BYTES, q
from protocol.dealing.library import ONE as GENERATOR
from protocol.identity import check_signature
from protocol.signed import decode
from protocol.table import table

ZERO = bytes(POINT_BYTES)


def decoded(point: bytes) -> int:
    return 1 if point == GENERATOR else int.from_bytes(point, "little")


def encoded(logarithm: int) -> bytes:
    return GENERATOR if logarithm % q == 1 else (logarithm % q).to_bytes(SCALAR_BYTES, "little")


def times(k: int, p: bytes) -> bytes:
    return encoded(k * decoded(p))


def plus(p: bytes, r: bytes) -> bytes:
    return encoded(decoded(p) + decoded(r))


def minus(p: bytes, r: bytes) -> bytes:
    return encoded(decoded(p) - decoded(r))


class Library:
    """What the group asks of the library beside sums and multiples."""

    def is_point(self, data: bytes) -> bool:
        return data == GENERATOR or 1 < int.from_bytes(data, "little") < q

    def from_hash(self, data: bytes) -> bytes:
        return encoded(int.from_bytes(data, "little"))


@contextlib.contextmanager
def toy_group() -> Iterator[None]:
    """All arithmetic is in the toy group. A letter is decoded and its signature checked once, not once for each seat."""
    library = Library()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group, "_times", times)
        patch.setattr(group, "_plus", plus)
        patch.setattr(group, "_minus", minus)
        patch.setattr(group, "load", lambda: library)
        check = lru_cache(1 << 16)(check_signature)
        patch.setattr(signed, "check_signature", check)
        patch.setattr(table, "decode", lru_cache(1 << 12)(decode))
        _forget_points()
        try:
            yield
        finally:
            _forget_points()


def _forget_points() -> None:
    """Points of one group mean nothing in the other."""
    for remembered in (group._commitment_key, faces.card_point, faces._faces):
        remembered.cache_clear()
